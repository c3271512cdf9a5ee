"""打回: a decided answer is marked again, with the leader's reason; nothing that was given is lost."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.urls import reverse

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import queries, transitions
from grading.models import Case, Owner
from tests.board.conftest import marked_by
from tests.review import factory
from tests.schemes.conftest import give

REASON = "第 3 步应按细则给延续分"


@pytest.fixture
def decided(room, people):
    [case] = marked_by(room, people.teacher, (9,))
    return Case.objects.get(pk=case.pk)


def back(case, people, **changes):
    given = {"by": people.leader, "version": case.version, "reason": REASON} | changes
    return transitions.return_mark(case, **given)


def test_a_returned_answer_waits_again_in_a_new_life_cycle_and_keeps_its_edition(decided, people):
    packet = back(decided, people)
    case = Case.objects.get(pk=decided.pk)
    assert (case.owner, case.closed_at, case.life_cycle, case.need) == (Owner.QUEUED_HUMAN, None, 2, "FIRST")
    assert [mark.total for mark in case.marks.all()] == [Decimal(9)]
    assert packet.document["disputes"] == [{"kind": "returned", "reason": REASON}]
    event = queries.trail_of(case)[-1]
    assert (event.verb, event.body["life_cycle"]) == ("return_mark", 2)
    assert REASON not in str(event.body)
    assert queries.broken_link_of(case) is None


def test_the_same_marker_may_mark_it_again_and_that_is_a_new_edition(decided, people):
    back(decided, people)
    give(decided, people.teacher, 10, blind=False)
    case = Case.objects.get(pk=decided.pk)
    assert [(mark.edition, mark.total) for mark in case.marks.order_by("edition")] == [
        (1, Decimal(9)),
        (2, Decimal(10)),
    ]
    assert case.closed_at is not None


def test_what_the_machine_accepted_can_be_returned_to_people_and_never_goes_back_to_the_machine(room, people):
    case = room.add(factory.hand_worked_document(failing=()))
    assert case.owner == Owner.AI
    back(case, people)
    assert Case.objects.get(pk=case.pk).owner == Owner.QUEUED_HUMAN
    give(case, people.teacher, 8, blind=False)
    assert [mark.source for mark in case.marks.order_by("edition")] == ["MACHINE", "PERSON"]


@pytest.mark.parametrize("reason", ["", "   ", "长" * 501])
def test_without_a_reason_nothing_is_returned(reason, decided, people):
    with pytest.raises(UnusableInput):
        back(decided, people, reason=reason)
    assert Case.objects.get(pk=decided.pk).closed_at is not None


def test_an_answer_without_a_final_mark_cannot_be_returned(room, people):
    case = room.add(factory.hand_worked_document())
    with pytest.raises(NotAllowedNow):
        back(case, people)


def test_after_the_release_only_an_appeal_changes_a_mark(decided, room, people):
    room.assessment.state = "RELEASED"
    room.assessment.save()
    with pytest.raises(NotAllowedNow):
        back(Case.objects.get(pk=decided.pk), people)


def test_two_leaders_return_once(decided, people):
    stale = Case.objects.get(pk=decided.pk)
    back(decided, people)
    with pytest.raises(SomeoneWasFaster):
        back(stale, people)


def test_the_page_asks_why_and_returns(decided, people, as_person):
    address = reverse("review:return", args=[decided.public_id])
    client = as_person(people.leader)
    assert client.get(address).status_code == 200
    refused = client.post(address, {"version": decided.version, "reason": " "})
    assert refused.status_code == 422
    assert "请写明打回的理由" in refused.content.decode()
    assert client.post(address, {"version": decided.version, "reason": REASON}).status_code == 302
    assert client.post(address, {"version": decided.version, "reason": REASON}).status_code == 409
    sheet = as_person(people.teacher).get(reverse("review:case", args=[decided.public_id])).content.decode()
    assert REASON in sheet


def test_returning_is_the_leader_s(decided, people, as_person):
    address = reverse("review:return", args=[decided.public_id])
    for person, status in ((people.teacher, 403), (people.auditor, 403), (people.stranger, 404)):
        assert as_person(person).get(address).status_code == status
        assert as_person(person).post(address, {"reason": REASON}).status_code == status
    assert Case.objects.get(pk=decided.pk).closed_at is not None
