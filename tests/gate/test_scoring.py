"""Scores follow from statuses, exactly."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.domain.observation import read_observation
from grading.domain.scoring import best_paths, floor_to, is_bare_answer, path_scores, total_of_steps
from grading.domain.statuses import Status
from itembank.domain.rules import Rules, read_rules

from .cast import example_rules, rules_json


def one_path(points: list[Any], mark_step: Any = 1, **more: Any) -> Rules:
    """Rules of one path whose steps are worth these points."""
    steps = [
        {"step_id": f"A{number}", "desc": "一步", "points": worth, "kind": "computation", "expects": [f"x={number}"]}
        for number, worth in enumerate(points, start=1)
    ]
    return read_rules(
        {
            "question_id": "q",
            "title": "题",
            "stem": "求解。",
            "max_score": sum(points),
            "mark_step": mark_step,
            "valid_paths": [{"path_id": "P", "name": "法", "steps": steps}],
            **more,
        }
    )


def scores(rules: Rules, *statuses: str) -> list[Decimal]:
    path = rules.paths[0]
    return list(
        path_scores(path, dict(zip([step.step_id for step in path.steps], map(Status, statuses), strict=True)), rules)
    )


def test_carried_steps_worth_one_two_three_earn_nothing_one_two() -> None:
    rules = one_path([4, 1, 2, 3])
    assert scores(rules, "INVALID", *["ECF_GRANTED"] * 3) == [0, 0, 1, 2]


def test_half_points_halve_to_half_points() -> None:
    rules = one_path([4, 1, 2, Decimal("0.5")], Decimal("0.5"))
    assert scores(rules, "INVALID", *["ECF_GRANTED"] * 3) == [0, Decimal("0.5"), 1, 0]


@pytest.mark.parametrize(
    ("worth", "step", "earned"), [(3, 1, 1), (2, 1, 1), (1, 1, 0), (3, Decimal("0.5"), Decimal("1.5"))]
)
def test_a_gap_earns_half_rounded_down(worth: int, step: Any, earned: Any) -> None:
    assert scores(one_path([worth, 5], step), "GAP_DEDUCTION", "VALID") == [earned, 5]


def test_the_rules_own_figures_win_over_the_defaults() -> None:
    path = example_rules().path("Path_A")
    statuses = dict.fromkeys(("A1", "A2"), Status.VALID) | {
        "A3": Status.INVALID, "A4": Status.GAP_DEDUCTION, "A5": Status.ECF_GRANTED,
    }  # fmt: skip
    assert list(path_scores(path, statuses, example_rules())) == [2, 2, 0, 1, 2]


def test_a_bare_answer_earns_answer_only_points_and_no_jumps() -> None:
    rules = one_path([3, 4, 5], answer_only_points=2)
    assert scores(rules, "MISSING", "MISSING", "VALID") == [0, 0, 2]
    assert scores(rules, "JUMP_VALID", "JUMP_VALID", "VALID") == [0, 0, 2]
    assert scores(rules, "VALID", "JUMP_VALID", "VALID") == [3, 4, 5]


def test_a_question_of_one_step_has_no_bare_answer() -> None:
    rules = one_path([5])
    assert not is_bare_answer(rules.paths[0], {"A1": Status.VALID})
    assert scores(rules, "VALID") == [5]


def test_a_teacher_changing_a_status_changes_the_total() -> None:
    statuses = dict.fromkeys(("A1", "A2", "A3", "A4", "A5"), Status.VALID)
    assert total_of_steps(example_rules(), {1: "Path_A"}, statuses) == 12
    assert total_of_steps(example_rules(), {1: "Path_A"}, {**statuses, "A4": Status.GAP_DEDUCTION}) == 10
    assert total_of_steps(example_rules(), {1: "Path_A"}, {**statuses, "A3": Status.MISSING}) == 10


def judged(a: dict[str, str], b: dict[str, str]) -> Any:
    def steps(statuses: dict[str, str]) -> list[dict[str, Any]]:
        return [{"step_id": name, "status": status, "confidence": 1} for name, status in statuses.items()]

    return read_observation(
        {"judge": "x", "paths": [{"path_id": "Path_A", "steps": steps(a)}, {"path_id": "Path_B", "steps": steps(b)}]}
    )


def test_the_best_path_counts_and_ties_go_to_more_proved_steps_then_to_order() -> None:
    rules = example_rules()
    shared = judged({"A1": "VALID", "A2": "VALID"}, {"B1": "VALID", "B2": "VALID"})
    assert best_paths(rules, shared, lambda path, step: False) == ({1: "Path_A"}, {1: ("Path_A", "Path_B")})
    assert best_paths(rules, shared, lambda path, step: path.path_id == "Path_B")[0] == {1: "Path_B"}
    better = judged({"A1": "VALID"}, {"B1": "VALID", "B2": "VALID"})
    assert best_paths(rules, better, lambda path, step: path.path_id == "Path_A")[0] == {1: "Path_B"}


def test_parts_choose_their_paths_apart() -> None:
    document = rules_json()
    second = [{**path, "part": 2, "path_id": path["path_id"] + "2"} for path in document["valid_paths"]]
    for path in second:
        path["steps"] = [
            {
                **{key: value for key, value in step.items() if key not in ("shared_id", "depends_on")},
                "step_id": step["step_id"] + "2",
                "depends_on": [name + "2" for name in step.get("depends_on", [])],
            }
            for step in path["steps"]
        ]
    document["valid_paths"] += second
    document["max_score"] = 24
    rules = read_rules(document)
    seen = read_observation(
        {
            "judge": "x",
            "paths": [
                {"path_id": "Path_A", "steps": [{"step_id": "A1", "status": "VALID", "confidence": 1}]},
                {"path_id": "Path_B2", "steps": [{"step_id": "B12", "status": "VALID", "confidence": 1}]},
            ],
        }
    )
    assert best_paths(rules, seen, lambda path, step: True)[0] == {1: "Path_A", 2: "Path_B2"}


@given(st.lists(st.sampled_from(list(Status)), min_size=5, max_size=5))
def test_no_statuses_earn_more_than_the_path_or_break_the_mark_step(statuses: list[Status]) -> None:
    rules = example_rules()
    for path in rules.paths:
        found = path_scores(path, dict(zip([step.step_id for step in path.steps], statuses, strict=True)), rules)
        assert 0 <= sum(found) <= path.points
        assert all(score == floor_to(score, rules.mark_step) and score >= 0 for score in found)
