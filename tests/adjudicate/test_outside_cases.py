"""All worked solutions from outside under our rules for them: statuses, shadows, and nothing passes that should not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.adjudicate.outside_rules import CASES
from tests.bench.steps_table import Row, judged, rows_of, solutions, table

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def rows(cases_folder: Path) -> list[Row]:
    return table(cases_folder)


def test_there_are_rules_for_every_solution(cases_folder):
    assert {case["id"] for case in solutions(cases_folder)} == set(CASES)


def test_every_step_has_the_status_that_design_gives_it(rows):
    assert [(row.case, row.step_id, row.expected, row.status) for row in rows if row.status != row.expected] == []


def test_every_carried_error_has_a_shadow_that_follows(rows):
    carried = [row for row in rows if row.status == "ECF_GRANTED"]
    assert len(carried) >= 40
    assert [row for row in carried if row.shadow is None or row.shadow["follows"] != "PROVED"] == []


def test_no_answer_passes_with_a_status_that_is_not_expected_and_some_pass(rows):
    passed = [row for row in rows if row.decision == "would pass"]
    assert [row for row in passed if row.status != row.expected] == []
    assert len({row.case for row in passed}) >= 20


def test_a_carry_that_emptied_the_rest_keeps_its_status_and_fails_its_rule(rows):
    for case in ("st-0064", "st-0100"):
        carried = [row for row in rows if row.case == case and row.status == "ECF_GRANTED"]
        assert carried, case
        assert "ecf-not-trivial" in carried[0].stops, case


def test_after_an_error_of_principle_only_the_rules_can_let_it_be_carried(cases_folder):
    case = next(one for one in solutions(cases_folder) if one["id"] == "st-0221")
    without = [row.status for row in rows_of(case, judged(case))]
    with_it = [row.status for row in rows_of(case, judged(case, after_principle=True))]
    assert (without, with_it) == (["INVALID", "INVALID"], ["INVALID", "ECF_GRANTED"])
