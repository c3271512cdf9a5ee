"""One byte string for one document: canonical JSON and the hashes built on it.

Follows the idea of RFC 8785 (sorted keys, no spaces, UTF-8) with one difference: numbers are written from ``int`` and
``Decimal`` exactly, and a binary ``float`` is refused, because two machines may print the same mark differently.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from json.encoder import encode_basestring
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


@lru_cache(4096)
def _decimal(value: Decimal) -> str:
    """`number_text`, remembered: equal numbers have one text, and a page is measured in few different ones."""
    return number_text(value)


def _object(value: dict[Any, Any]) -> str:
    pieces = []
    for key in sorted(value):
        item = value[key]
        text = encode_basestring(item) if type(item) is str else _text(item)
        pieces.append(f"{encode_basestring(key)}:{text}")
    return "{" + ",".join(pieces) + "}"


def _array(value: list[Any] | tuple[Any, ...]) -> str:
    return "[" + ",".join([encode_basestring(item) if type(item) is str else _text(item) for item in value]) + "]"


_WRITERS: dict[type, Callable[[Any], str]] = {
    str: encode_basestring,
    dict: _object,
    list: _array,
    tuple: _array,
    bool: lambda value: "true" if value else "false",
    type(None): lambda _: "null",
    int: str,
    Decimal: lambda value: _decimal(value) if value.is_finite() else number_text(value),
}


def _text(value: Any) -> str:
    """Canonical text of one value; enumerations and other kinds of these types are written as what they are a kind of."""
    kind = type(value)
    writer = _WRITERS.get(kind)
    if writer is None:
        writer = next((_WRITERS[base] for base in kind.__mro__ if base in _WRITERS), None)
        if writer is None:
            raise TypeError(f"{kind.__name__} has no canonical form")
    return writer(value)


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
