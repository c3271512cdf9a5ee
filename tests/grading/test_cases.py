"""The case: one owner, one writer; the machine never gets back what it gave away, and nothing is marked twice."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from config.foundation.models import Event
from grading import queries, transitions
from grading.chains import case_chain
from grading.models import Case, JudgeRun, Mark, Owner, Packet, Touch
from tests.grading.marking_room import a_queued_case, an_answer, an_assessment, verdict_document


@pytest.fixture
def assessment(people, data_dir):
    made = an_assessment(people.staff)
    for person, role in ((people.teacher, "marker"), (people.leader, "marking_leader"), (people.auditor, "qa_auditor")):
        transitions.give_role(made, person, role, by=people.staff)
    return made


@pytest.fixture
def fresh(assessment, people) -> Case:
    return an_answer(assessment, people.staff).case


@pytest.fixture
def queued(assessment, people) -> Case:
    return a_queued_case(assessment, people.staff)


def verbs(case: Case) -> list[str]:
    return [event.verb for event in queries.trail_of(case)]


def proposed_steps(case: Case) -> list[dict[str, Any]]:
    assert case.run is not None
    return [
        {"path_id": "Path_A", "step_id": each["step_id"], "status": each["status"], "score": Decimal(each["score"])}
        for each in case.run.document["verdict"]["step_details"]
    ]


def corrected_steps(case: Case) -> list[dict[str, Any]]:
    """The teacher sees that A3 was right after all and A5 with it."""
    points = {"A1": 2, "A2": 2, "A3": 2, "A4": 3, "A5": 3}
    return [{**each, "status": "VALID", "score": Decimal(points[each["step_id"]])} for each in proposed_steps(case)]


# --- the machine ---------------------------------------------------------------------------------------------------


def test_a_proved_answer_is_marked_by_the_machine_and_closed(fresh):
    transitions.record_run(fresh, verdict_document(decision="ACCEPT"), epoch=fresh.owner_epoch)
    fresh.refresh_from_db()
    mark = Mark.objects.get(case=fresh)
    assert (fresh.decision, fresh.owner) == ("ACCEPT", Owner.AI)
    assert fresh.closed_at is not None
    assert (mark.source, mark.total, mark.edition) == ("MACHINE", Decimal(9), 1)
    assert verbs(fresh) == ["open_case", "store_page", "accept"]


def test_an_unproved_answer_goes_to_people_with_a_packet(queued):
    packet = Packet.objects.get(case=queued)
    assert (queued.owner, queued.decision) == (Owner.QUEUED_HUMAN, "MANUAL_REVIEW")
    assert queued.service_ended_at is not None
    assert queued.closed_at is None
    assert packet.document["reasons"]
    assert packet.document["proposed"]["total_score"] == 9
    assert not Mark.objects.exists()
    assert verbs(queued) == ["open_case", "store_page", "hand_off", "queue_for_people"]


def test_the_same_run_twice_changes_nothing(fresh):
    for _ in range(2):
        transitions.record_run(fresh, verdict_document(decision="ACCEPT"), epoch=1)
    assert JudgeRun.objects.count() == Mark.objects.count() == 1
    assert verbs(fresh).count("accept") == 1


def test_a_result_that_comes_after_the_hand_off_is_kept_and_refused(queued):
    transitions.record_run(queued, verdict_document(decision="ACCEPT", key="late"), epoch=1)
    queued.refresh_from_db()
    late = JudgeRun.objects.get(used=False)
    assert queued.owner == Owner.QUEUED_HUMAN
    assert not Mark.objects.exists()
    assert late.decision == "ACCEPT"
    assert Packet.objects.get().entries.get().kind == "late_result"
    assert "refuse_late_run" in verbs(queued)


def test_a_result_that_comes_after_a_person_took_over_never_becomes_a_mark(queued, people):
    transitions.claim(queued, by=people.teacher)
    transitions.record_run(queued, verdict_document(decision="ACCEPT", key="late"), epoch=1)
    queued.refresh_from_db()
    assert (queued.owner, queued.claimed_by) == (Owner.HUMAN, people.teacher)
    assert not Mark.objects.exists()


def test_a_hand_off_interrupted_before_the_queue_stays_latched_and_is_finished_once(fresh):
    with transaction.atomic():
        run = JudgeRun.objects.create(
            case=fresh, life_cycle=1, owner_epoch=1, idempotency_key="k", judge="embedded", document=verdict_document(),
            document_sha256="0" * 64, decision="MANUAL_REVIEW", total=9, used=True, created_at=timezone.now(),
        )  # fmt: skip
        transitions.hand_off(fresh, run=run, reasons=["certified"])
    assert list(queries.latched_cases()) == [fresh]
    for _ in range(2):
        transitions.queue_for_people(Case.objects.get(pk=fresh.pk))
    fresh.refresh_from_db()
    assert fresh.owner == Owner.QUEUED_HUMAN
    assert Packet.objects.count() == 1


def test_a_case_without_any_result_is_handed_over_once(fresh):
    for _ in range(2):
        transitions.judging_failed(Case.objects.get(pk=fresh.pk))
    fresh.refresh_from_db()
    assert (fresh.owner, fresh.reasons) == (Owner.QUEUED_HUMAN, ["judge-answered"])
    assert verbs(fresh).count("hand_off") == 1


# --- the person ----------------------------------------------------------------------------------------------------


def test_only_one_of_two_teachers_gets_the_case(queued, people):
    mine, yours = Case.objects.get(pk=queued.pk), Case.objects.get(pk=queued.pk)
    transitions.claim(mine, by=people.teacher)
    with pytest.raises(SomeoneWasFaster):
        transitions.claim(yours, by=people.leader)
    assert Case.objects.get(pk=queued.pk).claimed_by == people.teacher


def test_a_claim_that_ran_out_goes_to_the_next_and_the_first_cannot_submit(queued, people):
    mine = transitions.claim(Case.objects.get(pk=queued.pk), by=people.teacher)
    Case.objects.filter(pk=queued.pk).update(claim_until=timezone.now() - transitions.marking.CLAIM)
    transitions.claim(Case.objects.get(pk=queued.pk), by=people.leader)
    with pytest.raises(SomeoneWasFaster):
        transitions.decide(
            mine, by=people.teacher, version=mine.version, steps=proposed_steps(mine), total=Decimal(9), reason=""
        )
    assert not Mark.objects.exists()


def test_a_case_still_with_the_machine_cannot_be_claimed(fresh, people):
    with pytest.raises(NotAllowedNow):
        transitions.claim(fresh, by=people.teacher)


def test_a_confirmed_proposal_needs_no_reason(queued, people):
    case = transitions.claim(queued, by=people.teacher)
    mark = transitions.decide(
        case, by=people.teacher, version=case.version, steps=proposed_steps(case), total=Decimal(9), reason=""
    )
    assert mark is not None
    assert (mark.source, mark.by, mark.total) == ("PERSON", people.teacher, Decimal(9))
    assert Case.objects.get(pk=case.pk).closed_at is not None
    assert Touch.objects.get().person == people.teacher


def test_a_changed_mark_needs_a_reason_and_is_a_new_edition_beside_the_proposal(queued, people):
    case = transitions.claim(queued, by=people.teacher)
    change = {"by": people.teacher, "version": case.version, "steps": corrected_steps(case), "total": Decimal(12)}
    with pytest.raises(UnusableInput, match=r"decision\.reason"):
        transitions.decide(case, **change, reason="  ")
    mark = transitions.decide(case, **change, reason="识读错误：4 应为 3")
    assert mark is not None
    assert mark.total == 12
    assert case.run is not None
    assert case.run.total == 9
    event = Event.objects.get(verb="decide")
    assert (event.body["before"], event.body["after"]) == ("9", "12")
    assert trail.first_broken_link(case_chain(case)) is None


def wrong(steps, index, **changes):
    return [{**each, **(changes if place == index else {})} for place, each in enumerate(steps)]


@pytest.mark.parametrize(
    ("change", "total", "code"),
    [
        (lambda steps: steps, Decimal(10), "decision.sum"),
        (lambda steps: steps, Decimal(13), "decision.range"),
        (lambda steps: steps, Decimal("9.3"), "decision.step_width"),
        (lambda steps: steps, Decimal("-1"), "decision.range"),
        (lambda steps: steps, Decimal("NaN"), "decision.range"),
        (lambda steps: wrong(steps, 0, score=Decimal(3)), Decimal(10), "decision.range"),
        (lambda steps: wrong(steps, 0, status="PERFECT"), Decimal(9), "decision.status"),
        (lambda steps: wrong(steps, 0, step_id="Z9"), Decimal(9), "decision.unknown_step"),
        (lambda steps: wrong(steps, 0, path_id="Path_B", step_id="B1"), Decimal(9), "decision.mixed_paths"),
        (lambda steps: [*steps, steps[0]], Decimal(11), "decision.twice"),
    ],
)
def test_a_mark_that_does_not_follow_from_the_rules_is_refused(queued, people, change, total, code):
    case = transitions.claim(queued, by=people.teacher)
    with pytest.raises(UnusableInput) as refused:
        transitions.decide(
            case,
            by=people.teacher,
            version=case.version,
            steps=change(proposed_steps(case)),
            total=total,
            reason="因为",
        )
    assert refused.value.code == code
    assert Case.objects.get(pk=case.pk).closed_at is None


def test_a_second_submit_of_the_same_page_is_refused(queued, people):
    case = transitions.claim(queued, by=people.teacher)
    version, steps = case.version, proposed_steps(case)
    transitions.decide(case, by=people.teacher, version=version, steps=steps, total=Decimal(9), reason="")
    with pytest.raises(SomeoneWasFaster):
        transitions.decide(
            Case.objects.get(pk=case.pk), by=people.teacher, version=version, steps=steps, total=Decimal(9), reason=""
        )
    assert Mark.objects.count() == 1


def test_a_skipped_case_comes_last_and_a_released_one_is_free_at_once(assessment, people):
    first = a_queued_case(assessment, people.staff, candidate="1001")
    second = a_queued_case(assessment, people.staff, candidate="1002")
    one = transitions.claim_next(assessment, by=people.teacher)
    assert one in (first, second)
    transitions.skip(one, by=people.teacher)
    other = transitions.claim_next(assessment, by=people.teacher)
    assert other is not None
    assert {one, other} == {first, second}
    transitions.release(other, by=people.teacher)
    assert transitions.claim_next(assessment, by=people.leader) == other


def test_claim_next_gives_ones_own_open_case_first_and_none_when_all_is_done(assessment, people):
    case = a_queued_case(assessment, people.staff)
    mine = transitions.claim_next(assessment, by=people.teacher)
    assert transitions.claim_next(assessment, by=people.teacher) == mine == case
    assert transitions.claim_next(assessment, by=people.leader) is None


# --- what the database itself refuses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement", ["UPDATE grading_mark SET total = 12", "DELETE FROM grading_mark", "DELETE FROM grading_packet"]
)
def test_marks_and_packets_cannot_be_rewritten(queued, people, statement):
    case = transitions.claim(queued, by=people.teacher)
    transitions.decide(
        case, by=people.teacher, version=case.version, steps=proposed_steps(case), total=Decimal(9), reason=""
    )
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Mark.objects.get().total == 9


@pytest.mark.parametrize(
    "changes",
    [
        {"claimed_by": "teacher"},
        {"closed_at": timezone.now()},
        {"owner": Owner.HANDOFF_PENDING},
    ],
)
def test_a_case_cannot_be_stored_in_an_impossible_state(fresh, people, changes):
    changes = {key: getattr(people, value) if key == "claimed_by" else value for key, value in changes.items()}
    with pytest.raises(IntegrityError), transaction.atomic():
        Case.objects.filter(pk=fresh.pk).update(**changes)
