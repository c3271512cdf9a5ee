"""The two-dimensional structure of one row: fractions by their bars, roots by their roofs, the rest as runs of text.

Limits: no matrices, cases, limits or sums with bounds, no scripts that hold fractions. What does not fit ends as a
text run, where the reading of it fails or leaves ink unread.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

import numpy as np

from grading.judges.embedded.pages import Box
from grading.judges.embedded.rows import Part, Sheet, extent, is_bar, is_stack, over_and_under

MAX_DEPTH = 4


@dataclass
class Run:
    """Parts that stand beside one another on one level, to be read as text with scripts."""

    parts: list[Part]


@dataclass
class Fraction:
    """A bar with a level above and one below it."""

    bar: Part
    above: "Level"
    below: "Level"


@dataclass
class Root:
    """A root sign (one or more parts) with the level under its roof."""

    sign: list[Part]
    inside: "Level"


@dataclass
class Level:
    """What stands side by side, left to right."""

    nodes: list[Run | Fraction | Root] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    @property
    def box(self) -> Box:
        """The box around all of it."""
        return extent(self.parts)


def structure(sheet: Sheet, parts: Sequence[Part], kept: Container[int], depth: int = 0) -> Level:
    """The level that these parts form; those whose label is in `kept` are Chinese strokes, never bars or roots."""
    left = list(parts)
    blocks: list[tuple[int, Fraction | Root]] = []
    if depth < MAX_DEPTH:
        while found := _outermost(sheet, left, kept, depth):
            block, used = found
            blocks.append((extent(used)[0], block))
            gone = {part.label for part in used}
            left = [part for part in left if part.label not in gone]
    return Level(_in_order(left, blocks), list(parts))


def _in_order(left: list[Part], blocks: list[tuple[int, Fraction | Root]]) -> list[Run | Fraction | Root]:
    """Runs of loose parts with the blocks between them, by where they begin."""
    blocks = sorted(blocks, key=lambda block: block[0])
    nodes: list[Run | Fraction | Root] = []
    rest = sorted(left, key=lambda part: part.cx)
    for start, block in blocks:
        before = [part for part in rest if part.cx < start]
        if before:
            nodes.append(Run(before))
        nodes.append(block)
        rest = rest[len(before) :]
    if rest:
        nodes.append(Run(rest))
    return nodes


def _outermost(
    sheet: Sheet, parts: list[Part], kept: Container[int], depth: int
) -> tuple[Fraction | Root, list[Part]] | None:
    """The widest fraction or root among the parts, with all the parts it uses."""
    for part in sorted(parts, key=lambda part: -part.width):
        if part.width < 0.5 * sheet.unit:
            return None
        if part.label in kept:
            continue
        found = _fraction(sheet, part, parts, kept, depth) or _root(sheet, part, parts, kept, depth)
        if found:
            return found
    return None


def _fraction(
    sheet: Sheet, bar: Part, parts: list[Part], kept: Container[int], depth: int
) -> tuple[Fraction, list[Part]] | None:
    unit = sheet.unit
    if not is_bar(bar, unit) or bar.width < 0.5 * unit:
        return None
    above, below = over_and_under(bar, parts, unit)
    if not is_stack(above, below, unit):
        return None
    slack = 0.2 * unit
    column = [part for part in parts if part is not bar and bar.x0 - slack <= part.cx <= bar.x1 + slack]
    over = [part for part in column if part.cy < bar.cy]
    under = [part for part in column if part.cy > bar.cy]
    fraction = Fraction(bar, structure(sheet, over, kept, depth + 1), structure(sheet, under, kept, depth + 1))
    return fraction, [bar, *over, *under]


def _root(
    sheet: Sheet, sign: Part, parts: list[Part], kept: Container[int], depth: int
) -> tuple[Root, list[Part]] | None:
    """A root whose hook and roof are one part, or a hook whose roof is a separate bar beside its top."""
    roof = _roof(sheet, sign)
    signs = [sign]
    if roof is None and not is_bar(sign, sheet.unit):
        roof, signs = _detached_roof(sheet, sign, parts)
    if roof is None:
        return None
    start, end, top = roof
    under = [
        part
        for part in parts
        if part not in signs
        and start <= part.cx <= end + 0.1 * sheet.unit
        and part.cy > top
        and part.y0 >= top - 2
        and part.cy < sign.y1 + 0.1 * sheet.unit
    ]
    if not any(part.height > 0.3 * sheet.unit for part in under):
        return None
    return Root(signs, structure(sheet, under, kept, depth + 1)), [*signs, *under]


def _roof(sheet: Sheet, sign: Part) -> tuple[float, float, float] | None:
    """Where the flat roof of a root sign begins and ends and its height, or None if the part is no root sign.

    A root sign is thin ink, with a long flat stroke along its top that reaches its right end, nothing below the roof,
    and all the rest of it in the hook at the left.
    """
    unit = sheet.unit
    if sign.height < 0.6 * unit or sign.width < 0.8 * unit:
        return None
    ink = sheet.labels[sign.y0 : sign.y1, sign.x0 : sign.x1] == sign.label
    band = max(3, round(0.22 * sign.height))
    covered = ink[:band].any(axis=0)
    flat = _last_run(covered)
    if flat is None or flat[1] < sign.width - 0.12 * unit or flat[1] - flat[0] < 0.4 * sign.width:
        return None
    start = flat[0]
    clear = ink[round(0.35 * sign.height) :, start + round(0.15 * (sign.width - start)) :]
    if clear.mean() > 0.03:
        return None
    hook = ink[round(0.5 * sign.height) :, : max(1, start + 1)]
    if hook.sum() < 0.1 * unit * unit * 0.1:
        return None
    return sign.x0 + start, float(sign.x1), float(sign.y0)


def _last_run(covered: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> tuple[int, int] | None:
    """Start and end of the last stretch of covered columns, gaps of up to three columns bridged."""
    columns = np.flatnonzero(covered)
    if columns.size == 0:
        return None
    breaks = np.flatnonzero(np.diff(columns) > 4)
    start = int(columns[breaks[-1] + 1]) if breaks.size else int(columns[0])
    return start, int(columns[-1]) + 1


def _detached_roof(sheet: Sheet, sign: Part, parts: list[Part]) -> tuple[tuple[float, float, float] | None, list[Part]]:
    """A bar that starts at the top right corner of a hook, with the bar's extent as the roof."""
    unit = sheet.unit
    if sign.height < 0.6 * unit or not 0.15 * unit <= sign.width <= 1.3 * unit:
        return None, [sign]
    for bar in parts:
        beside = abs(bar.x0 - sign.x1) <= 0.2 * unit and abs(bar.cy - sign.y0) <= 0.2 * unit
        if is_bar(bar, unit) and beside and bar.width >= 0.4 * unit:
            return (float(bar.x0), float(bar.x1), float(min(bar.y0, sign.y0))), [sign, bar]
    return None, [sign]
