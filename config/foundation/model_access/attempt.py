"""One attempt: a question sent once over the guarded line, and the record of what came back."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import httpx2
import openai
from pydantic import BaseModel

from .endpoint import ModelEndpoint
from .failures import Failure, FailureCode
from .parts import ImagePart, TextPart
from .replies import parse_content, read_envelope, wire_schema
from .retries import asked_pause
from .wire import EncodedReply, ReplyTooLarge, bounded

logger = logging.getLogger(__name__)
MAX_RAW_CHARACTERS = 64 * 1024
DOUBLE_BACKSLASHES = (
    "\n\n注意：JSON 字符串里的每个反斜杠都必须写成两个，例如 \\\\frac、\\\\times、\\\\neq。"
    "字符串里不得有换行符或其他控制字符。只输出 JSON 本身。\n"
    "In JSON strings write every backslash twice (\\\\frac). No control characters. Output the JSON and nothing else."
)


@dataclass(frozen=True)
class Exchange:
    """One attempt: what came back as text (at most 64 Ki characters), how long it took and what it cost.

    ``raw_text`` is the model's own text where the protocol was kept, else the body as far as it is text.
    ``cost`` is an upper estimate where the service may have worked but did not say how much.
    """

    raw_text: str
    failure: Failure | None
    latency_ms: int = 0
    status: int | None = None
    request_id: str | None = None
    served_model: str | None = None
    finish_reason: str | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Decimal = Decimal(0)
    retry_after: float | None = None


@dataclass(frozen=True)
class Question[Shape: BaseModel]:
    """One request, ready to be sent, and the most it can cost."""

    endpoint: ModelEndpoint
    system: str
    parts: Sequence[TextPart | ImagePart]
    schema: type[Shape]
    max_tokens: int
    temperature: Decimal
    seed: int | None
    key: str

    def again(self) -> Question[Shape]:
        """The same question with a reminder to double backslashes: what came is asked for again, never repaired."""
        key = f"{self.key}-again" if self.key else ""
        return replace(self, system=self.system + DOUBLE_BACKSLASHES, key=key)

    def worst_case(self) -> Decimal:
        """What the service may charge at most, by upper estimates of the tokens."""
        tokens = len(self.system) + sum(part.most_tokens() for part in self.parts)
        return self.endpoint.price(tokens, self.max_tokens)

    def request(self) -> dict[str, Any]:
        """The arguments of the client library's call."""
        wanted: dict[str, Any] = {
            "model": self.endpoint.model,
            "messages": [
                {"role": "system", "content": self.system},
                {"role": "user", "content": [part.wire() for part in self.parts]},
            ],
            "max_tokens": self.max_tokens,
            "temperature": float(self.temperature),
        }
        if self.seed is not None:
            wanted["seed"] = self.seed
        if self.endpoint.structured == "json_schema":
            form = {"name": self.schema.__name__, "strict": True, "schema": wire_schema(self.schema)}
            wanted["response_format"] = {"type": "json_schema", "json_schema": form}
        elif self.endpoint.structured == "json_object":
            wanted["response_format"] = {"type": "json_object"}
        if self.key:
            wanted["extra_headers"] = {"Idempotency-Key": self.key}
        return wanted


def ask_once[Shape: BaseModel](client: openai.OpenAI, question: Question[Shape]) -> tuple[Exchange, Shape | None]:
    """Send the question and read the reply. Never raises for what the service does or says."""
    endpoint = question.endpoint
    started = time.monotonic()
    parsed: Shape | None = None
    try:
        with bounded(endpoint.timeout, endpoint.max_reply_bytes):
            raw = client.chat.completions.with_raw_response.create(**question.request())
            response = raw.http_response
    except openai.APIStatusError as error:
        exchange = _refused(error)
    except Exception as error:
        # the client library raises much more than it documents; none of it may end the job
        if not isinstance(error, openai.APIConnectionError):
            logger.warning("an unexpected error while calling the model", exc_info=error)
        exchange = Exchange("", _line_failure(error), cost=Decimal(0) if _unsent(error) else question.worst_case())
    else:
        exchange, parsed = _answered(response, question)
    elapsed = round((time.monotonic() - started) * 1000)
    return replace(exchange, latency_ms=elapsed, raw_text=_kept(exchange.raw_text, endpoint.api_key)), parsed


