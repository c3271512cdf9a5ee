"""The page for authors of rules names every operation and demand that the code knows, and no other."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from itembank.algebra.formulas import OPERATIONS
from itembank.algebra.results import Result
from itembank.domain import rules as rules_module
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import read_rules_file

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text("utf-8")
EXAMPLE = Path(rules_module.__file__).with_name("scoring_rules.example.json")


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_every_operation_is_told_and_no_other():
    told = {
        name
        for row in re.findall(r"^\| (`.+?) \|", section("Operations"), re.M)
        for name in re.findall(r"`(\w+)\(", row)
    }
    assert told == OPERATIONS


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("solve(x^2=4, x)", "{-2, 2}"),
        ("solve(x^2=4, x, [0, 5])", "{2}"),
        ("keep({1, 2, 3}, x, x>1)", "{2, 3}"),
        ("replace(x^2, x, 3)", "9"),
        ("round(2/3, 2)", "67/100"),
        ("spread({1, 5})", "4"),
    ],
)
def test_the_operations_do_what_the_page_says(formula, value):
    algebra = algebra_for(read_rules_file(EXAMPLE.read_bytes()))
    found = algebra.evaluate(formula, {})
    assert found is not None
    assert algebra.compare(value, found).result is Result.PROVED


def test_every_demand_of_the_schema_is_told():
    schema = json.loads(next(Path(rules_module.__file__).parent.rglob("scoring_rules.schema.json")).read_text("utf-8"))
    demands = set(re.findall(r'"(form|unit|sf|left_side)"', json.dumps(schema)))
    assert demands
    assert all(f"`{demand}`" in section("Demands") for demand in demands)
