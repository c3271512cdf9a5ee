"""What a readable page of rules shows."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from itembank.domain import rules as rules_module
from itembank.domain.presentation import RulesView, rules_view
from itembank.domain.rules import read_rules

EXAMPLE_FILE = Path(rules_module.__file__).with_name("scoring_rules.example.json")


@pytest.fixture
def view() -> RulesView:
    return rules_view(read_rules(json.loads(EXAMPLE_FILE.read_text("utf-8"))))


def test_steps_show_their_points_and_the_running_total_of_the_printed_key(view):
    first = view.parts[0].paths[0]
    assert [step.reached for step in first.steps] == [Decimal(total) for total in (2, 4, 6, 9, 12)]
    assert first.points == view.parts[0].points == Decimal(12)


def test_values_are_latex_equations(view):
    assert "a_{3}=7" in view.givens
    assert "S_{10}=120" in view.quantities


def test_formulas_are_latex(view):
    assert view.parts[0].paths[0].steps[4].formulas == ("S_{10}=10a_{1} + 45d",)


def test_default_credits_are_told_from_those_of_the_rules(view):
    steps = view.parts[0].paths[0].steps
    assert (steps[3].gap.points, steps[3].gap.is_default) == (Decimal(1), False)
    assert (steps[4].gap.points, steps[4].gap.is_default) == (Decimal(1), True)
    assert steps[2].ecf.is_default
    assert steps[2].ecf.points is None


def test_shared_steps_name_the_other_paths(view):
    assert view.parts[0].paths[0].steps[0].shared_with == ("Path_B",)
    assert view.parts[0].paths[0].steps[4].shared_with == ()
