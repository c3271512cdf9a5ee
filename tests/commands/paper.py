"""A page with handwriting-like ink in the boxes of the cast's lines, and the files that the commands read."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from config.foundation.canonical import canonical_text
from tests.gate.cast import RULES_FILE, Answer

SIZE = (1240, 1754)


def page(answer: Answer, *, without: tuple[int, ...] = (), extra: bool = False) -> bytes:
    """A PNG with strokes in each line's box; `without` leaves lines (by number) empty, `extra` adds unexplained ink."""
    image = Image.new("L", SIZE, 255)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(answer.reading["lines"], start=1):
        if number not in without:
            _scribble(draw, [float(value) for value in line["box"]])
    if extra:
        _scribble(draw, [0.2, 0.8, 0.6, 0.84])
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _scribble(draw: ImageDraw.ImageDraw, box: list[float]) -> None:
    x0, y0, x1, y1 = box[0] * SIZE[0], box[1] * SIZE[1], box[2] * SIZE[0], box[3] * SIZE[1]
    height = y1 - y0
    left = x0 + 10
    while left + 40 < x1 - 10:
        draw.ellipse((left, y0 + 0.2 * height, left + 24, y1 - 0.2 * height), outline=0, width=4)
        left += 44


class Desk:
    """A folder with the documents of one answer, as files."""

    def __init__(self, folder: Path, answer: Answer, image: bytes | None = None) -> None:
        self.folder = folder
        self.rules = str(RULES_FILE)
        self.reading = self.file("reading.json", answer.reading)
        self.observation = self.file("observation.json", answer.observation)
        self.policy = self.file("policy.json", answer.policy)
        self.image = self.bytes("page.png", page(answer) if image is None else image)

    def file(self, name: str, document: Any) -> str:
        return self.bytes(name, canonical_text(document).encode())

    def bytes(self, name: str, content: bytes) -> str:
        path = self.folder / name
        path.write_bytes(content)
        return str(path)

    def documents(self, *names: str) -> list[str]:
        """Arguments `--name file` for the named documents."""
        return [part for name in names for part in (f"--{name}", str(getattr(self, name)))]


def verdict_in(text: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text)
    return document
