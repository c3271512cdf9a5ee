"""Ink components of a page and the rows of writing they stand in, in reading order."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from grading.judges.embedded.pages import Box, Gray, Mask

type Labels = NDArray[np.int32]

LEAST_SLOPE, MOST_SLOPE = 0.3, 6.0
"""Degrees between which a page is straightened: less does no harm, more is not a page held a little askew."""
STACK = 1.6
"""A fraction is at least this many figure heights tall."""
NEAR_BAR = 0.6
"""How far, in figure heights, a numerator or denominator may be from its bar."""


@dataclass(frozen=True, slots=True)
class Part:
    """One connected blob of ink: its label on the sheet, pixel box (exclusive ends) and ink pixels."""

    label: int
    x0: int
    y0: int
    x1: int
    y1: int
    area: int

    @property
    def width(self) -> int:
        """Pixels across."""
        return self.x1 - self.x0

    @property
    def height(self) -> int:
        """Pixels from top to bottom."""
        return self.y1 - self.y0

    @property
    def cx(self) -> float:
        """Horizontal centre."""
        return (self.x0 + self.x1) / 2

    @property
    def cy(self) -> float:
        """Vertical centre."""
        return (self.y0 + self.y1) / 2


@dataclass(frozen=True)
class Sheet:
    """An upright page taken apart: grey values, the label of each ink pixel, the parts, the height of a figure."""

    gray: Gray
    labels: Labels
    parts: tuple[Part, ...]
    unit: float

    def cut(self, parts: Iterable[Part], box: Box) -> Gray:
        """The grey values inside the box, white wherever the ink is not of these parts."""
        x0, y0, x1, y1 = box
        wanted = np.zeros(max(part.label for part in self.parts) + 1, np.uint8)
        wanted[[part.label for part in parts]] = 1
        labels = self.labels[y0:y1, x0:x1]
        own = wanted[labels]
        # Soft edges of a stroke lie just outside its ink; two pixels keep them and nothing else.
        near = cv2.dilate(own, np.ones((5, 5), np.uint8))
        foreign = (labels > 0) & (own == 0)
        return np.where((near > 0) & ~foreign, self.gray[y0:y1, x0:x1], 255).astype(np.uint8)


def extent(parts: Iterable[Part]) -> Box:
    """The smallest box around the parts (at least one)."""
    listed = list(parts)
    return (
        min(part.x0 for part in listed),
        min(part.y0 for part in listed),
        max(part.x1 for part in listed),
        max(part.y1 for part in listed),
    )


def take_apart(gray: Gray, mask: Mask, unit: float) -> Sheet:
    """The sheet of a page; parts are numbered by label, so ``parts[i].label == i + 1``."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    parts = tuple(
        Part(label, int(x), int(y), int(x + width), int(y + height), int(area))
        for label, (x, y, width, height, area) in enumerate(stats[:count])
        if label > 0
    )
    return Sheet(gray, labels, parts, unit)


def freed(sheet: Sheet, groups: list[list[Part]], kept: Container[int]) -> tuple[Sheet, list[list[Part]]]:
    """The sheet and its groups with bars and roofs cut free of the writing that touches them.

    Parts whose label is in `kept` stay whole: they are strokes of Chinese characters.
    """
    labels = sheet.labels.copy()
    parts: list[Part] = []
    cut: list[list[Part]] = []
    for group in groups:
        pieces: list[Part] = []
        for part in group:
            pieces.extend((None if part.label in kept else _freed(labels, part, sheet.unit)) or [part])
        parts.extend(pieces)
        cut.append(pieces)
    return Sheet(sheet.gray, labels, tuple(parts), sheet.unit), cut


