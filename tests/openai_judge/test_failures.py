"""The failure table: whatever a model service does, a teacher gets the answer with a stable code, and never a mark."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from grading.judges.openai_compatible import OpenAICompatibleJudge
from grading.judging import judge_answer
from itembank.domain.rules import Rules
from tests.model_server import BEHAVIOURS, ModelServer

type JudgeAt = Callable[..., OpenAICompatibleJudge]

EITHER_CALL = {
    "slow": "timeout",
    "drip-body": "timeout",
    "drip-headers": "timeout",
    "drip-error": "timeout",
    "limited": "rate_limited",
    "limited-for-an-hour": "rate_limited",
    "broken": "server_error",
    "unauthorised": "access_denied",
    "forbidden": "access_denied",
    "unknown-model": "not_found",
    "bad-request": "bad_request",
    "redirect": "redirected",
    "reset": "connection_failed",
    "cut-body": "connection_failed",
    "no-answer": "connection_failed",
    "not-http": "connection_failed",
    "giant": "reply_too_large",
    "giant-error": "reply_too_large",
    "zipped": "not_the_protocol",
    "html": "not_the_protocol",
    "html-as-json": "not_the_protocol",
    "wrong-content-type": "not_the_protocol",
    "bad-utf8": "bad_encoding",
    "not-an-object": "not_the_protocol",
    "no-choices": "empty_reply",
    "two-choices": "not_the_protocol",
    "choice-is-text": "not_the_protocol",
    "null-content": "empty_reply",
    "content-in-parts": "not_the_protocol",
    "truncated": "truncated",
    "truncated-but-whole": "truncated",
    "refusal": "refused",
    "content-filter": "content_filtered",
    "tool-call": "unexpected_tool_call",
    "strange-finish": "not_the_protocol",
    "bad-json": "invalid_json",
    "prose-around": "invalid_json",
    "fenced": "invalid_json",
    "duplicate-keys": "invalid_json",
    "not-a-number": "invalid_json",
    "infinity": "invalid_json",
    "deep": "invalid_json",
    "long-integer": "invalid_json",
    "eaten-backslash": "control_characters",
    "unknown-escape": "control_characters",
    "control-character": "control_characters",
    "lone-surrogate": "bad_encoding",
    "wrong-shape": "invalid_shape",
    "extra-score": "invalid_shape",
    "extra-score-in-a-step": "invalid_shape",
    "number-as-text": "invalid_shape",
    "true-as-number": "invalid_shape",
    "too-sure": "invalid_shape",
}
READING_ONLY = {
    "box-off-page": "invalid_shape",
    "box-in-pixels": "invalid_shape",
    "box-without-area": "invalid_reply",
    "page-that-is-not": "invalid_reply",
    "line-twice": "invalid_reply",
    "empty-line": "invalid_reply",
}
ADJUDICATION_ONLY = {
    "giant-content": "reply_too_large",
    "unknown-step": "invalid_reply",
    "missing-step": "invalid_reply",
    "step-twice": "invalid_reply",
    "missing-path": "invalid_reply",
    "path-twice": "invalid_reply",
    "unknown-status": "invalid_shape",
    "unknown-line": "invalid_reply",
}
PASSING = {"well", "limited-then-well", "unavailable-then-well", "eaten-backslash-then-well", "lying-usage"}
UNTRUE = {"generous", "invented-line", "false-quote"}  # see test_untruthful_model
TABLE = [(name, "read", code) for name, code in (EITHER_CALL | READING_ONLY).items()] + [
    (name, "adjudicate", code) for name, code in (EITHER_CALL | ADJUDICATION_ONLY).items()
]


def test_the_table_names_every_behaviour_of_the_server() -> None:
    assert set(EITHER_CALL) | set(READING_ONLY) | set(ADJUDICATION_ONLY) | PASSING | UNTRUE == set(BEHAVIOURS)


def _time_limit(behaviour: str) -> float:
    return 0.4 if behaviour == "slow" or behaviour.startswith("drip") else 5.0


def _judged(judge: OpenAICompatibleJudge, page: bytes, rules: Rules) -> dict[str, Any]:
    return judge_answer(rules=rules.document, images=[page], judge=judge, policy={"allow_uncertified": True})


def _failing(document: dict[str, Any]) -> set[str]:
    return {outcome["rule"] for outcome in document["gate"] if outcome["outcome"] == "fails"}


@pytest.mark.parametrize(("behaviour", "call", "code"), TABLE, ids=[f"{call}-{name}" for name, call, _ in TABLE])
def test_every_failure_ends_with_a_teacher_under_its_code_and_never_in_a_mark(
    behaviour: str, call: str, code: str, judge_at: JudgeAt, page: bytes, rules: Rules
) -> None:
    with ModelServer(behaviour, only=call) as server:
        document = _judged(judge_at(server, timeout=_time_limit(behaviour)), page, rules)
    assert document["decision"] == "MANUAL_REVIEW"
    assert "judge-answered" in _failing(document)
    verdict = document["verdict"]
    assert (verdict["total_score"], verdict["step_details"]) == (0, [])
    assert verdict["matched_path_id"] == "UNKNOWN"
    observation, reading = document["observation"], document["reading"]
    assert observation["failure"]["code"] == code
    assert observation["paths"] == []
    assert observation["another_method"] is False
    if call == "read":
        assert reading["failure"]["code"] == code
        assert reading["lines"] == []
        assert {request.call for request in server.requests} <= {"read"}
    else:
        assert "failure" not in reading
        assert len(reading["lines"]) == 5


@pytest.mark.parametrize("behaviour", sorted(PASSING))
@pytest.mark.parametrize("call", ["read", "adjudicate"])
def test_the_same_answer_is_accepted_where_the_service_behaves_or_recovers(
    behaviour: str, call: str, judge_at: JudgeAt, page: bytes, rules: Rules
) -> None:
    with ModelServer(behaviour, only=call) as server:
        document = _judged(judge_at(server), page, rules)
    assert _failing(document) == set()
    assert document["decision"] == "ACCEPT"
    assert document["verdict"]["total_score"] == 12


@pytest.mark.parametrize("behaviour", ["drip-body", "drip-headers", "drip-error", "slow"])
def test_a_service_that_never_finishes_is_left_in_time(behaviour: str, judge_at: JudgeAt, page: bytes) -> None:
    started = time.monotonic()
    with ModelServer(behaviour) as server:
        judge_at(server, timeout=0.5, max_retries=0).read([page])
    assert time.monotonic() - started < 10


def test_a_service_that_is_not_there_is_a_failure(judge_at: JudgeAt, page: bytes) -> None:
    with ModelServer() as server:
        judge = judge_at(server)
    assert judge.read([page])["failure"]["code"] == "connection_failed"
