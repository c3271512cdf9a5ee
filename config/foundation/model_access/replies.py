"""What a model service sent back, read without mercy and never repaired: repairing JSON changes meaning."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from config.foundation import strict_json

from .failures import Failure, FailureCode

MAX_CONTENT_BYTES = 64 * 1024
MAX_TOKENS_BELIEVED = 100_000_000
_ALL_CONTROLS = "".join(map(chr, [*range(0x20), 0x7F]))


@dataclass(frozen=True)
class Envelope:
    """The protocol's frame around the reply. Token counts are None where the service gave none that make sense."""

    content: str | None = None
    finish_reason: str | None = None
    served_model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    failure: Failure | None = None


def _not_the_protocol(detail: str) -> Envelope:
    return Envelope(failure=Failure(FailureCode.NOT_THE_PROTOCOL, detail))


def _short_text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) else None


def _count(value: Any) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_TOKENS_BELIEVED:
        return value
    return None


def read_envelope(body: bytes, content_type: str, *, max_bytes: int) -> Envelope:
    """Find the one message in a chat-completions reply, or the reason why there is none."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        return _not_the_protocol(f"content type {kind[:80] or 'missing'}")
    try:
        document = strict_json.loads(body, max_bytes=max_bytes, allow_controls=_ALL_CONTROLS)
    except strict_json.UnusableJSON as error:
        if error.code in {"json.encoding", "json.surrogate"}:
            return Envelope(failure=Failure(FailureCode.BAD_ENCODING, error.en))
        return _not_the_protocol(error.en)
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(choices, list):
        return _not_the_protocol("no list of choices")
    usage = document.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    choice = choices[0] if choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    finish_reason = _short_text(choice.get("finish_reason")) if isinstance(choice, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    return Envelope(
        content=content if isinstance(content, str) else None,
        finish_reason=finish_reason,
        served_model=_short_text(document.get("model")),
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
        failure=_why_no_content(choices, message, finish_reason, content),
    )


def _why_no_content(choices: list[Any], message: Any, finish_reason: str | None, content: Any) -> Failure | None:
    if len(choices) != 1:
        code = FailureCode.NOT_THE_PROTOCOL if choices else FailureCode.EMPTY_REPLY
        return Failure(code, f"{len(choices)} choices")
    if not isinstance(message, dict):
        return Failure(FailureCode.NOT_THE_PROTOCOL, "no message in the choice")
    if finish_reason == "content_filter":
        return Failure(FailureCode.CONTENT_FILTERED)
    if refusal := message.get("refusal"):
        return Failure(FailureCode.REFUSED, str(_short_text(refusal) or ""))
    if message.get("tool_calls") or message.get("function_call"):
        return Failure(FailureCode.UNEXPECTED_TOOL_CALL)
    if finish_reason == "length":
        return Failure(FailureCode.TRUNCATED, "finish_reason length")
    if finish_reason != "stop":
        return Failure(FailureCode.NOT_THE_PROTOCOL, f"finish_reason {finish_reason}")
    if content is None or (isinstance(content, str) and not content.strip()):
        return Failure(FailureCode.EMPTY_REPLY)
    if not isinstance(content, str):
        return Failure(FailureCode.NOT_THE_PROTOCOL, "the content is not text")
    return None


def _composed(value: Any) -> Any:
    """The document with every text in Unicode's composed form (NFC), so that equal-looking texts are equal."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, list):
        return [_composed(item) for item in value]
    if isinstance(value, dict):
        return {key: _composed(item) for key, item in value.items()}
    return value


def parse_content[Shape: BaseModel](content: str, schema: type[Shape]) -> Shape | Failure:
    """The reply as ``schema``, which must be strict and forbid extra fields; else the failure.

    Control characters after unescaping, and escapes that JSON does not know, have one cause: ``\\frac`` written with a
    single backslash. They get a code of their own because asking again helps there.
    """
    try:
        document = strict_json.loads(content, max_bytes=MAX_CONTENT_BYTES)
    except strict_json.UnusableJSON as error:
        return Failure(_code_of(error), error.en)
    try:
        return schema.model_validate(_composed(document), strict=True, extra="forbid")
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        return Failure(FailureCode.INVALID_SHAPE, f"{place}: {first['msg']} ({error.error_count()} in all)")


def _code_of(error: strict_json.UnusableJSON) -> FailureCode:
    if error.code == "json.too_large":
        return FailureCode.REPLY_TOO_LARGE
    if error.code in {"json.encoding", "json.surrogate"}:
        return FailureCode.BAD_ENCODING
    backslash = error.code == "json.syntax" and ("escape" in error.en or "control character" in error.en)
    if error.code == "json.control_character" or backslash:
        return FailureCode.CONTROL_CHARACTERS
    return FailureCode.INVALID_JSON


_NOT_SENT = frozenset(
    {
        "title", "description", "default", "format", "pattern", "minLength", "maxLength", "minItems", "maxItems", "uniqueItems",
        "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    }
)  # fmt: skip


def wire_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema to send: only what every service understands; limits are checked here anyway."""

    def plain(node: Any, *, names: bool = False) -> Any:
        if isinstance(node, list):
            return [plain(item) for item in node]
        if not isinstance(node, dict):
            return node
        kept = {
            key: plain(value, names=key in {"properties", "$defs"})
            for key, value in node.items()
            if names or key not in _NOT_SENT
        }
        if not names and "properties" in kept:
            kept["required"] = list(kept["properties"])
            kept["additionalProperties"] = False
        return kept

    result: dict[str, Any] = plain(schema.model_json_schema())
    return result