def _freed(labels: Labels, part: Part, unit: float) -> list[Part] | None:
    """The long straight stroke of a part and the pieces that hung on it, relabelled in `labels`; None if there is none.

    Only strokes too long for a character (0.9 of a figure's height) that are the whole width of the part, as a
    fraction bar is, or its top right, as the roof of a root is.
    """
    if part.width < 0.9 * unit or part.height < 0.35 * unit:
        return None
    window = labels[part.y0 : part.y1, part.x0 : part.x1]
    ink = (window == part.label).astype(np.uint8)
    stroke = _long_stroke(ink, unit)
    if stroke is None:
        return None
    columns = np.flatnonzero(stroke.any(axis=0))
    rows = np.flatnonzero(stroke.any(axis=1))
    whole = columns[-1] - columns[0] + 1 >= 0.93 * part.width
    roof = rows[0] <= 0.15 * unit and columns[-1] >= part.width - 0.15 * unit
    if not whole and not roof:
        return None
    rest = ink & (1 - stroke)
    count, pieces, stats, _ = cv2.connectedComponentsWithStats(rest, connectivity=8)
    solid = [number for number in range(1, count) if stats[number, cv2.CC_STAT_AREA] >= 0.02 * unit * unit]
    if len(solid) < (1 if whole else 2):
        return None
    fresh = int(labels.max()) + 1
    freed = [_piece(window, stroke, fresh, part)]
    for number in range(1, count):
        if number in solid:
            freed.append(_piece(window, (pieces == number).astype(np.uint8), fresh + len(freed), part))
        else:
            window[pieces == number] = freed[0].label
    return freed


def _long_stroke(ink: Mask, unit: float) -> Mask | None:
    """The longest thin, nearly level stroke of at least 0.9 of a figure's height, or None."""
    thick = cv2.dilate(ink, np.ones((3, 1), np.uint8))
    runs = cv2.morphologyEx(thick, cv2.MORPH_OPEN, np.ones((1, max(9, round(0.55 * unit))), np.uint8)) & ink
    count, labels, stats, _ = cv2.connectedComponentsWithStats(runs, connectivity=8)
    if count <= 1:
        return None
    longest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_WIDTH]))
    width, height = stats[longest, cv2.CC_STAT_WIDTH], stats[longest, cv2.CC_STAT_HEIGHT]
    if width < 0.9 * unit or height > max(0.25 * unit, 0.12 * width):
        return None
    stroke: Mask = (labels == longest).astype(np.uint8)
    return stroke


def _piece(window: Labels, ink: Mask, label: int, part: Part) -> Part:
    window[ink > 0] = label
    ys, xs = np.nonzero(ink)
    x0, y0 = part.x0 + int(xs.min()), part.y0 + int(ys.min())
    x1, y1 = part.x0 + int(xs.max()) + 1, part.y0 + int(ys.max()) + 1
    return Part(label, x0, y0, x1, y1, int(xs.size))


def is_bar(part: Part, unit: float) -> bool:
    """True for a flat horizontal stroke: a minus, half an equals sign, a fraction bar, an overline."""
    return (
        part.width >= 0.25 * unit
        and part.height <= max(0.22 * unit, 0.16 * part.width)
        and part.width > 2 * part.height
    )


def slope_of(sheet: Sheet) -> float:
    """How the writing slopes in degrees (positive: it falls to the right), 0.0 when too little is written to tell.

    The middle slope between the feet of any two full-size marks of one stretch of writing, over all stretches. Flat
    strokes are no guide: many people's minus signs climb while their lines are level.
    """
    slopes: list[float] = []
    for group in smeared(sheet):
        feet = np.array([(p.cx, p.y1) for p in group if 0.5 * sheet.unit <= p.height <= 1.25 * sheet.unit])
        if len(feet) < 4:
            continue
        first, second = np.triu_indices(len(feet), 1)
        across = feet[second, 0] - feet[first, 0]
        far = np.abs(across) >= 3 * sheet.unit
        if far.any():
            rises = (feet[second, 1] - feet[first, 1])[far] / across[far]
            slopes += [float(slope) for slope in np.degrees(np.arctan(rises))]
    if len(slopes) < 8:
        return 0.0
    slope = float(np.median(slopes))
    return slope if LEAST_SLOPE <= abs(slope) <= MOST_SLOPE else 0.0


