"""Answers that are neither waiting nor settled when the rules change: rounds, judgings, appeals, a second change."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.utils import timezone

from config.foundation import jobs, trail
from config.foundation.errors import SomeoneWasFaster
from config.foundation.models import Event, Job, JobState
from grading import tasks as grading_tasks
from grading import transitions as grading
from grading.domain.rules_changes import Choice
from grading.judging_cases import judge_case
from grading.models import Case, GivenMark, JudgeRun, Mark, Response
from itembank.models import ScoringRules
from review import tasks, transitions
from review.domain.appeals import Claim, Goal, Tone
from review.models import RulesChange, RulesChangeAnswer
from review.rules_changes import counted
from review.transitions.rules_changes import CARRY, carrying_group
from tests.review import factory
from tests.rules_changes.conftest import A_PATH, RULES, other_points, work
from tests.schemes.conftest import give

pytestmark = pytest.mark.django_db


def chosen(room, people, choice, document=None) -> RulesChange:
    """A newer version, previewed and chosen; its answers are not carried over yet."""
    room.question.refresh_from_db()
    change = transitions.propose_rules(room.question, document or other_points(), by=people.leader)
    work()
    return transitions.choose(change, by=people.leader, choice=choice)


def changed(room, people, choice, document=None) -> RulesChange:
    change = chosen(room, people, choice, document)
    work()
    return change


def fresh(case: Case) -> Case:
    assert trail.first_broken_link(f"case:{case.public_id}") is None
    return Case.objects.get(pk=case.pk)


@pytest.mark.parametrize("choice", [Choice.REQUEUE, Choice.RECOMPUTE])
def test_a_round_under_way_begins_anew_and_its_first_mark_stays_beside(room, people, second, third, scheme, choice):
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9)
    change = changed(room, people, choice)
    case = fresh(case)
    assert counted(change, "outcome") == {"RESTARTED": 1}
    assert (case.owner, case.need, case.life_cycle, case.rules.version) == ("QUEUED_HUMAN", "FIRST", 2, 2)
    assert case.packets.get(life_cycle=2).document["disputes"] == [{"kind": "rules_changed", "rules_version": 2}]
    assert give(case, second, 8) is None
    agreed = give(case, third, 8)
    assert agreed is not None
    assert (agreed.total, agreed.rules.version, len(agreed.basis["of"])) == (Decimal(8), 2, 2)
    assert list(GivenMark.objects.order_by("pk").values_list("life_cycle", "rules__version", "total")) == [
        (1, 1, Decimal(9)), (2, 2, Decimal(8)), (2, 2, Decimal(8)),
    ]  # fmt: skip


def test_a_round_under_way_that_is_left_ends_under_the_version_it_began_with(room, people, second, scheme):
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9)
    change = changed(room, people, Choice.LEAVE)
    assert counted(change, "outcome") == {"LEFT": 1}
    agreed = give(case, second, 9)
    assert agreed is not None
    assert (agreed.rules.version, fresh(case).rules.version) == (1, 1)


def test_a_leader_who_looks_at_a_first_mark_is_told_that_its_round_begins_anew(room, people, scheme):
    scheme("1+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, blind=False)
    held = grading.take_seeing(fresh(case), by=people.leader)
    changed(room, people, Choice.REQUEUE)
    with pytest.raises(SomeoneWasFaster):
        grading.decide(held, by=people.leader, version=held.version, steps=[], total=Decimal(9), reason="复核")
    case = fresh(case)
    assert (case.owner, case.need, case.claimed_by) == ("QUEUED_HUMAN", "FIRST", None)
    assert not Mark.objects.exists()


def end(waiting: list[Job], state: JobState = JobState.DONE) -> None:
    """As if a worker had ended them; ``QUEUED`` is as if none had ever begun."""
    ended = None if state == JobState.QUEUED else timezone.now()
    Job.objects.filter(pk__in=[job.pk for job in waiting]).update(state=state, ended_at=ended)


def judging_jobs(case: Case) -> list[Job]:
    return list(Job.objects.filter(subject=f"case:{case.public_id}").order_by("pk"))


def test_an_answer_that_waits_for_the_machine_is_judged_once_under_the_newer_version(room, people):
    case = room.add(None)
    grading.start_judging(room.assessment, by=people.leader)
    late = judge_case(fresh(case), epoch=1)
    change = changed(room, people, Choice.LEAVE)
    assert counted(change, "outcome") == {"TO_JUDGE": 1}
    # The result for the older version arrives now, and once more.
    for _ in range(2):
        run = grading.record_run(fresh(case), late, epoch=1)
        assert not run.used
    case = fresh(case)
    assert (case.owner, case.decision, case.run) == ("AI", "", None)
    assert Event.objects.filter(chain=f"case:{case.public_id}", verb="refuse_late_run").count() == 1
    for job in judging_jobs(case):
        grading_tasks.judge_response(job.pk)
    case = fresh(case)
    assert case.run is not None
    assert (case.owner, case.run.used, case.run.document["rules"]) == ("QUEUED_HUMAN", True, other_points())
    assert JudgeRun.objects.filter(case=case).count() == 2


def test_an_answer_is_judged_although_the_same_judging_came_too_late_before_the_rules_came_back(room, people):
    case = room.add(None)
    grading.start_judging(room.assessment, by=people.leader)
    late = judge_case(fresh(case), epoch=1)
    changed(room, people, Choice.LEAVE)
    grading.record_run(fresh(case), late, epoch=1)
    end(judging_jobs(case)[:1])
    changed(room, people, Choice.LEAVE, RULES)
    for job in judging_jobs(case):
        grading_tasks.judge_response(job.pk)
    case = fresh(case)
    assert (case.rules.version, case.owner, case.decision) == (1, "QUEUED_HUMAN", "MANUAL_REVIEW")
    assert case.run is not None
    assert (case.run.used, case.run.owner_epoch) == (True, 3)


def test_a_judging_that_died_before_the_change_does_not_take_its_answer_from_the_newer_one(room, people):
    case = room.add(None)
    grading.start_judging(room.assessment, by=people.leader)
    end(judging_jobs(case), JobState.DEAD)
    changed(room, people, Choice.LEAVE)
    grading_tasks.end_stuck_cases()
    assert fresh(case).owner == "AI"
    end(judging_jobs(case), JobState.DEAD)
    grading_tasks.end_stuck_cases()
    assert fresh(case).owner == "QUEUED_HUMAN"


def test_an_answer_under_appeal_is_left_and_decided_under_its_own_version(room, people, arbiter):
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, blind=False)
    case = fresh(case)
    claims = [Claim(1, Goal.STEP, ("Path_A", "A5"), "第 5 步对了", evidence="第 5 行")]
    transitions.file_appeal(case, by=people.staff, version=case.version, tone=Tone.UPSET, words="请重评", claims=claims)
    change = changed(room, people, Choice.REQUEUE)
    case = fresh(case)
    assert counted(change, "outcome") == {"APPEAL": 1}
    assert (case.need, case.rules.version, case.life_cycle) == ("APPEAL", 1, 2)
    assert [mark.rules.version for mark in case.marks.all()] == [1]
    assert grading.take_seeing(case, by=arbiter).claimed_by == arbiter


def test_a_mark_of_the_machine_that_nothing_proves_under_the_newer_version_goes_to_people(room, people):
    case = room.add(factory.hand_worked_document(failing=()))
    change = changed(room, people, Choice.RECOMPUTE)
    case = fresh(case)
    assert counted(change, "outcome") == {"UNPROVEN": 1}
    assert (case.owner, case.decision, case.rules.version) == ("QUEUED_HUMAN", "MANUAL_REVIEW", 2)
    assert [(mark.source, mark.total) for mark in case.marks.all()] == [("MACHINE", Decimal(9))]


def test_a_mark_of_the_machine_that_the_gate_accepts_again_is_recomputed_and_stays_the_machines(room, people):
    document = factory.hand_worked_document(failing=())
    # Without the doubtful glyph nothing stands against the carried error, whose steps are worth 2 and 4 of 12 now.
    document["reading"]["lines"][2]["alternatives"] = []
    case = room.add(document)
    change = changed(room, people, Choice.RECOMPUTE)
    row = RulesChangeAnswer.objects.get(change=change)
    case = fresh(case)
    old, new = case.marks.order_by("edition")
    assert (row.effect, row.before, row.after, row.outcome) == ("CHANGES", Decimal(9), Decimal(8), "RECOMPUTED")
    assert (old.total, old.rules.version, new.total, new.rules.version) == (Decimal(9), 1, Decimal(8), 2)
    assert (new.source, new.by, case.owner, case.closed_at is None) == ("MACHINE", None, "AI", False)
    assert new.run is not None
    assert new.run == case.run
    assert (new.run.decision, new.run.document["rules"]) == ("ACCEPT", other_points())


def carrying_jobs(change: RulesChange) -> list[Job]:
    return list(Job.objects.filter(group=carrying_group(change)).order_by("pk"))


@pytest.mark.parametrize("later_first", [True, False])
def test_a_job_of_a_version_that_another_has_replaced_takes_no_answer_back_to_it(room, people, later_first):
    case, waiting = room.add(factory.hand_worked_document()), room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, blind=False)
    first = chosen(room, people, Choice.REQUEUE)
    overtaken = carrying_jobs(first)
    end(overtaken)
    second = chosen(room, people, Choice.LEAVE, other_points(1, 5))
    end(overtaken, JobState.QUEUED)
    groups = [carrying_jobs(second), overtaken]
    for job in [*groups[not later_first], *groups[later_first]]:
        assert tasks.carry_answer(job.pk)
    assert counted(first, "outcome") == {"OVERTAKEN": 2}
    assert counted(second, "outcome") == {"LEFT": 1, "RENEWED": 1}
    assert (fresh(case).rules.version, fresh(waiting).rules.version) == (1, 3)


def test_what_was_foreseen_for_a_path_under_rules_that_moved_on_is_not_used(room, people, second_leader):
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, blind=False)
    draft = transitions.propose_path(room.question, A_PATH, by=people.teacher, note="", case=None)
    work()
    changed(room, people, Choice.LEAVE)
    approved = transitions.approve_path(RulesChange.objects.get(pk=draft.pk), by=second_leader)
    # Chosen at once: the preview of the approved version has not been worked out yet.
    transitions.choose(approved, by=people.leader, choice=Choice.REQUEUE)
    for job in carrying_jobs(approved):
        tasks.carry_answer(job.pk)
    case = fresh(case)
    assert case.run is not None
    assert case.run.document["rules"] == case.rules.document
    assert case.rules.version == 3


def test_an_answer_in_somebodys_hand_is_carried_over_before_those_that_wait(room, people):
    room.add(factory.hand_worked_document())
    held = grading.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    change = chosen(room, people, Choice.LEAVE)
    assert carrying_jobs(change)[0].arguments["case"] == held.pk


def test_an_answer_that_comes_in_after_the_choice_has_the_newer_version(room, people):
    room.add(None)
    known = Response.objects.select_related("question__rules").get()
    Case.objects.all().delete()
    chosen(room, people, Choice.LEAVE)
    assert grading.open_case(known).rules.version == 2


def test_a_worker_that_dies_between_two_answers_leaves_each_carried_over_wholly_or_not_at_all(
    room, people, monkeypatch
):
    cases = [room.add(factory.hand_worked_document()) for _ in range(3)]
    for case in cases:
        give(case, people.teacher, 9, blind=False)
    change = chosen(room, people, Choice.REQUEUE)
    waiting = carrying_jobs(change)
    assert tasks.carry_answer(waiting[0].pk)

    class Killed(BaseException):
        """Nothing after this line runs, as under kill -9."""

    def killed(lease: jobs.Lease) -> bool:
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(jobs, "finish", killed)
        with pytest.raises(Killed):
            tasks.carry_answer(waiting[1].pk)
    assert [fresh(case).life_cycle for case in cases] == [2, 1, 1]
    assert RulesChangeAnswer.objects.filter(change=change).exclude(outcome="").count() == 1
    assert not tasks.carry_answer(waiting[1].pk), "the lease of the dead worker holds"
    jobs.expire_leases()
    for job in waiting:
        tasks.carry_answer(job.pk)
    assert [fresh(case).life_cycle for case in cases] == [2, 2, 2]
    assert counted(change, "outcome") == {"REQUEUED": 3}
    assert Event.objects.filter(verb="requeue_for_rules").count() == 3
    assert ScoringRules.objects.count() == 2
    assert not Job.objects.filter(task=CARRY).exclude(state=JobState.DONE).exists()
