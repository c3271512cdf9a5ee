"""Hand-written readings against the worked example of the rules, judged with the real algebra."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grading.domain.observation import Observation, StepProposal, read_observation
from grading.domain.reading import read_reading
from grading.judges.embedded.adjudicate import adjudicate
from itembank.domain import rules as rules_module
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules, read_rules

EXAMPLE_FILE = Path(rules_module.__file__).with_name("scoring_rules.example.json")


def reading_of(*lines: str | dict[str, Any], **parts: Any) -> dict[str, Any]:
    """A reading document; a line that starts with ~~ is struck out, a line may be a whole document."""
    documents = []
    for number, line in enumerate(lines, 1):
        given = (
            {"latex": line.removeprefix("~~"), "struck_out": line.startswith("~~")} if isinstance(line, str) else line
        )
        documents.append({"line_id": f"L{number}", "confidence": 0.97, "alternatives": [], **given})
    return {"pages": [], "lines": documents, "instructions_seen": [], **parts}


class Judged:
    """An observation with the questions that the tests ask."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.observation: Observation = read_observation(document)

    def step(self, step_id: str) -> StepProposal:
        return next(one for of_path in self.observation.paths.values() for one in of_path if one.step_id == step_id)

    def statuses(self, path_id: str) -> list[str]:
        return [one.status.value for one in self.observation.paths[path_id]]

    def lines(self, path_id: str) -> list[tuple[str, ...]]:
        return [one.line_ids for one in self.observation.paths[path_id]]

    def confidences(self, path_id: str) -> list[float]:
        return [float(one.confidence) for one in self.observation.paths[path_id]]


def judge_with(rules: Rules, *lines: str | dict[str, Any], **parts: Any) -> Judged:
    return Judged(adjudicate(read_reading(reading_of(*lines, **parts)), rules, algebra_for(rules)))


@pytest.fixture
def example() -> dict[str, Any]:
    return copy.deepcopy(json.loads(EXAMPLE_FILE.read_text("utf-8")))


@pytest.fixture
def judged(example: dict[str, Any]) -> Callable[..., Judged]:
    """Judges lines under the example; keyword `rules` takes a changed document."""

    def judge(*lines: str | dict[str, Any], rules: dict[str, Any] | None = None, **parts: Any) -> Judged:
        return judge_with(read_rules(rules or example), *lines, **parts)

    return judge
