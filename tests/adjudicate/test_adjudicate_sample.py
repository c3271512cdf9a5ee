"""The answers of the shipped sample, read without error: no confident proposal contradicts the truth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from itembank.domain.rules import read_rules_file
from tests.adjudicate.conftest import Judged, judge_with

SAMPLE = Path(__file__).parents[2] / "grading" / "sample"
QUESTIONS = sorted(path.stem for path in (SAMPLE / "answers").glob("q*.json"))
LEAST = 0.7


def answers(question: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((SAMPLE / "answers" / f"{question}.json").read_text("utf-8"))
    return found


def judge(question: str, answer: dict[str, Any]) -> Judged:
    rules = read_rules_file(next((SAMPLE / "rules").glob(f"{question}-*.json")).read_bytes())
    lines = [line.removeprefix(">>") for line in answer["lines"] if line != "---"]
    return judge_with(rules, *lines)


def test_the_sample_has_answers():
    assert len(QUESTIONS) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("question", QUESTIONS)
def test_no_confident_status_contradicts_the_truth_and_right_answers_are_sure(question):
    agreed = steps = 0
    for answer in answers(question):
        found = judge(question, answer)
        proposals = [one for of_path in found.observation.paths.values() for one in of_path]
        if answer["kind"] == "right":
            assert min(one.confidence for one in proposals) >= LEAST, answer["id"]
        for text in answer["steps"]:
            step_id, status, *_ = text.split()
            proposal = found.step(step_id)
            steps += 1
            agreed += proposal.status == status
            if proposal.confidence >= LEAST:
                assert proposal.status == status, f"{answer['id']} {step_id}: {proposal.status} {proposal.reason}"
    assert agreed / steps > 0.8
