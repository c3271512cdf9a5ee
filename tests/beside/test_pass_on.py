"""转交: an answer passed on with a note goes to the person named, is read with the note, and does not come back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from config.foundation.errors import SomeoneWasFaster, UnusableInput
from config.foundation.models import Event
from grading import queries, transitions
from grading.models import Case, GivenMark, Mark, PassedOn, Touch
from tests.grading.test_together import at_once
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = pytest.mark.django_db
NOTE = "第 3 步像是另一种解法，请看"


@pytest.fixture
def case(room: factory.Room, people: Any) -> Case:
    return transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)


def passed(case: Case, by: Any, to: Any, note: str = NOTE) -> PassedOn:
    return transitions.pass_on(case, by=by, version=case.version, to=to, note=note)


def test_the_claim_ends_the_event_is_written_and_the_note_stands_in_no_event(case, people, second):
    passed(case, people.teacher, second)
    case.refresh_from_db()
    assert (case.owner, case.claimed_by) == ("QUEUED_HUMAN", None)
    event = Event.objects.get(verb="pass_on")
    assert event.body["to"] == f"user:{second.pk}"
    assert NOTE not in str(event.body)
    assert queries.broken_link_of(case) is None
    assert not Mark.objects.exists()
    assert not Touch.objects.filter(person=second).exists()


def test_the_person_named_is_dealt_it_first_and_nobody_else_for_a_day(case, room, people, second):
    others = [room.add(factory.hand_worked_document()) for _ in range(6)]
    passed(case, people.teacher, second)
    assert case not in queries.free_cases(room.assessment, person=people.leader)
    assert queries.free_cases(room.assessment, person=second).first() == case
    PassedOn.objects.update(at=timezone.now() - timedelta(hours=25))
    assert case in queries.free_cases(room.assessment, person=people.leader)
    assert len(others) == 6


def test_the_passer_is_never_dealt_it_again_in_this_life_cycle(case, room, people, second):
    passed(case, people.teacher, second)
    PassedOn.objects.update(at=timezone.now() - timedelta(days=30))
    assert transitions.claim_next(room.assessment, by=people.teacher) is None
    held = transitions.claim(Case.objects.get(pk=case.pk), by=second)
    transitions.release(held, by=second)
    assert transitions.claim_next(room.assessment, by=people.teacher) is None


def test_what_the_person_named_puts_back_is_free_for_others(case, room, people, second):
    passed(case, people.teacher, second)
    transitions.release(transitions.claim(Case.objects.get(pk=case.pk), by=second), by=second)
    assert transitions.claim_next(room.assessment, by=people.leader) == case


def test_somebody_who_has_left_or_cannot_mark_it_keeps_it_from_nobody(case, room, people, second, scheme):
    passed(case, people.teacher, second)
    second.is_active = False
    second.save()
    assert case in queries.free_cases(room.assessment, person=people.leader)
    scheme("2+1")
    other = room.add(factory.hand_worked_document())
    give(other, people.leader, 9)
    held = transitions.claim(Case.objects.get(pk=other.pk), by=people.teacher)
    assert not passed(held, people.teacher, people.leader).kept
    assert GivenMark.objects.count() == 1


@pytest.mark.parametrize("note", ["", "  \x00 ", "x" * 301])
def test_a_note_is_needed(note, case, people, second):
    with pytest.raises(UnusableInput, match=r"pass\.note"):
        passed(case, people.teacher, second, note)
    assert not PassedOn.objects.exists()


def test_only_people_who_mark_here_and_not_oneself(case, people):
    for person in (people.teacher, people.staff, people.auditor, people.stranger, None):
        with pytest.raises(UnusableInput, match=r"pass\.to"):
            passed(case, people.teacher, person)
    assert people.leader in queries.markers_and_leaders(case.response.question.assessment)


def test_what_is_not_in_ones_hand_cannot_be_passed_on(case, people, second, as_person):
    with pytest.raises(SomeoneWasFaster):
        passed(case, second, people.leader)
    sent = {"version": str(case.version), "to": "leader", "note": NOTE}
    assert as_person(second).post(reverse("review:pass-on", args=[case.public_id]), sent).status_code == 409
    assert as_person(people.stranger).post(reverse("review:pass-on", args=[case.public_id]), sent).status_code == 404


def test_from_the_desk_the_next_holder_reads_the_note_and_the_next_answer_opens(case, room, people, second, as_person):
    following = room.add(factory.hand_worked_document())
    client, address = as_person(people.teacher), reverse("review:pass-on", args=[case.public_id])
    assert address in client.get(reverse("review:case", args=[case.public_id])).content.decode()
    page = client.get(address).content.decode()
    assert "陈组长 · 阅卷组长" in page
    assert "王老师" not in page.split("<select")[1].split("</select>")[0]
    refused = client.post(address, {"version": str(case.version), "to": "", "note": NOTE})
    assert refused.status_code == 422
    assert NOTE in refused.content.decode()
    answer = client.post(address, {"version": str(case.version), "to": "second", "note": f"<b>{NOTE}"})
    assert answer["Location"] == reverse("review:case", args=[following.public_id])
    theirs = as_person(second)
    taken = theirs.post(reverse("review:next", args=[room.assessment.public_id]))
    assert taken["Location"] == reverse("review:case", args=[case.public_id])
    body = theirs.get(taken["Location"]).content.decode()
    assert "王老师转交了这份作答" in body
    assert f"&lt;b&gt;{NOTE}" in body


def test_a_blind_marker_passes_on_too_and_sees_nothing_by_it(room, people, second, scheme, as_person):
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    client, address = as_person(people.teacher), reverse("review:pass-on", args=[case.public_id])
    client.post(reverse("review:blind-claim", args=[case.public_id]))
    page = client.get(address)
    assert page.status_code == 200
    assert "9 / 12" not in page.content.decode()
    held = Case.objects.get(pk=case.pk)
    assert client.post(address, {"version": str(held.version), "to": "second", "note": NOTE}).status_code == 302
    theirs = as_person(second)
    theirs.post(reverse("review:next", args=[room.assessment.public_id]))
    assert NOTE in theirs.get(reverse("review:blind", args=[case.public_id])).content.decode()


@pytest.mark.django_db(transaction=True)
def test_passed_on_many_times_at_once_it_is_passed_once(transactional_db, people, data_dir):
    room = factory.make_room(people)
    held = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)

    def hand_over(number: int) -> bool:
        own = Case.objects.select_related("response__question__assessment").get(pk=held.pk)
        try:
            transitions.pass_on(own, by=people.teacher, version=held.version, to=people.leader, note=f"第{number}次")
        except SomeoneWasFaster:
            return False
        return True

    assert sum(at_once(hand_over)) == 1
    assert PassedOn.objects.count() == 1
    assert Event.objects.filter(verb="pass_on").count() == 1
