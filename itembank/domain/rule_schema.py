"""The form of scoring rules: bounds for untrusted input, then the committed JSON Schema, each fault in plain words."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from .faults import Fault, fault

SCHEMA_FILE = FilePath(__file__).with_name("scoring_rules.schema.json")

MAX_NODES = 20_000
MAX_DEPTH = 10
MAX_ENTRIES = 100
MAX_TEXT = 8_000
MAX_FAULTS = 200

PROSE = ("stem", "desc", "required_method")  # fields that may hold line breaks

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
        return {}, [_type_fault("object", document, None, None, "")]
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
    """Control characters except the line break, half characters, and the signs that reorder or hide text on a screen."""
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
    finite = value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)
    if not finite or abs(value) > 10**12:
        raise _OutOfBounds(fault("not-json", field=field, detail_zh="数字超出范围", detail="a number out of range"))
    exact = Decimal(str(value)) if isinstance(value, float) else Decimal(value)
    return int(exact) if exact == exact.to_integral_value() else exact.normalize()


@cache
def _validator() -> Draft202012Validator:
    schema = json.loads(SCHEMA_FILE.read_text("utf-8"), parse_float=Decimal)
    return Draft202012Validator(schema)


def schema_faults(document: dict[str, Any]) -> list[Fault]:
    """Every departure from the committed schema, in the order of the document, each once."""
    found: dict[tuple[Any, ...], Fault] = {}
    errors = sorted(
        _validator().iter_errors(document), key=lambda error: [_order(part) for part in error.absolute_path]
    )
    for error in errors:
        for one in _translated(error, document):
            found.setdefault((one.path_id, one.step_id, one.field, one.code, one.en), one)
        if len(found) >= MAX_FAULTS:
            break
    return list(found.values())


def _order(part: str | int) -> tuple[int, int, str]:
    return (0, part, "") if isinstance(part, int) else (1, 0, part)


def place(document: dict[str, Any], path: list[str | int]) -> tuple[str | None, str | None, str]:
    """The path id, the step id and the remaining field of a place in the document.

    >>> place({"valid_paths": [{"path_id": "A", "steps": [{"step_id": "A1"}]}]}, ["valid_paths", 0, "steps", 0, "points"])
    ('A', 'A1', 'points')
    """
    path_id = step_id = None
    rest = list(path)
    if len(rest) >= 2 and rest[0] == "valid_paths" and isinstance(rest[1], int):
        holder = document["valid_paths"][rest[1]]
        path_id = _own_id(holder, "path_id", f"valid_paths[{rest[1]}]")
        rest = rest[2:]
        if len(rest) >= 2 and rest[0] == "steps" and isinstance(rest[1], int):
            step_id = _own_id(holder["steps"][rest[1]], "step_id", f"steps[{rest[1]}]")
            rest = rest[2:]
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest).lstrip(".")
    return path_id, step_id, field


def _own_id(holder: Any, key: str, otherwise: str) -> str:
    own = holder.get(key) if isinstance(holder, dict) else None
    return own if isinstance(own, str) and 0 < len(own) <= 64 else otherwise


def _translated(error: ValidationError, document: dict[str, Any]) -> Iterator[Fault]:
    path_id, step_id, field = place(document, list(error.absolute_path))
    schema: dict[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    keyword, value = str(error.validator), error.instance
    shown = _shown(value)

    def at(code: str, where: str = field, **facts: object) -> Fault:
        return fault(code, path=path_id, step=step_id, field=where, **facts)

    if keyword == "type":
        yield _type_fault(str(error.validator_value), value, path_id, step_id, field)
    elif keyword == "required":
        for name in error.validator_value:
            if name not in value:
                yield at("required", f"{field}.{name}".lstrip("."), name=name)
    elif keyword == "additionalProperties":
        known = list(schema.get("properties", {}))
        for name in value:
            if name not in known:
                zh, en = _unknown_hint(name, known)
                yield at("unknown-field", f"{field}.{name}".lstrip("."), name=name, hint_zh=zh, hint=en)
    elif keyword == "enum":
        yield at("choice", value=shown, allowed=", ".join(_shown(choice) for choice in error.validator_value))
    elif keyword in {"minimum", "maximum", "exclusiveMinimum"}:
        zh, en = _bound_hint(keyword, error.validator_value)
        yield at("range", value=shown, hint_zh=zh, hint=en)
    elif keyword == "multipleOf":
        yield at("mark-step", value=shown, step=error.validator_value)
    elif keyword in {"minLength", "maxLength", "minItems", "maxItems", "maxProperties", "minProperties"}:
        zh, en = _size_hint(keyword, error.validator_value)
        yield at("length", detail=str(len(value)), hint_zh=zh, hint=en)
    elif keyword == "uniqueItems":
        yield at("repeated-entry")
    elif keyword in {"pattern", "not"}:
        zh, en = _pattern_hint(field, schema)
        yield at("pattern", value=shown, hint_zh=zh, hint=en)
    else:
        yield at("schema", detail=error.message[:200])


def _type_fault(wanted: str, value: object, path_id: str | None, step_id: str | None, field: str) -> Fault:
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


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else str(value)
    return f"“{text[:60]}{'…' if len(text) > 60 else ''}”" if isinstance(value, str) else text[:60]


def _unknown_hint(name: str, known: list[str]) -> tuple[str, str]:
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"是否想写 {near[0]}？否则删去", f"Did you mean {near[0]}? Otherwise remove it"
    return "删去这一项", "Remove it"


def _bound_hint(keyword: str, bound: object) -> tuple[str, str]:
    words = {
        "minimum": ("不小于 {}", "at least {}"),
        "maximum": ("不大于 {}", "at most {}"),
        "exclusiveMinimum": ("大于 {}", "more than {}"),
    }
    zh, en = words[keyword]
    return f"应{zh.format(bound)}", f"Use {en.format(bound)}"


def _size_hint(keyword: str, bound: object) -> tuple[str, str]:
    least = keyword.startswith("min")
    if keyword.endswith("Length"):
        return (
            f"{'至少' if least else '至多'} {bound} 个字符",
            f"Use at {'least' if least else 'most'} {bound} characters",
        )
    return f"{'至少' if least else '至多'} {bound} 项", f"Use at {'least' if least else 'most'} {bound} entries"


def _pattern_hint(field: str, schema: dict[str, Any]) -> tuple[str, str]:
    if re.search(r"(path|step|shared)_id$|depends_on", field):
        return "编号不含空格、冒号和分号，也不能是 UNKNOWN", "An id has no space, colon or semicolon and is not UNKNOWN"
    if field == "question_id":
        return "只用字母、数字、点、横线和下划线", "Use letters, digits, dot, dash and underscore only"
    return (
        "名称写成字母加下标，如 S_10、a_1、cos(A)，不用花括号",
        "Write a name as letters with an index and no braces: S_10, a_1, cos(A)",
    )
