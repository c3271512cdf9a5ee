"""Which marks of a text run are superscripts and subscripts, from where they stand and how tall they are.

The recogniser loses scripts without losing confidence (``x^3`` comes back as ``x3`` at 0.99), so scripts are found by
geometry alone, and each decision carries its margin: one that was close makes the line doubtful.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from grading.judges.embedded.pages import Box
from grading.judges.embedded.rows import Part, extent, is_bar

CLOSE_CALL = 0.05
"""A script decided by less than this share of a figure's height is a guess."""


COMMA = 0.385
"""A narrow low mark is a comma up to this share of a figure's height, an index from there on."""


class Place(StrEnum):
    """Where a mark stands in its run."""

    MAIN = "main"
    SUPER = "super"
    SUB = "sub"


@dataclass(frozen=True)
class Mark:
    """Parts that belong to one character by their position (the two strokes of an equals sign), or one part."""

    parts: tuple[Part, ...]
    box: Box
    place: Place = Place.MAIN
    margin: float = 1.0
    """How far the place was from being another one, in figure heights."""

    @property
    def cx(self) -> float:
        """Horizontal centre in pixels of the page."""
        return (self.box[0] + self.box[2]) / 2

    @property
    def width(self) -> int:
        """Pixels across."""
        return self.box[2] - self.box[0]

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self.box[3] - self.box[1]


@dataclass(frozen=True)
class Ruling:
    """The baseline of a level and the height of its figures, in pixels of the page."""

    baseline: float
    figure: float


def marks_of(parts: Sequence[Part], unit: float) -> list[Mark]:
    """The parts gathered into marks, left to right."""
    marks: list[list[Part]] = []
    for part in sorted(parts, key=lambda part: part.x0):
        home = next(
            (mark for mark in reversed(marks[-4:]) if any(_one_mark(part, other, unit) for other in mark)), None
        )
        if home is None:
            marks.append([part])
        else:
            home.append(part)
    gathered = [Mark(tuple(mark), extent(mark)) for mark in marks]
    return sorted(gathered, key=lambda mark: mark.cx)


def _one_mark(one: Part, other: Part, unit: float) -> bool:
    """True for parts that share a character: one above the other, and not base and script."""
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    if shared < 0.5 * min(one.width, other.width):
        return False
    apart = max(one.y0, other.y0) - min(one.y1, other.y1)
    if apart > 0.6 * unit:
        return False
    both_tall = min(one.height, other.height) >= 0.3 * unit
    return not (both_tall and apart > 0)


def ruling_of(marks: Sequence[Mark], unit: float, axis: float | None, least: float = 0.9) -> Ruling:
    """Baseline and figure height of a level, from the marks that stand on it; `axis` is the height of a fraction bar.

    The figure height is never taken below `least` of the page's, or a level of small letters would pass for figures.
    """
    tallest = max((mark.height for mark in marks if mark.height < 1.5 * unit), default=0)
    figure = max(least * unit, min(unit, float(tallest)))
    standing = [mark for mark in marks if 0.38 * figure <= mark.height <= 1.3 * unit]
    if axis is not None and (not standing or max(mark.height for mark in standing) < 0.6 * unit):
        return Ruling(axis + 0.36 * figure, figure)
    if not standing:
        bottom = max((mark.box[3] for mark in marks), default=0)
        return Ruling(float(bottom), figure)
    first = min(standing, key=lambda mark: mark.box[0])

    def support(base: float) -> float:
        return sum(
            mark.height * (2.0 if mark is first else 1.0)
            for mark in standing
            if abs(mark.box[3] - base) <= 0.13 * figure
        )

    best = max((float(mark.box[3]) for mark in standing), key=support)
    near = sorted(mark.box[3] for mark in standing if abs(mark.box[3] - best) <= 0.13 * figure)
    return Ruling(float(near[len(near) // 2]), figure)


def placed(mark: Mark, ruling: Ruling, base: Mark | None) -> Mark:
    """The mark with its place relative to the baseline; `base` is the mark that a script would hang on."""
    if base is None:
        return mark
    place, margin = _place(mark, ruling)
    return Mark(mark.parts, mark.box, place, margin)


def _place(mark: Mark, ruling: Ruling) -> tuple[Place, float]:
    figure = ruling.figure
    top = (ruling.baseline - mark.box[1]) / figure
    bottom = (ruling.baseline - mark.box[3]) / figure
    tall = mark.height / figure
    wide = mark.width / figure
    middle = (top + bottom) / 2
    if tall < 0.28 and wide < 0.3:
        return Place.MAIN, 1.0
    if is_equals(mark, figure):
        return Place.MAIN, 1.0
    if all(is_bar(part, figure) for part in mark.parts) or tall < 0.22:
        return _nearest(middle - 0.72, -0.02 - middle)
    if wide < 0.24 and tall < 0.42 and bottom > 0.45:
        return Place.MAIN, 1.0  # a prime
    over = min(bottom - 0.24, middle - 0.45)
    under = min(-0.09 - bottom, 0.49 - top, 0.85 - tall)
    if wide < 0.3:
        under = min(under, tall - COMMA)
    return _nearest(over, under)


def is_equals(mark: Mark, figure: float) -> bool:
    """True for two flat strokes above one another, which never are a script."""
    return len(mark.parts) == 2 and mark.height < 0.6 * figure and all(p.width > 1.3 * p.height for p in mark.parts)


def _nearest(over: float, under: float) -> tuple[Place, float]:
    """The place for how far a mark is past the limits of super- and subscripts (negative: not past)."""
    if over > 0:
        return Place.SUPER, over
    if under > 0:
        return Place.SUB, under
    return Place.MAIN, min(-over, -under)
