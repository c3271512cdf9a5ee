"""Appeals on the screen, without a script, in both languages."""

from __future__ import annotations

import pytest
from django.urls import reverse

from grading.models import Case
from review.models import Appeal
from review.transitions import take_appeal
from tests.schemes.test_blind_page import beside, sheet

pytestmark = pytest.mark.django_db


def filing(case: Case, **more: str) -> dict[str, str]:
    return {
        "code": case.response.code, "question": case.response.question.public_id, "version": str(case.version),
        "tone": "UPSET", "words": "我认为第三步没有错！", "words:1": "重评第 3 步", "goal:1": "STEP",
        "step:1": "Path_A:A3", "evidence:1": "第 3 行",
    } | more  # fmt: skip


@pytest.fixture
def address(room):
    return reverse("review:file-appeal", args=[room.assessment.public_id])


def test_staff_find_the_answer_by_its_code_and_file_the_claims(case, address, people, as_person):
    client = as_person(people.staff)
    found = client.get(address, {"code": case.response.code.lower(), "question": case.response.question.public_id})
    assert "现有得分 9 / 12" in found.content.decode()
    # The second row stays empty: the third is claim 2, and its condition still means the first.
    answer = client.post(
        address, filing(case, **{"words:3": "第 5 步随之改", "goal:3": "STEP", "step:3": "Path_A:A5", "after:3": "1"})
    )
    appeal = Appeal.objects.get()
    assert answer["Location"] == reverse("review:appeal", args=[appeal.public_id])
    assert list(appeal.claims.values_list("number", "step_id", "after")) == [(1, "A3", None), (2, "A5", 1)]
    assert case.response.candidate.name not in found.content.decode()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"words:1": ""}, "申诉须有 1 到 8 项诉求"),
        ({"step:1": ""}, "须选定一个步骤"),
        ({"step:1": "Path_X:A1"}, "须选定一个步骤"),
        ({"after:1": "1"}, "条件只能是它前面的诉求"),
        ({"after:1": "2"}, "条件只能是它前面的诉求"),
        ({"words": "x" * 2001}, "不能超过 2000 字"),
        ({"code": "NOBODY"}, "没有这个密号和题目的已定分作答"),
    ],
)
def test_an_appeal_that_cannot_stand_is_refused_in_words_and_kept(more, words, case, address, people, as_person):
    answer = as_person(people.staff).post(address, filing(case, **more))
    assert answer.status_code == 422
    assert words in answer.content.decode()
    if more.get("words:1") != "" and "code" not in more:
        assert 'value="重评第 3 步"' in answer.content.decode()
    assert not Appeal.objects.exists()


def test_hostile_words_are_data(case, address, people, as_person):
    hostile = "<script>alert(1)</script> {{ 7|add:7 }} ' OR 1=1 --"
    client = as_person(people.staff)
    answer = client.post(address, filing(case, **{"words:1": hostile, "words": hostile}), follow=True)
    body = answer.content.decode()
    assert "<script>alert(1)" not in body
    assert "&lt;script&gt;alert(1)" in body
    assert Appeal.objects.get().claims.get().words == hostile


def test_of_two_filing_pages_the_second_is_told(case, address, people, as_person):
    assert as_person(people.staff).post(address, filing(case)).status_code == 302
    answer = as_person(people.leader).post(address, filing(case))
    assert answer.status_code == 422
    assert "没有这个密号和题目的已定分作答" in answer.content.decode()
    assert Appeal.objects.count() == 1


def test_whoever_filed_or_touched_is_not_offered_it(appeal, people, extra, as_person):
    address = reverse("review:appeal", args=[appeal.public_id])
    take = reverse("review:take-appeal", args=[appeal.public_id])
    assert as_person(people.teacher).get(address).status_code == 403
    assert as_person(people.staff).post(take).status_code == 403
    assert "接手并定分" not in as_person(people.staff).get(address).content.decode()
    assert "接手并定分" in as_person(people.leader).get(address).content.decode()
    assert as_person(people.stranger).get(address).status_code == 404


def test_the_decision_on_the_screen_from_taking_to_the_reply(case, appeal, arbiter, as_person):
    client = as_person(arbiter)
    address = reverse("review:appeal", args=[appeal.public_id])
    client.post(reverse("review:take-appeal", args=[appeal.public_id]))
    page = client.get(address).content.decode()
    for words in ("第 3 步写的是 3", "仅当诉求 1 成立时", "依据： 第 3 行", "对 9 / 12 分的诉求"):
        assert words in page, words
    as_open = beside(case)
    unfinished = client.post(address, sheet(9, **as_open))
    assert unfinished.status_code == 422
    assert "第 1, 2 项诉求还没有结论" in unfinished.content.decode()
    refused = client.post(address, sheet(9, **as_open | {"outcome:1": "REJECTED"}))
    assert "请写明第 1 项诉求不成立的理由" in refused.content.decode()
    done = client.post(
        address, sheet(9, **as_open | {"outcome:1": "REJECTED", "reason:1": "第 3 行确为 4"}), follow=True
    )
    body = done.content.decode()
    assert "未触发" in body
    assert "我们理解您对这道题得分的在意" in body
    assert "本题得分仍为 9 分。" in body
    plain = client.get(address, {"style": "NORMAL"}).content.decode()
    assert "我们理解" not in plain
    assert "本题得分仍为 9 分。" in plain
    english = as_person(arbiter, "en").get(address).content.decode()
    assert "The mark remains 9." in english
    assert "not triggered" in english


def test_a_stale_decision_lands_nowhere(appeal, arbiter, as_person):
    client = as_person(arbiter)
    client.post(reverse("review:take-appeal", args=[appeal.public_id]))
    sent = sheet(9, version="1", **{"outcome:1": "REJECTED", "reason:1": "x"})
    assert client.post(reverse("review:appeal", args=[appeal.public_id]), sent).status_code == 409
    appeal.refresh_from_db()
    assert appeal.closed_at is None


def test_the_list_says_what_is_open_and_when_the_reply_is_due(appeal, room, people, as_person):
    address = reverse("review:appeals", args=[room.assessment.public_id])
    body = as_person(people.staff).get(address).content.decode()
    assert "共 1 件，1 件未结" in body
    assert f"{appeal.reply_by:%Y-%m-%d}" in body
    assert as_person(people.teacher).get(address).status_code == 403


def test_recalculating_keeps_the_claims_as_entered(appeal, arbiter, as_person):
    take_appeal(appeal, by=arbiter)
    answer = as_person(arbiter).post(
        reverse("review:appeal-total", args=[appeal.public_id]),
        sheet(9, **{"outcome:1": "UPHELD", "reason:1": "看错了"}),
    )
    body = answer.content.decode()
    assert 'name="outcome:1" value="UPHELD" checked' in body
    assert 'value="看错了"' in body
