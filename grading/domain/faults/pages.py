"""Faults about the page: quotes that do not stand there, boxes without ink, ink that nobody read, doubtful glyphs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal
from random import Random
from typing import Any

from ..gate.quoting import quotes_truly
from ..statuses import Status
from .base import Base, Credited, Make, Mutant, content_of, overlap
from .run import Kind
from .targets import at_one, other_numbers, pick, saying

_LOOK_ALIKES = str.maketrans("0123456789=+-aexcpo", "０１２３４５６７８９＝＋−аехсро")


def _quoting(change: Callable[[Base, Credited, str, Random], str | None]) -> Make:
    """The quote of one credited step is replaced; nothing else changes. None or a still true quote: not applicable."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        step = pick(rng, base.credited)
        if step is None:
            return None
        quote = change(base, step, str(mutant.alike(*step.where)[0]["quote"]), rng)
        lines = [line for line in base.reading.lines if line.line_id in step.line_ids]
        if quote is None or (quote and quotes_truly(quote, lines)):
            return None
        mutant.say(step.where, quote=quote)
        return mutant

    return make


def _other_line(base: Base, step: Credited, quote: str, rng: Random) -> str | None:
    return pick(rng, [line.content for line in base.reading.standing if line.line_id not in step.line_ids])


def _number_changed(base: Base, step: Credited, quote: str, rng: Random) -> str | None:
    return next(other_numbers(quote, rng), None)


def _crumbs(base: Base, step: Credited, quote: str, rng: Random) -> str | None:
    """Single signs of the cited lines, strung together so that they say something else."""
    signs = sorted({sign for line in step.lines for sign in line if sign.isdigit() or sign in "=+-"})
    return ";".join(rng.sample(signs, min(len(signs), 3))) if len(signs) > 1 else None


def _spliced(base: Base, step: Credited, quote: str, rng: Random) -> str | None:
    """The beginning of a line and a number from further on, with an ellipsis for what stands between."""
    line = step.lines[0]
    left, equals, rest = line.partition("=")
    digits = [sign for sign in rest[1:] if sign.isdigit()]
    return f"{left}{equals}…{rng.choice(digits)}" if equals and digits else None


def _citing(**changes: Any) -> Make:
    return at_one(lambda base: base.credited, saying(**changes))


def _line_with(change: Callable[[dict[str, Any], Mutant, Base, Random], bool]) -> Make:
    """One cited line of a credited step gets other facts."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        step = pick(rng, base.credited)
        if step is None or not step.line_ids:
            return None
        return mutant if change(mutant.line(rng.choice(step.line_ids)), mutant, base, rng) else None

    return make


def _measured_line(change: Callable[[dict[str, Any]], None]) -> Make:
    """The measurement of one cited line's box is another."""

    def apply(line: dict[str, Any], mutant: Mutant, base: Base, rng: Random) -> bool:
        entry = mutant.ink_of(line["line_id"])
        if entry is None:
            return False
        change(entry)
        return True

    return _line_with(apply)


def _denial_on_struck_work(base: Base, rng: Random) -> Mutant | None:
    """The wrong value was withdrawn: the picture shows it struck out, and yet a step is denied for it."""
    mutant = base.mutant()
    step = pick(rng, [step for step in base.of(Status.INVALID) if step.line_ids])
    entry = None if step is None else mutant.ink_of(rng.choice(step.line_ids))
    if entry is None:
        return None
    entry["struck"] = True
    return mutant


def _set(**facts: Any) -> Callable[[dict[str, Any], Mutant, Base, Random], bool]:
    def apply(line: dict[str, Any], mutant: Mutant, base: Base, rng: Random) -> bool:
        line.update(copy.deepcopy(facts))
        return True

    return apply


def _boxed(box: Callable[[list[Any]], list[Any]]) -> Make:
    def apply(line: dict[str, Any], mutant: Mutant, base: Base, rng: Random) -> bool:
        if "box" not in line or not base.has_ink:
            return False
        line["box"] = box(line["box"])
        mutant.remeasure = True
        return True

    return _line_with(apply)


def _boxless(line: dict[str, Any], mutant: Mutant, base: Base, rng: Random) -> bool:
    return line.pop("box", None) is not None


