"""Algebra agrees with the truth file: right lines prove their steps, wrong and carried ones do not."""

from collections.abc import Iterator
from typing import Any

import pytest

from grading.sample.answers import QUESTIONS, Answer, answers_to, rules_document
from itembank.algebra import Algebra, Declares, Result

NUMBERS = range(1, len(QUESTIONS) + 1)
CASES = [(number, answer) for number in NUMBERS for answer in answers_to(number).values() if answer.steps]


def algebra_for(rules: Any) -> Algebra:
    declares = rules["declares"]
    return Algebra(Declares(tuple(declares["functions"]), tuple(declares["assume"])))


def statements(line: str, status: str) -> Iterator[str]:
    """The line, and for a right chain a = b = c also a = b and a = c; a wrong chain may begin well."""
    yield line
    sides = line.split("=")
    if status == "VALID" and len(sides) > 2 and "或" not in line and "，" not in line:
        for side in sides[1:]:
            yield f"{sides[0]}={side}"


def judged_steps(number: int, answer: Answer) -> Iterator[tuple[str, str, Result | None]]:
    """(step_id, status in the truth, PROVED if a cited line fulfils the step, or None where nothing is expected)."""
    rules = rules_document(number)
    algebra = algebra_for(rules)
    steps = {step["step_id"]: step for path in rules["valid_paths"] for step in path["steps"]}
    lines = [line for page in answer.pages for line in page]
    for truth in answer.steps:
        expects = steps[truth.step_id].get("expects", [])
        results = {
            algebra.fulfils(expected, statement, givens=rules["givens"]).result
            for expected in expects
            for cited in truth.lines
            for statement in statements(lines[cited - 1], truth.status)
        }
        proved = Result.PROVED if Result.PROVED in results else Result.UNDECIDED
        yield truth.step_id, truth.status, proved if expects else None


@pytest.mark.parametrize(("number", "answer"), CASES, ids=[f"q{number}-{answer.id}" for number, answer in CASES])
def test_a_step_is_proved_by_its_lines_exactly_when_it_is_right(number: int, answer: Answer) -> None:
    for step_id, status, result in judged_steps(number, answer):
        if result is None:
            continue
        if status == "VALID":
            assert result is Result.PROVED, step_id
        if status in ("INVALID", "ECF_GRANTED"):
            assert result is not Result.PROVED, step_id


@pytest.mark.parametrize("number", NUMBERS)
def test_formulas_with_right_inputs_give_the_right_quantities(number: int) -> None:
    rules = rules_document(number)
    algebra = algebra_for(rules)
    for path in rules["valid_paths"]:
        for step in path["steps"]:
            for name, formula in step.get("yields", {}).items():
                others = {key: value for key, value in rules["quantities"].items() if key != name}
                right = algebra.evaluate(rules["quantities"][name], {})
                assert right is not None
                assert algebra.evaluate(formula, rules["givens"] | others) == right, (step["step_id"], name)
