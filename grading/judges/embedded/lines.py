"""One row of writing read whole: its structure, the runs in it, their scripts, and how far the reading can be trusted."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from grading.judges.embedded import repair
from grading.judges.embedded.layout import Fraction, Level, Root, Run, structure
from grading.judges.embedded.recogniser import Candidate, Glyph, Recogniser
from grading.judges.embedded.repair import Repair, Token
from grading.judges.embedded.rows import STACK, Part, Sheet, assembled, freed, smeared
from grading.judges.embedded.scripts import COMMA, Mark, Place, Ruling, marks_of, placed, ruling_of
from grading.judges.embedded.typeset import (
    LOOK_LIKE_STROKES,
    Explained,
    Typeset,
    explain,
    is_ideograph,
    on_the_line,
    set_anew,
)

DOUBTED = 0.5
"""Confidence at most given to a line whose layout was a guess: below every threshold in use."""
GLANCED = 8
"""Stretches of writing that are read to judge a page by."""
HOPELESS_GLANCE = 0.6
"""A page whose longest stretches are less certain than this is not read any further."""
SURELY_CHINESE = 0.7
CLEARLY_OFF = 0.12
BASELESS = frozenset("([{,;:+-=×÷<>≤≥≠±/")
"""Signs that carry no script."""
SELF_EVIDENT = frozenset(",.+-=×÷<>")
"""Signs that stand on the line whatever their exact height: they are no scripts by themselves."""
RELATIONS = frozenset("=<>≤≥≠")


@dataclass(eq=False)
class _Reading:
    """A run on its way from ink to tokens."""

    run: Run
    marks: list[Mark]
    ruling: Ruling
    starts_level: bool
    inside: bool
    more_follows: bool = False
    line: Typeset | None = None
    explained: Explained | None = None
    tokens: list[Token] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class LineReading:
    """What a row says and how sure that is."""

    latex: str
    raw: str
    least: float
    mean: float
    doubts: tuple[str, ...]
    unread: tuple[Part, ...]
    alternatives: tuple[tuple[str, float], ...]
    repairs: tuple[Repair, ...]
    characters: int

    @property
    def confidence(self) -> float:
        """The least sure character, held below every threshold where the layout was a guess."""
        return min(self.least, DOUBTED) if self.doubts else self.least


@dataclass(frozen=True)
class Look:
    """A stretch of writing as it stands, and what it reads as in plain text."""

    line: Typeset
    glyphs: list[Glyph]
    explained: Explained


@dataclass(frozen=True)
class Sorted:
    """The rows of a page, with its sheet after bars were cut free and the parts known to be Chinese."""

    sheet: Sheet
    rows: list[list[Part]]
    chinese: frozenset[int]
    looks: dict[frozenset[int], Look]
    """What the first look read, by the labels of the parts: a plain row need not be read again."""
    certainty: float
    """Mean certainty of the first look, a mark without character counting as zero."""


def sorted_rows(engine: Recogniser, sheet: Sheet) -> Sorted:
    """The rows of the sheet in reading order; none of them where the writing is hopeless.

    A first look at the ungrouped writing, longest stretches first, finds the Chinese characters, whose strokes must
    not pass for fraction bars and roots, and the height of figures.
    """
    groups = sorted(smeared(sheet), key=len, reverse=True)
    looks = _look(engine, sheet, groups[:GLANCED])
    if _certainty(looks.values()) < HOPELESS_GLANCE:
        return Sorted(sheet, [], frozenset(), looks, _certainty(looks.values()))
    looks |= _look(engine, sheet, groups[GLANCED:])
    chinese = frozenset(label for look in looks.values() for label in _chinese_parts(look.explained, sheet.unit))
    figures = sorted(height for look in looks.values() for height in _figure_heights(look.explained))
    if len(figures) >= 4:
        # Indices and exponents are figures too: the taller ones are those on the line.
        sheet = replace(sheet, unit=float(figures[round(0.75 * (len(figures) - 1))]))
    sheet, groups = freed(sheet, groups, chinese)
    return Sorted(sheet, assembled(groups, sheet.unit, chinese), chinese, looks, _certainty(looks.values()))


def _look(engine: Recogniser, sheet: Sheet, groups: Sequence[list[Part]]) -> dict[frozenset[int], Look]:
    """What these groups read as in plain text, by the labels of their parts."""
    lines = []
    for group in groups:
        marks = marks_of(group, sheet.unit)
        lines.append(set_anew(sheet, on_the_line(marks), ruling_of(marks, sheet.unit, None)))
    readings = engine.read([line.image for line in lines])
    return {
        frozenset(part.label for part in group): Look(line, glyphs, explain(line, glyphs))
        for group, line, glyphs in zip(groups, lines, readings, strict=True)
    }


def plain_certainty(engine: Recogniser, sheet: Sheet) -> float:
    """How certainly the longest stretches of writing read as plain text."""
    return _certainty(_look(engine, sheet, sorted(smeared(sheet), key=len, reverse=True)[:GLANCED]).values())


def _certainty(looks: Iterable[Look]) -> float:
    """Mean certainty of the characters, a mark without character counting as zero."""
    readings = [look.explained for look in looks]
    share = sum(read.glyph.probability for explained in readings for read in explained.read)
    count = sum(len(explained.read) + len(explained.unread) for explained in readings)
    return share / count if count else 0.0


def _figure_heights(explained: Explained) -> list[int]:
    """Heights in pixels of the marks that surely are one figure each."""
    return [
        read.marks[0].height
        for read in explained.read
        if read.glyph.char.isdecimal() and read.glyph.probability > 0.9 and len(read.marks) == 1 and not read.doubtful
    ]


def _chinese_parts(explained: Explained, unit: float) -> set[int]:
    """Labels of the parts under characters that are surely Chinese, and no taller than such characters are."""
    return {
        part.label
        for read in explained.read
        if is_ideograph(read.glyph.char) and read.glyph.probability >= SURELY_CHINESE
        if max(mark.box[3] for mark in read.marks) - min(mark.box[1] for mark in read.marks) < STACK * unit
        for mark in read.marks
        for part in mark.parts
    }


def read_rows(engine: Recogniser, page: Sorted) -> list[LineReading]:
    """The reading of each row; all rows go to the recogniser together, which is several times faster."""
    levels = [structure(page.sheet, row, page.chinese) for row in page.rows]
    runs = [list(_runs(level, page)) for level in levels]
    everything = [reading for line in runs for reading in line]
    _recognise(engine, page, everything)
    return [_line(level, line) for level, line in zip(levels, runs, strict=True)]


def _runs(level: Level, page: Sorted, inside: bool = False) -> Iterator[_Reading]:
    """All text runs under a level, each with the ruling of its own level; Chinese stands lower and has no say in it."""
    unit = page.sheet.unit
    loose = {id(node): marks_of(node.parts, unit) for node in level.nodes if isinstance(node, Run)}
    bars = [node.bar for node in level.nodes if isinstance(node, Fraction)]
    axis = sum(bar.cy for bar in bars) / len(bars) if bars else None
    marks = [mark for loose_marks in loose.values() for mark in loose_marks]
    latin = [mark for mark in marks if not any(part.label in page.chinese for part in mark.parts)]
    ruling = ruling_of(latin or marks, unit, axis, 0.85 if inside else 1.0)
    for at, node in enumerate(level.nodes):
        if isinstance(node, Run):
            yield _Reading(node, loose[id(node)], ruling, at == 0, inside, at + 1 < len(level.nodes))
        elif isinstance(node, Fraction):
            yield from _runs(node.above, page, True)
            yield from _runs(node.below, page, True)
        else:
            yield from _runs(node.inside, page, True)


def _recognise(engine: Recogniser, page: Sorted, readings: Sequence[_Reading]) -> None:
    """Two passes: as written, which finds the Chinese; then with scripts set down on the line, where there are any."""
    sheet = page.sheet
    again: list[_Reading] = []
    for reading, (line, glyphs) in zip(readings, _as_written(engine, page, readings), strict=True):
        explained = explain(line, glyphs)
        chinese = {
            part.label
            for read in explained.read
            if is_ideograph(read.glyph.char)
            for mark in read.marks
            for part in mark.parts
        }
        reading.marks = _with_places(reading, chinese)
        if all(mark.place is Place.MAIN for mark in reading.marks):
            reading.line = line
            _explain(reading, glyphs, sheet.unit)
        else:
            again.append(reading)
    for reading in again:
        reading.line = set_anew(sheet, reading.marks, reading.ruling)
    images = [reading.line.image for reading in again if reading.line is not None]
    for reading, glyphs in zip(again, engine.read(images), strict=True):
        _explain(reading, glyphs, sheet.unit)


def _as_written(engine: Recogniser, page: Sorted, readings: Sequence[_Reading]) -> list[tuple[Typeset, list[Glyph]]]:
    """Each run as it stands and what it reads as, taken from the first look where that saw the same parts."""
    keys = [frozenset(part.label for part in reading.run.parts) for reading in readings]
    fresh = {
        key: set_anew(page.sheet, on_the_line(reading.marks), reading.ruling)
        for key, reading in zip(keys, readings, strict=True)
        if key not in page.looks or not _same_marks(page.looks[key].line, reading.marks)
    }
    read = dict(zip(fresh, engine.read([line.image for line in fresh.values()]), strict=True))
    return [(fresh[key], read[key]) if key in fresh else (page.looks[key].line, page.looks[key].glyphs) for key in keys]


def _same_marks(line: Typeset, marks: Sequence[Mark]) -> bool:
    return [one.mark.parts for one in line.marks] == [mark.parts for mark in marks]


def _with_places(reading: _Reading, chinese: set[int]) -> list[Mark]:
    marks: list[Mark] = []
    base: Mark | None = None if reading.starts_level else reading.marks[0]
    for mark in reading.marks:
        if any(part.label in chinese for part in mark.parts):
            marks.append(mark)
            base = None
            continue
        mark = placed(mark, reading.ruling, base)
        marks.append(mark)
        if mark.place is Place.MAIN:
            base = mark
    return marks


def _explain(reading: _Reading, glyphs: Sequence[Glyph], sheet_unit: float) -> None:
    assert reading.line is not None
    by_parts = {mark.parts: mark for mark in reading.marks}
    line = replace(reading.line, marks=tuple(replace(one, mark=by_parts[one.mark.parts]) for one in reading.line.marks))
    reading.explained = explain(line, glyphs)
    size = max(reading.ruling.figure, (0.85 if reading.inside else 1.0) * sheet_unit)
    tokens = [
        repair.token(
            read.glyph.candidates,
            read.place,
            (max(mark.box[3] for mark in read.marks) - min(mark.box[1] for mark in read.marks)) / size,
            (reading.ruling.at(read.marks[0].cx) - max(mark.box[3] for mark in read.marks)) / size,
        )
        for read in reading.explained.read
    ]
    tokens = _baseless_down(reading, [_comma_or_index(reading, tokens, at) for at in range(len(tokens))])
    reading.tokens, reading.repairs = repair.repaired(tokens, more_follows=reading.more_follows)


def _comma_or_index(reading: _Reading, tokens: Sequence[Token], at: int) -> Token:
    """An index that was read as a comma goes back to the line, and so does a low small mark after a figure.

    Only letters carry an index; one as tall as an index but read as a comma is a guess.
    """
    assert reading.explained is not None
    one = tokens[at]
    if one.place is not Place.SUB or one.char not in ",;.1lI":
        return one
    mark = reading.explained.read[at].marks[0]
    tall = mark.height / reading.ruling.figure
    before = tokens[at - 1].char if at else ""
    if one.char in ",;.":
        if tall >= COMMA:
            reading.guesses.append("an index or a comma")
        return replace(one, place=Place.MAIN)
    alone = at + 1 == len(tokens) or tokens[at + 1].place is Place.MAIN
    if alone and tall < 0.6 and (before.isdecimal() or (before != "" and before in ")]")):
        return replace(one, char=",", rivals=(), place=Place.MAIN)
    return one


def _baseless_down(reading: _Reading, tokens: Sequence[Token]) -> list[Token]:
    """Scripts without a base stand on the line: after an opening bracket or an operator, and operators by themselves.

    Where such a script stood clearly off the line, its base or its sign was misjudged (``10^{-3}`` is not ``10-3``),
    and the line is a guess.
    """
    assert reading.explained is not None
    line = list(tokens)
    margins = [max(mark.margin for mark in read.marks) for read in reading.explained.read]
    for at, end in _stretches(line):
        if line[at].place is Place.MAIN:
            continue
        baseless = at > 0 and line[at - 1].char in BASELESS
        if not baseless and not all(one.char in repair.OPERATORS for one in line[at:end]):
            continue
        if baseless and max(margins[at:end]) > CLEARLY_OFF:
            reading.guesses.append("a script without a base")
        line[at:end] = [replace(one, place=Place.MAIN) for one in line[at:end]]
    return line


def _stretches(line: Sequence[Token]) -> list[tuple[int, int]]:
    """Start and end of the stretches of one place."""
    starts = [at for at in range(len(line)) if at == 0 or line[at].place is not line[at - 1].place]
    return list(zip(starts, [*starts[1:], len(line)], strict=True))


def _line(level: Level, readings: Sequence[_Reading]) -> LineReading:
    by_run = {id(reading.run): reading for reading in readings}
    tokens = [one for reading in readings for one in reading.tokens]
    shares = [one.probability for one in tokens]
    explained = [reading.explained for reading in readings if reading.explained is not None]
    return LineReading(
        latex=_latex(level, by_run),
        raw="".join(one.raw for one in tokens),
        least=min(shares, default=0.0),
        mean=sum(shares) / len(shares) if shares else 0.0,
        doubts=tuple(_doubts(level, readings)),
        unread=tuple(part for each in explained for mark in each.unread for part in mark.parts),
        alternatives=tuple(_alternatives(level, by_run, readings)),
        repairs=tuple(one for reading in readings for one in reading.repairs),
        characters=len(tokens),
    )


def _latex(level: Level, by_run: dict[int, _Reading]) -> str:
    pieces = []
    for node in level.nodes:
        if isinstance(node, Fraction):
            pieces.append(rf"\frac{{{_latex(node.above, by_run)}}}{{{_latex(node.below, by_run)}}}")
        elif isinstance(node, Root):
            pieces.append(rf"\sqrt{{{_latex(node.inside, by_run)}}}")
        else:
            pieces.append(repair.latex(by_run[id(node)].tokens))
    return repair.join(pieces)


def _alternatives(
    level: Level, by_run: dict[int, _Reading], readings: Sequence[_Reading]
) -> Iterator[tuple[str, float]]:
    """The line with one doubtful character exchanged, for each rival that is probable enough."""
    for reading in readings:
        for at, one in enumerate(reading.tokens):
            for rival in _rivals(one):
                swapped = list(reading.tokens)
                swapped[at] = replace(one, char=rival.char, rivals=(), probability=rival.probability)
                kept, reading.tokens = reading.tokens, swapped
                yield _latex(level, by_run), rival.probability
                reading.tokens = kept


def _rivals(one: Token) -> Iterator[Candidate]:
    for rival in one.rivals:
        ideograph = is_ideograph(rival.char) or rival.char in LOOK_LIKE_STROKES
        if rival.probability >= repair.doubt(one.char, rival.char) and ideograph is is_ideograph(one.char):
            yield rival
    other = repair.other_case(one)
    if other is not None:
        yield Candidate(other, repair.DOUBT)


def _one_or_seven(one: Token) -> bool:
    """True for a 1 that is a little like a 7, or a 7 like a 1: the recogniser is over-sure of this pair."""
    return one.char in "17" and any(rival.char in "17" and rival.probability > 0.02 for rival in one.rivals)


def _place_doubted(reading: _Reading) -> bool:
    """True for a doubtful place that neither the sign itself nor its neighbours have settled."""
    assert reading.explained is not None
    pairs = list(zip(reading.explained.read, reading.tokens, strict=True))
    for at, (read, one) in enumerate(pairs):
        if not read.doubtful or (
            one.place is Place.MAIN and (one.char in SELF_EVIDENT or read.place is not Place.MAIN)
        ):
            continue
        follows = pairs[at + 1] if at + 1 < len(pairs) else None
        # The sign of an exponent stands as high as the exponent that follows it.
        if one.char in "+-" and follows and follows[1].place is one.place and not follows[0].doubtful:
            continue
        return True
    return False


def _doubts(level: Level, readings: Sequence[_Reading]) -> Iterator[str]:
    """Reasons why the layout of this line may be misunderstood although every character is clear."""
    for reading in readings:
        explained = reading.explained
        if explained is None:
            continue
        if explained.unread:
            yield "ink without a character"
        if explained.phantom:
            yield "a character without ink"
        if _place_doubted(reading):
            yield "the place of a sign is a guess"
        yield from reading.guesses
        if any(_one_or_seven(one) for one in reading.tokens):
            yield "a 1 or a 7"
        text = "".join(one.char for one in reading.tokens)
        if reading.inside and RELATIONS & set(text):
            yield "a relation inside a fraction or root"
        if "√" in text:
            yield "a root sign without a roof"
        if not reading.tokens:
            yield "nothing read where ink is"
    if any(isinstance(node, Fraction) and not (node.above.nodes and node.below.nodes) for node in level.nodes):
        yield "a fraction with an empty side"
