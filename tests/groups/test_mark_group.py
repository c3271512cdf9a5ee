"""One action marks a group: each answer by itself through the same writers, what changed meanwhile is left out, all can be undone."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import SomeoneWasFaster, UnusableInput
from grading import queries, transitions
from grading.domain.schemes import Kind, Rounding
from grading.models import Assessment, AssessmentState, Case, GivenMark, Mark, Question, Touch
from review.board import board_of
from review.domain.group_marks import MemberOutcome
from review.like_answers import groups_of
from review.models import AuditItem, MarkedGroup
from review.queries import own_pace
from review.transitions import draw_sample, mark_group, save_draft, take_back_group
from tests.review import factory

pytestmark = pytest.mark.django_db
MARKED, EXCLUDED, LEFT_OUT = MemberOutcome.MARKED, MemberOutcome.EXCLUDED, MemberOutcome.LEFT_OUT


def outcomes(group: MarkedGroup) -> dict[str, str]:
    return {member.case.response.code: member.outcome for member in group.members.select_related("case__response")}


def now(case: Case) -> Case:
    return Case.objects.select_related("response__question__assessment", "response__question__rules", "run").get(
        pk=case.pk
    )


def test_each_answer_gets_its_own_mark_claim_touch_and_event_with_the_id_of_the_group(alike, people):
    group = alike.mark(people.teacher)
    assert set(outcomes(group).values()) == {MARKED}
    for case in alike.same:
        mark = Mark.objects.get(case=case)
        assert (mark.total, mark.by, mark.rule, len(mark.steps)) == (Decimal(12), people.teacher, "sole", 5)
        assert now(case).closed_at is not None
        assert Touch.objects.get(response=case.response).person == people.teacher
        events = queries.trail_of(case)
        assert [event.verb for event in events][-3:] == ["claim", "decide", "mark_in_group"]
        assert events[-1].body["group"] == group.public_id
    assert list(trail.broken_links()) == []


def test_the_same_screen_sent_twice_marks_once(alike, people):
    first = alike.mark(people.teacher)
    shown = alike.shown()
    assert alike.mark(people.teacher, shown=shown) == first
    assert (Mark.objects.count(), GivenMark.objects.count(), MarkedGroup.objects.count()) == (5, 5, 1)


def test_excluded_answers_stay_in_the_queue_untouched(alike, people):
    left = alike.same[2]
    group = alike.mark(people.teacher, without=[left.public_id])
    assert outcomes(group)[left.response.code] == EXCLUDED
    assert Mark.objects.count() == 4
    assert now(left).version == left.version
    assert not Touch.objects.filter(response=left.response).exists()


def test_changed_steps_need_a_reason_and_are_given_to_all(alike, people):
    steps = [
        {**step, "status": "INVALID", "score": Decimal(0)} if step["step_id"] == "A3" else step for step in alike.steps
    ]
    with pytest.raises(UnusableInput) as refused:
        alike.mark(people.teacher, steps=steps, total=Decimal(10))
    assert refused.value.code == "decision.reason"
    assert not MarkedGroup.objects.exists()
    alike.mark(people.teacher, steps=steps, total=Decimal(10), reason="首项没有写出依据")
    assert set(Mark.objects.values_list("total", "reason")) == {(Decimal(10), "首项没有写出依据")}


def test_a_mark_that_does_not_add_up_is_refused_for_all(alike, people):
    with pytest.raises(UnusableInput) as refused:
        alike.mark(people.teacher, total=Decimal(11), reason="x")
    assert refused.value.code == "decision.sum"
    with pytest.raises(UnusableInput) as refused:
        alike.mark(people.teacher, without=[case.public_id for case in alike.same])
    assert refused.value.code == "group.empty"
    assert not Mark.objects.exists()


def claimed_by_another(case: Case, people: Any) -> None:
    transitions.claim(now(case), by=people.leader)


def claimed_and_given_back(case: Case, people: Any) -> None:
    transitions.release(transitions.claim(now(case), by=people.leader), by=people.leader)


def another_page(case: Case, people: Any) -> None:
    factory._store_page(case.response, 1, factory.written_page([]))


def begun_in_another_window(case: Case, people: Any) -> None:
    held = transitions.claim(now(case), by=people.teacher)
    save_draft(held, by=people.teacher, fields={"reason": ["x"]}, beside="", known=0, window="w")
    transitions.release(held, by=people.teacher)
    Case.objects.filter(pk=case.pk).update(version=case.version)


def made_blind(case: Case, people: Any) -> None:
    transitions.set_scheme(
        case.response.question, kind=Kind.DOUBLE, tolerance=Decimal(1), rounding=Rounding.HALF_UP, arbiter=None,
        blind_share=0, version=0, by=people.leader,
    )  # fmt: skip


@pytest.mark.parametrize("happens", [claimed_by_another, claimed_and_given_back, another_page, begun_in_another_window])
def test_a_member_that_changed_since_the_screen_is_left_out_and_named_and_the_rest_go_on(happens, alike, people):
    shown, changed = alike.shown(), alike.same[0]
    happens(changed, people)
    group = alike.mark(people.teacher, shown=shown)
    found = outcomes(group)
    assert found.pop(changed.response.code) == LEFT_OUT
    assert set(found.values()) == {MARKED}
    member = group.members.get(case=changed)
    assert member.zh
    assert member.en
    assert not Mark.objects.filter(case=changed).exists()
    assert now(changed).closed_at is None


def test_where_the_question_became_blind_meanwhile_nothing_is_marked(alike, people):
    shown = alike.shown()
    made_blind(alike.same[0], people)
    group = alike.mark(people.teacher, shown=shown)
    assert set(outcomes(group).values()) == {LEFT_OUT}
    assert (Mark.objects.count(), Touch.objects.count(), GivenMark.objects.count()) == (0, 0, 0)


def test_where_not_one_answer_is_as_it_was_shown_the_person_is_told(alike, people):
    shown = alike.shown()
    alike.mark(people.leader, key="another")
    with pytest.raises(SomeoneWasFaster) as refused:
        alike.mark(people.teacher, shown=shown)
    assert refused.value.code == "group.moved"
    assert Mark.objects.count() == 5


def test_answers_of_another_question_are_never_marked_with_a_group(alike, people):
    question = alike.room.question
    other = Question.objects.create(
        assessment=question.assessment, number=18, label="第 18 题", rules=question.rules, max_score=12
    )
    with pytest.raises(SomeoneWasFaster):
        mark_group(
            other, by=people.teacher, key="k", shown=alike.shown(), without=(), steps=alike.steps, total=Decimal(12), reason=""
        )  # fmt: skip
    assert not Mark.objects.exists()


def test_undoing_the_whole_puts_every_answer_back_and_keeps_its_mark_beside_the_next(alike, people):
    group = take_back_group(alike.mark(people.teacher), by=people.teacher)
    assert set(outcomes(group).values()) == {MemberOutcome.TAKEN_BACK}
    for case in alike.same:
        fresh = now(case)
        assert (fresh.owner, fresh.closed_at, fresh.life_cycle) == ("QUEUED_HUMAN", None, 2)
        assert queries.trail_of(case)[-1].verb == "take_back"
    assert Mark.objects.count() == 5
    # They are the same answers still, and can be marked again, by the same person or another.
    assert len(groups_of(alike.room.question, people.teacher).groups[0].cases) == 5
    again = alike.mark(people.teacher, key="again", shown=alike.shown())
    assert set(outcomes(again).values()) == {MARKED}
    assert Mark.objects.count() == 10
    assert list(trail.broken_links()) == []


def test_undoing_twice_is_undoing_once(alike, people):
    group = take_back_group(alike.mark(people.teacher), by=people.teacher)
    before = now(alike.same[0]).version
    take_back_group(MarkedGroup.objects.get(pk=group.pk), by=people.teacher)
    assert now(alike.same[0]).version == before


def returned(case: Case, people: Any) -> None:
    transitions.return_mark(now(case), by=people.leader, version=now(case).version, reason="重评")


def looked_at(case: Case, people: Any) -> None:
    Touch.objects.create(
        response=case.response, person=people.auditor, role="auditor", at=timezone.now() + timedelta(1)
    )


def sampled(case: Case, people: Any) -> None:
    draw_sample(case.response.question.assessment, size=5, seed="s", source="PERSON", by=people.auditor)
    AuditItem.objects.exclude(mark__case=case).delete()


@pytest.mark.parametrize("happens", [returned, looked_at, sampled])
def test_what_somebody_has_touched_since_stays_and_is_named(happens, alike, people):
    group, touched = alike.mark(people.teacher), alike.same[3]
    happens(touched, people)
    before = now(touched).version
    group = take_back_group(group, by=people.teacher)
    found = outcomes(group)
    assert found.pop(touched.response.code) == MemberOutcome.KEPT
    assert set(found.values()) == {MemberOutcome.TAKEN_BACK}
    assert group.members.get(case=touched).zh
    assert now(touched).version == before


def test_released_marks_are_not_taken_back(alike, people):
    group = alike.mark(people.teacher)
    Assessment.objects.update(state=AssessmentState.RELEASED)
    assert set(outcomes(take_back_group(group, by=people.teacher)).values()) == {MemberOutcome.KEPT}
    assert Case.objects.filter(closed_at__isnull=False).count() == 5


def test_nobody_undoes_another_persons_group(alike, people):
    group = take_back_group(alike.mark(people.teacher), by=people.leader)
    assert group.undone_at is None
    assert set(outcomes(group).values()) == {MARKED}


def test_under_mark_and_review_the_group_gives_first_marks_and_the_leader_reviews_each(alike, people):
    transitions.set_scheme(
        alike.room.question, kind=Kind.REVIEWED, tolerance=Decimal(1), rounding=Rounding.HALF_UP, arbiter=None,
        blind_share=0, version=0, by=people.leader,
    )  # fmt: skip
    group = alike.mark(people.teacher)
    assert Counter(now(case).need for case in alike.same) == {"REVIEW": 5}
    assert set(outcomes(take_back_group(group, by=people.teacher)).values()) == {MemberOutcome.KEPT}


def test_a_group_makes_nobody_look_hasty_and_no_forecast_short(alike, people):
    alike.mark(people.teacher)
    pace = own_pace(alike.room.assessment, people.teacher)
    assert (pace.times, pace.forecast(100)) == ((), None)
    assert pace.last in {case.public_id for case in alike.same}
    board = board_of(alike.room.assessment)
    assert [(row.figures.count, row.figures.seconds) for row in board.markers] == [(5, None)]
