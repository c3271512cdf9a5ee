"""Turning received bytes into stored pages, with every refusal in words."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from config.foundation.errors import UnusableInput

WALL_SECONDS = 120
# Signals that come from outside (a machine going down, an impatient operator) and say nothing about the file.
FROM_OUTSIDE = {-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP}
REFUSALS = {
    "too_large": ("文件超过 {mb} MB。", "The file is larger than {mb} MB."),
    "empty": ("文件是空的。", "The file is empty."),
    "too_many_pixels": ("图像像素过多（上限 {mp} 百万）。", "The image has too many pixels (limit {mp} million)."),
    "too_small": ("图像太小，无法阅卷。", "The image is too small to mark."),
    "several_frames": (
        "动画或多页图像不能使用，请逐页上传。",
        "Animated or multi-page images cannot be used; upload page by page.",
    ),
    "not_an_image": (
        "不是可用的 JPEG、PNG、WebP 或 HEIC 图像，或文件已损坏。",
        "Not a usable JPEG, PNG, WebP or HEIC image, or the file is damaged.",
    ),
    "decoder_lost": (
        "图像无法在限定的时间和内存内打开。",
        "The image could not be opened within the limits of time and memory.",
    ),
}


class UnusableImage(UnusableInput):
    """A received file is no acceptable image."""


class DecoderLost(RuntimeError):
    """The child was ended from outside or starved; the file may be good, so the job is tried again."""


@dataclass(frozen=True)
class DecodedPage:
    """An upright page without metadata and its two smaller copies, all JPEG; sizes in pixels."""

    width: int
    height: int
    metadata_removed: bool
    page: bytes
    screen: bytes
    thumbnail: bytes


def refusal(code: str) -> UnusableImage:
    """The refusal with its sentences."""
    zh, en = REFUSALS[code]
    numbers = {"mb": settings.UPLOAD_MAX_BYTES // 2**20, "mp": settings.UPLOAD_MAX_PIXELS // 10**6}
    return UnusableImage(f"image.{code}", zh.format(**numbers), en.format(**numbers))


def check_size(size: int) -> None:
    """Raise UnusableImage for an empty or too large file."""
    if size == 0:
        raise refusal("empty")
    if size > settings.UPLOAD_MAX_BYTES:
        raise refusal("too_large")


def decode_page(content: bytes) -> DecodedPage:
    """Open an untrusted image in a child with limits on time and memory.

    Raises UnusableImage for a file that cannot be used, DecoderLost when the child's end says nothing about the file.
    """
    check_size(len(content))
    command = [sys.executable, "-m", "grading.intake.decoding", str(settings.UPLOAD_MAX_PIXELS)]
    root = Path(__file__).resolve().parent.parent.parent
    try:
        done = subprocess.run(  # noqa: S603 - our own module, no shell, no argument from outside
            command, input=content, capture_output=True, timeout=WALL_SECONDS, cwd=root, check=False,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise DecoderLost("no answer within the wall limit") from None
    if done.returncode in FROM_OUTSIDE:
        raise DecoderLost(f"ended from outside: {done.returncode}")
    head, _, body = done.stdout.partition(b"\n")
    if done.returncode != 0 or not head:
        raise refusal("decoder_lost")
    facts = json.loads(head)
    if "refused" in facts:
        raise refusal(facts["refused"])
    parts, start = [], 0
    for size in facts["sizes"]:
        parts.append(body[start : start + size])
        start += size
    if start != len(body):
        raise refusal("decoder_lost")
    return DecodedPage(facts["width"], facts["height"], facts["metadata_removed"], *parts)
