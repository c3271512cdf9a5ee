"""One question to a model: what leaves, what is repeated, what it may cost, and that it always ends."""

from __future__ import annotations

import threading
import time
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from config.foundation.model_access import MemoryBudget, ModelEndpoint, ModelReply, TextPart, complete
from tests.model_server import ModelServer
from tests.model_server.behaviours import zipped_spaces

from .conftest import Reading

type EndpointAt = Callable[..., ModelEndpoint]


def _ask(endpoint: ModelEndpoint, **more: Any) -> ModelReply[Reading]:
    return complete(
        endpoint, system="Read.", parts=[TextPart("please")], schema=Reading, **({"max_tokens": 1000} | more)
    )


def test_a_good_reply_is_parsed_and_everything_about_it_is_kept(endpoint_at: EndpointAt) -> None:
    with ModelServer() as server:
        reply = _ask(endpoint_at(server, price_in=Decimal(2), price_out=Decimal(8)), seed=7)
    assert reply.failure is None
    assert reply.parsed is not None
    assert len(reply.parsed.lines) == 5
    assert reply.raw_text.startswith('{"lines"')
    assert (reply.tokens_in, reply.tokens_out, reply.attempts) == (1200, 300, 1)
    assert reply.cost == Decimal("0.0048")
    assert (reply.finish_reason, reply.request_id) == ("stop", "req-1")
    body = server.requests[0].body
    assert (body["temperature"], body["seed"], body["max_tokens"], body["model"]) == (0, 7, 1000, "local-vl")


def test_only_named_headers_leave_whatever_the_environment_says(
    endpoint_at: EndpointAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-someone-elses")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-someone-elses")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-someone-elses")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-school: Li Hua")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with ModelServer() as server:
        assert _ask(endpoint_at(server), key="job-1").failure is None
    headers = server.requests[0].headers
    assert set(headers) <= {
        "host", "accept", "accept-encoding", "connection", "content-type", "content-length", "user-agent",
        "authorization", "idempotency-key",
    }  # fmt: skip
    assert headers["authorization"] == "Bearer sk-local-0123456789"
    assert "elses" not in str(headers)


def test_without_a_key_no_authorization_is_sent(endpoint_at: EndpointAt) -> None:
    with ModelServer() as server:
        endpoint = ModelEndpoint(base_url=server.base_url, api_key="", model="local-vl")
        assert _ask(endpoint).failure is None
    assert "authorization" not in server.requests[0].headers


def test_a_redirect_is_not_followed(endpoint_at: EndpointAt) -> None:
    with ModelServer("redirect") as server:
        reply = _ask(endpoint_at(server))
    assert reply.failure == {"code": "redirected", "detail": "HTTP 307"}
    assert [request.path for request in server.requests] == ["/v1/chat/completions"]


def test_an_echoed_key_is_not_kept(endpoint_at: EndpointAt) -> None:
    with ModelServer("unauthorised") as server:
        reply = _ask(endpoint_at(server))
    assert "wrong key Bearer [key]" in reply.raw_text
    assert "sk-local-0123456789" not in repr(reply)
    assert "sk-local-0123456789" not in repr(endpoint_at(server))


@pytest.mark.parametrize("behaviour", ["unauthorised", "forbidden", "unknown-model", "bad-request", "html", "bad-json"])
def test_what_will_not_pass_by_itself_is_not_repeated(behaviour: str, endpoint_at: EndpointAt) -> None:
    with ModelServer(behaviour) as server:
        assert _ask(endpoint_at(server)).failure is not None
    assert len(server.requests) == 1


@pytest.mark.parametrize("behaviour", ["limited", "broken", "reset", "cut-body", "no-answer"])
def test_what_may_pass_is_repeated_as_often_as_allowed(behaviour: str, endpoint_at: EndpointAt) -> None:
    with ModelServer(behaviour) as server:
        reply = _ask(endpoint_at(server, max_retries=2))
    assert len(server.requests) == reply.attempts == 3


def test_a_wish_to_wait_is_honoured(endpoint_at: EndpointAt) -> None:
    with ModelServer("limited-then-well") as server:
        started = time.monotonic()
        assert _ask(endpoint_at(server)).failure is None
    assert time.monotonic() - started >= 1


