"""Untrusted documents of a judging run: exact numbers, and the first fault against a schema in both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from config.foundation.errors import UnusableInput
from config.foundation.strict_json import check_text

from .schema_checks import Check, compiled

SCHEMAS = Path(__file__).parent / "schemas"
MAX_DEPTH = 40
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class SchemaFault:
    """Where a document breaks its schema (`L3 / confidence`) and how."""

    where: str
    zh: str
    en: str


def exact(value: Any, depth: int = 0) -> Any:
    """The same document with each binary float as the decimal number a person would read.

    Raises UnusableInput for NaN, infinities, half characters, foreign types and nesting past 40.
    """
    if depth > MAX_DEPTH:
        raise UnusableInput("document.too_deep", "文档嵌套过深。", "The document is nested too deeply.")
    kind = type(value)
    if kind is str:
        return value if value.isascii() else _whole(value)
    if kind is dict:
        return {
            key if type(key) is str and key.isascii() else _whole(str(key)): exact(item, depth + 1)
            for key, item in value.items()
        }
    if kind is list:
        return [exact(item, depth + 1) for item in value]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return _whole(value)
    if isinstance(value, float):
        value = Decimal(repr(value))
    if isinstance(value, Decimal):
        if not value.is_finite() or abs(value.adjusted()) > 60:
            raise UnusableInput(
                "document.number", "文档中有不是数的数值。", "The document holds a number that is none."
            )
        return int(value) if value == value.to_integral_value() else value
    if isinstance(value, dict):
        return {
            key if type(key) is str and key.isascii() else _whole(str(key)): exact(item, depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [exact(item, depth + 1) for item in value]
    raise UnusableInput(
        "document.type",
        "文档中有 JSON 以外的内容。",
        f"The document holds a {type(value).__name__}, which is not JSON.",
    )


def _whole(text: str) -> str:
    """The text itself; half a character (a lone surrogate) has no bytes, so that nothing could be stored or hashed."""
    if _HALF.search(text):
        raise UnusableInput("document.surrogate", "文档中有半个字符。", "The document holds half a character.")
    return text


def refused_json(error: UnusableInput, text: str) -> dict[str, Any]:
    """What is stored of a reply that is JSON but not strict JSON: the refusal and the text without control characters."""
    plain = "".join(
        character if character >= " " and not "\ud800" <= character <= "\udfff" else "\ufffd" for character in text
    )
    return {"refused_json": {"code": error.code, "zh": error.zh, "en": error.en}, "text": plain[:65536]}


def refusal_in(document: dict[str, Any]) -> tuple[str, str] | None:
    """The refusal that `refused_json` noted, as (zh, en)."""
    note = document.get("refused_json")
    if not isinstance(note, dict):
        return None
    return str(note.get("zh", ""))[:500], str(note.get("en", ""))[:500]


@cache
def schema(name: str) -> Any:
    """The schema `schemas/NAME.schema.json`."""
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text(encoding="utf-8"))


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name))


@cache
def _passes(name: str) -> Check:
    return compiled(schema(name))


def schema_fault(name: str, document: Any, *, allow_controls: str = "") -> SchemaFault | None:
    """The most telling fault of a document against `schemas/NAME.schema.json`; None where there is none."""
    error = None if _passes(name)(document) else best_match(_validator(name).iter_errors(document))
    if error is not None:
        zh, en = _sentence(error)
        return SchemaFault(place(document, error.absolute_path), zh, en)
    try:
        check_text(document, allow=allow_controls)
    except UnusableInput as refusal:
        return SchemaFault("", refusal.zh.rstrip("。"), refusal.en.rstrip("."))
    return None


def place(document: Any, path: Iterable[str | int]) -> str:
    """A path into a document in words a person can find: ids of lines, paths and steps instead of positions."""
    words: list[str] = []
    here = document
    for part in path:
        here = here[part]
        if isinstance(part, int):
            own = next(
                (here[key] for key in ("line_id", "step_id", "path_id") if isinstance(here, dict) and key in here), None
            )
            words.append(str(own)[:64] if isinstance(own, str) else f"#{part + 1}")
        elif part not in {"lines", "paths", "steps"}:
            words.append(part)
    return " / ".join(words)


def _sentence(error: ValidationError) -> tuple[str, str]:
    value, bound = error.instance, error.validator_value
    shown = str(value)[:60] if not isinstance(value, dict | list) else ""
    if error.validator == "additionalProperties":
        unknown = _unknown(error)
        return f"有不认识的项 {unknown}", f"{unknown} is not a known field"
    if error.validator == "required":
        lacking = next((str(name) for name in _names(bound) if name not in _names(value)), "?")
        return f"缺少 {lacking}", f"{lacking} is missing"
    if error.validator == "enum":
        return f"“{shown}”不在允许的取值内", f"“{shown}” is not one of the allowed values"
    if error.validator == "type":
        return f"类型应为 {bound}", f"must be of type {bound}"
    if error.validator in {"minimum", "maximum"}:
        sign = "≥" if error.validator == "minimum" else "≤"
        return f"{shown} 超出范围（应 {sign} {bound}）", f"{shown} is out of range (must be {sign} {bound})"
    if error.validator == "oneOf":
        return (
            "写法不符合任何一种允许的形式（行要写 latex 或 text 之一）",
            "fits none of the allowed forms (a line has latex or text)",
        )
    return f"不符合 {error.validator} {str(bound)[:40]}", f"breaks {error.validator} {str(bound)[:40]}"


def _names(bound: Any) -> Sequence[Any]:
    return list(bound) if isinstance(bound, list | dict) else []


def _unknown(error: ValidationError) -> str:
    known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    return next((str(name)[:60] for name in _names(error.instance) if name not in known), "?")
