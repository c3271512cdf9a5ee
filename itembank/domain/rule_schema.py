"""The form of scoring rules: the committed JSON Schema, each departure from it in plain words."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from .faults import Fault, fault
from .rule_bounds import type_fault

SCHEMA_FILE = FilePath(__file__).with_name("scoring_rules.schema.json")
MAX_FAULTS = 200


@cache
def _validator(file: FilePath) -> Draft202012Validator:
    return Draft202012Validator(json.loads(file.read_text("utf-8"), parse_float=Decimal))


def schema_faults(document: dict[str, Any], file: FilePath = SCHEMA_FILE) -> list[Fault]:
    """Every departure from a committed schema, in the order of the document, each once."""
    found: dict[tuple[Any, ...], Fault] = {}
    errors = sorted(
        _validator(file).iter_errors(document), key=lambda error: [_order(part) for part in error.absolute_path]
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

    >>> document = {"valid_paths": [{"path_id": "A", "steps": [{"step_id": "A1"}]}]}
    >>> place(document, ["valid_paths", 0, "steps", 0, "points"])
    ('A', 'A1', 'points')
    """
    path_id = step_id = None
    rest = list(path)
    if len(rest) >= 2 and rest[0] in {"valid_paths", "paths"} and isinstance(rest[1], int):
        holder = document[str(rest[0])][rest[1]]
        path_id = _own_id(holder, "path_id", f"{rest[0]}[{rest[1]}]")
        rest = rest[2:]
        if len(rest) >= 2 and rest[0] in {"steps", "lines"} and isinstance(rest[1], int):
            step_id = _own_id(holder[str(rest[0])][rest[1]], "step_id", f"{rest[0]}[{rest[1]}]")
            rest = rest[2:]
    field = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest).lstrip(".")
    return path_id, step_id, field


def _own_id(holder: Any, key: str, otherwise: str) -> str:
    own = holder.get(key) if isinstance(holder, dict) else None
    return own if isinstance(own, str) and 0 < len(own) <= 64 else otherwise


def _translated(error: ValidationError, document: dict[str, Any]) -> Iterator[Fault]:
    path_id, step_id, field = place(document, list(error.absolute_path))
    keyword = str(error.validator)
    if keyword == "type":
        yield type_fault(str(error.validator_value), error.instance, path_id, step_id, field)
    elif keyword in {"required", "additionalProperties"}:
        for code, name, hints in _key_faults(error, keyword):
            yield fault(code, path=path_id, step=step_id, field=f"{field}.{name}".lstrip("."), name=name, **hints)
    else:
        code, facts = _value_fault(error, keyword, field)
        yield fault(code, path=path_id, step=step_id, field=field, **facts)


def _key_faults(error: ValidationError, keyword: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    instance: dict[str, Any] = dict(error.instance) if isinstance(error.instance, dict) else {}
    if keyword == "required":
        wanted: Any = error.validator_value
        for name in wanted:
            if name not in instance:
                yield "required", name, {}
        return
    known = list(error.schema.get("properties", {})) if isinstance(error.schema, dict) else []
    for name in instance:
        if name not in known:
            zh, en = _unknown_hint(name, known)
            yield "unknown-field", name, {"hint_zh": zh, "hint": en}


def _value_fault(error: ValidationError, keyword: str, field: str) -> tuple[str, dict[str, object]]:
    """Code and facts of a fault in one value."""
    value: Any = error.instance
    bound: Any = error.validator_value
    if keyword == "enum":
        return "choice", {"value": _shown(value), "allowed": ", ".join(_shown(choice) for choice in bound)}
    if keyword in {"minimum", "maximum", "exclusiveMinimum"}:
        zh, en = _bound_hint(keyword, bound)
        return "range", {"value": _shown(value), "hint_zh": zh, "hint": en}
    if keyword == "multipleOf":
        return "mark-step", {"value": _shown(value), "step_width": bound}
    if keyword in {"minLength", "maxLength", "minItems", "maxItems", "maxProperties"}:
        zh, en = _size_hint(keyword, bound)
        return "length", {"detail": str(len(value)), "hint_zh": zh, "hint": en}
    if keyword == "uniqueItems":
        return "repeated-entry", {}
    if keyword in {"pattern", "not"}:
        zh, en = _pattern_hint(field)
        return "pattern", {"value": _shown(value), "hint_zh": zh, "hint": en}
    return "schema", {"detail": error.message[:200]}


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


def _pattern_hint(field: str) -> tuple[str, str]:
    if re.search(r"(path|step|shared)_id$|depends_on", field):
        return "编号不含空格、冒号和分号，也不能是 UNKNOWN", "An id has no space, colon or semicolon and is not UNKNOWN"
    if field == "question_id":
        return "只用字母、数字、点、横线和下划线", "Use letters, digits, dot, dash and underscore only"
    return (
        "名称写成字母加下标，如 S_10、a_1、cos(A)，不用花括号",
        "Write a name as letters with an index and no braces: S_10, a_1, cos(A)",
    )