def assembled(groups: list[list[Part]], unit: float, kept: Container[int]) -> list[list[Part]]:
    """The rows that the groups form, in reading order; a fraction belongs to one row with its bar."""
    groups = _joined_across_bars(groups, unit, kept)
    groups = _adopted(groups, unit)
    return reading_order(groups, unit)


def smeared(sheet: Sheet) -> list[list[Part]]:
    """Parts that run together when the ink is smeared sideways far and up and down hardly at all."""
    if not sheet.parts or sheet.unit <= 0:
        return []
    unit = sheet.unit
    smear = np.zeros(sheet.labels.shape, np.uint8)
    for part in sheet.parts:
        # Tall brackets and roots would bridge neighbouring rows, so only the middle of a part is smeared.
        inset = round(0.12 * part.height) if part.height > 0.5 * unit else 0
        reach = round(1.1 * unit) if part.height > 0.15 * unit or part.width > 0.3 * unit else round(0.5 * unit)
        x0, x1 = max(0, part.x0 - reach), part.x1 + reach
        smear[part.y0 + inset : max(part.y0 + inset + 1, part.y1 - inset), x0:x1] = 1
    _, merged = cv2.connectedComponents(smear, connectivity=4)
    rows: dict[int, list[Part]] = {}
    for part in sheet.parts:
        rows.setdefault(int(merged[int(part.cy), min(int(part.cx), merged.shape[1] - 1)]), []).append(part)
    return list(rows.values())


def _joined_across_bars(groups: list[list[Part]], unit: float, kept: Container[int]) -> list[list[Part]]:
    """Numerators and denominators brought to the row of their bar."""
    home = {part.label: index for index, group in enumerate(groups) for part in group}
    parent = list(range(len(groups)))

    def root(index: int) -> int:
        while parent[index] != index:
            index = parent[index]
        return index

    everything = [part for group in groups for part in group]
    for bar in everything:
        if bar.label in kept or not is_bar(bar, unit) or bar.width < 0.6 * unit:
            continue
        above, below = over_and_under(bar, everything, unit)
        if is_stack(above, below, unit):
            for part in (*above, *below):
                parent[root(home[part.label])] = root(home[bar.label])
    joined: dict[int, list[Part]] = {}
    for index, group in enumerate(groups):
        joined.setdefault(root(index), []).extend(group)
    return list(joined.values())


def over_and_under(bar: Part, parts: Sequence[Part], unit: float) -> tuple[list[Part], list[Part]]:
    """The parts that sit right above and right below a bar, as over and under a fraction bar; empty where none do."""
    slack = 0.2 * unit
    near = [
        part
        for part in parts
        if part is not bar and bar.x0 - slack <= part.cx <= bar.x1 + slack and part.width <= bar.width + 1.2 * unit
    ]
    above = [part for part in near if part.cy < bar.cy and -0.2 * unit <= bar.y0 - part.y1 <= NEAR_BAR * unit]
    below = [part for part in near if part.cy > bar.cy and -0.2 * unit <= part.y0 - bar.y1 <= NEAR_BAR * unit]
    return (
        above if any(not is_bar(part, unit) and part.height > 0.3 * unit for part in above) else [],
        below if any(not is_bar(part, unit) and part.height > 0.3 * unit for part in below) else [],
    )


def is_stack(above: Sequence[Part], below: Sequence[Part], unit: float) -> bool:
    """True when what lies over and under a bar is together taller than a Chinese character with such a stroke."""
    if not above or not below:
        return False
    return max(part.y1 for part in below) - min(part.y0 for part in above) >= STACK * unit