def _answered[Shape: BaseModel](response: httpx2.Response, question: Question[Shape]) -> tuple[Exchange, Shape | None]:
    endpoint, headers = question.endpoint, response.headers
    envelope = read_envelope(response.content, headers.get("content-type", ""), max_bytes=endpoint.max_reply_bytes)
    failure, parsed = envelope.failure, None
    if failure is None:
        outcome = parse_content(envelope.content or "", question.schema)
        if isinstance(outcome, Failure):
            failure = outcome
        else:
            parsed = outcome
    text = envelope.content if envelope.content is not None else response.content.decode("utf-8", "replace")
    exchange = Exchange(
        text,
        failure,
        status=response.status_code,
        request_id=headers.get("x-request-id"),
        served_model=envelope.served_model,
        finish_reason=envelope.finish_reason,
        tokens_in=envelope.tokens_in or 0,
        tokens_out=envelope.tokens_out or 0,
        cost=question.worst_case(),
    )
    if envelope.tokens_in is not None and envelope.tokens_out is not None:
        exchange = replace(exchange, cost=endpoint.price(envelope.tokens_in, envelope.tokens_out))
    return exchange, parsed


def _refused(error: openai.APIStatusError) -> Exchange:
    headers = error.response.headers
    return Exchange(
        error.response.content.decode("utf-8", "replace"),
        _status_failure(error.status_code),
        status=error.status_code,
        request_id=headers.get("x-request-id"),
        retry_after=asked_pause(headers),
    )


def _kept(text: str, api_key: str) -> str:
    """The text as it may be stored: bounded, no NUL (PostgreSQL takes none), and without our key if it was echoed."""
    text = text[:MAX_RAW_CHARACTERS].replace("\x00", "\ufffd")
    return text.replace(api_key, "[key]") if len(api_key) >= 8 else text


def _status_failure(status: int) -> Failure:
    by_status = {
        401: FailureCode.ACCESS_DENIED,
        403: FailureCode.ACCESS_DENIED,
        404: FailureCode.NOT_FOUND,
        408: FailureCode.TIMEOUT,
        413: FailureCode.BAD_REQUEST,
        429: FailureCode.RATE_LIMITED,
    }
    by_hundred = {3: FailureCode.REDIRECTED, 4: FailureCode.BAD_REQUEST, 5: FailureCode.SERVER_ERROR}
    code = by_status.get(status) or by_hundred.get(status // 100, FailureCode.NOT_THE_PROTOCOL)
    return Failure(code, f"HTTP {status}")


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__


def _line_failure(error: Exception) -> Failure:
    names = [type(cause).__name__ for cause in _causes(error)]
    if any(isinstance(cause, ReplyTooLarge) for cause in _causes(error)):
        return Failure(FailureCode.REPLY_TOO_LARGE)
    if any(isinstance(cause, EncodedReply) for cause in _causes(error)):
        return Failure(FailureCode.NOT_THE_PROTOCOL, "the reply is compressed although that was not asked for")
    if isinstance(error, openai.APITimeoutError):
        return Failure(FailureCode.TIMEOUT, names[-1])
    return Failure(FailureCode.CONNECTION_FAILED, " < ".join(names))


def _unsent(error: Exception) -> bool:
    """Whether the service cannot have seen the question, so that it cannot charge for it."""
    return any(type(cause).__name__ in {"ConnectError", "ConnectTimeout", "PoolTimeout"} for cause in _causes(error))
