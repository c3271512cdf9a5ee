"""Whatever a judge does, one answer ends in one document; only a usable proposal can pass."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from grading.domain.documents import schema_fault
from grading.domain.verification import verify
from grading.judges.registry import JudgeSettings, make_judge
from grading.judging import judge_answer
from itembank.domain.rules import Rules, UnusableRules
from tests.commands.paper import page

from .cast import Answer, failing, rules_json, wang


class ScriptedJudge:
    """A judge whose two calls do as they are told."""

    name = "scripted"

    def __init__(self, read: Any, adjudicate: Any) -> None:
        self._read, self._adjudicate = read, adjudicate

    def read(self, images: Sequence[bytes]) -> Any:
        return _done(self._read)

    def adjudicate(self, images: Sequence[bytes], reading: dict[str, Any], rules: Rules) -> Any:
        return _done(self._adjudicate)

    def provenance(self) -> dict[str, Any]:
        return {
            "judge": self.name, "version": "1", "model": None, "parameters": {}, "prompts": [], "tokens": None, "cost": None,
        }  # fmt: skip


def _done(told: Any) -> Any:
    if isinstance(told, Exception):
        raise told
    return told


def judged(answer: Answer, judge: Any, **more: Any) -> dict[str, Any]:
    return judge_answer(
        rules=rules_json(),
        images=[page(answer)],
        judge=judge,
        policy={"allow_uncertified": True},
        clock=lambda: datetime(2026, 3, 1, 8, tzinfo=UTC),
        **more,
    )


def test_a_good_judge_gets_a_right_answer_through_and_the_document_replays() -> None:
    answer = wang()
    document = judged(answer, ScriptedJudge(answer.reading, answer.observation))
    assert document["decision"] == "ACCEPT"
    assert document["provenance"]["started_at"] == "2026-03-01T08:00:00.000+00:00"
    assert schema_fault("verdict", document) is None
    assert verify(document, [page(answer)]) == []


@pytest.mark.parametrize(
    ("read", "adjudicate", "rule"),
    [
        (RuntimeError("no model"), None, "judge-answered"),
        (None, None, "schema"),
        ({"pages": [], "lines": 3}, None, "schema"),
        ("ok", TimeoutError("60 s"), "judge-answered"),
        ("ok", "the answer is right", "schema"),
        ("ok", {"judge": "x", "paths": [], "total_score": 12}, "schema"),
        ("ok", {"judge": "x", "paths": [], "failure": "refused"}, "judge-answered"),
    ],
)
def test_a_bad_judge_ends_at_a_teacher(read: Any, adjudicate: Any, rule: str) -> None:
    answer = wang()
    document = judged(answer, ScriptedJudge(answer.reading if read == "ok" else read, adjudicate))
    assert document["decision"] == "MANUAL_REVIEW"
    assert rule in failing(document)
    assert document["verdict"]["total_score"] == 0
    assert schema_fault("verdict", document) is None
    assert verify(document) == []


def test_a_case_that_moved_on_is_not_accepted() -> None:
    answer = wang()
    judge = ScriptedJudge(answer.reading, answer.observation)
    document = judged(answer, judge, current={"owner": "AI", "owner_epoch": 2, "started_epoch": 1})
    assert failing(document) == ["current"]


def test_a_case_of_another_question_is_not_accepted() -> None:
    answer = wang()
    document = judged(answer, ScriptedJudge(answer.reading, answer.observation), question_id="another")
    assert failing(document) == ["identity"]


def test_a_given_reading_is_judged_without_reading_again() -> None:
    answer = wang()
    judge = ScriptedJudge(AssertionError("must not be asked"), answer.observation)
    assert judged(answer, judge, reading=answer.reading)["decision"] == "ACCEPT"


def test_unusable_rules_are_the_callers_fault() -> None:
    answer = wang()
    with pytest.raises(UnusableRules):
        judge_answer(rules={}, images=[], judge=ScriptedJudge(answer.reading, answer.observation), policy={})


def test_judges_are_made_by_name() -> None:
    started = time.monotonic()
    assert make_judge("embedded", JudgeSettings()).name == "embedded"
    assert time.monotonic() - started < 60
