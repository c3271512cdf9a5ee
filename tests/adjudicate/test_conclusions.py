"""A check whose conclusion stands there without its computation is a gap and not missing."""

from __future__ import annotations

import pytest

from tests.adjudicate.conftest import judge_with
from tests.adjudicate.test_miscopied import rules_of

BEFORE = ["x_1+x_2=4", "x_1x_2=m", "x_1^2+x_2^2=(x_1+x_2)^2-2x_1x_2", "16-2m=10", "m=3"]


@pytest.mark.parametrize("line", [r"\Delta>0", r"\Delta\geq 0", r"\Delta\ne 0", r"所以 \Delta>0"])
def test_a_conclusion_that_is_true_of_the_right_value_is_a_gap_for_a_teacher(line):
    step = judge_with(rules_of("q4"), *BEFORE, line).step("A5")
    assert step.status == "GAP_DEDUCTION"
    assert step.error_codes == ("ERR_LOGIC_GAP",)
    assert step.line_ids == ("L6",)
    assert step.confidence < 0.7


@pytest.mark.parametrize("line", [r"\Delta<0", r"\Delta>5", "m>0", "x>0", "检验"])
def test_what_is_false_of_it_or_about_something_else_is_none(line):
    assert judge_with(rules_of("q4"), *BEFORE, line).step("A5").status != "GAP_DEDUCTION"


def test_a_check_that_is_not_there_at_all_is_missing():
    assert judge_with(rules_of("q4"), *BEFORE).step("A5").status == "MISSING"


def test_a_condition_beside_a_result_is_not_the_result(judged):
    assert judged("a_7-a_3=4d", "d>0").step("A2").status == "MISSING"


def test_a_right_result_after_possibilities_that_were_left_open_is_not_called_wrong():
    lines = [
        r"(2\sin x-1)(\sin x+2)=0",
        r"\sin x=\frac{1}{2} 或 \sin x=-2",
        r"x=\frac{\pi}{6} 或 x=\frac{5\pi}{6}",
    ]
    found = judge_with(rules_of("q5"), *lines)
    assert found.statuses("Path_A") == ["VALID", "GAP_DEDUCTION", "VALID"]
    assert found.step("A3").confidence < 0.7
