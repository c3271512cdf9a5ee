"""Speed, the last answer and the time left count the marks that a person gave, whatever the scheme made of them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from grading import queries, transitions
from review.own_marks import standing_by_question
from review.queries import own_pace
from tests.review import factory
from tests.schemes.conftest import arbiter, extra, give, scheme, second, steps_worth, third  # noqa: F401 - fixtures


@pytest.mark.parametrize("kind", ["1", "1+1", "2+1", "2+1+1", "AI+1"])
def test_a_first_mark_counts_for_its_giver_and_its_answer_is_no_longer_theirs(kind, room, people, scheme):  # noqa: F811
    scheme(kind, tolerance="12")
    cases = [room.add(factory.hand_worked_document()) for _ in range(8)]
    for case in cases[:6]:
        give(case, people.teacher, 9, blind=kind not in ("1", "1+1"))
    pace = own_pace(room.assessment, people.teacher)
    assert (len(pace.times), pace.last) == (6, cases[5].public_id)
    theirs = queries.to_review(room.assessment, people.teacher).theirs
    assert theirs == 2
    assert pace.forecast(theirs) is not None
    [row] = standing_by_question(room.assessment, pace, people.teacher)
    assert row.forecast == pace.forecast(2)


@pytest.mark.parametrize(("kind", "left"), [("1", 2), ("1+1", 2), ("2+1", 8), ("2+1+1", 8)])
def test_a_colleague_is_still_due_the_second_mark_where_the_scheme_asks_for_one(
    kind, left, room, people, second, scheme  # noqa: F811
):  # fmt: skip
    scheme(kind, tolerance="12")
    cases = [room.add(factory.hand_worked_document()) for _ in range(8)]
    for case in cases[:6]:
        give(case, people.teacher, 9, blind=kind not in ("1", "1+1"))
    assert queries.to_review(room.assessment, second).theirs == left


def test_second_third_and_arbiter_s_marks_count_for_who_gave_them(room, people, second, third, arbiter, scheme):  # noqa: F811
    scheme("2+1+1", tolerance="1")
    case = room.add(factory.hand_worked_document())
    for person, total in ((people.teacher, 12), (second, 8), (third, 4), (arbiter, 6)):
        give(case, person, total)
        pace = own_pace(room.assessment, person)
        assert (len(pace.times), pace.last) == (1, case.public_id)
    for person in (people.teacher, second, third, arbiter):
        assert queries.to_review(room.assessment, person).theirs == 0


def test_a_change_of_one_s_own_mark_is_no_further_answer(room, people):
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, blind=False)
    case.refresh_from_db()
    transitions.change_own_mark(
        case, by=people.teacher, version=case.version, steps=steps_worth(8), total=Decimal(8), reason="看漏了"
    )
    assert len(own_pace(room.assessment, people.teacher).times) == 1


def test_problem_papers_and_answers_with_the_machine_are_nobody_s_time(room, people):
    from grading.domain.problems import ProblemKind

    room.add(None)
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    transitions.report_problem(case, by=people.teacher, version=case.version, kind=ProblemKind.BLANK, note="")
    assert queries.to_review(room.assessment, people.teacher).theirs == 0
