"""Places the glyphs and strokes of one written line: fractions, roots, scripts, spacing, and the writer's wobble.

All lengths are pixels of the drawing, y grows downwards, and the base line of a line is y = 0.
"""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from PIL import ImageFont

from grading.sample.hands import FontFolders, Hand
from grading.sample.markup import Fraction, Glyph, Node, Root, Scripts, Space, Word

SCRIPT = 0.66
SPACED = "=+-×<>≤≥±∈"
AFTER_WHICH_MINUS_IS_A_SIGN = "=(,，[<>≤≥"
AXIS = 0.30


@dataclass(frozen=True, slots=True)
class PlacedGlyph:
    """A character with the left end of its base line at (x, y), turned by `angle` degrees."""

    char: str
    font: ImageFont.FreeTypeFont
    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """A pen stroke through `points`."""

    points: tuple[tuple[float, float], ...]
    width: float


@dataclass(slots=True)
class Box:
    """Marks with the room they take: `width`, and how far they reach above and below the base line."""

    width: float = 0.0
    above: float = 0.0
    below: float = 0.0
    glyphs: list[PlacedGlyph] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)

    def put(self, other: "Box", x: float, y: float) -> None:
        """Lay `other` with its base line's left end at (x, y)."""
        self.glyphs += [PlacedGlyph(g.char, g.font, g.x + x, g.y + y, g.angle) for g in other.glyphs]
        self.strokes += [Stroke(tuple((px + x, py + y) for px, py in s.points), s.width) for s in other.strokes]
        self.width = max(self.width, x + other.width)
        self.above = max(self.above, other.above - y)
        self.below = max(self.below, other.below + y)


class Writer:
    """Lays out lines in one hand; the random numbers make two equal glyphs differ."""

    def __init__(self, hand: Hand, fonts: FontFolders, random: np.random.Generator) -> None:
        self.hand = hand
        self.fonts = fonts
        self.random = random

    def line(self, nodes: tuple[Node, ...], size: float) -> Box:
        """Lay out `nodes` from left to right with letters of `size` pixels."""
        box = Box(0.0, 0.72 * size, 0.2 * size)
        x = 0.0
        previous = "="
        for node in nodes:
            before, after = self._gaps(node, previous, size)
            piece = self._piece(node, size)
            box.put(piece, x + before, 0.0)
            x += before + piece.width + after
            box.width = x
            previous = _last_char(node) or previous
        return box

    def _gaps(self, node: Node, previous: str, size: float) -> tuple[float, float]:
        if isinstance(node, Word) or (isinstance(node, Scripts) and isinstance(node.base, Word)):
            return (0.0 if previous in "=(" else 0.1 * size), 0.16 * size
        if isinstance(node, Fraction):
            return 0.1 * size, 0.1 * size
        if not isinstance(node, Glyph):
            return 0.0, 0.0
        if node.char in "-±" and previous in AFTER_WHICH_MINUS_IS_A_SIGN:
            return 0.02 * size, 0.06 * size
        if node.char in SPACED:
            return 0.2 * size, 0.2 * size
        return 0.0, 0.05 * size

    def _piece(self, node: Node, size: float) -> Box:
        match node:
            case Glyph(char):
                return self._glyph(char, size)
            case Word(text):
                return self.line(tuple(Glyph(char) for char in text), size)
            case Space():
                return Box(width=0.4 * size)
            case Fraction(top, bottom):
                return self._fraction(top, bottom, size)
            case Root(inside):
                return self._root(inside, size)
            case Scripts(base, above, below):
                return self._scripts(base, above, below, size)

    def _glyph(self, char: str, size: float) -> Box:
        hand = self.hand
        drawn = max(8, round(size * (1 + self.random.normal(0, 1) * hand.swell)))
        font = self.fonts.font_for(hand, char, drawn)
        left, top, right, bottom = font.getbbox(char, anchor="ls")
        width = max(font.getlength(char), right)
        shift = self.random.normal(0, 1) * hand.drift * size
        angle = self.random.normal(0, 1) * hand.tilt
        box = Box(width, max(0.0, -top - shift), max(0.0, bottom + shift))
        box.glyphs.append(PlacedGlyph(char, font, max(0.0, -left), shift, angle))
        return box

    def _stroke(self, points: list[tuple[float, float]], size: float) -> Stroke:
        shaky = []
        for (x0, y0), (x1, y1) in pairwise(points):
            parts = max(2, round(abs(x1 - x0) / (0.5 * size)))
            shaky += [(x0 + (x1 - x0) * k / parts, y0 + (y1 - y0) * k / parts) for k in range(parts)]
        shaky.append(points[-1])
        wobble = self.hand.wobble * size
        placed = tuple((x, y + self.random.normal(0, 1) * wobble) for x, y in shaky)
        return Stroke(placed, self.hand.pen * size)

    def _fraction(self, top: tuple[Node, ...], bottom: tuple[Node, ...], size: float) -> Box:
        upper, lower = self.line(top, 0.9 * size), self.line(bottom, 0.9 * size)
        width = max(upper.width, lower.width) + 0.3 * size
        axis, gap = -AXIS * size, 0.18 * size
        box = Box()
        box.put(upper, (width - upper.width) / 2, axis - gap - upper.below)
        box.put(lower, (width - lower.width) / 2, axis + gap + lower.above)
        box.strokes.append(self._stroke([(0.0, axis), (width, axis)], size))
        box.width = width
        return box

    def _root(self, inside: tuple[Node, ...], size: float) -> Box:
        content = self.line(inside, size)
        top, foot = -content.above - 0.14 * size, content.below
        hook = 0.42 * size
        box = Box(above=-top, below=foot)
        box.put(content, hook + 0.1 * size, 0.0)
        end = hook + content.width + 0.18 * size
        points = [(0.0, -0.28 * size), (0.1 * size, -0.36 * size), (0.24 * size, foot), (hook, top), (end, top)]
        box.strokes.append(self._stroke(points, size))
        box.width = end + 0.08 * size
        return box

    def _scripts(self, base: Node, above: tuple[Node, ...], below: tuple[Node, ...], size: float) -> Box:
        box = self._piece(base, size)
        degree = above == (Glyph("°"),)
        x, width = box.width + 0.02 * size, box.width
        if above:
            upper = self.line(above, size if degree else SCRIPT * size)
            box.put(upper, x, 0.0 if degree else -0.46 * size)
            width = x + upper.width
        if below:
            lower = self.line(below, SCRIPT * size)
            box.put(lower, x, 0.24 * size)
            width = max(width, x + lower.width)
        box.width = width + 0.06 * size
        return box


def _last_char(node: Node) -> str:
    """Return the character that decides whether a following minus is a sign; a letter stands for anything else."""
    if isinstance(node, Space):
        return ""
    return node.char if isinstance(node, Glyph) else "a"
