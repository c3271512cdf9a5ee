"""Bounds for untrusted rules: size, depth, hidden characters and exact numbers, before anything else looks at them."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

from .faults import Fault, fault

MAX_NODES = 20_000
MAX_DEPTH = 10
MAX_ENTRIES = 100
MAX_TEXT = 8_000
LARGEST = 10**12

PROSE = (
    "stem",
    "desc",
    "required_method",
    "text",
    "explanation",
    "solution",
    "content",
)  # fields that may hold line breaks

TYPE_WORDS = {
    "object": ("对象", "an object"),
    "array": ("数组", "a list"),
    "string": ("字符串", "a string"),
    "number": ("数字", "a number"),
    "integer": ("整数", "a whole number"),
    "boolean": ("true 或 false", "true or false"),
    "null": ("空值", "null"),
}


class _OutOfBounds(Exception):
    def __init__(self, found: Fault) -> None:
        self.found = found


def normalised(document: object) -> tuple[dict[str, Any], list[Fault]]:
    """A bounded deep copy with exact numbers (int where whole, else Decimal), or the fault that stops it."""
    if not isinstance(document, dict):
        return {}, [type_fault("object", document, None, None, "")]
    budget = [MAX_NODES]
    try:
        clean = _exact(document, "", 0, budget)
    except _OutOfBounds as stop:
        return {}, [stop.found]
    return clean, []


def _exact(value: Any, field: str, depth: int, budget: list[int]) -> Any:
    budget[0] -= 1
    if budget[0] < 0 or depth > MAX_DEPTH:
        detail = f"> {MAX_NODES} values or deeper than {MAX_DEPTH}"
        raise _OutOfBounds(fault("too-large", field=field, detail=detail))
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, field)
    if isinstance(value, int | float | Decimal):
        return _number(value, field)
    if isinstance(value, list | tuple):
        if len(value) > MAX_ENTRIES:
            raise _OutOfBounds(fault("too-large", field=field, detail=f"{len(value)} > {MAX_ENTRIES}"))
        return [_exact(item, f"{field}[{n}]", depth + 1, budget) for n, item in enumerate(value)]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        if len(value) > MAX_ENTRIES:
            raise _OutOfBounds(fault("too-large", field=field, detail=f"{len(value)} > {MAX_ENTRIES}"))
        return {
            _text(key, field): _exact(item, f"{field}.{key[:40]}".lstrip("."), depth + 1, budget)
            for key, item in value.items()
        }
    raise _OutOfBounds(fault("not-json", field=field, detail_zh="JSON 中没有这种值", detail=type(value).__name__))


def _text(value: str, field: str) -> str:
    if len(value) > MAX_TEXT:
        raise _OutOfBounds(fault("too-large", field=field, detail=f"{len(value)} > {MAX_TEXT}"))
    if any(_invisible(character) for character in value) or ("\n" in value and not field.endswith(PROSE)):
        raise _OutOfBounds(fault("control-character", field=field))
    return value


def _invisible(character: str) -> bool:
    """Control characters except the line break, half characters, and signs that reorder or hide text."""
    code = ord(character)
    return (
        (code < 0x20 and character != "\n")
        or 0x7F <= code <= 0x9F
        or 0x200B <= code <= 0x200F
        or 0x202A <= code <= 0x202E
        or 0x2060 <= code <= 0x206F
        or 0xD800 <= code <= 0xDFFF
        or code == 0xFEFF
    )


def _number(value: int | float | Decimal, field: str) -> int | Decimal:
    finite = isinstance(value, int) or (math.isfinite(value) if isinstance(value, float) else value.is_finite())
    if not finite or not -LARGEST <= value <= LARGEST:
        raise _OutOfBounds(fault("not-json", field=field, detail_zh="数字超出范围", detail="a number out of range"))
    exact = Decimal(str(value)) if isinstance(value, float) else Decimal(value)
    return int(exact) if exact == exact.to_integral_value() else exact.normalize()


def type_fault(wanted: str, value: object, path_id: str | None, step_id: str | None, field: str) -> Fault:
    got_zh, got = TYPE_WORDS[_type_of(value)]
    wanted_zh, wanted_en = TYPE_WORDS.get(wanted, (wanted, wanted))
    return fault(
        "type", path=path_id, step=step_id, field=field, wanted_zh=wanted_zh, wanted=wanted_en, got_zh=got_zh, got=got
    )


def _type_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list | tuple):
        return "array"
    return "object" if isinstance(value, dict) else "number"