def _on_blank_paper(line: dict[str, Any], mutant: Mutant, base: Base, rng: Random) -> bool:
    places = list(base.blank_boxes())
    if not places or not base.has_ink:
        return False
    line["page"], line["box"] = rng.choice(places)
    mutant.remeasure = True
    return True


def _box_of_another_line(line: dict[str, Any], mutant: Mutant, base: Base, rng: Random) -> bool:
    """Two lines claim one place, so that the ink of the one is read by nobody."""
    others = [other for other in mutant.reading["lines"] if other is not line and "box" in other]
    if not others or "box" not in line or not base.has_ink:
        return False
    other = rng.choice(others)
    if overlap(other["box"], line["box"]):
        return False
    line["page"], line["box"] = other.get("page", 1), copy.deepcopy(other["box"])
    mutant.remeasure = True
    return True


def _ink(change: Callable[[dict[str, Any], Mutant], None]) -> Make:
    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        if not base.has_ink:
            return None
        change(mutant.ink, mutant)
        return mutant

    return make


def _forget_ink(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.ink = None
    return mutant


def _line_left_out(base: Base, rng: Random) -> Mutant | None:
    """A line that stands on the page is not in the reading; the ink is there all the same."""
    cited = {line_id for step in base.steps for line_id in step.line_ids}
    mutant = base.mutant()
    lines = mutant.reading["lines"]
    found = pick(rng, [line for line in lines if "box" in line and line["line_id"] not in cited])
    found = found or pick(rng, [line for line in lines if "box" in line])
    if found is None or not base.has_ink:
        return None
    mutant.without_lines([found["line_id"]])
    mutant.remeasure = True
    mutant.ink["unaccounted"].append({"page": found.get("page", 1), "box": found["box"], "ink_fraction": "0.01"})
    return mutant


def _swallowing_box(line: dict[str, Any], mutant: Mutant, base: Base, rng: Random) -> bool:
    """One box over the whole page accounts for ink that nobody read."""
    if len([each for each in mutant.reading["lines"] if each.get("page") == line.get("page")]) < 2 or "box" not in line:
        return False
    line["box"] = [Decimal("0.001"), Decimal("0.001"), Decimal("0.999"), Decimal("0.999")]
    mutant.remeasure = True
    return base.has_ink


def _page_more(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.reading["pages"].append({"width": 1240, "height": 1754})
    return mutant if base.has_ink else None


def _reading(change: Callable[[dict[str, Any]], None]) -> Make:
    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        change(mutant.reading)
        return mutant

    return make


def _unread_region(reading: dict[str, Any]) -> None:
    reading["pages"][0]["unread_ink_boxes"] = [[Decimal("0.1"), Decimal("0.8"), Decimal("0.2"), Decimal("0.9")]]


def _no_lines(reading: dict[str, Any]) -> None:
    reading["lines"] = []


def _failed(reading: dict[str, Any]) -> None:
    reading["failure"] = {"code": "low_confidence"}


def _doubtful_glyph(base: Base, rng: Random) -> Mutant | None:
    """A figure of a line that proves a step may also be read as another, and then proves nothing."""
    mutant = base.mutant()
    step = pick(rng, base.proved)
    if step is None:
        return None
    for other in other_numbers(step.lines[0], rng):
        if base.differs(step.step, other):
            mutant.line(step.line_ids[0])["alternatives"] = [{"latex": other, "confidence": Decimal("0.4")}]
            return mutant
    return None


def _doubts_beyond_counting(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    lines = [line for line in mutant.reading["lines"] if not line.get("struck_out") and content_of(line).strip()]
    limit = int(mutant.policy["alternatives_limit"])
    for number in range(limit + 1):
        line = lines[number % len(lines)]
        other = {"latex": content_of(line) + " " * (number + 1), "confidence": Decimal("0.1")}
        line.setdefault("alternatives", []).append(other)
    return mutant


def _unsure(field: str, value: str) -> Callable[[dict[str, Any], Mutant, Base, Random], bool]:
    def apply(line: dict[str, Any], mutant: Mutant, base: Base, rng: Random) -> bool:
        line[field] = Decimal(value)
        line["min_confidence"] = min(Decimal(str(line.get("min_confidence", 1))), Decimal(value))
        return mutant.certificate is None

    return apply


def _reader_of_high_demands(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.reading["reader"] = {"name": "careful", "line_threshold": 1}
    mutant.line(base.credited[0].line_ids[0])["confidence"] = Decimal("0.99")
    return mutant if mutant.certificate is None else None


def _not_allowed(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    mutant.policy["allow_uncertified"] = False
    return mutant if mutant.certificate is None else None


def _struck(entry: dict[str, Any]) -> None:
    entry["struck"] = True


def _no_ink(entry: dict[str, Any]) -> None:
    entry.update(has_ink=False, ink_fraction="0", struck=None)


def _ink_of_others(entry: dict[str, Any]) -> None:
    entry["own_ink"] = False


def _not_measured(entry: dict[str, Any]) -> None:
    entry["box"] = ["0", "0", "0.001", "0.001"]


def _more_ink(ink: dict[str, Any], mutant: Mutant) -> None:
    ink["unaccounted"].append({"page": 1, "box": ["0.2", "0.8", "0.4", "0.9"], "ink_fraction": "0.05"})


def _image_more(ink: dict[str, Any], mutant: Mutant) -> None:
    ink["pages"].append(copy.deepcopy(ink["pages"][0]))


QUOTED: tuple[Kind, ...] = (
    Kind(
        "invented-segment",
        "evidence-quoted",
        _quoting(lambda base, step, quote, rng: f"{step.step.expects[0]}，得证" if step.step.expects else "由题意显然"),
        "引文是编造的",
        "an invented segment",
    ),
    Kind(
        "quote-of-another-line", "evidence-quoted", _quoting(_other_line), "引文出自别的行", "a quote from another line"
    ),
    Kind(
        "quote-with-changed-figure",
        "evidence-quoted",
        _quoting(_number_changed),
        "引文改了一个数字",
        "a figure of the quote changed",
    ),
    Kind(
        "look-alike-quote",
        "evidence-quoted",
        _quoting(lambda base, step, quote, rng: quote.translate(_LOOK_ALIKES)),
        "引文用全角或形近字符",
        "full-width and look-alike characters in the quote",
    ),
    Kind(
        "invisible-character-in-quote",
        "evidence-quoted",
        _quoting(lambda base, step, quote, rng: quote[:1] + rng.choice("\u200b\u200d\u202e\u2066\ufeff") + quote[1:]),
        "引文里有看不见的字符",
        "an invisible character in the quote",
    ),
    Kind(
        "quote-of-crumbs",
        "evidence-quoted",
        _quoting(_crumbs),
        "引文由零碎符号拼成",
        "a quote strung together from single signs",
    ),
    Kind(
        "spliced-quote",
        "evidence-quoted",
        _quoting(_spliced),
        "引文略去中间、改了意思",
        "a quote that leaves out the middle",
    ),
    Kind("empty-quote", "evidence-quoted", _quoting(lambda *_: ""), "引文为空", "an empty quote"),
    Kind(
        "unknown-line",
        "evidence-quoted",
        _citing(line_ids=["L999"]),
        "引用不存在的行",
        "a line that is not there is cited",
    ),
    Kind("empty-evidence", "evidence-quoted", _citing(line_ids=[], quote=""), "没有引用任何行", "no line is cited"),
    Kind("words-without-line", "evidence-quoted", _citing(line_ids=[]), "只有引文没有行", "a quote without a line"),
)

INKED: tuple[Kind, ...] = (
    Kind(
        "box-off-page",
        "evidence-inked",
        _boxed(lambda box: [box[0], box[1] + 1, box[2], box[3] + 1]),
        "框在页面之外",
        "a box off the page",
    ),
    Kind(
        "box-half-off-page",
        "evidence-inked",
        _boxed(lambda box: [box[0], box[1], Decimal("1.2"), box[3]]),
        "框有一半在页面外",
        "a box half off the page",
    ),
    Kind(
        "box-inside-out",
        "evidence-inked",
        _boxed(lambda box: [box[2], box[3], box[0], box[1]]),
        "框的两角颠倒",
        "a box with its corners exchanged",
    ),
    Kind(
        "box-of-nothing",
        "evidence-inked",
        _boxed(lambda box: [box[0], box[1], box[0], box[1]]),
        "框没有面积",
        "a box without area",
    ),
    Kind("no-box", "evidence-inked", _line_with(_boxless), "所引行没有框", "a cited line without a box"),
    Kind("unknown-page", "evidence-inked", _line_with(_set(page=9)), "所引行在不存在的页上", "a cited line on no page"),
    Kind("box-on-blank-paper", "evidence-inked", _line_with(_on_blank_paper), "框在空白处", "a box on blank paper"),
    Kind("box-without-ink", "evidence-inked", _measured_line(_no_ink), "框内没有墨迹", "a box without ink"),
    Kind(
        "ink-of-other-lines",
        "evidence-inked",
        _measured_line(_ink_of_others),
        "框内的墨迹都属于别的行",
        "a box whose ink all belongs to other lines",
    ),
    Kind(
        "box-not-measured", "evidence-inked", _measured_line(_not_measured), "框没有量过", "a box that was not measured"
    ),
    Kind(
        "struck-out-in-image",
        "evidence-inked",
        _measured_line(_struck),
        "图上已划去",
        "work that is struck out in the image",
    ),
    Kind(
        "struck-line-cited",
        "evidence-inked",
        _line_with(_set(struck_out=True)),
        "引用划去的行",
        "a struck line is cited",
    ),
    Kind("scratch-line-cited", "evidence-inked", _line_with(_set(scratch=True)), "引用草稿行", "scratch work is cited"),
    Kind("ink-forgotten", "evidence-inked", _forget_ink, "没有量墨迹", "ink was not measured"),
    Kind(
        "denial-on-struck-work",
        "evidence-inked",
        _denial_on_struck_work,
        "以已划去的字判错",
        "a denial for work that is struck out",
    ),
)

READ: tuple[Kind, ...] = (
    Kind(
        "unread-ink-in-line", "recognised", _line_with(_set(unread_ink=True)), "行内有未读墨迹", "unread ink in a line"
    ),
    Kind(
        "unread-region",
        "recognised",
        _reading(_unread_region),
        "识读器有读不出的墨迹",
        "ink that the reader could not read",
    ),
    Kind("ink-unaccounted", "recognised", _ink(_more_ink), "有墨迹没有着落", "ink that no line accounts for"),
    Kind("image-more", "recognised", _ink(_image_more), "图像比识读多一页", "an image more than pages read"),
    Kind("page-more", "recognised", _page_more, "识读比图像多一页", "a page read without an image"),
    Kind("line-left-out", "recognised", _line_left_out, "漏读一行", "a line on the page is not in the reading"),
    Kind(
        "box-of-another-line",
        "evidence-inked",
        _line_with(_box_of_another_line),
        "框套在别的行上",
        "the box of another line",
    ),
    Kind("swallowing-box", "recognised", _line_with(_swallowing_box), "一个框盖住整页", "one box over the whole page"),
    Kind("no-lines", "recognised", _reading(_no_lines), "一行也没读出", "no line was read"),
    Kind("failed-reading", "recognised", _reading(_failed), "识读失败", "the reading failed"),
    Kind(
        "low-confidence-line",
        "reading-trusted",
        _line_with(_unsure("confidence", "0.6")),
        "所引行置信度低",
        "a cited line read without confidence",
    ),
    Kind(
        "low-confidence-sign",
        "reading-trusted",
        _line_with(_unsure("min_confidence", "0.5")),
        "所引行有一个字置信度低",
        "one sign of a cited line read without confidence",
    ),
    Kind(
        "reader-of-high-demands",
        "reading-trusted",
        _reader_of_high_demands,
        "低于识读器自己的阈值",
        "below the reader's own threshold",
    ),
    Kind("not-allowed", "certified", _not_allowed, "策略不允许无证书放行", "policy does not allow to pass uncertified"),
    Kind(
        "doubtful-glyph",
        "reading-stable",
        _doubtful_glyph,
        "存疑字形会改变判分",
        "a doubtful glyph whose other reading changes the mark",
    ),
    Kind(
        "doubts-beyond-counting",
        "reading-stable",
        _doubts_beyond_counting,
        "存疑读法多于上限",
        "more doubtful readings than are tried",
    ),
)