def _adopted(groups: list[list[Part]], unit: float) -> list[list[Part]]:
    """Dots, scripts and short pieces that the smear left alone go to the row they nearly touch.

    The nearest row is measured from its parts, not its box: a box reaches up as far as its tallest fraction.
    """
    boxes = [extent(group) for group in groups]
    order = sorted(range(len(groups)), key=lambda index: boxes[index][2] - boxes[index][0])
    rows = {index: list(groups[index]) for index in order}
    for index in order:
        box = extent(rows[index])
        if box[2] - box[0] > 2.6 * unit:
            _share_out(rows, index, unit)
            continue
        best, least = None, 1.0 * unit
        for candidate in rows:
            if candidate == index or not _could_adopt(box, extent(rows[candidate]), unit):
                continue
            distance = min(_apart(box, (part.x0, part.y0, part.x1, part.y1)) for part in rows[candidate])
            if distance < least:
                best, least = candidate, distance
        if best is not None:
            rows[best].extend(rows.pop(index))
    return list(rows.values())


def _share_out(rows: dict[int, list[Part]], index: int, unit: float) -> None:
    """A low wide group whose every part nestles against the same row is that row's scripts."""
    group = rows[index]
    box = extent(group)
    if box[3] - box[1] > 0.95 * unit:
        return
    for candidate in rows:
        if candidate == index or not _could_adopt(box, extent(rows[candidate]), unit):
            continue
        beside = [
            min(_apart((part.x0, part.y0, part.x1, part.y1), (at.x0, at.y0, at.x1, at.y1)) for at in rows[candidate])
            for part in group
        ]
        if max(beside) <= 0.5 * unit:
            rows[candidate].extend(rows.pop(index))
            return


def _could_adopt(small: Box, row: Box, unit: float) -> bool:
    """True where a small piece can be part of a row: a speck near it, or a piece that overlaps its height."""
    height = small[3] - small[1]
    overlap = min(small[3], row[3]) - max(small[1], row[1])
    if height < 0.3 * unit and small[2] - small[0] < 0.6 * unit:
        return overlap > -0.4 * unit
    if height < 0.8 * unit and overlap > -0.1 * unit:
        return True
    return overlap >= 0.3 * min(height, row[3] - row[1])


def _apart(one: Box, other: Box) -> float:
    """Distance between boxes; vertical distance counts double, because rows lie above one another."""
    dx = max(0, one[0] - other[2], other[0] - one[2])
    dy = max(0, one[1] - other[3], other[1] - one[3])
    return float(dx + 2 * dy)


def reading_order(groups: list[list[Part]], unit: float) -> list[list[Part]]:
    """Rows top to bottom; on a page with a clear gutter the left column first."""
    rows = [sorted(group, key=lambda part: part.x0) for group in groups]
    gutter = _gutter([extent(row) for row in rows], unit)
    if gutter is None:
        return sorted(rows, key=lambda row: _place(row, unit))
    left = [row for row in rows if extent(row)[0] < gutter]
    right = [row for row in rows if extent(row)[0] >= gutter]
    return [*sorted(left, key=lambda row: _place(row, unit)), *sorted(right, key=lambda row: _place(row, unit))]


def _place(row: list[Part], unit: float) -> tuple[float, int]:
    x0, y0, _, y1 = extent(row)
    return (round((y0 + y1) / 2 / unit), x0)


def _gutter(boxes: list[Box], unit: float) -> float | None:
    """The x of a white lane between two columns of at least three rows each, side by side for most of their height."""
    for lane in sorted({box[0] for box in boxes}):
        left = [box for box in boxes if box[2] <= lane - 0.8 * unit]
        right = [box for box in boxes if box[0] >= lane]
        if len(left) < 3 or len(right) < 3 or len(left) + len(right) < len(boxes):
            continue
        overlap = min(max(b[3] for b in left), max(b[3] for b in right)) - max(
            min(b[1] for b in left), min(b[1] for b in right)
        )
        shorter = min(max(b[3] for b in side) - min(b[1] for b in side) for side in (left, right))
        if overlap > 0.5 * shorter:
            return lane
    return None
