"""A path found while marking: the way from the answer to the form, and back to the answer from the draft."""

from __future__ import annotations

import pytest
from django.urls import reverse
from guardian.shortcuts import assign_perm

from grading import transitions
from grading.domain.roles import Right
from grading.models import Case
from review.models import RulesChange
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = pytest.mark.django_db
FORM = {
    "name": "倒序相加", "part": "1", "desc_1": "倒序", "points_1": "6", "desc_2": "求和", "points_2": "6",
    "expects_2": "S_{10}=120", "note": "等价",
}  # fmt: skip


def way(case: Case) -> str:
    return f"{reverse('review:rules-changes', args=[case.response.question.public_id])}?of={case.public_id}"


def test_a_path_proposed_from_the_desk_names_the_answer_it_was_found_on(room, people, as_person):
    case = room.add(factory.hand_worked_document())
    client = as_person(people.teacher)
    assert (
        f'href="{way(case)}#path-title"' in client.get(reverse("review:case", args=[case.public_id])).content.decode()
    )
    form = client.get(way(case)).content.decode()
    assert f'name="of" value="{case.public_id}"' in form
    address = reverse("review:propose-path", args=[room.question.public_id])
    assert client.post(address, FORM | {"of": case.public_id}).status_code == 302
    change = RulesChange.objects.get()
    assert (change.state, change.case) == ("DRAFT", case)


def test_an_arbiter_who_decides_may_propose_and_who_has_neither_right_is_not_shown_the_way(
    room, people, second, extra, scheme, as_person
):
    arbiter = extra("arbiter", "arbiter")
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9)
    give(case, second, 4)
    page = reverse("review:arbitrate", args=[case.public_id])
    client = as_person(arbiter)
    assert way(case) not in client.get(page).content.decode()
    client.post(reverse("review:take-arbitration", args=[case.public_id]))
    body = client.get(page).content.decode()
    assert f'href="{way(case)}#path-title"' in body
    assert reverse("review:compare", args=[case.public_id]) in body
    transitions.withdraw_role(room.assessment, arbiter, "arbiter", by=people.staff)
    assign_perm(Right.ARBITRATE.value, arbiter, room.assessment)
    body = client.get(page).content.decode()
    assert 'id="marking"' in body
    assert way(case) not in body
    assert client.get(way(case)).status_code == 403
