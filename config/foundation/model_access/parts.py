"""What a message to a model is made of: text, and photographs made small enough to send."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageOps

from config.foundation.errors import UnusableInput

LONG_SIDE = 1600
JPEG_QUALITY = 85
MAX_PIXELS = 40_000_000
TOKENS_PER_IMAGE = 3_000
"""Upper estimate for a page of that size, for reserving budget; what counts afterwards is the usage reported."""


@dataclass(frozen=True)
class TextPart:
    """Plain text."""

    text: str

    def wire(self) -> dict[str, Any]:
        return {"type": "text", "text": self.text}

    def most_tokens(self) -> int:
        """No tokenizer in use makes more tokens than there are bytes; one per character is near enough for money."""
        return len(self.text)


@dataclass(frozen=True)
class ImagePart:
    """One page as JPEG. ``width`` and ``height`` are those of the upright picture before it was made smaller."""

    jpeg: bytes
    width: int
    height: int

    def wire(self) -> dict[str, Any]:
        data = base64.b64encode(self.jpeg).decode("ascii")
        return {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{data}"}}

    def most_tokens(self) -> int:
        return TOKENS_PER_IMAGE


def image_part(content: bytes) -> ImagePart:
    """Upright, at most 1600 px on the long side, JPEG, without metadata. Raises UnusableInput for anything else."""
    try:
        with Image.open(io.BytesIO(content), formats=("JPEG", "PNG", "WEBP")) as picture:
            if picture.width * picture.height > MAX_PIXELS:
                raise ValueError("too many pixels")
            upright = ImageOps.exif_transpose(picture)
            width, height = upright.size
            canvas = _on_white(upright)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise UnusableInput(
            "model.image",
            "图像无法读取：只接受 JPEG、PNG 或 WebP。",
            "The image cannot be read: use JPEG, PNG, WebP.",
        ) from None
    canvas.thumbnail((LONG_SIDE, LONG_SIDE), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    canvas.save(out, "JPEG", quality=JPEG_QUALITY)
    return ImagePart(out.getvalue(), width, height)


def _on_white(picture: Image.Image) -> Image.Image:
    canvas = Image.new("RGB", picture.size, "white")
    if picture.mode in {"RGBA", "LA", "PA"} or "transparency" in picture.info:
        rgba = picture.convert("RGBA")
        canvas.paste(rgba, mask=rgba.getchannel("A"))
    else:
        canvas.paste(picture.convert("RGB"))
    return canvas
