"""What a run records: prompts by hash, every raw reply, tokens, money; and how the money stops a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from config.foundation.canonical import canonical_json, sha256_hex
from config.foundation.errors import ConfigurationError
from config.foundation.model_access import MemoryBudget, ModelEndpoint
from grading.judges import openai_compatible
from grading.judges.openai_compatible import OpenAICompatibleJudge
from grading.judges.registry import JudgeSettings, make_judge
from itembank.domain.rules import Rules
from tests.model_server import ModelServer

type JudgeAt = Callable[..., OpenAICompatibleJudge]

PROMPTS = Path(openai_compatible.__file__).parent / "prompts"


def _priced(server: ModelServer, **more: Any) -> OpenAICompatibleJudge:
    endpoint = ModelEndpoint(
        server.base_url, "sk-local", "local-vl", 5, 1, Decimal("2"), Decimal("8"), retry_base=0.01, retry_cap=2
    )
    return OpenAICompatibleJudge(endpoint, **more)


def test_prompts_are_named_with_version_and_hash_before_any_call(judge_at: JudgeAt) -> None:
    with ModelServer() as server:
        provenance = judge_at(server).provenance()
    assert provenance["prompts"] == [
        {"name": name, "version": "v1", "sha256": sha256_hex((PROMPTS / name / "v1.md").read_bytes())}
        for name in ("read_answer", "adjudicate")
    ]
    assert provenance["tokens"] == {"input": 0, "output": 0}
    assert canonical_json(provenance)


def test_tokens_and_money_of_both_calls_are_counted(page: bytes, rules: Rules) -> None:
    with ModelServer() as server:
        judge = _priced(server)
        judge.adjudicate([page], judge.read([page]), rules)
    provenance = judge.provenance()
    assert provenance["tokens"] == {"input": 2400, "output": 600}
    assert Decimal(provenance["cost"]) == (2400 * 2 + 600 * 8) / Decimal(1_000_000)
    assert [call["served_model"] for call in provenance["calls"]] == ["local-model-2026"] * 2


def test_failed_attempts_cost_too_and_keep_their_words(page: bytes) -> None:
    kept: list[dict[str, Any]] = []
    with ModelServer("eaten-backslash-then-well") as server:
        judge = _priced(server, keep_reply=lambda **call: kept.append(call))
        judge.read([page])
    assert [call["reply"].failure and call["reply"].failure["code"] for call in kept] == ["control_characters", None]
    assert [call["reply"].tokens_in for call in kept] == [1200, 1200]
    assert all(call["prompt"] == "read_answer/v1" for call in kept)
    provenance = judge.provenance()
    assert provenance["tokens"]["input"] == 2400
    texts = judge.raw_replies()
    assert [texts[reply["sha256"]][:10] for reply in provenance["raw_replies"]] == ['{"lines": '] * 2


def test_the_second_asking_after_a_lost_backslash_says_so_and_is_a_new_request(page: bytes) -> None:
    with ModelServer("eaten-backslash") as server:
        judge = _priced(server, key="case-7")
        assert judge.read([page])["failure"]["code"] == "control_characters"
    first, second = server.requests
    assert "每个反斜杠都必须写成两个" not in first.body["messages"][0]["content"]
    assert "每个反斜杠都必须写成两个" in second.body["messages"][0]["content"]
    assert first.headers["idempotency-key"] != second.headers["idempotency-key"]


def test_repeats_of_one_question_carry_one_key(page: bytes) -> None:
    with ModelServer("broken") as server:
        _priced(server, key="case-7").read([page])
    assert [request.headers["idempotency-key"] for request in server.requests] == ["case-7-read"] * 2


def test_a_reply_cut_off_on_the_way_is_charged_at_its_worst(page: bytes) -> None:
    with ModelServer("cut-body") as server:
        judge = _priced(server)
        judge.read([page])
    assert Decimal(judge.provenance()["cost"]) > 2 * 8 * 8000 / Decimal(1_000_000)


def test_the_budget_stops_a_batch_before_it_overspends(page: bytes) -> None:
    with ModelServer() as server:
        budget = MemoryBudget(Decimal("0.1"))
        codes = [_priced(server, budget=budget).read([page]).get("failure") for _ in range(12)]
    stopped = [failure["code"] for failure in codes if failure]
    answered = len(codes) - len(stopped)
    assert set(stopped) == {"budget_exhausted"}
    assert len(server.requests) == answered > 0
    assert budget.spent == answered * (1200 * 2 + 300 * 8) / Decimal(1_000_000)
    assert budget.spent <= budget.limit
    assert budget.reserved == 0


CONFIGURED = JudgeSettings(model_base_url="http://127.0.0.1:1/v1/", model_name="local-vl")


def test_a_judge_is_made_from_settings() -> None:
    judge = make_judge("openai", CONFIGURED)
    assert isinstance(judge, OpenAICompatibleJudge)
    assert judge.endpoint.base_url == "http://127.0.0.1:1/v1"
    assert judge.endpoint.timeout == 60


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"model_base_url": ""}, "WENSHU_MODEL_BASE_URL"),
        ({"model_name": ""}, "WENSHU_MODEL_NAME"),
        ({"model_base_url": "ftp://host"}, "http"),
        ({"model_structured": "xml"}, "json_object"),
    ],
)
def test_a_judge_that_is_set_up_wrongly_is_refused_by_name(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(ConfigurationError, match=named):
        make_judge("openai", replace(CONFIGURED, **wrong))
