"""What a fair teacher awards for an answer of the sample, step by step, by the rules for statuses in the scoring rules.

Written apart from the product's own scoring on purpose: the tests compare the two.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from grading.sample.answers import EMPTY_KINDS, Answer, TruthStep

FULL = ("VALID", "JUMP_VALID")
NONE = ("INVALID", "MISSING")


class TruthMismatch(ValueError):
    """An answer's steps are not those of the path it is said to follow."""


def paths_of(rules: Mapping[str, Any], matched: str) -> list[Mapping[str, Any]]:
    """The rules' paths that `matched` ("Path_A" or "1:Path_A;2:Path_B") names."""
    wanted = {part.split(":")[-1] for part in matched.split(";")}
    return [path for path in rules["valid_paths"] if path["path_id"] in wanted]


def step_truths(rules: Mapping[str, Any], answer: Answer) -> list[dict[str, Any]]:
    """Each step of the matched paths with its status and score; all MISSING where nothing counts as a step.

    None at all where a teacher accepts a solution that the rules do not list.
    """
    if answer.total is not None:
        return []
    paths = paths_of(rules, answer.path) or paths_of(rules, _first_paths(rules))
    told = {step.step_id: step for step in answer.steps}
    rows: list[dict[str, Any]] = []
    for path in paths:
        owed = Decimal(0)
        for step in path["steps"]:
            truth = told.pop(step["step_id"], None) or _unwritten(step["step_id"], answer)
            score, owed = _score(step, truth.status, Decimal(str(rules["mark_step"])), owed)
            rows.append(
                {
                    "step_id": truth.step_id,
                    "status": truth.status,
                    "score": str(score),
                    "line_ids": [f"L{number}" for number in truth.lines],
                    "error_codes": list(truth.error_codes),
                }
            )
    if told:
        raise TruthMismatch(f"{answer.id}: {sorted(told)} are not steps of {answer.path}")
    return rows


def total_of(rules: Mapping[str, Any], answer: Answer, steps: list[dict[str, Any]]) -> Decimal:
    """The score of the whole answer."""
    if answer.total is not None:
        return Decimal(answer.total)
    if answer.kind == "answer_only":
        return Decimal(str(rules.get("answer_only_points", 0)))
    return sum((Decimal(row["score"]) for row in steps), Decimal(0))


def _first_paths(rules: Mapping[str, Any]) -> str:
    first: dict[int, str] = {}
    for path in rules["valid_paths"]:
        first.setdefault(path.get("part", 1), path["path_id"])
    return ";".join(first.values())


def _unwritten(step_id: str, answer: Answer) -> TruthStep:
    if answer.kind == "answer_only":
        return TruthStep(step_id, "MISSING", (), ("ERR_ANSWER_ONLY",))
    if answer.kind in EMPTY_KINDS:
        return TruthStep(step_id, "MISSING", (), ("ERR_BLANK" if answer.kind == "blank" else "ERR_READING",))
    raise TruthMismatch(f"{answer.id} says nothing of step {step_id}")


def _score(step: Mapping[str, Any], status: str, mark_step: Decimal, owed: Decimal) -> tuple[Decimal, Decimal]:
    """Score one step; `owed` is half of the points of the carried-error steps so far that is not yet paid out."""
    points = Decimal(str(step["points"]))
    if status in FULL:
        return points, owed
    if status in NONE:
        return Decimal(0), owed
    if status == "GAP_DEDUCTION":
        given = step.get("gap_points")
        return (_floored(points / 2, mark_step) if given is None else Decimal(str(given))), owed
    if status == "ECF_GRANTED":
        if "ecf_points" in step:
            return Decimal(str(step["ecf_points"])), owed
        owed += points / 2
        paid = _floored(owed, mark_step)
        return paid, owed - paid
    raise TruthMismatch(f"{status} is not a status")


def _floored(amount: Decimal, mark_step: Decimal) -> Decimal:
    return amount // mark_step * mark_step
