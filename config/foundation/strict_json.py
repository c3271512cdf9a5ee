"""JSON from people, files and models, read without mercy.

Python's own reader keeps the last of two equal keys, takes NaN, and turns ``"\\frac"`` into a form feed and ``rac``.
For marks each of these is a wrong number without an error, so each is refused here (engineering notes, section 8).
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from .errors import UnusableInput

MAX_DEPTH = 60
MAX_DIGITS = 40


class UnusableJSON(UnusableInput):
    """The text is not strict JSON; ``code`` says which rule it breaks."""


def _refuse(code: str, zh: str, en: str) -> UnusableJSON:
    return UnusableJSON(f"json.{code}", zh, en)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise _refuse(
                "duplicate_key", f"JSON 中键“{key}”出现两次。", f"The key “{key}” stands twice in one object."
            )
        seen[key] = value
    return seen


def _constant(name: str) -> Any:
    raise _refuse("not_a_number", f"JSON 中不允许 {name}。", f"{name} is not a JSON number.")


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise _refuse("number_too_long", "JSON 中的数字过长。", "A number in the JSON has too many digits.")
    return int(text)


def _decimal(text: str) -> Decimal:
    if len(text) > MAX_DIGITS:
        raise _refuse("number_too_long", "JSON 中的数字过长。", "A number in the JSON has too many digits.")
    value = Decimal(text)
    if abs(value.adjusted()) > 60:
        raise _refuse("number_too_long", "JSON 中的数字超出范围。", "A number in the JSON is out of range.")
    return value


def _deepest(text: str) -> int:
    """The deepest nesting of brackets outside strings, found before the recursive reader starts."""
    depth = deepest = 0
    inside = escaped = False
    for character in text:
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def check_text(value: Any, *, allow: str = "") -> None:
    """Refuse control characters and lone surrogates in every string of a document (keys included).

    ``allow`` lists control characters that may stand in values, such as ``"\\n\\t"`` for a stem with line breaks.
    """
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            # What can be printed holds neither; only line breaks and the like are looked at one by one.
            for character in "" if item.isprintable() else item:
                if (character < " " or character == "\x7f") and character not in allow:
                    raise _refuse(
                        "control_character",
                        "JSON 的文字里有控制字符（反斜杠可能没有写成两个）。",
                        "A text in the JSON holds a control character (a backslash may not have been doubled).",
                    )
                if "\ud800" <= character <= "\udfff":
                    raise _refuse("surrogate", "JSON 的文字编码有误。", "A text in the JSON holds half a character.")
        elif isinstance(item, dict):
            stack.extend(item.keys())
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def loads(data: bytes | str, *, max_bytes: int = 64 * 1024, allow_controls: str = "") -> Any:
    """Read one strict JSON document. Whole numbers become ``int``, others ``Decimal``; never ``float``.

    Raises UnusableJSON: too large, bad UTF-8, nesting past 60, duplicate key, NaN or Infinity, numbers past 40 digits,
    control characters (after unescaping), lone surrogates, anything after the document.
    """
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > max_bytes:
        raise _refuse("too_large", f"JSON 超过 {max_bytes} 字节。", f"The JSON is larger than {max_bytes} bytes.")
    if isinstance(data, bytes):
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _refuse(
                "encoding", "JSON 不是 UTF-8 编码。", f"The JSON is not UTF-8 (byte {error.start})."
            ) from None
    else:
        text = data.removeprefix("\ufeff")
    if _deepest(text) > MAX_DEPTH:
        raise _refuse("too_deep", "JSON 嵌套过深。", "The JSON is nested too deeply.")
    try:
        document = json.loads(
            text, object_pairs_hook=_pairs, parse_constant=_constant, parse_int=_integer, parse_float=_decimal
        )
    except json.JSONDecodeError as error:
        raise _refuse(
            "syntax",
            f"JSON 第 {error.lineno} 行第 {error.colno} 列有语法错误。",
            f"The JSON has a syntax error in line {error.lineno}, column {error.colno}: {error.msg}.",
        ) from None
    check_text(document, allow=allow_controls)
    return document
