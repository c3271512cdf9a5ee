"""One byte string for one document: canonical JSON and the hashes built on it.

Follows the idea of RFC 8785 (sorted keys, no spaces, UTF-8) with one difference: numbers are written from ``int`` and
``Decimal`` exactly, and a binary ``float`` is refused, because two machines may print the same mark differently.
"""

from __future__ import annotations

import hashlib
from decimal import Decimal
from json.encoder import encode_basestring
from operator import itemgetter
from typing import Any

_WORDS = {None: "null", True: "true", False: "false"}


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


def _text(value: Any) -> str:
    """Canonical text of one value. The commonest types come first: a document is thousands of short strings."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, dict):
        pieces = [
            f"{encode_basestring(key)}:{encode_basestring(item) if type(item) is str else _text(item)}"
            for key, item in _entries(value)
        ]
        return "{" + ",".join(pieces) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([encode_basestring(item) if type(item) is str else _text(item) for item in value]) + "]"
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Decimal):
        return number_text(value)
    raise TypeError(f"{type(value).__name__} has no canonical form")


def _entries(document: dict[Any, Any]) -> list[tuple[str, Any]]:
    if set(map(type, document)) - _PLAIN:
        for key in document:
            if not isinstance(key, str):
                raise TypeError(f"a key of a document must be text, not {key!r}")
    return sorted(document.items(), key=_key)


_PLAIN = {str}
_key = itemgetter(0)


def canonical_text(document: Any) -> str:
    """Canonical JSON of a document as text. TypeError for floats and foreign types, ValueError for NaN."""
    return _text(document)


def canonical_json(document: Any) -> bytes:
    """Canonical JSON of a document in UTF-8. UnicodeEncodeError (a ValueError) for lone surrogates."""
    return canonical_text(document).encode("utf-8")


def sha256_hex(content: bytes) -> str:
    """SHA-256 as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def document_hash(document: Any) -> str:
    """SHA-256 of the canonical form of a document."""
    return sha256_hex(canonical_json(document))
