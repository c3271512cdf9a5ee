"""A run of marks set anew on one line for the recogniser, and the way back from characters to marks.

Scripts are enlarged and set down on the baseline, with air around them, because the recogniser reads ``x 2`` well and
``x²`` badly; which characters were scripts is known from the marks they fall on. Every mark must be explained by a
character and every character by a mark: what is left over is unread ink.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from grading.judges.embedded.pages import Gray
from grading.judges.embedded.recogniser import Glyph
from grading.judges.embedded.rows import Sheet, extent
from grading.judges.embedded.scripts import CLOSE_CALL, Mark, Place, Ruling

SCRIPT_GROWTH = 1.55
TOUCHING = 0.35
BROKEN = 0.45
LEFT_OVER = 0.9
IDEOGRAPHS = range(0x3400, 0xA000)
LOOK_LIKE_STROKES = frozenset("一二三丨丶丿乙十口工人八")


def is_ideograph(char: str) -> bool:
    """True for a Chinese character that cannot be mistaken for a mathematical sign."""
    return ord(char) in IDEOGRAPHS and char not in LOOK_LIKE_STROKES


@dataclass(frozen=True)
class Set:
    """A mark as it stands in the line image: its extent there in pixels."""

    mark: Mark
    x0: float
    x1: float

    @property
    def cx(self) -> float:
        """Horizontal centre."""
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True)
class Typeset:
    """A line image with the places of its marks, left to right, and its figure height."""

    image: Gray
    marks: tuple[Set, ...]
    figure: float


@dataclass(frozen=True)
class ReadMark:
    """A character together with the marks that it explains."""

    glyph: Glyph
    marks: tuple[Mark, ...]
    doubtful: bool = False

    @property
    def place(self) -> Place:
        """Where the character stands."""
        return self.marks[0].place if self.marks else Place.MAIN


@dataclass(frozen=True)
class Explained:
    """Characters with their marks in order, marks without character, characters without mark."""

    read: tuple[ReadMark, ...]
    unread: tuple[Mark, ...]
    phantom: tuple[Glyph, ...]


def set_anew(sheet: Sheet, marks: Sequence[Mark], ruling: Ruling) -> Typeset:
    """One line image with all marks on the baseline."""
    figure = ruling.figure
    pieces = [_piece(sheet, stretch, ruling) for stretch in _stretches(marks, ruling)]
    gap = round(0.22 * figure)
    top = max(1.15 * figure, *(figure_top for _, figure_top, _, _ in pieces)) + 0.12 * figure
    low = max(0.35 * figure, *(bottom for _, _, bottom, _ in pieces)) + 0.1 * figure
    edge = round(0.35 * figure)
    width = 2 * edge + sum(image.shape[1] for image, *_ in pieces) + gap * (len(pieces) - 1)
    line = np.full((round(top + low) + 2, width), 255, np.uint8)
    x = edge
    placed: list[Set] = []
    for image, rise, _, spans in pieces:
        y = max(0, round(top - rise))
        height = min(image.shape[0], line.shape[0] - y)
        line[y : y + height, x : x + image.shape[1]] = image[:height]
        placed.extend(Set(mark, x + start, x + end) for mark, start, end in spans)
        x += image.shape[1] + gap
    return Typeset(line, tuple(placed), figure)


def _stretches(marks: Sequence[Mark], ruling: Ruling) -> list[list[Mark]]:
    """Consecutive marks of one place; tall brackets stand alone, so that they alone are squeezed."""
    stretches: list[list[Mark]] = []
    before: tuple[Place, bool] | None = None
    for mark in marks:
        kind = (mark.place, mark.height > 1.7 * ruling.figure)
        if kind == before and not kind[1]:
            stretches[-1].append(mark)
        else:
            stretches.append([mark])
        before = kind
    return stretches


def _piece(
    sheet: Sheet, marks: Sequence[Mark], ruling: Ruling
) -> tuple[Gray, float, float, list[tuple[Mark, float, float]]]:
    """Image of a stretch, its rise above and fall below the baseline, and the span of each mark in it."""
    parts = [part for mark in marks for part in mark.parts]
    x0, y0, x1, y1 = extent(parts)
    pad = 2
    box = (max(0, x0 - pad), max(0, y0 - pad), min(sheet.gray.shape[1], x1 + pad), min(sheet.gray.shape[0], y1 + pad))
    image = sheet.cut(parts, box)
    growth, base = 1.0, ruling.at((x0 + x1) / 2)
    if marks[0].place is not Place.MAIN:
        tallest = max(mark.height for mark in marks)
        growth = min(SCRIPT_GROWTH, 0.95 * ruling.figure / max(1, tallest))
        growth = max(1.0, growth)
        solid = [mark for mark in marks if mark.height > 0.5 * tallest and mark.height > 0.25 * ruling.figure]
        # A script of a lone minus keeps the height of a minus above the line.
        base = float(max((mark.box[3] for mark in solid), default=y1 + 0.35 * ruling.figure / growth))
    squeeze = 1.0
    if (y1 - y0) * growth > 1.8 * ruling.figure:
        squeeze = 1.35 * ruling.figure / ((y1 - y0) * growth)
        base = y1 - 0.12 * (y1 - y0)
    if growth != 1.0 or squeeze != 1.0:
        size = (max(1, round(image.shape[1] * growth)), max(1, round(image.shape[0] * growth * squeeze)))
        method = cv2.INTER_CUBIC if growth * squeeze > 1 else cv2.INTER_AREA
        image = np.asarray(cv2.resize(image, size, interpolation=method), np.uint8)
    spans = [(mark, (mark.box[0] - box[0]) * growth, (mark.box[2] - box[0]) * growth) for mark in marks]
    rise = (base - box[1]) * growth * squeeze
    return image, rise, image.shape[0] - rise, spans


def explain(line: Typeset, glyphs: Sequence[Glyph]) -> Explained:
    """The cheapest monotone pairing of characters and marks.

    A character may cover several marks (Chinese radicals freely, others as a broken stroke), a mark several
    characters (touching writing); both cost, and leaving something over costs most.
    """
    glyphs = [glyph for glyph in glyphs if glyph.char.strip()]
    marks = line.marks
    best: NDArray[np.float64] = np.full((len(marks) + 1, len(glyphs) + 1), np.inf)
    best[0, 0] = 0.0
    back: dict[tuple[int, int], tuple[int, int]] = {}
    for i in range(len(marks) + 1):
        for j in range(len(glyphs) + 1):
            if not np.isfinite(best[i, j]):
                continue
            for di, dj, cost in _moves(line, glyphs, i, j):
                if best[i, j] + cost < best[i + di, j + dj]:
                    best[i + di, j + dj] = best[i, j] + cost
                    back[i + di, j + dj] = (i, j)
    return _walked(line, glyphs, back)


def _moves(line: Typeset, glyphs: Sequence[Glyph], i: int, j: int) -> list[tuple[int, int, float]]:
    marks, figure = line.marks, line.figure
    moves: list[tuple[int, int, float]] = []
    if i < len(marks):
        moves.append((1, 0, LEFT_OVER))
    if j < len(glyphs):
        moves.append((0, 1, LEFT_OVER))
    if i == len(marks) or j == len(glyphs):
        return moves
    glyph = glyphs[j]
    wide = is_ideograph(glyph.char)
    for count in range(1, min(12 if wide else 3, len(marks) - i) + 1):
        start, end = marks[i].x0, max(mark.x1 for mark in marks[i : i + count])
        if count > 1 and end - start > (1.8 if wide else 1.0) * figure:
            break
        distance = abs((start + end) / 2 - glyph.x) / figure
        moves.append((count, 1, distance * (0.6 if wide else 1.0) + (0.0 if wide else BROKEN * (count - 1))))
    for count in (2, 3, 4, 5):
        if j + count > len(glyphs):
            break
        middle = sum(other.x for other in glyphs[j : j + count]) / count
        moves.append((1, count, abs(marks[i].cx - middle) / figure + TOUCHING * (count - 1)))
    return moves


def _walked(line: Typeset, glyphs: Sequence[Glyph], back: dict[tuple[int, int], tuple[int, int]]) -> Explained:
    read: list[ReadMark] = []
    unread: list[Mark] = []
    phantom: list[Glyph] = []
    at = (len(line.marks), len(glyphs))
    while at != (0, 0):
        before = back[at]
        marks = tuple(placed.mark for placed in line.marks[before[0] : at[0]])
        characters = glyphs[before[1] : at[1]]
        if not characters:
            unread.extend(marks)
        elif not marks:
            phantom.extend(characters)
        else:
            doubt = _doubtful(marks, characters, line.figure)
            read.extend(ReadMark(glyph, marks, doubt) for glyph in reversed(characters))
        at = before
    return Explained(tuple(reversed(read)), tuple(reversed(unread)), tuple(reversed(phantom)))


def _doubtful(marks: Sequence[Mark], characters: Sequence[Glyph], figure: float) -> bool:
    """True when the pairing of marks and characters is a guess, or a script was decided by a hair."""
    if any(mark.margin < CLOSE_CALL for mark in marks) and not is_ideograph(characters[0].char):
        return True
    if len({mark.place for mark in marks}) > 1:
        return True
    if len(characters) > 1:
        width = max(mark.box[2] for mark in marks) - min(mark.box[0] for mark in marks)
        return width < 0.3 * figure * len(characters)
    if len(marks) > 1 and not is_ideograph(characters[0].char):
        gaps = [later.box[0] - earlier.box[2] for earlier, later in pairwise(marks)]
        return max(gaps) > 0.12 * figure
    return False


def on_the_line(marks: Sequence[Mark]) -> list[Mark]:
    """The same marks all taken as standing on the line."""
    return [replace(mark, place=Place.MAIN, margin=1.0) for mark in marks]
