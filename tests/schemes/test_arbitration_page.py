"""Arbitration on the screen: who may, what they see, and what becomes of it."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.urls import reverse

from grading import transitions
from grading.models import Case, Mark
from tests.review import factory
from tests.schemes.conftest import give
from tests.schemes.test_blind_page import beside, sheet

pytestmark = pytest.mark.django_db


@pytest.fixture
def disputed(room, people, second, scheme):
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, reason="按步骤给分")
    give(case, second, 4, reason="思路不对")
    return Case.objects.get(pk=case.pk)


def page(case):
    return reverse("review:arbitrate", args=[case.public_id])


def test_the_list_shows_marks_difference_and_tolerance_to_arbiters_and_leaders_alone(
    disputed, room, people, arbiter, as_person
):
    address = reverse("review:arbitrations", args=[room.assessment.public_id])
    for person in (arbiter, people.leader):
        body = as_person(person).get(address).content.decode()
        assert disputed.response.code in body
        assert [
            words for words in ("超出误差值", ">9</span>", ">4</span>", ">5</td>", ">1</td>") if words not in body
        ] == []
    assert as_person(people.teacher).get(address).status_code == 403
    assert as_person(people.auditor).get(address).status_code == 403
    assert as_person(people.stranger).get(address).status_code == 404


def test_the_list_costs_as_much_for_many_as_its_rows_need_and_shows_a_review_as_one(room, people, scheme, as_person):
    scheme("1+1")
    give(room.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
    body = (
        as_person(people.leader).get(reverse("review:arbitrations", args=[room.assessment.public_id])).content.decode()
    )
    assert "组长复核" in body


def test_before_taking_it_the_arbiter_sees_no_marks_and_afterwards_both_with_their_evidence(
    disputed, arbiter, as_person
):
    client = as_person(arbiter)
    before = client.get(page(disputed)).content.decode()
    assert "思路不对" not in before
    client.post(reverse("review:take-arbitration", args=[disputed.public_id]))
    body = client.get(page(disputed)).content.decode()
    for words in ("一评", "二评", "按步骤给分", "思路不对", "相差 5 分，误差值为 1 分", "公式正确"):
        assert words in body, words
    assert "王老师" not in body
    assert "孙二评" not in body
    assert f'src="/pages/{disputed.response.pages.get().public_id}/screen/"' in body


def test_steps_on_which_the_marks_agree_are_filled_in_and_the_others_open(disputed, arbiter, as_person):
    client = as_person(arbiter)
    client.post(reverse("review:take-arbitration", args=[disputed.public_id]))
    body = client.get(page(disputed)).content.decode()
    steps = body.split('class="step ')[1:]
    assert [step.split('"')[0] for step in steps] == ["VALID", "VALID", "open", "open", "INVALID"]


def test_one_may_start_from_either_mark(disputed, arbiter, as_person):
    client = as_person(arbiter)
    client.post(reverse("review:take-arbitration", args=[disputed.public_id]))
    first = disputed.given_marks.get(place="FIRST")
    body = client.get(page(disputed) + f"?like={first.public_id}").content.decode()
    assert [step.split('"')[0] for step in body.split('class="step ')[1:]] == [
        "VALID", "VALID", "VALID", "VALID", "INVALID",
    ]  # fmt: skip


def test_the_arbiters_mark_needs_a_reason_and_is_final(disputed, room, arbiter, as_person):
    client = as_person(arbiter)
    client.post(reverse("review:take-arbitration", args=[disputed.public_id]))
    page_as_open = beside(disputed)
    refused = client.post(page(disputed), sheet(7, **page_as_open))
    assert refused.status_code == 422
    assert "请用一句话说明为何给这个分" in refused.content.decode()
    done = client.post(page(disputed), sheet(7, **page_as_open, reason="第 4 步公式正确"))
    assert done["Location"] == reverse("review:arbitrations", args=[room.assessment.public_id])
    mark = Mark.objects.get()
    assert (mark.total, mark.rule, mark.by, mark.reason) == (Decimal(7), "arbiter", arbiter, "第 4 步公式正确")
    again = client.post(page(disputed), sheet(7, **page_as_open, reason="x"))
    assert again.status_code == 409


def test_who_gave_one_of_the_marks_cannot_take_it_even_as_a_leader(room, people, second, scheme, as_person):
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.leader, 9)
    give(case, second, 4)
    client = as_person(people.leader)
    assert "须由没有接触过它的人定分" in client.get(page(case)).content.decode()
    assert client.post(reverse("review:take-arbitration", args=[case.public_id])).status_code == 409
    assert (
        "须由他人处理" in client.get(reverse("review:arbitrations", args=[room.assessment.public_id])).content.decode()
    )


def test_the_arbiter_named_for_a_question_decides_and_another_only_where_they_cannot(
    room, people, second, extra, scheme, as_person
):
    named = extra("named", "arbiter", name="郑指定")
    scheme("2+1", arbiter=named)
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9)
    give(case, second, 4)
    leader = as_person(people.leader)
    assert "本题的仲裁员是郑指定" in leader.get(page(case)).content.decode()
    assert leader.post(reverse("review:take-arbitration", args=[case.public_id])).status_code == 409
    transitions.touch(case.response, person=named, role="marker")
    assert leader.post(reverse("review:take-arbitration", args=[case.public_id])).status_code == 302


def test_an_arbiter_may_put_it_back(disputed, arbiter, as_person):
    client = as_person(arbiter)
    client.post(reverse("review:take-arbitration", args=[disputed.public_id]))
    client.post(reverse("review:release", args=[disputed.public_id]))
    disputed.refresh_from_db()
    assert (disputed.owner, disputed.need, disputed.claimed_by) == ("QUEUED_HUMAN", "ARBITER", None)


def test_both_languages(disputed, arbiter, as_person):
    client = as_person(arbiter, "en")
    client.post(reverse("review:take-arbitration", args=[disputed.public_id]))
    body = client.get(page(disputed)).content.decode()
    for words in ("First mark", "Second mark", "They differ by 5, the tolerance is 1.", "Start from this"):
        assert words in body


def test_an_opinion_given_as_a_total_for_another_solution_is_shown_as_such(
    room, people, second, arbiter, scheme, as_person
):
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    held = transitions.claim(case, by=people.teacher)
    transitions.decide(
        held, by=people.teacher, version=held.version, steps=[], total=Decimal(10), reason="另解", blind=True
    )
    give(case, second, 4)
    client = as_person(arbiter)
    client.post(reverse("review:take-arbitration", args=[case.public_id]))
    assert "其他解法，直接给总分" in client.get(page(case)).content.decode()
    first = case.given_marks.get(place="FIRST")
    body = client.get(page(case) + f"?like={first.public_id}").content.decode()
    assert 'name="direct_total" id="direct-total" value="10"' in body
