"""Content-addressed files: the name of a file is the hash of its bytes, so it cannot change unnoticed."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from django.conf import settings

from config.foundation.canonical import sha256_hex
from config.foundation.errors import WenshuError


class DamagedMedia(WenshuError):
    """A stored file is missing or its bytes no longer match its name."""


def _path(digest: str, area: str) -> Path:
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise ValueError("a media name is 64 hexadecimal digits")
    return Path(settings.MEDIA_ROOT) / area / digest[:2] / digest[2:]


def store(content: bytes, *, area: str = "pages") -> str:
    """Write the bytes once under their SHA-256 and return it; a crash leaves the whole file or none."""
    digest = sha256_hex(content)
    path = _path(digest, area)
    if path.exists():
        return digest
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return digest


def load(digest: str, *, area: str = "pages") -> bytes:
    """The bytes under a hash. Raises DamagedMedia when they are missing or were changed."""
    try:
        content = _path(digest, area).read_bytes()
    except OSError:
        raise DamagedMedia(
            "media.missing", "存储的图像文件缺失。", "A stored image file is missing.", digest=digest
        ) from None
    if sha256_hex(content) != digest:
        raise DamagedMedia("media.changed", "存储的图像文件已损坏。", "A stored image file was changed.", digest=digest)
    return content
