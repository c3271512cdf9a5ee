"""Worked solutions from outside, under rules with formulas: each step gets the status that its label names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from itembank.domain.rules import read_rules
from tests.adjudicate.conftest import judge_with

# By case: givens, then each step as (expected result, quantity, right value, formula, steps it builds on).
Row = tuple[str, str, str, str, list[int]]
RULES: dict[str, tuple[dict[str, str], list[Row]]] = {
    "sequence": (
        {"u_3": "11", "u_8": "31"},
        [
            ("d=4", "d", "4", "(u_8-u_3)/5", []),
            ("u_1=3", "u_1", "3", "u_3-2*d", [1]),
            ("S_{20}=820", "S_20", "820", "20*u_1+190*d", [1, 2]),
        ],
    ),
    "ellipse": (
        {"A": "25", "B": "9"},
        [
            ("a=5", "a", "5", "sqrt(A)", []),
            ("b=3", "b", "3", "sqrt(B)", []),
            ("c=4", "c", "4", "sqrt(a^2-b^2)", [1, 2]),
            (r"e=\frac{4}{5}", "e", "4/5", "c/a", [1, 3]),
        ],
    ),
    "square-5": (
        {"b": "5", "c": "1"},
        [
            (r"p=\frac{5}{2}", "p", "5/2", "b/2", []),
            (r"q=-\frac{21}{4}", "q", "-21/4", "c-p^2", [1]),
            (r"x_{\min}=-\frac{5}{2}", "x_min", "-5/2", "-p", [1]),
        ],
    ),
    "square-8": (
        {"b": "-8", "c": "3"},
        [
            ("p=-4", "p", "-4", "b/2", []),
            ("q=-13", "q", "-13", "c-p^2", [1]),
            (r"x_{\min}=4", "x_min", "4", "-p", [1]),
        ],
    ),
    "triangle": (
        {"a": "5", "b": "8"},
        [
            (r"\cos C=\frac{1}{2}", "cos(C)", "1/2", "", []),
            ("c^2=49", "", "", "", [1]),
            ("c=7", "c", "7", "sqrt(a^2+b^2-2*a*b*cos(C))", [1, 2]),
        ],
    ),
    "obtuse": (
        {"s": "3/5"},
        [
            (r"\cos\theta=-\frac{4}{5}", "cos(theta)", "-4/5", "-sqrt(1-s^2)", []),
            (r"\tan\theta=-\frac{3}{4}", "tan(theta)", "-3/4", "s/cos(theta)", [1]),
        ],
    ),
}
CASES = {
    "st-0045": "sequence",
    "st-0048": "sequence",
    "st-0131": "ellipse",
    "st-0133": "ellipse",
    "st-0013": "square-5",
    "st-0011": "square-8",
    "st-0127": "obtuse",
}


def rules_document(name: str) -> dict[str, Any]:
    givens, rows = RULES[name]
    steps = [
        {
            "step_id": f"s{number}",
            "desc": expected,
            "points": 1,
            "kind": "computation",
            "expects": [expected],
            "yields": {quantity: formula} if formula else {},
            "depends_on": [f"s{one}" for one in before],
        }
        for number, (expected, quantity, _, formula, before) in enumerate(rows, 1)
    ]
    return {
        "question_id": name,
        "title": name,
        "stem": name,
        "max_score": len(rows),
        "mark_step": 1,
        "givens": givens,
        "quantities": {quantity: value for _, quantity, value, _, _ in rows if quantity},
        "valid_paths": [{"path_id": "P", "name": name, "steps": steps}],
    }


@pytest.fixture
def solutions(cases_folder: Path) -> dict[str, dict[str, Any]]:
    lines = (cases_folder / "steps_sample.jsonl").read_text("utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


@pytest.mark.parametrize("case", CASES)
def test_each_step_gets_the_status_of_its_label(case, solutions):
    name = CASES[case]
    steps = solutions[case]["steps"][: len(RULES[name][1])]
    found = judge_with(read_rules(rules_document(name)), *[step["text"] for step in steps])
    assert found.statuses("P") == [step["label"] for step in steps]


def test_a_carry_that_no_formula_shows_is_left_to_a_teacher(solutions):
    steps = solutions["st-0067"]["steps"][:3]
    found = judge_with(read_rules(rules_document("triangle")), *[step["text"] for step in steps])
    assert found.step("s2").status == "INVALID"
    assert found.step("s3").confidence < 0.7
