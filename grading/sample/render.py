"""Draws a page of an answer as a photograph or a scan, and tells where each line came to stand.

Deterministic: the same lines, hand, page and seed give the same picture.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from grading.sample.hands import FontFolders, Hand
from grading.sample.layout import Box, PlacedGlyph, Stroke, Writer
from grading.sample.markup import parse

WIDTH = 1120
LETTER = 50
FINE = 2
"""Drawn this many times larger and reduced, so that edges are smooth."""
MARGIN_X, MARGIN_TOP, MARGIN_BOTTOM, GAP = 84, 76, 110, 40
RULE_PITCH = 66
SMALLEST_HEIGHT = 640

Rect = tuple[float, float, float, float]
Look = Literal["photo", "scan"]


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """What is to be written: its source, whether it is struck out, or a note beside the working."""

    source: str
    struck: bool = False
    margin: bool = False


@dataclass(frozen=True, slots=True)
class PageStyle:
    """How the sheet looks: ruled or plain, photographed or scanned, and the angle it lies at."""

    ruled: bool
    look: Look
    skew: float


@dataclass(slots=True)
class DrawnPage:
    """The picture in grey, and the box of each line in parts of the page (0 to 1)."""

    image: Image.Image
    boxes: list[Rect]


def draw_page(
    lines: list[WrittenLine], hand: Hand, fonts: FontFolders, style: PageStyle, random: np.random.Generator
) -> DrawnPage:
    """Write `lines` under each other on one sheet."""
    writer = Writer(hand, fonts, random)
    placed, height = _place(writer, lines)
    ink = Image.new("L", (WIDTH * FINE, height * FINE), 0)
    boxes: list[Rect] = []
    for line, box, x, y in placed:
        rect = _draw_box(ink, box, x, y)
        if line.struck:
            _strike(ink, rect, hand, random)
        boxes.append(rect)
    return _finish(ink, boxes, hand, style, random)


def draw_scribble(
    rows: int, hand: Hand, fonts: FontFolders, style: PageStyle, random: np.random.Generator
) -> DrawnPage:
    """Fill a sheet with strokes that nobody can read; one box for each row of them."""
    height = max(SMALLEST_HEIGHT, MARGIN_TOP + rows * 110 + MARGIN_BOTTOM)
    ink = Image.new("L", (WIDTH * FINE, height * FINE), 0)
    boxes: list[Rect] = []
    for row in range(rows):
        y, x = (MARGIN_TOP + 50 + row * 110) * FINE, float(MARGIN_X * FINE)
        end = (WIDTH - MARGIN_X - random.uniform(100, 500)) * FINE
        points = _loops(x, end, y, random)
        _draw_stroke(ink, Stroke(tuple(points), 0.06 * LETTER), 0, 0, 1)
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        boxes.append((min(xs) / FINE, min(ys) / FINE, max(xs) / FINE, max(ys) / FINE))
    return _finish(ink, boxes, hand, style, random)


def _loops(x: float, end: float, y: float, random: np.random.Generator) -> list[tuple[float, float]]:
    """Run-together loops of changing size from x to end, as of a pen that only pretends to write."""
    points: list[tuple[float, float]] = []
    turn, height, width = 0.0, 40.0, 24.0
    while x < end:
        turn += 0.35
        x += random.uniform(2.0, 3.4) * (1 + 0.5 * math.sin(turn / 9))
        height = min(72.0, max(14.0, height + random.normal(0, 6)))
        width = min(44.0, max(8.0, width + random.normal(0, 4)))
        points.append((x + width * math.cos(turn), y + height * math.sin(turn) + random.normal(0, 2)))
    return points


def draw_blank(hand: Hand, style: PageStyle, random: np.random.Generator) -> DrawnPage:
    """A sheet that nobody wrote on."""
    return _finish(Image.new("L", (WIDTH * FINE, SMALLEST_HEIGHT * FINE), 0), [], hand, style, random)


def _place(writer: Writer, lines: list[WrittenLine]) -> tuple[list[tuple[WrittenLine, Box, float, float]], int]:
    """Lay the lines out downwards; returns them with their places, and the height of the sheet."""
    placed = []
    y = float(MARGIN_TOP)
    for line in lines:
        box = writer.line(parse(line.source), LETTER * (0.84 if line.margin else 1.0))
        room = WIDTH - 2 * MARGIN_X
        if box.width > room:
            raise ValueError(f"{line.source!r} is {box.width - room:.0f} pixels too wide for the sheet")
        indent = room - box.width if line.margin else max(0.0, writer.random.normal(0, 220 * writer.hand.drift))
        y += box.above
        placed.append((line, box, MARGIN_X + min(indent, room - box.width), y))
        y += box.below + GAP
    return placed, max(SMALLEST_HEIGHT, 20 * math.ceil((y + MARGIN_BOTTOM) / 20))


def _draw_box(ink: Image.Image, box: Box, x: float, y: float) -> Rect:
    """Draw a laid-out line; returns the rectangle around its ink in pixels of the sheet."""
    layer = Image.new("L", ink.size, 0)
    for glyph in box.glyphs:
        _draw_glyph(layer, glyph, x, y)
    for stroke in box.strokes:
        _draw_stroke(layer, stroke, x, y, FINE)
    left, top, right, bottom = layer.getbbox() or (0, 0, 0, 0)
    ink.paste(ImageChops.lighter(ink, layer))
    return left / FINE, top / FINE, right / FINE, bottom / FINE


def _draw_glyph(layer: Image.Image, glyph: PlacedGlyph, x: float, y: float) -> None:
    font = glyph.font.font_variant(size=glyph.font.size * FINE)
    side = int(font.size * 2.2)
    cell = Image.new("L", (side, side), 0)
    ImageDraw.Draw(cell).text((side * 0.3, side * 0.65), glyph.char, fill=255, font=font, anchor="ls")
    if glyph.angle:
        cell = cell.rotate(glyph.angle, Image.Resampling.BICUBIC, center=(side * 0.45, side * 0.5))
    corner = (round((x + glyph.x) * FINE - side * 0.3), round((y + glyph.y) * FINE - side * 0.65))
    layer.paste(255, corner, cell)


def _draw_stroke(layer: Image.Image, stroke: Stroke, x: float, y: float, scale: float) -> None:
    points = [((x + px) * scale, (y + py) * scale) for px, py in stroke.points]
    width = max(3, round(stroke.width * FINE))
    draw = ImageDraw.Draw(layer)
    draw.line(points, fill=255, width=width, joint="curve")
    radius = width / 2 - 0.5
    for px, py in (points[0], points[-1]):
        draw.ellipse((px - radius, py - radius, px + radius, py + radius), fill=255)


def _strike(ink: Image.Image, rect: Rect, hand: Hand, random: np.random.Generator) -> None:
    """Cross a line out with two strokes through its middle, clearly longer than what they cross."""
    left, top, right, bottom = rect
    middle, reach = (top + bottom) / 2, min(12.0, (bottom - top) / 5)
    for offset in (-reach / 2, reach / 2):
        parts = max(3, round((right - left) / 60))
        xs = [left - 16 + (right - left + 32) * k / parts for k in range(parts + 1)]
        points = tuple((px, middle + offset + random.normal(0, 2.0)) for px in xs)
        _draw_stroke(ink, Stroke(points, 1.2 * hand.pen * LETTER), 0, 0, FINE)


def _finish(
    ink: Image.Image, boxes: list[Rect], hand: Hand, style: PageStyle, random: np.random.Generator
) -> DrawnPage:
    """Turn the sheet by the skew, lay ink on paper, and make it a photograph or a scan."""
    width, height = ink.width // FINE, ink.height // FINE
    rules = Image.new("L", ink.size, 0)
    if style.ruled:
        draw = ImageDraw.Draw(rules)
        for y in range(RULE_PITCH, height, RULE_PITCH):
            draw.line((0, y * FINE, ink.width, y * FINE), fill=255, width=FINE)
    darkness = []
    for layer in (ink, rules):
        turned = layer.rotate(style.skew, Image.Resampling.BICUBIC).reduce(FINE)
        darkness.append(np.asarray(turned, dtype=np.float32) / np.float32(255))
    paper = _paper(width, height, style.look, random)
    paper = paper - darkness[1] * np.float32(26)
    grey = np.asarray(paper * (1 - darkness[0]) + hand.ink * darkness[0], dtype=np.float32)
    image = _photographed(grey, random) if style.look == "photo" else _scanned(grey)
    return DrawnPage(image, [_turned(rect, style.skew, width, height) for rect in boxes])


def _paper(width: int, height: int, look: Look, random: np.random.Generator) -> NDArray[np.float32]:
    if look == "scan":
        return np.full((height, width), 250, dtype=np.float32)
    across = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    down = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    tilt_x, tilt_y, dip = random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(4, 14)
    shaded = 238 + tilt_x * across + tilt_y * down - dip * (across**2 + down**2) / 2
    return np.asarray(shaded, dtype=np.float32)


def _photographed(grey: NDArray[np.float32], random: np.random.Generator) -> Image.Image:
    image = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))
    soft = np.asarray(image.filter(ImageFilter.GaussianBlur(0.7)), dtype=np.float32)
    noisy = soft + random.normal(0, 1.6, soft.shape).astype(np.float32)
    return Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))


def _scanned(grey: NDArray[np.float32]) -> Image.Image:
    """Sixteen greys and no noise, as a scanner set to small files gives."""
    steps = np.round(np.clip(grey, 0, 255) / 17) * 17
    return Image.fromarray(steps.astype(np.uint8))


def _turned(rect: Rect, degrees: float, width: int, height: int) -> Rect:
    """The upright rectangle around `rect` after the sheet was turned, in parts of the page."""
    turn = math.radians(degrees)
    cx, cy = width / 2, height / 2
    corners = [(x - cx, y - cy) for x in rect[::2] for y in rect[1::2]]
    xs = [cx + x * math.cos(turn) + y * math.sin(turn) for x, y in corners]
    ys = [cy - x * math.sin(turn) + y * math.cos(turn) for x, y in corners]
    return (
        max(0.0, min(xs) / width),
        max(0.0, min(ys) / height),
        min(1.0, max(xs) / width),
        min(1.0, max(ys) / height),
    )
