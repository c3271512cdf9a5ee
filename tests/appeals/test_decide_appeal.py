"""An appeal from filing to reply: a new life cycle, a fresh person, an outcome for every claim, both marks."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import transitions
from grading.models import Case, GivenMark, Mark, Packet, Touch
from grading.queries import broken_link_of, standing_mark, trail_of
from review.domain.appeals import Outcome, Tone
from review.models import Appeal, AppealClaim
from review.transitions import decide_appeal, file_appeal, take_appeal
from tests.appeals.conftest import CLAIMS
from tests.grading.test_together import THREADS, at_once
from tests.schemes.conftest import steps_worth

UPHELD = {1: Outcome.UPHELD, 2: Outcome.UPHELD}
REJECTED = {1: Outcome.REJECTED}
REASONS = {1: "第 3 行确为 4", 2: ""}


def steps(**changed: tuple[str, int]) -> list[dict[str, Any]]:
    found = steps_worth(9)
    for step in found:
        if step["step_id"] in changed:
            status, score = changed[step["step_id"]]
            step |= {"status": status, "score": Decimal(score)}
    return found


def decide(appeal: Appeal, person: Any, findings: Any, *, version: int | None = None, **changed: Any) -> Mark:
    appeal = Appeal.objects.get(pk=appeal.pk)
    judged = steps(**changed)
    return decide_appeal(
        appeal, by=person, version=appeal.case.version if version is None else version, findings=findings,
        reasons=REASONS, steps=judged, total=sum((step["score"] for step in judged), Decimal(0)), reason="申诉",
    )  # fmt: skip


@pytest.fixture
def taken(appeal, arbiter):
    take_appeal(appeal, by=arbiter)
    return Appeal.objects.get(pk=appeal.pk)


@pytest.mark.django_db
def test_filing_opens_the_case_as_a_new_life_cycle_with_a_packet_of_the_disputes(case, appeal):
    case.refresh_from_db()
    assert (case.life_cycle, case.owner, case.need, case.closed_at) == (2, "QUEUED_HUMAN", "APPEAL", None)
    packet = Packet.objects.get(case=case, life_cycle=2)
    assert [each["claim"] for each in packet.document["disputes"]] == [1, 2]
    assert [event.verb for event in trail_of(case)][-2:] == ["reopen", "file_appeal"]
    assert broken_link_of(case) is None
    standing = standing_mark(case)
    assert standing == appeal.old_mark


@pytest.mark.django_db
def test_a_decision_settles_every_claim_and_the_old_mark_stands_beside_the_new(case, taken, arbiter):
    mark = decide(taken, arbiter, UPHELD, A3=("GAP_DEDUCTION", 1), A5=("GAP_DEDUCTION", 1))
    taken.refresh_from_db()
    assert (mark.rule, mark.by, mark.total, mark.edition) == ("appeal", arbiter, Decimal(9), 2)
    assert list(Mark.objects.filter(case=case).order_by("edition").values_list("total", flat=True)) == [9, 9]
    assert (taken.old_mark.edition, taken.new_mark) == (1, mark)
    assert list(taken.claims.values_list("outcome", flat=True)) == ["UPHELD", "UPHELD"]
    assert (Case.objects.get(pk=case.pk).closed_at is not None, taken.closed_at is not None) == (True, True)
    assert trail_of(case)[-1].body["outcomes"] == {"1": "UPHELD", "2": "UPHELD"}
    assert broken_link_of(case) is None


@pytest.mark.django_db
def test_a_condition_that_is_not_met_is_recorded_as_not_triggered(taken, arbiter):
    decide(taken, arbiter, REJECTED)
    assert list(taken.claims.values_list("outcome", "reason")) == [("REJECTED", "第 3 行确为 4"), ("NOT_TRIGGERED", "")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("findings", "changed", "code"),
    [
        ({}, {}, "open"),
        ({1: Outcome.UPHELD}, {"A3": ("INVALID", 0)}, "open"),
        (REJECTED, {"A5": ("VALID", 3)}, "unmoved"),
        (UPHELD, {"A3": ("INVALID", 0)}, "step_unmoved"),
    ],
)
def test_what_does_not_fit_together_is_refused_and_nothing_is_written(findings, changed, code, case, taken, arbiter):
    with pytest.raises(UnusableInput, match=rf"appeal\.{code}"):
        decide(taken, arbiter, findings, **changed)
    taken.refresh_from_db()
    assert taken.closed_at is None
    assert set(taken.claims.values_list("outcome", flat=True)) == {""}
    assert Mark.objects.filter(case=case).count() == 1


@pytest.mark.django_db
def test_a_rejection_needs_its_reason(taken, arbiter):
    with pytest.raises(UnusableInput, match=r"appeal\.reason"):
        decide_appeal(
            taken, by=arbiter, version=taken.case.version, findings=REJECTED, reasons={}, steps=steps(),
            total=Decimal(9), reason="申诉",
        )  # fmt: skip
    assert set(taken.claims.values_list("outcome", flat=True)) == {""}


@pytest.mark.django_db
def test_only_a_person_who_has_never_had_the_answer_and_did_not_file_decides(case, appeal, people, arbiter):
    for person, code in ((people.teacher, "touch.not_fresh"), (people.staff, "appeal.filed_by_you")):
        with pytest.raises(NotAllowedNow, match=code):
            take_appeal(Appeal.objects.get(pk=appeal.pk), by=person)
    take_appeal(Appeal.objects.get(pk=appeal.pk), by=arbiter)
    assert Touch.objects.get(response=case.response, person=arbiter).role == "appeal"


@pytest.mark.django_db
def test_the_ordinary_verb_does_not_close_a_case_under_appeal(taken, arbiter):
    with pytest.raises(NotAllowedNow, match=r"case\.under_appeal"):
        transitions.decide(
            taken.case, by=arbiter, version=taken.case.version, steps=steps(), total=Decimal(9), reason="x"
        )


@pytest.mark.django_db
def test_what_has_no_final_mark_or_is_under_appeal_already_cannot_be_appealed(room, case, appeal, people):
    from tests.review import factory

    undecided = room.add(factory.hand_worked_document())
    for target in (undecided, Case.objects.get(pk=case.pk)):
        with pytest.raises(NotAllowedNow, match=r"appeal\.no_mark"):
            file_appeal(target, by=people.staff, version=target.version, tone=Tone.CALM, words="", claims=CLAIMS)
    with pytest.raises((SomeoneWasFaster, NotAllowedNow)):
        file_appeal(case, by=people.staff, version=case.version, tone=Tone.CALM, words="", claims=CLAIMS)
    assert Appeal.objects.count() == 1


@pytest.mark.django_db
def test_a_second_appeal_needs_another_person_again(case, taken, arbiter, extra, people):
    decide(taken, arbiter, REJECTED)
    again = Case.objects.get(pk=case.pk)
    second = file_appeal(again, by=people.staff, version=again.version, tone=Tone.CALM, words="", claims=CLAIMS[:1])
    fresh = extra("fresh", "arbiter")
    take_appeal(second, by=fresh)
    assert second.life_cycle == 3
    assert GivenMark.objects.filter(case=case, life_cycle=2).count() == 1


# --- every route of insertion -------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("route", ["update", "save", "sql"])
def test_no_route_lets_a_person_with_an_earlier_touch_or_the_filer_decide(route, taken, people, arbiter):
    mark = taken.old_mark
    AppealClaim.objects.filter(appeal=taken).update(outcome="REJECTED")

    def write(person: Any) -> None:
        closing = {"decided_by": person, "closed_at": timezone.now(), "new_mark": mark}
        if route == "update":
            Appeal.objects.filter(pk=taken.pk).update(**closing)
        elif route == "save":
            row = Appeal.objects.get(pk=taken.pk)
            for name, value in closing.items():
                setattr(row, name, value)
            row.save()
        else:
            with connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE review_appeal SET decided_by_id = %s, closed_at = filed_at, new_mark_id = old_mark_id "
                    "WHERE id = %s",
                    [person.pk, taken.pk],
                )

    for person in (people.teacher, people.staff, people.leader):
        with pytest.raises(IntegrityError), transaction.atomic():
            write(person)
    write(arbiter)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE grading_case SET closed_at = created_at WHERE need = 'APPEAL'",
        "UPDATE review_appeal SET closed_at = filed_at, new_mark_id = old_mark_id, decided_by_id = "
        "(SELECT person_id FROM grading_touch WHERE role = 'appeal')",
    ],
)
def test_nothing_closes_by_any_route_while_a_claim_is_open(statement, taken):
    with pytest.raises(IntegrityError, match="guard: "), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE review_appealclaim SET words = 'other'",
        "UPDATE review_appealclaim SET after = NULL WHERE number = 2",
        "DELETE FROM review_appealclaim",
        "DELETE FROM review_appeal",
    ],
)
def test_a_claim_is_never_rewritten_or_lost(statement, appeal):
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert AppealClaim.objects.filter(words=CLAIMS[0].words).count() == 1


@pytest.mark.django_db
def test_an_outcome_is_set_once(taken, arbiter):
    decide(taken, arbiter, REJECTED)
    with pytest.raises(IntegrityError, match="guard: claim_is_settled_once"), transaction.atomic():
        AppealClaim.objects.filter(appeal=taken, number=1).update(outcome="UPHELD")


# --- at the same time ---------------------------------------------------------------------------------------------


def outcome(work: Any) -> str:
    try:
        work()
    except (SomeoneWasFaster, NotAllowedNow) as refused:
        return type(refused).__name__
    return "done"


@pytest.mark.django_db(transaction=True)
def test_one_answer_appealed_by_many_at_once_has_one_appeal(transactional_db, case, people):
    copies = [Case.objects.get(pk=case.pk) for _ in range(THREADS)]

    def send(number: int) -> str:
        return outcome(
            lambda: file_appeal(
                copies[number], by=people.staff, version=case.version, tone=Tone.CALM, words="", claims=CLAIMS
            )
        )

    assert Counter(at_once(send)) == {"done": 1, "SomeoneWasFaster": THREADS - 1}
    assert (Appeal.objects.count(), AppealClaim.objects.count()) == (1, 2)


@pytest.mark.django_db(transaction=True)
def test_one_decision_sent_many_times_at_once_counts_once(transactional_db, case, taken, arbiter):
    version = taken.case.version
    found = at_once(lambda _: outcome(lambda: decide(taken, arbiter, REJECTED, version=version)))
    assert found.count("done") == 1
    assert Mark.objects.filter(case=case).count() == 2
    assert broken_link_of(case) is None
