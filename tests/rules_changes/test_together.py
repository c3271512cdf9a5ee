"""Rules changed while others work, over real connections: nothing is lost, doubled or told to the wrong person."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster
from config.foundation.models import Event, Job, JobState
from grading import transitions as grading
from grading.domain.rules_changes import Choice
from grading.models import Candidate, Case, GivenMark, JudgeRun, Mark, Question, Response
from review import tasks, transitions
from review.models import RulesChange, RulesChangeAnswer
from review.queries import cases_under
from review.rules_changes import counted
from review.transitions.rules_changes import carrying_group
from tests.grading.test_together import THREADS, at_once
from tests.review import factory
from tests.rules_changes.conftest import other_points, work
from tests.schemes.conftest import give, steps_worth

pytestmark = pytest.mark.django_db(transaction=True)
# Of several pairs that meet, the first starts together and each next a little later: either side comes first in some.
STAGGER = 0.1


@pytest.fixture(autouse=True)
def tables_others_can_see(transactional_db: None) -> None:
    """Before any row is made: threads with connections of their own must find it."""


def outcome(verb: Callable[[], object]) -> str:
    try:
        verb()
    except (SomeoneWasFaster, NotAllowedNow) as refused:
        return refused.code
    return "done"


def previewed(room: Any, people: Any) -> RulesChange:
    change = transitions.propose_rules(room.question, other_points(), by=people.leader)
    work()
    return change


def carrying_jobs(change: RulesChange) -> list[int]:
    return list(Job.objects.filter(group=carrying_group(change)).order_by("pk").values_list("pk", flat=True))


def test_of_leaders_who_choose_differently_at_once_one_wins_and_the_others_are_told(room, people, second_leader):
    cases = [room.add(factory.hand_worked_document()) for _ in range(2)]
    for case in cases:
        give(case, people.teacher, 9, blind=False)
    change = previewed(room, people)
    seen = [RulesChange.objects.get(pk=change.pk) for _ in range(THREADS)]
    leaders, choices = (people.leader, second_leader), (Choice.REQUEUE, Choice.LEAVE)

    def pick(number: int) -> str:
        who = number % 2
        return outcome(lambda: transitions.choose(seen[number], by=leaders[who], choice=choices[who]))

    found = at_once(pick)
    assert Counter(found) == {"done": 1, "rules.settled": THREADS - 1}
    winner = found.index("done") % 2
    change.refresh_from_db()
    assert (change.choice, change.chosen_by) == (choices[winner].value, leaders[winner])
    assert Event.objects.filter(verb="change_rules").count() == 1
    work()
    assert counted(change, "outcome") == {("REQUEUED", "LEFT")[winner]: 2}
    assert list(trail.broken_links()) == []


def test_of_leaders_who_propose_versions_at_once_one_version_waits(room, people):
    versions = [other_points(4, 2), other_points(2, 4), other_points(1, 5)] * 2
    questions = [Question.objects.get(pk=room.question.pk) for _ in versions]
    found = at_once(
        lambda number: outcome(lambda: transitions.propose_rules(questions[number], versions[number], by=people.leader))
    )
    assert found.count("done") == 1
    assert set(found) <= {"done", "rules.waiting", "rules-published-meanwhile", "trail.moved"}
    assert RulesChange.objects.count() == 1


def test_marks_handed_in_while_their_answers_are_carried_over_are_neither_lost_nor_doubled(room, people):
    held = [grading.claim(room.add(factory.hand_worked_document()), by=people.teacher) for _ in range(6)]
    change = previewed(room, people)
    transitions.choose(change, by=people.leader, choice=Choice.RECOMPUTE)
    waiting = carrying_jobs(change)
    seen = [Case.objects.select_related("rules", "run", "response__question").get(pk=case.pk) for case in held]

    def mark_or_carry(number: int) -> str:
        if number % 2:
            return str(tasks.carry_answer(waiting[number // 2]))
        case = seen[number // 2]
        time.sleep(STAGGER * number)
        return outcome(
            lambda: grading.decide(
                case, by=people.teacher, version=case.version, steps=steps_worth(12), total=Decimal(12), reason="按步"
            )
        )

    found = at_once(mark_or_carry, 2 * len(held))
    assert found[1::2] == ["True"] * len(held)
    twelve, came_first = Decimal(12), {"done": "RECOMPUTED", "case.moved": "RENEWED"}
    for told, case in zip(found[::2], seen, strict=True):
        now = Case.objects.get(pk=case.pk)
        row = RulesChangeAnswer.objects.get(change=change, case=case)
        assert (row.outcome, now.rules.version) == (came_first[told], 2)
        given = list(GivenMark.objects.filter(case=case).values_list("rules__version", "total"))
        marks = list(Mark.objects.filter(case=case).order_by("edition").values_list("rules__version", "total"))
        if told == "done":
            assert (given, marks) == ([(1, twelve)], [(1, twelve), (2, twelve)])
        else:
            assert (given, marks, now.claimed_by) == ([], [], people.teacher)
    assert list(trail.broken_links()) == []
    print(f"{len(held)} answers handed in and carried over at once: {dict(Counter(found[::2]))}")


@pytest.mark.parametrize("choice", [Choice.REQUEUE, Choice.RECOMPUTE])
def test_one_answer_carried_over_by_many_workers_whose_leases_ran_out_is_carried_over_once(room, people, choice):
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 12, blind=False)
    change = previewed(room, people)
    transitions.choose(change, by=people.leader, choice=choice)
    seen = [cases_under(change).get(pk=case.pk) for _ in range(THREADS)]
    assert at_once(lambda number: outcome(lambda: transitions.carry(change, seen[number]))) == ["done"] * THREADS
    case = Case.objects.get(pk=case.pk)
    again = choice is Choice.REQUEUE
    assert counted(change, "outcome") == {"REQUEUED" if again else "RECOMPUTED": 1}
    assert (case.life_cycle, case.marks.count(), JudgeRun.objects.filter(case=case).count()) == (
        (2, 1, 2) if again else (1, 2, 2)
    )
    assert Event.objects.filter(verb__in=["requeue_for_rules", "recompute"]).count() == 1
    assert list(trail.broken_links()) == []


def test_a_result_of_the_machine_that_meets_the_change_is_taken_in_before_it_or_comes_too_late(room, people):
    cases = [room.add(None) for _ in range(3)]
    change = previewed(room, people)
    transitions.choose(change, by=people.leader, choice=Choice.REQUEUE)
    waiting = carrying_jobs(change)

    def judge_or_carry(number: int) -> str:
        case = Case.objects.get(pk=cases[number // 2].pk)
        if number % 2:
            return str(tasks.carry_answer(waiting[number // 2]))
        document = factory.hand_worked_document(failing=(), key=f"raced-{number}")
        time.sleep(STAGGER * number)
        return outcome(lambda: grading.record_run(case, document, epoch=1))

    found = at_once(judge_or_carry, 2 * len(cases))
    assert found[1::2] == ["True"] * len(cases)
    outcomes: Counter[str] = Counter()
    for case in Case.objects.all():
        row = RulesChangeAnswer.objects.get(change=change, case=case)
        outcomes[row.outcome] += 1
        assert case.rules.version == 2
        if row.outcome == "TO_JUDGE":
            # The result for the older version is kept or was refused outright; either way no mark came of it.
            assert (case.owner, case.decision, case.run) == ("AI", "", None)
            assert not case.marks.exists()
            assert not JudgeRun.objects.filter(case=case, used=True).exists()
        else:
            assert row.outcome == "REQUEUED"
            assert list(case.marks.values_list("rules__version", "total")) == [(1, Decimal(9))]
            assert (case.owner, case.life_cycle) == ("QUEUED_HUMAN", 2)
    assert list(trail.broken_links()) == []
    print(f"{len(cases)} results met the change: {dict(outcomes)}")


def test_answers_that_come_in_while_the_leader_chooses_are_all_under_the_newer_version_in_the_end(room, people):
    first = room.add(None)
    change = previewed(room, people)
    arriving = []
    for number in range(THREADS - 1):
        candidate = Candidate.objects.create(
            number=f"late{number}", name="", school_class=first.response.candidate.school_class
        )
        response = Response.objects.create(
            question=room.question, candidate=candidate, code=f"LATE{number}", created_at=timezone.now()
        )
        arriving.append(Response.objects.select_related("question__rules").get(pk=response.pk))

    def open_or_choose(number: int) -> None:
        if number == 0:
            transitions.choose(change, by=people.leader, choice=Choice.LEAVE)
        else:
            grading.open_case(arriving[number - 1])

    at_once(open_or_choose)
    assert Case.objects.count() == THREADS
    work()
    assert set(Case.objects.values_list("rules__version", flat=True)) == {2}


def test_two_changes_carried_over_at_once_end_at_the_version_chosen_last(room, people):
    markers = [get_user_model().objects.create(username=f"m{number}") for number in range(3)]
    for marker in markers:
        give(room.add(factory.hand_worked_document()), marker, 12, blind=False)
    first = previewed(room, people)
    transitions.choose(first, by=people.leader, choice=Choice.RECOMPUTE)
    room.question.refresh_from_db()
    second = transitions.propose_rules(room.question, other_points(1, 5), by=people.leader)
    transitions.choose(second, by=people.leader, choice=Choice.RECOMPUTE)
    both = [*carrying_jobs(first), *carrying_jobs(second)]
    assert at_once(lambda number: tasks.carry_answer(both[number]), len(both)) == [True] * len(both)
    assert counted(first, "outcome") == {"OVERTAKEN": 3}
    assert counted(second, "outcome") == {"RECOMPUTED": 3}
    assert set(Case.objects.values_list("rules__version", flat=True)) == {3}
    assert Counter(Mark.objects.values_list("rules__version", flat=True)) == {1: 3, 3: 3}
    assert not Job.objects.filter(pk__in=both).exclude(state=JobState.DONE).exists()
    assert list(trail.broken_links()) == []
