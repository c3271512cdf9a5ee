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
    """The baseline of a level, which may slope, and the height of its figures, in pixels of the page."""

    baseline: float
    """Height of the baseline at x = 0."""
    figure: float
    slope: float = 0.0

    def at(self, x: float) -> float:
        """Height of the baseline at this x."""
        return self.baseline + self.slope * x


SLOPES = tuple(step / 100 for step in (0, 1, -1, 2, -2, 3, -3))
AXIS = 0.36
"""Height of minus, equals sign and fraction bar above the baseline, in figure heights."""


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
    # Squared, because scripts are nearly as many as figures but lower; brackets hang below the line.
    votes = [
        (mark.cx, float(mark.box[3]), mark.height**2 / figure, 0.13 * figure)
        for mark in standing
        if mark.height < 1.1 * figure or mark.width > 0.5 * mark.height
    ]
    if votes:
        first = min(votes)
        votes.append(first)
    for mark in marks:
        if is_equals(mark, figure) or (len(mark.parts) == 1 and is_bar(mark.parts[0], figure)):
            middle = (mark.box[1] + mark.box[3]) / 2
            votes.append((mark.cx, middle + AXIS * figure, 0.8 * figure, 0.17 * figure))
    if axis is not None:
        centre = sum(mark.cx for mark in marks) / len(marks) if marks else 0.0
        votes.append((centre, axis + AXIS * figure, 1.2 * figure, 0.17 * figure))
    if not votes:
        return Ruling(float(max((mark.box[3] for mark in marks), default=0)), figure)
    return _elected(votes, figure)


def _elected(votes: Sequence[tuple[float, float, float, float]], figure: float) -> Ruling:
    """The straight line that most votes (x, height, weight, tolerance) agree with; level lines win ties."""
    best = (-1.0, 0.0, 0.0)
    for slope in SLOPES:
        level = [(y - slope * x, weight, tolerance) for x, y, weight, tolerance in votes]
        for base, _, _ in level:
            support = sum(
                weight * (1 - 0.4 * abs(y - base) / tolerance)
                for y, weight, tolerance in level
                if abs(y - base) <= tolerance
            )
            support *= 1 - 4 * abs(slope)
            if support > best[0] + 1e-9:
                best = (support, slope, base)
    _, slope, base = best
    near = sorted(y - slope * x for x, y, _, tolerance in votes if abs(y - slope * x - base) <= tolerance)
    return Ruling(near[len(near) // 2], figure, slope)


def placed(mark: Mark, ruling: Ruling, base: Mark | None) -> Mark:
    """The mark with its place relative to the baseline; `base` is the mark that a script would hang on."""
    if base is None:
        return mark
    place, margin = _place(mark, ruling)
    return Mark(mark.parts, mark.box, place, margin)


def _place(mark: Mark, ruling: Ruling) -> tuple[Place, float]:
    figure = ruling.figure
    baseline = ruling.at(mark.cx)
    top = (baseline - mark.box[1]) / figure
    bottom = (baseline - mark.box[3]) / figure
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
    under = min(-0.13 - bottom, 0.49 - top, 0.85 - tall)
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
