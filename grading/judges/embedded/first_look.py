"""The first look at a page: its stretches of writing as plain text, which tells Chinese strokes from bars and roots,
how tall figures are, and whether the page can be read at all.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from grading.judges.embedded.recogniser import Glyph, Recogniser
from grading.judges.embedded.rows import STACK, Part, Sheet, assembled, freed, smeared
from grading.judges.embedded.scripts import marks_of, ruling_of
from grading.judges.embedded.typeset import Explained, Typeset, explain, is_ideograph, on_the_line, set_anew

GLANCED = 8
"""Stretches of writing that are read to judge a page by."""
HOPELESS_GLANCE = 0.6
"""A page whose longest stretches are less certain than this is not read any further."""
SURELY_CHINESE = 0.7


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
    """Heights in pixels of the marks that surely are one figure each; a root that swallowed its figures is none."""
    uses = Counter(mark.parts for read in explained.read for mark in read.marks)
    return [
        mark.height
        for read in explained.read
        for mark in read.marks[:1]
        if read.glyph.char.isdecimal() and read.glyph.probability > 0.9 and not read.doubtful
        if len(read.marks) == 1 and uses[mark.parts] == 1 and mark.width < 0.95 * mark.height
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
