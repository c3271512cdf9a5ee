"""样卷: what a leader names, what markers see of it beside the answer they mark, and what never goes out by this way."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import queries, transitions
from grading.models import Candidate, Case, Sight
from review.models import Exemplar
from review.transitions import name_exemplar, withdraw_exemplar
from tests.beside.test_compare import at
from tests.review import factory
from tests.schemes.conftest import give
from tests.schemes.test_blind_page import SECRETS, telling_document

pytestmark = pytest.mark.django_db
WHY = "第 3 步写出了公式，代入出错，仍按步给分"


@pytest.fixture
def case(room: factory.Room) -> Case:
    """The answer on the desk."""
    return room.add(factory.hand_worked_document())


def decided(room: factory.Room, people: Any, total: int = 9) -> Case:
    other = room.add(factory.hand_worked_document())
    give(other, people.teacher, total, blind=False)
    return Case.objects.get(pk=other.pk)


def named(case: Case, people: Any, note: str = WHY) -> Exemplar:
    return name_exemplar(case, by=people.leader, edition=1, note=note)


def side(exemplar: Exemplar) -> str:
    return f"{exemplar.case.public_id}.exemplar.{exemplar.mark.edition}"


def page_of(case: Case) -> str:
    return reverse("page-image", args=[case.response.pages.get().public_id, "screen"])


def test_a_leader_names_a_decided_answer_and_the_trail_says_so(room, people, as_person):
    other = decided(room, people)
    client = as_person(people.leader)
    desk = client.get(reverse("review:case", args=[other.public_id])).content.decode()
    address = reverse("review:name-exemplar", args=[other.public_id])
    assert address in desk
    assert address not in as_person(people.teacher).get(reverse("review:case", args=[other.public_id])).content.decode()
    answer = client.post(address, {"edition": "1", "note": f" {WHY} "}, follow=True)
    exemplar = Exemplar.objects.get()
    assert (exemplar.case, exemplar.mark.total, exemplar.note) == (other, Decimal(9), WHY)
    assert exemplar.by == people.leader
    assert WHY in answer.content.decode()
    event = queries.trail_of(other)[-1]
    assert (event.verb, event.body["exemplar"], event.body["total"]) == ("name_exemplar", exemplar.public_id, "9")
    assert WHY not in str(event.body)
    assert queries.broken_link_of(other) is None


@pytest.mark.parametrize("note", ["", "   ", "长" * 301])
def test_without_a_note_of_fitting_length_none_is_named_and_what_was_typed_stays(note, room, people, as_person):
    other = decided(room, people)
    with pytest.raises(UnusableInput):
        named(other, people, note)
    address = reverse("review:name-exemplar", args=[other.public_id])
    answer = as_person(people.leader).post(address, {"edition": "1", "note": note})
    assert answer.status_code == 422
    assert "请写明为什么作为样卷" in answer.content.decode()
    assert not Exemplar.objects.exists()


def test_an_answer_without_a_final_mark_is_none(case, people):
    with pytest.raises(NotAllowedNow):
        named(case, people)
    opened = transitions.claim(case, by=people.teacher)
    with pytest.raises(NotAllowedNow):
        named(opened, people)


def test_a_mark_that_is_not_the_one_on_the_page_is_refused(room, people, as_person):
    other = decided(room, people)
    with pytest.raises(SomeoneWasFaster):
        name_exemplar(other, by=people.leader, edition=2, note=WHY)
    address = reverse("review:name-exemplar", args=[other.public_id])
    for edition in ("0", "", "２", "9" * 30):
        assert as_person(people.leader).post(address, {"edition": edition, "note": WHY}).status_code == 409
    assert not Exemplar.objects.exists()


def test_an_answer_is_one_exemplar_at_a_time_and_a_question_has_several(room, people):
    one, other = decided(room, people), decided(room, people, 12)
    named(one, people)
    named(other, people)
    with pytest.raises(NotAllowedNow):
        named(one, people, "另一句")
    assert Exemplar.objects.count() == 2


def test_a_withdrawn_exemplar_stays_on_record_and_is_shown_no_more(case, room, people, as_person):
    exemplar = named(decided(room, people), people)
    client = as_person(people.teacher)
    assert client.get(at(case, right=side(exemplar))).status_code == 200
    address = reverse("review:withdraw-exemplar", args=[exemplar.public_id])
    assert as_person(people.leader).post(address).status_code == 302
    assert client.get(at(case, right=side(exemplar))).status_code == 404
    assert WHY not in client.get(at(case)).content.decode()
    exemplar.refresh_from_db()
    assert exemplar.withdrawn_by == people.leader
    assert exemplar.note == WHY
    assert queries.trail_of(exemplar.case)[-1].verb == "withdraw_exemplar"
    with pytest.raises(SomeoneWasFaster):
        withdraw_exemplar(exemplar, by=people.leader)
    assert as_person(people.leader).post(address).status_code == 409
    again = named(exemplar.case, people, "重新指定")
    assert client.get(at(case, right=side(again))).status_code == 200


def test_the_database_keeps_the_row_as_it_was_said(room, people):
    exemplar = named(decided(room, people), people)
    row = Exemplar.objects.filter(pk=exemplar.pk)
    for change in ({"note": "别的话"}, {"by": people.staff}, {"named_at": timezone.now()}):
        with pytest.raises(DatabaseError), transaction.atomic():
            row.update(**change)
    with pytest.raises(DatabaseError), transaction.atomic():
        row.delete()
    with pytest.raises(IntegrityError), transaction.atomic():
        row.update(withdrawn_at=timezone.now())
    withdraw_exemplar(exemplar, by=people.leader)
    with pytest.raises(DatabaseError), transaction.atomic():
        row.update(withdrawn_at=None, withdrawn_by=None)


def test_the_database_refuses_an_exemplar_without_a_final_mark_of_its_own(case, room, people):
    exemplar = named(decided(room, people), people)
    for of, mark in ((case, exemplar.mark), (decided(room, people), exemplar.mark)):
        with pytest.raises(IntegrityError, match="exemplar_is_decided"), transaction.atomic():
            Exemplar.objects.create(case=of, mark=mark, note=WHY, by=people.leader, named_at=timezone.now())


def test_markers_pick_the_reference_or_an_exemplar_and_see_its_mark_and_why(case, room, people, as_person):
    exemplar = named(decided(room, people), people)
    client = as_person(people.teacher)
    body = client.get(at(case)).content.decode()
    assert f'<option value="{side(exemplar)}">' in body
    assert 'value="reference" selected' in body
    body = client.get(at(case, right=side(exemplar))).content.decode()
    assert f'<option value="{side(exemplar)}" selected>' in body
    assert page_of(exemplar.case) in body
    assert page_of(case) in body
    assert WHY in body
    assert "陈组长" in body
    assert "9 / 12" in body
    assert Sight.objects.filter(case=exemplar.case, person=people.teacher).exists()


def test_no_page_with_an_exemplar_names_a_candidate(case, room, people, as_person):
    exemplar = named(decided(room, people), people)
    for person in (people.teacher, people.leader):
        for address in (at(case, right=side(exemplar)), reverse("review:case", args=[exemplar.case.public_id])):
            body = as_person(person).get(address).content.decode()
            assert exemplar.case.response.code in body
            for candidate in Candidate.objects.all():
                assert candidate.name not in body
                assert candidate.number not in body


def test_a_mark_changed_later_says_so_on_the_exemplar(case, room, people, second, as_person):
    exemplar = named(decided(room, people), people)
    client = as_person(people.teacher)
    assert "作为样卷之后" not in client.get(at(case, right=side(exemplar))).content.decode()
    opened = Case.objects.get(pk=exemplar.case.pk)
    transitions.return_mark(opened, by=people.leader, version=opened.version, reason="重看")
    assert "作为样卷之后，这份作答已重新打开" in client.get(at(case, right=side(exemplar))).content.decode()
    give(opened, second, 12, blind=False)
    body = client.get(at(case, right=side(exemplar))).content.decode()
    assert "作为样卷之后分数已更改：现为 12 / 12" in body
    assert "9 / 12" in body


def test_a_blind_marker_has_exemplars_of_other_answers_beside_the_bare_pages(room, people, second, scheme, as_person):
    scheme("1")
    exemplar = named(decided(room, people), people)
    hidden = room.add(telling_document())
    scheme("2+1")
    give(hidden, people.teacher, 9, reason="首评理由")
    client = as_person(second)
    bare = f"{hidden.public_id}.answer.1"
    address = at(hidden, bare, "reference").replace("&", "&amp;")
    assert address in client.get(reverse("review:blind", args=[hidden.public_id])).content.decode()
    for left, right in ((bare, side(exemplar)), (side(exemplar), bare), (bare, "reference")):
        answer = client.get(at(hidden, left, right))
        assert answer.status_code == 200
        body = answer.content.decode()
        assert page_of(hidden) in body
        assert f'value="{side(exemplar)}"' in body
        assert not [word for word in SECRETS if word in body]
    # Nothing of the verdict was shown, so the mark is still a blind one.
    assert not Sight.objects.filter(case=hidden, person=second).exists()
    assert Sight.objects.filter(case=exemplar.case, person=second).exists()


@pytest.mark.parametrize(("left", "right"), [
    ("{own}.run.1", "reference"), ("{own}.answer.1", "{own}.run.1"), ("{own}.answer.1", "{own}.exemplar.1"),
    ("{own}.answer.1", "{other}.run.1"), ("{own}.answer.1", "{other}.mark.1"), ("{own}.answer.1", ""),
    ("{other}.answer.1", "reference"), ("", ""), ("x", "x"),
])  # fmt: skip
def test_a_blind_marker_gets_nothing_else_by_this_way(left, right, room, people, second, scheme, as_person):
    """Not even of their own answer as an exemplar: it was one, and was opened again to be marked independently."""
    scheme("1")
    other = decided(room, people)
    named(other, people)
    own = decided(room, people, 7)
    named(own, people)
    scheme("2+1")
    own = Case.objects.get(pk=own.pk)
    transitions.return_mark(own, by=people.leader, version=own.version, reason="重看")
    sent = [text.format(own=own.public_id, other=other.public_id) for text in (left, right)]
    answer = as_person(second).get(at(own, *sent))
    assert (answer.status_code, answer["Location"]) == (302, reverse("review:blind", args=[own.public_id]))
    beside = as_person(second).get(at(own, f"{own.public_id}.answer.1", "reference")).content.decode()
    assert f'value="{other.public_id}.exemplar.1"' in beside
    assert f'value="{own.public_id}.exemplar.1"' not in beside


def test_an_exemplar_opened_again_is_hidden_from_who_must_mark_it_blind(case, room, people, second, scheme, as_person):
    scheme("1")
    exemplar = named(decided(room, people), people)
    give(case, second, 12, blind=False)
    scheme("2+1")
    opened = Case.objects.get(pk=exemplar.case.pk)
    transitions.return_mark(opened, by=people.leader, version=opened.version, reason="重看")
    client = as_person(second)
    assert client.get(at(case, right=side(exemplar))).status_code == 409
    body = client.get(at(case)).content.decode()
    assert WHY not in body
    assert side(exemplar) not in body


def test_strangers_auditors_and_wrong_names_get_none(case, room, people, as_person):
    exemplar = named(decided(room, people), people)
    assert as_person(people.stranger).get(at(case, right=side(exemplar))).status_code == 404
    assert as_person(people.auditor).get(at(case, right=side(exemplar))).status_code == 403
    wrong = f"{exemplar.case.public_id}.exemplar.2"
    assert as_person(people.teacher).get(at(case, right=wrong)).status_code == 404


def test_one_exemplar_or_six_cost_the_same_queries(case, room, people, as_person):
    client, counts = as_person(people.teacher), []
    for more in (1, 5):
        exemplars = [named(decided(room, people), people) for _ in range(more)]
        client.get(at(case, right=side(exemplars[0])))
        with CaptureQueriesContext(connection) as caught:
            assert client.get(at(case, right=side(exemplars[0]))).status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1]
