"""A paper as pages of A4 at 150 dots an inch: the image of each page with what was drawn on it, the mark of its question below."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

from PIL import Image, ImageDraw

from ..domain.annotation_shapes import Shape
from ..intake import media
from .contents import Paper, QuestionPart
from .lettering import width_of, wrapped, write

WIDTH, HEIGHT, DOTS = 1240, 1754, 150
MARGIN, GAP = 50, 14
SMALL, BODY, LARGE = 20, 23, 30
LEADING = 1.45
LEAST_IMAGE = 700
INK, SOFT, RED, GREEN = "#1c2128", "#4b535e", "#b3261e", "#17663a"


def drawn_page(content: bytes, shapes: list[Shape], size: tuple[int, int], room: tuple[int, int]) -> Image.Image:
    """The image of a page, made to fit ``room`` pixels, with the marks that were drawn on it at their places.

    ``size`` is that of the stored page, in whose pixels the shapes are.
    """
    with Image.open(io.BytesIO(content)) as opened:
        image = opened.convert("RGB")
    scale = min(room[0] / size[0], room[1] / size[1])
    image = image.resize((max(1, round(size[0] * scale)), max(1, round(size[1] * scale))), Image.Resampling.LANCZOS)
    draw = ImageDraw.Draw(image)
    for shape in shapes:
        strokes = [[(x * scale, y * scale) for x, y in points] for points in shape.strokes]
        wide = max(2, round(shape.stroke * scale))
        for colour, more in (("#ffffff", wide), (RED, 0)):
            for points in strokes:
                draw.line(points, fill=colour, width=wide + more, joint="curve")
        for line in shape.lines:
            at, letters = (line.x * scale, line.y * scale), max(8, round(shape.size * scale))
            write(draw, at, line.words, letters, RED, halo=max(1, letters // 12))
    return image


@dataclass
class _Row:
    """One line below an image. ``sign`` is drawn before it, ``score`` stands at the right."""

    text: str
    size: int = BODY
    colour: str = INK
    sign: str = ""
    score: str = ""

    @property
    def height(self) -> float:
        return self.size * LEADING


def _rows(part: QuestionPart) -> list[_Row]:
    rows = [_Row(f"{part.title}　{part.result}", LARGE, INK if part.decided else RED)]
    room = WIDTH - 2 * MARGIN - 40
    for step in part.steps:
        first, *rest = wrapped(step.text, BODY, room - 120) or [""]
        rows.append(_Row(first, sign=step.sign or "part", score=step.score))
        rows += [_Row(line) for line in rest]
    for note in part.notes:
        rows += [_Row(line, SMALL, SOFT) for line in wrapped(note, SMALL, room)]
    return rows


class _Sheet:
    """One page that is being filled from above."""

    def __init__(self, paper: Paper) -> None:
        self.image = Image.new("RGB", (WIDTH, HEIGHT), "#ffffff")
        self.draw = ImageDraw.Draw(self.image)
        y = MARGIN + SMALL
        for line in wrapped(paper.heading, SMALL, WIDTH - 2 * MARGIN - 420)[:2]:
            write(self.draw, (MARGIN, y), line, SMALL, SOFT)
            y += round(SMALL * LEADING)
        colour = INK if paper.finished else RED
        write(self.draw, (WIDTH - MARGIN - width_of(paper.total, BODY), MARGIN + SMALL), paper.total, BODY, colour)
        self.draw.line([(MARGIN, y - 8), (WIDTH - MARGIN, y - 8)], fill="#d0d5dc", width=2)
        self.y = float(y + GAP)

    @property
    def room(self) -> float:
        return HEIGHT - MARGIN - SMALL * LEADING - self.y

    def put_image(self, image: Image.Image) -> None:
        self.image.paste(image, (round((WIDTH - image.width) / 2), round(self.y)))
        self.y += image.height + GAP

    def put_row(self, row: _Row) -> None:
        base = self.y + row.size
        x = MARGIN + (40 if row.size == BODY else 0)
        if row.sign:
            self._sign(row.sign, MARGIN + 16, base - row.size * 0.35, row.size)
        write(self.draw, (x, base), row.text, row.size, row.colour)
        if row.score:
            write(self.draw, (WIDTH - MARGIN - width_of(row.score, BODY), base), row.score, BODY, row.colour)
        self.y += row.height

    def _sign(self, sign: str, x: float, y: float, side: float) -> None:
        half = side * 0.4
        if sign == "tick":
            self.draw.line([(x - half, y), (x - half * 0.3, y + half * 0.8), (x + half, y - half)], fill=GREEN, width=4)
        elif sign == "cross":
            self.draw.line([(x - half, y - half), (x + half, y + half)], fill=RED, width=4)
            self.draw.line([(x + half, y - half), (x - half, y + half)], fill=RED, width=4)
        else:
            corners = [(x, y - half), (x + half, y + half), (x - half, y + half), (x, y - half)]
            self.draw.line(corners, fill="#7d4e00", width=3)


def _part_sheets(paper: Paper, part: QuestionPart) -> Iterator[_Sheet]:
    rows = _rows(part)
    below = sum(row.height for row in rows)
    sheet = _Sheet(paper)
    for number, (page, shapes) in enumerate(part.pages):
        if number:
            yield sheet
            sheet = _Sheet(paper)
        last = number == len(part.pages) - 1
        high = max(LEAST_IMAGE, sheet.room - below - GAP) if last else sheet.room
        room = (WIDTH - 2 * MARGIN, int(min(high, sheet.room)))
        sheet.put_image(drawn_page(media.load(page.stored_sha256), shapes, (page.width, page.height), room))
    for row in rows:
        if sheet.room < row.height:
            yield sheet
            sheet = _Sheet(paper)
        sheet.put_row(row)
    yield sheet


def sheets_of(paper: Paper) -> list[Image.Image]:
    """The finished pages of a paper, numbered at the foot."""
    sheets = [sheet for part in paper.parts for sheet in _part_sheets(paper, part)]
    for number, sheet in enumerate(sheets, start=1):
        foot = paper.words.page.format(n=number, of=len(sheets))
        at = (WIDTH - MARGIN - width_of(foot, SMALL), HEIGHT - MARGIN)
        write(sheet.draw, at, foot, SMALL, SOFT)
    return [sheet.image for sheet in sheets]
