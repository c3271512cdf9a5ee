"""How marks on an image are drawn: strokes and lines of text in pixels of the page, the same on the screen and on paper.

Sizes follow the width of the page. The desk's own script draws by the same numbers while a mark is on its way.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from math import hypot

from .annotations import Annotation, AnnotationKind

# As shares of the page's width.
SIGN = 0.032
STROKE = 0.0034
TEXT = 0.022
LEADING = 1.3
HEAD = 0.02
# A text that begins farther right than this is moved back, so that its lines keep a readable length.
LAST_START = 0.75
NARROW = 0.62

TICK = ((-0.5, 0.05), (-0.15, 0.42), (0.55, -0.5))
CROSS = (((-0.42, -0.42), (0.42, 0.42)), ((0.42, -0.42), (-0.42, 0.42)))

Point = tuple[float, float]


@dataclass(frozen=True)
class Line:
    """One line of a text: where its baseline begins."""

    x: float
    y: float
    words: str


@dataclass(frozen=True)
class Shape:
    """``strokes`` are polylines of width ``stroke``; a box closes its own. ``lines`` are texts of height ``size``."""

    strokes: tuple[tuple[Point, ...], ...]
    stroke: float
    lines: tuple[Line, ...] = ()
    size: float = 0.0

    @property
    def path(self) -> str:
        """The strokes as the ``d`` of an SVG path, to a tenth of a pixel."""
        return " ".join("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points) for points in self.strokes)


def width_of(character: str) -> float:
    """The width of a character in heights of the text; near enough to break lines by, and as easily told by a script."""
    return 1.0 if character >= "\u1100" else NARROW


def wrapped(words: str, room: float) -> list[str]:
    """The words in lines of at most ``room`` heights of the text; broken at a space where one is near, else anywhere."""
    lines: list[str] = []
    line, length = "", 0.0
    for character in words:
        wide = width_of(character)
        if line and length + wide > room:
            cut = line.rfind(" ")
            kept, line = (line[:cut], line[cut + 1 :]) if cut > len(line) * 0.6 else (line, "")
            lines.append(kept)
            length = sum(map(width_of, line))
        if character != " " or line:
            line, length = line + character, length + wide
    return [*lines, line] if line else lines


def shape_of(annotation: Annotation, width: int, height: int) -> Shape:
    """The strokes and lines of a mark on a page of that size in pixels."""
    x, y = _pixels(annotation.at, width, height)
    stroke = STROKE * width
    side = SIGN * width
    if annotation.kind == AnnotationKind.TICK:
        return Shape((tuple((x + dx * side, y + dy * side) for dx, dy in TICK),), stroke)
    if annotation.kind == AnnotationKind.CROSS:
        return Shape(tuple(tuple((x + dx * side, y + dy * side) for dx, dy in each) for each in CROSS), stroke)
    if annotation.kind == AnnotationKind.TEXT:
        return _text(annotation.text, x, y, width)
    assert annotation.to is not None
    right, bottom = _pixels(annotation.to, width, height)
    if annotation.kind == AnnotationKind.BOX:
        return Shape((((x, y), (right, y), (right, bottom), (x, bottom), (x, y)),), stroke)
    return Shape(_arrow((x, y), (right, bottom), HEAD * width), stroke)


def _pixels(place: tuple[Decimal, Decimal], width: int, height: int) -> Point:
    return float(place[0]) * width, float(place[1]) * height


def _arrow(tail: Point, head: Point, size: float) -> tuple[tuple[Point, ...], ...]:
    long = hypot(head[0] - tail[0], head[1] - tail[1]) or 1.0
    ux, uy = (head[0] - tail[0]) / long, (head[1] - tail[1]) / long
    back = head[0] - ux * size, head[1] - uy * size
    wing = size * 0.55
    left, right = (back[0] - uy * wing, back[1] + ux * wing), (back[0] + uy * wing, back[1] - ux * wing)
    return ((tail, head), (left, head, right))


def _text(words: str, x: float, y: float, width: int) -> Shape:
    size = TEXT * width
    start = min(x, LAST_START * width)
    lines = wrapped(words, (width - start) / size - 0.5)
    rows = tuple(Line(start, y + size * (1 + LEADING * number), each) for number, each in enumerate(lines))
    return Shape((), STROKE * width, rows, size)
