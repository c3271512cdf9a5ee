"""The pages of groups: the list, the contact sheet, marking it, its result and undoing; and hostile posts."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from grading import transitions
from grading.models import Case, Mark, Sight
from review import like_answers
from review.domain.marking_sheet import proposed_sheet
from review.forms import field
from review.models import MarkedGroup
from tests.groups.answers import document
from tests.groups.conftest import Alike, furnish
from tests.review import factory

pytestmark = pytest.mark.django_db


def sheet_page(client: Client, case: Case) -> str:
    answer = client.get(reverse("review:alike", args=[case.public_id]))
    assert answer.status_code == 200
    return str(answer.content.decode())


def token_of(body: str) -> str:
    found = re.search(r'name="group" value="([^"]+)"', body)
    assert found
    return found[1]


def mark_address(alike: Alike) -> str:
    return reverse("review:mark-group", args=[alike.room.question.public_id])


def fields(alike: Alike, **changes: str) -> dict[str, str]:
    """What the sheet sends for the proposal; ``status_A3="INVALID"`` and the like changed."""
    data = {}
    for row in proposed_sheet(alike.room.question.rules.read(), document("right")).steps:
        assert row.status
        data[field("was", row.key)] = data[field("status", row.key)] = row.status.value
        data[field("score", row.key)] = str(row.score)
        if f"status_{row.step.step_id}" in changes:
            data[field("status", row.key)] = changes[f"status_{row.step.step_id}"]
    return data


def test_the_queue_leads_to_the_groups_and_the_list_says_what_is_covered_and_what_is_not(alike, people, as_person):
    client = as_person(people.teacher)
    groups = reverse("review:groups", args=[alike.room.assessment.public_id])
    assert groups in client.get(reverse("review:queue", args=[alike.room.assessment.public_id])).content.decode()
    body = client.get(groups).content.decode()
    assert "8 份待阅作答中有 7 份（88 %）归入了各组" in body
    assert "有未读出或存疑之处" in body
    assert reverse("review:alike", args=[alike.same[0].public_id]) in body
    english = as_person(people.teacher, "en").get(groups).content.decode()
    assert "7 of 8 waiting answers (88 %) stand in groups" in english


def test_the_contact_sheet_shows_codes_crops_and_no_name_of_a_candidate(people, data_dir, as_person):
    alike = furnish(people, pages=1)
    body = sheet_page(as_person(people.teacher), alike.same[0])
    for case in alike.same:
        assert case.response.code in body
        assert case.response.candidate.name not in body
        page = case.response.pages.get()
        assert reverse("page-image", args=[page.public_id, "screen"]) in body
    assert body.count('class="crop"') == 5
    assert body.count('class="line-box VALID"') == 25
    assert body.count(">写法不同<") == 2
    assert alike.doubtful.response.code not in body
    assert alike.carried[0].response.code not in body


def test_whoever_looked_at_a_group_has_seen_the_verdict_of_each_answer_on_the_sheet(alike, people, as_person):
    sheet_page(as_person(people.teacher), alike.same[0])
    sheet_page(as_person(people.teacher), alike.same[0])
    seen = Sight.objects.filter(person=people.teacher).values_list("case", flat=True)
    assert sorted(seen) == sorted(case.pk for case in alike.same)


def test_confirming_marks_what_was_shown_and_the_result_names_everyone(alike, people, as_person):
    client = as_person(people.teacher)
    token = token_of(sheet_page(client, alike.same[0]))
    left = alike.same[1]
    sent = {"group": token, "accept": "yes", "without": left.public_id}
    answer = client.post(mark_address(alike), sent)
    group = MarkedGroup.objects.get()
    result = reverse("review:marked-group", args=[group.public_id])
    assert answer["Location"] == result
    assert Mark.objects.filter(total=12).count() == 4
    again = client.post(mark_address(alike), sent)
    assert again["Location"] == result
    assert Mark.objects.count() == 4
    body = client.get(result).content.decode()
    assert "4 份作答各得 12 / 12 分" in body
    assert left.response.code in body
    undone = client.post(reverse("review:undo-group", args=[group.public_id]), follow=True).content.decode()
    assert "已撤回 4 份作答的分数" in undone
    assert Case.objects.filter(closed_at__isnull=False).count() == 0


def test_changed_steps_are_previewed_then_given_to_all(alike, people, as_person):
    client = as_person(people.teacher)
    token = token_of(sheet_page(client, alike.same[0]))
    data = fields(alike, status_A3="INVALID") | {"group": token}
    total = reverse("review:alike-total", args=[alike.same[0].public_id])
    part = client.post(total, data, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert re.search(r'id="total"[^>]*>10<', part)
    whole = client.post(total, data | {"without": alike.same[2].public_id}).content.decode()
    assert re.search(r'id="total"[^>]*>10<', whole)
    assert re.search(rf'value="{alike.same[2].public_id}"[^>]*checked', whole)
    refused = client.post(mark_address(alike), data)
    assert refused.status_code == 422
    assert "请写明理由" in refused.content.decode()
    assert not Mark.objects.exists()
    done = client.post(
        mark_address(alike), data | {"group": token_of(refused.content.decode()), "reason": "没有写出 a_1"}
    )
    assert done.status_code == 302
    assert set(Mark.objects.values_list("total", flat=True)) == {Decimal(10)}


def test_a_member_that_changed_while_the_sheet_was_open_is_named_in_the_result(alike, people, as_person):
    client = as_person(people.teacher)
    token = token_of(sheet_page(client, alike.same[0]))
    transitions.claim(Case.objects.get(pk=alike.same[4].pk), by=people.leader)
    body = client.post(mark_address(alike), {"group": token, "accept": "yes"}, follow=True).content.decode()
    assert "4 份作答各得 12 / 12 分" in body
    assert f"密号 {alike.same[4].response.code} 的这份作答刚被别人处理" in body


def test_an_answer_without_like_ones_leads_back_to_the_list(alike, people, as_person):
    client = as_person(people.teacher)
    answer = client.get(reverse("review:alike", args=[alike.doubtful.public_id]))
    assert answer["Location"].startswith(reverse("review:groups", args=[alike.room.assessment.public_id]))
    transitions.claim(alike.carried[0], by=people.teacher)
    assert client.get(reverse("review:alike", args=[alike.carried[1].public_id])).status_code == 302


def forged(alike: Alike, token: str) -> str:
    return token[:-1] + ("A" if token[-1] != "A" else "B")


def nothing(alike: Alike, token: str) -> str:
    return ""


def endless(alike: Alike, token: str) -> str:
    return token * 500


@pytest.mark.parametrize("change", [forged, nothing, endless])
def test_a_screen_that_this_site_did_not_sign_marks_nothing(
    change: Callable[[Alike, str], str], alike, people, as_person
):
    client = as_person(people.teacher)
    token = token_of(sheet_page(client, alike.same[0]))
    answer = client.post(mark_address(alike), {"group": change(alike, token), "accept": "yes"})
    assert answer.status_code == 409
    assert "这一页已经失效" in answer.content.decode()
    assert not Mark.objects.exists()


def test_another_persons_screen_and_another_questions_screen_mark_nothing(alike, people, second, as_person):
    token = token_of(sheet_page(as_person(people.teacher), alike.same[0]))
    assert as_person(second).post(mark_address(alike), {"group": token, "accept": "yes"}).status_code == 409
    other = factory.make_room(people, code="OTHER")
    address = reverse("review:mark-group", args=[other.question.public_id])
    assert as_person(people.teacher).post(address, {"group": token, "accept": "yes"}).status_code == 409
    assert not Mark.objects.exists()


def test_a_member_of_another_assessment_cannot_be_smuggled_in(alike, people, as_person):
    client = as_person(people.teacher)
    token = token_of(sheet_page(client, alike.same[0]))
    stranger = factory.make_room(people, code="OTHER")
    foreign = stranger.question
    Case.objects.filter(pk=alike.same[0].pk)  # the token names cases of the first room only
    alike.same[0].response.question = foreign
    alike.same[0].response.save()
    client.post(mark_address(alike), {"group": token, "accept": "yes"})
    assert not Mark.objects.filter(case=alike.same[0]).exists()
    assert Mark.objects.count() == 4


def test_a_screen_of_yesterday_marks_nothing(alike, people, as_person, monkeypatch):
    client = as_person(people.teacher)
    token = token_of(sheet_page(client, alike.same[0]))
    monkeypatch.setattr("review.views.groups.LONGEST_AGE", -1)
    assert client.post(mark_address(alike), {"group": token, "accept": "yes"}).status_code == 409


def test_the_result_is_its_markers_alone(alike, people, second, as_person):
    group = alike.mark(people.teacher)
    address = reverse("review:marked-group", args=[group.public_id])
    assert as_person(people.teacher).get(address).status_code == 200
    assert as_person(second).get(address).status_code == 404
    assert as_person(people.auditor).get(address).status_code == 403
    assert as_person(second).post(reverse("review:undo-group", args=[group.public_id])).status_code == 404


def test_a_large_group_is_marked_sheet_by_sheet_and_only_what_was_shown_is_marked(
    alike, people, as_person, monkeypatch
):
    monkeypatch.setattr(like_answers, "MOST_ON_A_SHEET", 3)
    client = as_person(people.teacher)
    body = sheet_page(client, alike.same[0])
    assert "本页 3 份，另有 2 份在下一页" in body
    after = client.post(mark_address(alike), {"group": token_of(body), "accept": "yes"}, follow=True).content.decode()
    assert Mark.objects.count() == 3
    assert "下一组：2 份作答" in after
