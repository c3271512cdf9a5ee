"""Only a demanded form, unit or rounding can cost credit; what is not demanded costs nothing."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.adjudicate.conftest import EXAMPLE_FILE, Judged

UNSURE = 0.7
BEFORE = ["a_7-a_3=4d", "d=2", "a_1=3", "S_{10}=10a_1+45d"]


def with_last(example: dict[str, Any], expects: str, *demands: str) -> dict[str, Any]:
    """The example with another last result, and what is demanded of it."""
    rules = copy.deepcopy(example)
    for path in rules["valid_paths"]:
        path["steps"][-1].update(expects=[expects], demands=list(demands))
    return rules


def last(found: Judged) -> Any:
    return found.step("A5")


def test_the_worked_example_demands_nothing():
    assert '"demands": ["unit"' not in EXAMPLE_FILE.read_text("utf-8")


@pytest.mark.parametrize("written", ["S_{10}=120", r"S_{10}=120\text{ cm}"])
def test_a_unit_that_is_not_demanded_costs_nothing(written, judged, example):
    found = judged(*BEFORE, written, rules=with_last(example, r"S_{10}=120\text{ cm}"))
    assert last(found).status == "VALID"


@pytest.mark.parametrize(("written", "status"), [(r"S_{10}=120\text{ cm}", "VALID"), ("S_{10}=120", "GAP_DEDUCTION")])
def test_a_demanded_unit_that_is_left_out_is_for_a_teacher(written, status, judged, example):
    found = judged(*BEFORE, written, rules=with_last(example, r"S_{10}=120\text{ cm}", "unit"))
    assert last(found).status == status
    assert (last(found).confidence < UNSURE) is (status != "VALID")


def test_a_wrong_unit_that_changes_the_value_is_wrong_also_where_none_is_demanded(judged, example):
    found = judged(*BEFORE, r"S_{10}=120\text{ m}", rules=with_last(example, r"S_{10}=120\text{ cm}"))
    assert last(found).status != "VALID"


@pytest.mark.parametrize(
    ("written", "demands", "status"),
    [
        ("S_{10}=120.0", ("sf",), "VALID"),
        ("S_{10}=120", ("sf",), "GAP_DEDUCTION"),
        ("S_{10}=120.00", ("sf",), "GAP_DEDUCTION"),
        ("S_{10}=120", (), "VALID"),
    ],
)
def test_rounding_counts_only_where_it_is_demanded(written, demands, status, judged, example):
    found = judged(*BEFORE, written, rules=with_last(example, "S_{10}=120.0", *demands))
    assert last(found).status == status


@pytest.mark.parametrize("written", ["=120", "120"])
def test_a_demanded_left_side_that_is_left_out_is_not_credited(written, judged, example):
    found = judged(*BEFORE, written, rules=with_last(example, "S_{10}=120", "left_side"))
    assert last(found).status != "VALID"
    assert last(found).confidence < UNSURE


def test_what_was_written_as_demanded_is_preferred_to_what_was_not(judged, example):
    rules = with_last(example, r"S_{10}=120\text{ cm}", "unit")
    found = judged(*BEFORE, "S_{10}=120", r"S_{10}=120\text{ cm}", rules=rules)
    assert last(found).status == "VALID"


def test_a_form_that_is_demanded_is_not_met_by_an_equal_one(judged, example):
    rules = with_last(example, r"S_{10}=5\times 24", "form")
    assert last(judged(*BEFORE, r"S_{10}=24\times 5", rules=rules)).status == "VALID"
    assert last(judged(*BEFORE, r"S_{10}=6\times 20", rules=rules)).status != "VALID"