def test_a_wish_to_wait_an_hour_ends_the_call_at_once(endpoint_at: EndpointAt) -> None:
    with ModelServer("limited-for-an-hour") as server:
        started = time.monotonic()
        reply = _ask(endpoint_at(server))
    assert reply.failure is not None
    assert reply.failure["code"] == "rate_limited"
    assert len(server.requests) == 1
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("behaviour", ["giant", "giant-error", "zipped"])
def test_a_giant_reply_does_not_fill_the_memory(behaviour: str, endpoint_at: EndpointAt) -> None:
    zipped_spaces()  # made before measuring: the server runs in this process
    tracemalloc.start()
    try:
        with ModelServer(behaviour) as server:
            reply = _ask(endpoint_at(server, max_retries=0))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reply.failure is not None
    assert most < 12_000_000


def test_no_more_calls_are_under_way_than_the_endpoint_allows(endpoint_at: EndpointAt) -> None:
    with ModelServer("slow", delay=0.1) as server:
        endpoint = endpoint_at(server, concurrency=3)
        with ThreadPoolExecutor(12) as pool:
            replies = list(pool.map(lambda _: _ask(endpoint), range(12)))
        assert 1 < server.most_at_once <= 3
    assert all(reply.failure is None for reply in replies)


def test_a_call_that_finds_no_place_in_time_says_so(endpoint_at: EndpointAt) -> None:
    with ModelServer("slow", delay=0.6) as server:
        endpoint = endpoint_at(server, concurrency=1, timeout=0.3, max_retries=0)
        first = threading.Thread(target=_ask, args=(endpoint,))
        second = ThreadPoolExecutor(3)
        first.start()
        codes = {
            reply.failure["code"]
            for reply in second.map(lambda _: _ask(endpoint), range(3))
            if reply.failure is not None
        }
        first.join()
        second.shutdown()
    assert codes == {"busy", "timeout"}


def test_an_exhausted_budget_sends_nothing(endpoint_at: EndpointAt) -> None:
    budget = MemoryBudget(Decimal("0.001"))
    with ModelServer() as server:
        reply = _ask(endpoint_at(server, price_out=Decimal(8)), budget=budget)
        assert server.requests == []
    assert reply.failure == {"code": "budget_exhausted", "detail": ""}
    assert budget.spent == budget.reserved == 0


def test_many_at_once_cannot_overspend(endpoint_at: EndpointAt) -> None:
    budget = MemoryBudget(Decimal("0.0481"))  # worst case 0.008 a call, true cost 0.0024
    with ModelServer("slow", delay=0.05) as server:
        endpoint = endpoint_at(server, price_out=Decimal(8), concurrency=16)
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda _: _ask(endpoint, budget=budget), range(60)))
        assert 6 <= len(server.requests) < 60
    assert budget.spent == len(server.requests) * Decimal("0.0024")
    assert budget.spent <= budget.limit
    assert budget.reserved == 0


def test_a_usage_that_makes_no_sense_is_charged_at_its_worst(endpoint_at: EndpointAt) -> None:
    with ModelServer("lying-usage") as server:
        reply = _ask(endpoint_at(server, price_out=Decimal(8)))
    assert reply.failure is None
    assert reply.cost == Decimal("0.008")


def test_a_service_that_was_never_reached_costs_nothing(endpoint_at: EndpointAt) -> None:
    with ModelServer() as server:
        endpoint = endpoint_at(server, price_out=Decimal(8))
    reply = _ask(endpoint)
    assert reply.failure is not None
    assert reply.failure["code"] == "connection_failed"
    assert reply.attempts == 3
    assert reply.cost == 0


def test_each_attempt_is_kept_before_the_next_begins(endpoint_at: EndpointAt) -> None:
    seen: list[tuple[int, int | None]] = []
    with ModelServer("unavailable-then-well") as server:
        _ask(endpoint_at(server), keep=lambda exchange: seen.append((len(server.requests), exchange.status)))
    assert seen == [(1, 503), (2, 200)]


@pytest.mark.parametrize(
    ("structured", "sent"), [("json_schema", "json_schema"), ("json_object", "json_object"), ("none", None)]
)
def test_services_with_less_structured_output_are_asked_for_less(
    structured: str, sent: str | None, endpoint_at: EndpointAt
) -> None:
    with ModelServer() as server:
        assert _ask(endpoint_at(server, structured=structured)).failure is None
    assert server.requests[0].body.get("response_format", {}).get("type") == sent
