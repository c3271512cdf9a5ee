"""The blind reading of the embedded judge: page images in, a READING document out, offline and on one processor.

What it can do: typeset pages and very neat, line-by-line school algebra (equations, values, fractions, simple roots,
scripts, Chinese words between them). What it cannot: ordinary handwriting, figures, matrices, cases, limits and sums
with bounds. It is built to know the difference: a page that reads badly ends in a `failure`, a line whose layout was a
guess has a confidence below the threshold, and ink that no character explains is listed. All of that goes to a teacher.

A page that stands on its side or upside down is read upright; boxes are given on the page as it is stored, and the
page says by how much it was turned (`rotation`, degrees counter-clockwise that make it upright).
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grading.judges.embedded.lines import LineReading
    from grading.judges.embedded.pages import Box, Gray, Upright
    from grading.judges.embedded.recogniser import Recogniser
    from grading.judges.embedded.rows import Part

VERSION = "2"
RECOGNISER = "ppocrv6-small/rapidocr-3.10.0"
HOPELESS = 0.72
"""A page whose first look, as plain text, is less certain than this cannot become readable by its layout."""


@dataclass(frozen=True)
class ReaderSettings:
    """Limits of the reader. The thresholds were chosen on a small sample of some hundred lines: re-measure them."""

    page_confidence: float = 0.93
    """A page whose characters are on average less sure than this is not read: real handwriting stayed below .91."""
    line_confidence: float = 0.8
    """A line whose least sure character is below this counts as unread."""
    min_lines: int = 1
    """Fewer lines than this on the whole answer are a failed recognition; one line may be a bare final answer."""
    max_side: int = 1600
    """Pixels of the longer side at which pages are read; smaller pages are enlarged to it."""
    threads: int = 1
    """Processor threads of the recogniser; counts at its first use in a process."""


@dataclass
class _PageReading:
    """One page, read one way up."""

    upright: "Upright"
    rows: "list[list[Part]]"
    lines: "list[LineReading]"
    struck: list[bool]
    stray: "list[Box]"
    first_look: float
    blank: bool = False

    @property
    def confidence(self) -> float:
        """Mean certainty over the characters of lines not struck out; a mark without character counts as zero."""
        if not self.lines:
            return self.first_look
        live = [line for line, struck in zip(self.lines, self.struck, strict=True) if not struck]
        characters = sum(line.characters + len(line.unread) for line in live)
        return sum(line.mean * line.characters for line in live) / characters if characters else 0.0


READING_KEYS = {
    "pages": ("width", "height"),
    "lines": (
        "line_id",
        "latex",
        "text",
        "page",
        "box",
        "struck_out",
        "confidence",
        "min_confidence",
        "corroborated",
        "unread_ink",
        "alternatives",
    ),
}
"""What a READING document may say of a page and of a line; `examine_pages` says more."""
MOST_ALTERNATIVES = 40


def read_pages(images: Sequence[bytes], settings: ReaderSettings = ReaderSettings()) -> dict[str, Any]:
    """The READING document of these page images, with the keys of its schema and no others.

    Raises ReaderUnavailable when the recogniser is not installed.
    """
    full = examine_pages(images, settings)
    document: dict[str, Any] = {"reader": {key: full["reader"][key] for key in ("name", "version", "line_threshold")}}
    for section, keys in READING_KEYS.items():
        document[section] = [{key: one[key] for key in keys if key in one} for one in full[section]]
    document["instructions_seen"] = full["instructions_seen"]
    if "failure" in full:
        document["failure"] = full["failure"]
    return document


def examine_pages(images: Sequence[bytes], settings: ReaderSettings = ReaderSettings()) -> dict[str, Any]:
    """A READING document with everything the reader knows: certainties, raw text, repairs, doubts, turns, unread ink.

    A reading that failed says so under `failure` and keeps whatever lines and boxes were found, for the teacher.
    Raises ReaderUnavailable when the recogniser is not installed; unreadable bytes end as the failure `unusable_image`.
    """
    from grading.judges.embedded.pages import UnusablePage
    from grading.judges.embedded.recogniser import recogniser

    engine = recogniser(settings.threads)
    document: dict[str, Any] = {"pages": [], "lines": [], "instructions_seen": [], "reader": _identity(settings)}
    readings: list[_PageReading] = []
    for number, image in enumerate(images, start=1):
        try:
            reading, stored = _read_page(engine, image, settings)
        except UnusablePage as problem:
            document["failure"] = {"code": "unusable_image", "detail": f"page {number}: {problem}"}
            return document
        readings.append(reading)
        low = not reading.blank and reading.confidence < settings.page_confidence
        lines = _as_detected(engine, reading) if low else _as_read(reading)
        for line in lines:
            document["lines"].append({"line_id": f"L{len(document['lines']) + 1}", "page": number, **line})
        document["pages"].append(_page_document(reading, stored))
    failure = _failure(readings, settings)
    if failure:
        document["failure"] = failure
    else:
        _corroborate(document["lines"], [line for reading in readings for line in reading.lines], settings)
    return document


def _corroborate(documents: list[dict[str, Any]], lines: "list[LineReading]", settings: ReaderSettings) -> None:
    """Raise to the threshold each line whose one weak character is settled by what the page says, and say so."""
    from grading.judges.embedded.corroborate import PageLine, corroborated

    threshold = settings.line_confidence
    seen = []
    for document, line in zip(documents, lines, strict=True):
        weak = [one for one in line.weak if one.probability < threshold]
        clear = not (line.doubts or line.unread or document["struck_out"])
        only = weak[0] if clear and len(weak) == 1 and line.least < threshold else None
        seen.append(PageLine(line.latex, clear and line.confidence >= threshold, only))
    for document, page_line, settled in zip(documents, seen, corroborated(seen), strict=True):
        if settled and page_line.weak is not None:
            document["corroborated"] = {
                "char": page_line.weak.char,
                "confidence": round(page_line.weak.probability, 4),
            }
            document["confidence"] = document["min_confidence"] = threshold


def reader_version() -> str:
    """What a reading of now would say of its reader; loads no recogniser."""
    return f"{VERSION}+{RECOGNISER}"


def _identity(settings: ReaderSettings) -> dict[str, Any]:
    parameters = {name: str(value) for name, value in asdict(settings).items()}
    return {
        "name": "embedded",
        "version": reader_version(),
        "line_threshold": settings.line_confidence,
        "parameters": parameters,
    }


def _read_page(engine: "Recogniser", image: bytes, settings: ReaderSettings) -> "tuple[_PageReading, tuple[int, int]]":
    """The page read upright if it makes sense that way up, else in the turn that makes the most sense."""
    from grading.judges.embedded import pages

    page = pages.decode(image)
    flat = pages.flatten(pages.fit(page, settings.max_side, settings.max_side))
    stored = (page.shape[1], page.shape[0])
    best = _read_turned(engine, page, flat, 0)
    if best.blank or best.confidence >= settings.page_confidence:
        return best, stored
    as_stored, *turned_looks = (_glance(engine, flat, turns) for turns in range(4))
    glance, turns = max((look, turns) for turns, look in enumerate(turned_looks, start=1))
    if glance > as_stored + 0.1:
        turned = _read_turned(engine, page, flat, turns)
        if turned.confidence >= settings.page_confidence:
            return turned, stored
    return best, stored


def _glance(engine: "Recogniser", flat: "Gray", turns: int) -> float:
    """How well the longest stretches of writing read this way up, as plain text: cheap, and enough to tell a turn."""
    import numpy as np

    from grading.judges.embedded import pages, rows
    from grading.judges.embedded.first_look import plain_certainty

    turned = np.ascontiguousarray(np.rot90(flat, turns))
    mask = pages.ink_mask(turned)
    sheet = rows.take_apart(turned, mask, pages.writing_unit(mask))
    return plain_certainty(engine, sheet)


def _read_turned(engine: "Recogniser", page: "Gray", flat: "Gray", turns: int) -> _PageReading:
    import numpy as np

    from grading.judges.embedded import ink, pages, rows
    from grading.judges.embedded.first_look import sorted_rows
    from grading.judges.embedded.lines import read_rows

    mask = pages.ink_mask(np.ascontiguousarray(np.rot90(flat, turns)))
    skew = rows.slope_of(rows.take_apart(flat, mask, pages.writing_unit(mask)))
    upright = pages.upright(page, flat, skew, turns)
    if skew:
        mask = pages.ink_mask(upright.gray)
    unit = pages.writing_unit(mask)
    page_rows = sorted_rows(engine, rows.take_apart(upright.gray, mask, unit))
    if page_rows.certainty < HOPELESS:
        return _PageReading(upright, [], [], [], [], page_rows.certainty, blank=not page_rows.sheet.parts)
    written = [row for row in page_rows.rows if not _is_stray(row, unit)]
    stray = [rows.extent(row) for row in page_rows.rows if _is_stray(row, unit)]
    struck = []
    for row in written:
        x0, y0, x1, y1 = rows.extent(row)
        own = np.isin(page_rows.sheet.labels[y0:y1, x0:x1], [part.label for part in row]).astype(np.uint8)
        struck.append(ink.struck_out(own, unit))
    lines = read_rows(engine, replace(page_rows, rows=written))
    return _PageReading(upright, written, lines, struck, stray, page_rows.certainty, blank=not written)


def _is_stray(row: "list[Part]", unit: float) -> bool:
    """True for a lone mark too small to be a line: dust, a slip of the pen, a dot far from everything."""
    from grading.judges.embedded.rows import extent

    x0, y0, x1, y1 = extent(row)
    return max(x1 - x0, y1 - y0) < 0.4 * unit


def _as_read(reading: _PageReading) -> list[dict[str, Any]]:
    from grading.judges.embedded.rows import extent
    from grading.judges.embedded.typeset import is_ideograph

    documents = []
    for row, line, struck in zip(reading.rows, reading.lines, reading.struck, strict=True):
        words_only = line.latex != "" and all(is_ideograph(char) or char in "，。：；、,.:;" for char in line.latex)
        documents.append(
            {
                "text" if words_only else "latex": line.latex,
                "box": _box(reading, extent(row)),
                "struck_out": struck,
                "confidence": round(line.confidence, 4),
                "min_confidence": round(line.least, 4),
                "mean_confidence": round(line.mean, 4),
                "unread_ink": bool(line.unread),
                "doubts": list(dict.fromkeys(line.doubts)),
                "raw": line.raw,
                "repairs": [asdict(repair) for repair in line.repairs],
                "alternatives": _alternatives(line),
            }
        )
    return documents


def _alternatives(line: "LineReading") -> list[dict[str, Any]]:
    """Other readings of the line, each once, the most probable first."""
    shares: dict[str, float] = {}
    for latex, share in line.alternatives:
        shares[latex] = max(share, shares.get(latex, 0.0))
    shares.pop(line.latex, None)
    ranked = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    return [{"latex": latex, "confidence": round(share, 4)} for latex, share in ranked[:MOST_ALTERNATIVES]]


def _as_detected(engine: "Recogniser", reading: _PageReading) -> list[dict[str, Any]]:
    """The lines of a page that was not understood, as the text detector sees them: where, and roughly what."""
    import cv2

    gray = reading.upright.gray
    documents = []
    boxes = engine.boxes(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR))
    texts = engine.read([gray[max(0, y0) : y1, max(0, x0) : x1] for x0, y0, x1, y1 in boxes])
    for box, glyphs in zip(boxes, texts, strict=True):
        text = "".join(glyph.char for glyph in glyphs)
        mean = sum(glyph.probability for glyph in glyphs) / len(glyphs) if glyphs else 0.0
        least = min((glyph.probability for glyph in glyphs), default=0.0)
        documents.append(
            {
                "text": text,
                "box": _box(reading, box),
                "struck_out": False,
                # One-dimensional text of a page that failed: never above a threshold, whatever the characters say.
                "confidence": round(min(least, 0.5), 4),
                "min_confidence": round(least, 4),
                "mean_confidence": round(mean, 4),
                "unread_ink": True,
                "doubts": ["the page was not understood"],
                "raw": text,
                "repairs": [],
                "alternatives": [],
            }
        )
    return documents


def _page_document(reading: _PageReading, stored: tuple[int, int]) -> dict[str, Any]:
    unread = [
        (part.x0, part.y0, part.x1, part.y1)
        for line, struck in zip(reading.lines, reading.struck, strict=True)
        if not struck
        for part in line.unread
    ]
    return {
        "width": stored[0],
        "height": stored[1],
        "confidence": round(reading.confidence, 4),
        "blank": reading.blank,
        "rotation": 90 * reading.upright.quarter_turns,
        "unread_ink_boxes": [_box(reading, box) for box in [*unread, *reading.stray]],
    }


def _box(reading: _PageReading, box: "Box") -> list[float]:
    return [round(value, 4) for value in reading.upright.on_stored_page(box)]


def _failure(readings: Sequence[_PageReading], settings: ReaderSettings) -> dict[str, str] | None:
    """Why these pages cannot be judged by machine, or None."""
    if all(reading.blank for reading in readings):
        return {"code": "blank", "detail": "no ink on any page"}
    for number, reading in enumerate(readings, start=1):
        if not reading.blank and reading.confidence < settings.page_confidence:
            detail = f"page {number} is read at {reading.confidence:.3f}, {settings.page_confidence} is needed"
            return {"code": "low_confidence", "detail": detail}
    lines = sum(len(reading.lines) for reading in readings)
    if lines < settings.min_lines:
        return {"code": "no_text", "detail": f"{lines} line read, at least {settings.min_lines} needed"}
    return None
