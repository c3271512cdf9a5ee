"""A mark made with the machine's verdict in view is never stored as a blind one, however the setting is switched."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse
from django.utils import timezone

from grading import queries, rounds, transitions
from grading.models import Case, GivenMark
from tests.review import factory
from tests.schemes.conftest import give, steps_worth
from tests.schemes.test_blind_page import beside, sheet, telling_document

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(room: factory.Room) -> Case:
    return room.add(telling_document())


def blindly(client: Any, case: Case, total: int = 9) -> Any:
    return client.post(reverse("review:blind", args=[case.public_id]), sheet(total, **beside(case)))


@pytest.fixture
def seen(case: Case, people: Any, as_person: Any) -> Any:
    """王老师 has the answer in hand and the machine's verdict on the screen; returns the client."""
    client = as_person(people.teacher)
    client.post(reverse("review:claim", args=[case.public_id]))
    assert "秘密评语" in client.get(reverse("review:case", args=[case.public_id])).content.decode()
    return client


@pytest.mark.parametrize("kind", ["2+1", "2+1+1", "AI+1"])
def test_switching_to_independent_marks_while_a_case_is_held_stores_no_seen_mark_as_blind(kind, seen, case, scheme):
    scheme(kind)
    answer = blindly(seen, case)
    assert answer.status_code == 409
    assert "您已经看过系统结论" in answer.content.decode()
    assert not GivenMark.objects.exists()
    page = seen.get(reverse("review:blind", args=[case.public_id]))
    assert page.status_code == 200
    assert "您已经看过系统结论" in page.content.decode()
    assert 'id="marking"' not in page.content.decode()


def test_whoever_has_seen_it_can_put_it_back_and_is_not_dealt_it_again_but_others_are(
    seen, case, room, people, second, scheme
):
    scheme("2+1")
    assert seen.post(reverse("review:release", args=[case.public_id])).status_code == 302
    assert transitions.claim_next(room.assessment, by=people.teacher) is None
    assert seen.post(reverse("review:claim", args=[case.public_id])).status_code == 409
    assert transitions.claim_next(room.assessment, by=second) == case
    assert give(case, second, 9) is None
    assert GivenMark.objects.get().blind


def test_where_blindness_is_only_measured_by_a_share_the_mark_counts_as_a_seen_one(seen, case, people, scheme):
    scheme("1", blind_share=100)
    assert not rounds.blind_to(case, people.teacher)
    assert blindly(seen, case).status_code == 409
    sent = sheet(9, **beside(case)) | {"reason": "看图"}
    assert seen.post(reverse("review:decide", args=[case.public_id]), sent).status_code == 302
    assert not GivenMark.objects.get().blind


def test_looking_without_taking_it_in_hand_is_seeing_too(case, people, scheme, as_person):
    for name in ("case", "compare", "trail"):
        other = Case.objects.get(pk=case.pk)
        client = as_person(people.leader if name == "trail" else people.teacher)
        assert client.get(reverse(f"review:{name}", args=[other.public_id])).status_code == 200
    scheme("2+1")
    for person in (people.teacher, people.leader):
        assert as_person(person).post(reverse("review:blind-claim", args=[case.public_id])).status_code == 409


def test_a_mark_sent_as_blind_where_nothing_is_hidden_is_refused(seen, case):
    assert blindly(seen, case).status_code == 409
    assert not GivenMark.objects.exists()


def test_switching_there_and_back_hides_nothing_that_was_shown(case, people, scheme, as_person):
    scheme("2+1")
    client = as_person(people.teacher)
    client.post(reverse("review:blind-claim", args=[case.public_id]))
    scheme("1")
    assert client.get(reverse("review:case", args=[case.public_id])).status_code == 200
    scheme("2+1")
    assert blindly(client, case).status_code == 409
    assert not GivenMark.objects.exists()


def test_a_new_life_cycle_does_not_make_anybody_unsee_the_verdict(seen, case, people, second, scheme):
    sent = sheet(9, **beside(case)) | {"reason": "看图"}
    assert seen.post(reverse("review:decide", args=[case.public_id]), sent).status_code == 302
    scheme("2+1")
    closed = Case.objects.get(pk=case.pk)
    transitions.return_mark(closed, by=people.leader, version=closed.version, reason="重评")
    assert seen.post(reverse("review:blind-claim", args=[case.public_id])).status_code == 409
    assert queries.free_cases(case.response.question.assessment, person=second).count() == 1


def test_the_database_refuses_a_blind_mark_of_somebody_who_has_seen_the_verdict(seen, case, people):
    row = {
        "case": case, "life_cycle": 1, "place": "FIRST", "by": people.teacher, "total": 9, "max_score": 12, "rules": case.rules,
        "steps": steps_worth(9)[:0], "created_at": timezone.now(),
    }  # fmt: skip
    with pytest.raises(DatabaseError), transaction.atomic():
        GivenMark.objects.create(blind=True, **row)
    GivenMark.objects.create(blind=False, **row)


def test_a_blind_marker_who_has_seen_nothing_is_not_hindered(case, people, scheme, as_person):
    scheme("2+1")
    client = as_person(people.teacher)
    client.post(reverse("review:blind-claim", args=[case.public_id]))
    assert client.get(reverse("review:blind", args=[case.public_id])).status_code == 200
    assert blindly(client, case).status_code == 302
    assert GivenMark.objects.get().blind


@pytest.mark.parametrize("kind", [None, "1", "1+1", "2+1", "AI+1"])
@pytest.mark.parametrize("afterwards", [None, "1", "2+1"])
def test_the_short_way_for_one_case_says_what_the_condition_on_all_cases_says(
    kind, afterwards, seen, case, people, second, scheme
):
    """Before a first mark and after one, with the setting switched between them, for who has seen it and who has not."""
    seen.post(reverse("review:release", args=[case.public_id]))
    for setting, marked in ((kind, False), (None, True), (afterwards, False)):
        if setting is not None:
            scheme(setting)
        if marked and rounds.ever_blind(rounds.newest_scheme(case.response.question) or scheme("1")):
            give(case, second, 9)
        case = Case.objects.get(pk=case.pk)
        for person in (people.teacher, second):
            stated = Case.objects.filter(rounds.seen_too_much(person), pk=case.pk).exists()
            assert rounds.has_seen_too_much(case, person) is stated
