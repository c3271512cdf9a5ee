"""One byte string for one document: canonical JSON and the hashes built on it.

Follows the idea of RFC 8785 (sorted keys, no spaces, UTF-8) with one difference: numbers are written from ``int`` and
``Decimal`` exactly, and a binary ``float`` is refused, because two machines may print the same mark differently.
"""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from typing import Any


def number_text(value: Decimal) -> str:
    """The shortest plain decimal text of ``value``: ``2``, ``0.5``, never ``2.0``, ``5E-1`` or ``-0``.

    Raises ValueError for NaN and infinities and for exponents nobody writes (beyond ±60).
    """
    if not value.is_finite() or abs(value.adjusted()) > 60:
        raise ValueError(f"not a plain number: {value!r}")
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _write(value: Any, out: list[str]) -> None:
    if value is None or isinstance(value, bool | str):
        out.append(json.dumps(value, ensure_ascii=False))
    elif isinstance(value, int):
        out.append(str(value))
    elif isinstance(value, Decimal):
        out.append(number_text(value))
    elif isinstance(value, list | tuple):
        out.append("[")
        for position, item in enumerate(value):
            if position:
                out.append(",")
            _write(item, out)
        out.append("]")
    elif isinstance(value, dict):
        out.append("{")
        for position, key in enumerate(sorted(value)):
            if not isinstance(key, str):
                raise TypeError(f"a key of a document must be text, not {key!r}")
            if position:
                out.append(",")
            out.append(json.dumps(key, ensure_ascii=False))
            out.append(":")
            _write(value[key], out)
        out.append("}")
    else:
        raise TypeError(f"{type(value).__name__} has no canonical form")


def canonical_text(document: Any) -> str:
    """Canonical JSON of a document as text. TypeError for floats and foreign types, ValueError for NaN."""
    out: list[str] = []
    _write(document, out)
    return "".join(out)


def canonical_json(document: Any) -> bytes:
    """Canonical JSON of a document in UTF-8. UnicodeEncodeError (a ValueError) for lone surrogates."""
    return canonical_text(document).encode("utf-8")


def sha256_hex(content: bytes) -> str:
    """SHA-256 as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def document_hash(document: Any) -> str:
    """SHA-256 of the canonical form of a document."""
    return sha256_hex(canonical_json(document))
