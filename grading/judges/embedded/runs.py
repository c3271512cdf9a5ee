"""Runs of text on one level of a row: from ink to characters with their places, in two passes of the recogniser."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from grading.judges.embedded import repair
from grading.judges.embedded.first_look import Sorted
from grading.judges.embedded.layout import Run
from grading.judges.embedded.recogniser import Candidate, Glyph, Recogniser
from grading.judges.embedded.repair import Repair, Token
from grading.judges.embedded.scripts import COMMA, Mark, Place, Ruling, is_equals, placed
from grading.judges.embedded.typeset import Explained, ReadMark, Typeset, explain, is_ideograph, on_the_line, set_anew

CLEARLY_OFF = 0.12
"""A script this far (in figure heights) off the line is no slip of the pen."""
BASELESS = frozenset("([{,;:+-=÷<>≤≥≠±/")
"""Signs that carry no script; a times sign is not among them, because it may yet turn out to be an x."""


@dataclass(eq=False)
class RunReading:
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


def recognise(engine: Recogniser, page: Sorted, readings: Sequence[RunReading]) -> None:
    """Two passes: as written, which finds the Chinese; then with scripts set down on the line, where there are any."""
    sheet = page.sheet
    again: list[RunReading] = []
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


def _as_written(engine: Recogniser, page: Sorted, readings: Sequence[RunReading]) -> list[tuple[Typeset, list[Glyph]]]:
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


def _with_places(reading: RunReading, chinese: set[int]) -> list[Mark]:
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


def _explain(reading: RunReading, glyphs: Sequence[Glyph], sheet_unit: float) -> None:
    assert reading.line is not None
    by_parts = {mark.parts: mark for mark in reading.marks}
    line = replace(reading.line, marks=tuple(replace(one, mark=by_parts[one.mark.parts]) for one in reading.line.marks))
    reading.explained = explain(line, glyphs)
    size = max(reading.ruling.figure, (0.85 if reading.inside else 1.0) * sheet_unit)
    tokens = [
        repair.token(
            _seen(read),
            read.place,
            (max(mark.box[3] for mark in read.marks) - min(mark.box[1] for mark in read.marks)) / size,
            (reading.ruling.at(read.marks[0].cx) - max(mark.box[3] for mark in read.marks)) / size,
        )
        for read in reading.explained.read
    ]
    tokens = _baseless_down(reading, [_comma_or_index(reading, tokens, at) for at in range(len(tokens))])
    reading.tokens, reading.repairs = repair.repaired(
        tokens, more_follows=reading.more_follows, between=reading.more_follows and not reading.starts_level
    )


def _seen(read: ReadMark) -> Sequence[Candidate]:
    """What the recogniser saw; two strokes above one another are an equals sign, whatever number they look like."""
    seen = read.glyph.candidates
    if len(read.marks) != 1 or not is_equals(read.marks[0], read.marks[0].width / 0.6) or seen[0].char not in "=三二≡":
        return seen
    share = sum(one.probability for one in seen if one.char in "=三二≡")
    return [Candidate("=", share), *(one for one in seen if one.char not in "=三二≡")]


def _comma_or_index(reading: RunReading, tokens: Sequence[Token], at: int) -> Token:
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


def _baseless_down(reading: RunReading, tokens: Sequence[Token]) -> list[Token]:
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
    """Start and end of the stretches of one place; none in a line without a sign."""
    if not line:
        return []
    starts = [at for at in range(len(line)) if at == 0 or line[at].place is not line[at - 1].place]
    return list(zip(starts, [*starts[1:], len(line)], strict=True))
