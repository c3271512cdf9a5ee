"""The child process that opens untrusted images: ``python -m grading.intake.decoding`` with hard limits on itself.

Reads one image on standard input, writes one JSON line and then the three encoded images on standard output.
It has no settings, no database and no secrets; the parent kills it when it takes too long.
"""

from __future__ import annotations

import contextlib
import io
import json
import resource
import sys
import warnings
from typing import Any

from PIL import Image, ImageOps

# The long side of the copies: a page for judging, a copy for the screen, a thumbnail for lists (pixels).
PAGE_SIDE, SCREEN_SIDE, THUMBNAIL_SIDE = 2600, 1400, 240
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
MEMORY_BYTES = 1 << 30
CPU_SECONDS = 15


class Unreadable(Exception):
    """The bytes are not an acceptable image; ``code`` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _jpeg(image: Image.Image, side: int, quality: int) -> bytes:
    copy = image.copy()
    copy.thumbnail((side, side), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    copy.save(out, "JPEG", quality=quality, optimize=True)
    return out.getvalue()


def decode(content: bytes, *, max_pixels: int) -> tuple[dict[str, Any], list[bytes]]:
    """Upright RGB copies of one image without any metadata: facts, and [page PNG or JPEG, screen JPEG, thumbnail JPEG].

    EXIF orientation is applied once (pi-heif applies a HEIC's own rotation and resets the tag). The pixels are pasted
    on a new canvas, since saving an opened image would keep its comments.
    """
    import pi_heif

    pi_heif.register_heif_opener()
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    Image.MAX_IMAGE_PIXELS = max_pixels
    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
            width, height = opened.size
            if width * height > max_pixels:
                raise Unreadable("too_many_pixels")
            if min(width, height) < 40:
                raise Unreadable("too_small")
            if getattr(opened, "n_frames", 1) != 1:
                raise Unreadable("several_frames")
            kind = opened.format or ""
            metadata = bool(opened.getexif()) or bool({"comment", "xmp", "icc_profile", "exif"} & set(opened.info))
            opened.load()
            upright = ImageOps.exif_transpose(opened)
            pixels = upright.convert("RGBA") if upright.mode in {"RGBA", "LA", "P", "PA"} else upright.convert("RGB")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Unreadable("too_many_pixels") from None
    except MemoryError:
        raise Unreadable("too_many_pixels") from None
    except (OSError, SyntaxError, ValueError, RuntimeError, EOFError, OverflowError):
        raise Unreadable("not_an_image") from None
    canvas = Image.new("RGB", pixels.size, "white")
    canvas.paste(pixels, mask=pixels.getchannel("A") if pixels.mode == "RGBA" else None)
    page = canvas.copy()
    page.thumbnail((PAGE_SIDE, PAGE_SIDE), Image.Resampling.LANCZOS)
    facts = {"format": kind, "width": page.width, "height": page.height, "metadata_removed": metadata}
    return facts, [_jpeg(page, PAGE_SIDE, 92), _jpeg(canvas, SCREEN_SIDE, 82), _jpeg(canvas, THUMBNAIL_SIDE, 75)]


def main() -> None:
    """Serve one image; any refusal is an answer, any crash is seen by the parent."""
    max_pixels = int(sys.argv[1])
    _limit()
    content = sys.stdin.buffer.read()
    images: list[bytes] = []
    try:
        facts, images = decode(content, max_pixels=max_pixels)
    except Unreadable as refusal:
        facts = {"refused": refusal.code}
    facts["sizes"] = [len(image) for image in images]
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.buffer.write(json.dumps(facts).encode() + b"\n" + b"".join(images))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
