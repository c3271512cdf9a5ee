"""Writing on an image with fonts that are part of the product, so that a paper looks the same on every machine.

Chinese and Latin come from Noto Sans SC, signs of mathematics from the fonts that the pages typeset formulas with. A raised or
lowered figure is drawn small; a sign that no font has is written by its code, for it must not vanish unseen.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from PIL import ImageDraw, ImageFont

FONTS = (
    "grading/fonts/NotoSansSC-Latin.woff",
    "grading/fonts/NotoSansSC-Chinese.woff",
    "static/vendor/katex/fonts/KaTeX_Main-Regular.woff2",
    "static/vendor/katex/fonts/KaTeX_Math-Italic.woff2",
    "static/vendor/katex/fonts/KaTeX_AMS-Regular.woff2",
)
SMALL = 0.62
# A stroke through the sign before it: no font at hand has “≠” whole.
STRUCK = "\u0338"
Font = ImageFont.FreeTypeFont


@lru_cache(maxsize=64)
def _font(name: str, size: int) -> Font:
    return ImageFont.truetype(str(Path(settings.BASE_DIR) / name), size)


@lru_cache(maxsize=16)
def _missing(name: str) -> tuple[bytes, tuple[int, int]]:
    mask = _font(name, 40).getmask("\uffff")
    return bytes(mask), mask.size


@lru_cache(maxsize=8192)
def _font_with(character: str) -> str | None:
    """The first font that has a character; None where none has."""
    for name in FONTS:
        mask = _font(name, 40).getmask(character)
        if (bytes(mask), mask.size) != _missing(name) or character.isspace():
            return name
    return None


def _pieces(text: str, size: int) -> Iterator[tuple[Font, str, float]]:
    """Font, text and how far it is lowered (in pixels) of each piece that is drawn in one go."""
    for character in text:
        name = _font_with(character)
        if name is not None:
            yield _font(name, size), character, 0.0
            continue
        way, _space, plain = unicodedata.decomposition(character).partition(" ")
        small = {"<sub>": 0.12, "<super>": -0.42}.get(way)
        letters = "".join(chr(int(code, 16)) for code in plain.split())
        if small is not None and all(map(_font_with, letters)):
            yield from (
                (_font(_font_with(each) or FONTS[0], int(size * SMALL)), each, size * small) for each in letters
            )
        elif character == "≠":
            yield _font(FONTS[0], size), "=", 0.0
            yield _font(FONTS[0], size), STRUCK, 0.0
        else:
            yield from ((_font(FONTS[0], int(size * SMALL)), each, 0.0) for each in f"[U+{ord(character):X}]")


def width_of(text: str, size: int) -> float:
    """The width of a line in pixels."""
    return sum(font.getlength(piece) for font, piece, _lowered in _pieces(text, size) if piece != STRUCK)


def wrapped(text: str, size: int, room: float) -> list[str]:
    """The text in lines that fit ``room`` pixels."""
    lines, line, used = [], "", 0.0
    for character in text:
        wide = width_of(character, size)
        if line and used + wide > room:
            lines.append(line)
            line, used = "", 0.0
        line, used = line + character, used + wide
    return [*lines, line] if line else lines


def write(
    draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, fill: str, *, halo: int = 0
) -> None:
    """One line from its baseline ``at``."""
    x, y = at
    for font, piece, lowered in _pieces(text, size):
        if piece == STRUCK:
            wide = font.getlength("=")
            draw.line([(x - wide * 0.75, y), (x - wide * 0.25, y - size * 0.7)], fill=fill, width=max(1, size // 14))
            continue
        draw.text((x, y + lowered), piece, font=font, fill=fill, anchor="ls", stroke_width=halo, stroke_fill="#ffffff")
        x += font.getlength(piece)
