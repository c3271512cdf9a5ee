"""One question to a model and what came of it. Whatever the other side does, a reply or a failure comes back."""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import openai
from pydantic import BaseModel

from .attempt import Exchange, Question, ask_once
from .budget import Budget, UnlimitedBudget
from .endpoint import ModelEndpoint
from .failures import Failure, FailureCode
from .parts import ImagePart, TextPart
from .retries import REPEATABLE, pause_before
from .wire import guarded_client


@dataclass(frozen=True)
class ModelReply[Shape: BaseModel]:
    """What `complete` brings back: exactly one of ``parsed`` and ``failure`` is set.

    Tokens and cost are summed over all attempts; ``exchanges`` keeps each of them. ``latency_ms`` is wall time, pauses
    included. ``failure`` is ``{"code", "detail"}`` with a code of `FailureCode`.
    """

    parsed: Shape | None
    failure: dict[str, str] | None
    latency_ms: int
    exchanges: tuple[Exchange, ...] = field(default=())

    @property
    def attempts(self) -> int:
        return len(self.exchanges)

    @property
    def raw_text(self) -> str:
        return self.exchanges[-1].raw_text if self.exchanges else ""

    @property
    def request_id(self) -> str | None:
        return self.exchanges[-1].request_id if self.exchanges else None

    @property
    def finish_reason(self) -> str | None:
        return self.exchanges[-1].finish_reason if self.exchanges else None

    @property
    def tokens_in(self) -> int:
        return sum(exchange.tokens_in for exchange in self.exchanges)

    @property
    def tokens_out(self) -> int:
        return sum(exchange.tokens_out for exchange in self.exchanges)

    @property
    def cost(self) -> Decimal:
        return sum((exchange.cost for exchange in self.exchanges), Decimal(0))


@dataclass(frozen=True)
class _Line:
    client: openai.OpenAI
    places: threading.BoundedSemaphore


_lines: dict[tuple[int, ModelEndpoint], _Line] = {}
_lines_lock = threading.Lock()
_random = random.SystemRandom()


def _line(endpoint: ModelEndpoint) -> _Line:
    # the process id is part of the key: a forked worker must not share sockets with its parent
    place = (os.getpid(), endpoint)
    with _lines_lock:
        if place not in _lines:
            client = openai.OpenAI(
                base_url=endpoint.base_url,
                api_key=endpoint.api_key or "none",
                max_retries=0,
                http_client=guarded_client(endpoint.api_key, endpoint.concurrency, endpoint.timeout),
            )
            _lines[place] = _Line(client, threading.BoundedSemaphore(endpoint.concurrency))
        return _lines[place]


def close_connections() -> None:
    """Close this process's idle connections; the next call opens new ones."""
    with _lines_lock:
        for (process, _), line in _lines.items():
            if process == os.getpid():
                line.client.close()
        _lines.clear()


@contextlib.contextmanager
def _place(line: _Line, endpoint: ModelEndpoint) -> Iterator[bool]:
    free = line.places.acquire(timeout=endpoint.timeout)
    try:
        yield free
    finally:
        if free:
            line.places.release()


def complete[Shape: BaseModel](
    endpoint: ModelEndpoint,
    *,
    system: str,
    parts: Sequence[TextPart | ImagePart],
    schema: type[Shape],
    max_tokens: int,
    temperature: Decimal = Decimal(0),
    seed: int | None = None,
    key: str = "",
    budget: Budget | None = None,
    keep: Callable[[Exchange], None] | None = None,
) -> ModelReply[Shape]:
    """Ask once, and again as far as `retries` allows. Never raises for what the service does or says.

    ``key`` is sent as ``Idempotency-Key`` with every repeat of the same question. Each attempt reserves its worst
    case from ``budget`` first; where that fails nothing is sent. ``keep`` is called with each attempt before anything
    else is made of it. Blocks for at most ``endpoint.longest_call`` seconds.
    """
    started = time.monotonic()
    question = Question(endpoint, system, parts, schema, max_tokens, temperature, seed, key)
    exchanges: list[Exchange] = []
    parsed: Shape | None = None
    repeats, asked_again = 0, False
    while True:
        outcome = _ask(question, budget or UnlimitedBudget())
        if isinstance(outcome, Failure):
            failure: Failure | None = outcome
            break
        exchange, parsed = outcome
        if keep is not None:
            keep(exchange)
        exchanges.append(exchange)
        failure = exchange.failure
        if failure is not None and failure.code is FailureCode.CONTROL_CHARACTERS and not asked_again:
            question, asked_again = question.again(), True
            continue
        pause = _pause(endpoint, exchange, repeats + 1)
        if pause is None:
            break
        repeats += 1
        time.sleep(pause)
    elapsed = round((time.monotonic() - started) * 1000)
    return ModelReply(parsed, failure.document() if failure else None, elapsed, tuple(exchanges))


def _pause(endpoint: ModelEndpoint, exchange: Exchange, repeat: int) -> float | None:
    """Seconds to wait before asking the same again for the ``repeat``-th time; None: leave it at what came."""
    if exchange.failure is None or exchange.failure.code not in REPEATABLE or repeat > endpoint.max_retries:
        return None
    return pause_before(
        repeat, base=endpoint.retry_base, cap=endpoint.retry_cap, asked=exchange.retry_after, rng=_random
    )


def _ask[Shape: BaseModel](question: Question[Shape], budget: Budget) -> tuple[Exchange, Shape | None] | Failure:
    """One attempt with its money and its place in the queue, or the reason why nothing was sent."""
    line = _line(question.endpoint)
    with _place(line, question.endpoint) as free:
        if not free:
            return Failure(FailureCode.BUSY)
        reserved = question.worst_case()
        if not budget.reserve(reserved):
            return Failure(FailureCode.BUDGET_EXHAUSTED)
        spent = reserved
        try:
            exchange, parsed = ask_once(line.client, question)
            spent = exchange.cost
        finally:
            budget.settle(reserved, spent)
    return exchange, parsed
