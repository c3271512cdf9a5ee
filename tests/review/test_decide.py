"""Deciding an answer: accept, change with a reason, refusals that keep what was typed, and the stale page."""

from __future__ import annotations

from decimal import Decimal

from django.urls import reverse

from grading import transitions
from grading.models import Mark, Touch
from tests.review import factory
from tests.review.conftest import screen_of, sheet_data


def decide(client, case, **changes):
    return client.post(reverse("review:decide", args=[case.public_id]), sheet_data(case, **changes))


def test_accepting_the_proposal_needs_one_press_and_no_reason(claimed, people, as_person):
    answer = as_person(people.teacher).post(
        reverse("review:decide", args=[claimed.public_id]),
        {"version": claimed.version, "screen": screen_of(claimed), "accept": "yes"},
    )
    assert answer.status_code == 302
    mark = Mark.objects.get(case=claimed)
    assert (mark.total, mark.by, mark.reason, len(mark.steps)) == (Decimal(9), people.teacher, "", 5)


def test_submitting_opens_the_next_answer_and_says_what_was_saved(claimed, room, people, as_person):
    following = room.add(factory.hand_worked_document())
    client = as_person(people.teacher)
    answer = client.post(reverse("review:decide", args=[claimed.public_id]), sheet_data(claimed), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("review:case", args=[following.public_id])
    assert "已保存 9 / 12 分" in answer.content.decode()
    following.refresh_from_db()
    assert following.claimed_by == people.teacher


def test_the_chosen_reason_stays_chosen_from_answer_to_answer(claimed, room, people, as_person):
    room.add(factory.hand_worked_document(failing=("no-rival",)))
    wanted = room.add(factory.hand_worked_document(failing=("ecf-shadow",)))
    answer = as_person(people.teacher).post(
        reverse("review:decide", args=[claimed.public_id]), sheet_data(claimed) | {"only": "ecf-shadow"}
    )
    assert answer["Location"] == reverse("review:case", args=[wanted.public_id]) + "?only=ecf-shadow"


def test_a_changed_mark_without_a_reason_is_refused_and_kept_on_the_page(claimed, people, as_person):
    answer = decide(as_person(people.teacher), claimed, status_A3="VALID", score_A3="2")
    body = answer.content.decode()
    assert answer.status_code == 422
    assert "与系统建议不同，请写明理由" in body
    assert 'id="score-3" value="2"' in body
    assert not Mark.objects.exists()


def test_a_changed_mark_with_a_reason_is_a_new_edition_with_the_scores_the_rules_give(claimed, people, as_person):
    answer = decide(
        as_person(people.teacher), claimed, status_A3="VALID", status_A5="VALID", reason="第 3 行是 3，不是 4"
    )
    assert answer.status_code == 302
    mark = Mark.objects.get(case=claimed)
    assert mark.total == Decimal(12)
    assert [step["score"] for step in mark.steps] == ["2", "2", "2", "3", "3"]
    assert Touch.objects.filter(response=claimed.response, person=people.teacher).exists()


def test_a_score_out_of_range_is_named(claimed, people, as_person):
    answer = decide(as_person(people.teacher), claimed, score_A4="4", reason="x")
    assert answer.status_code == 422
    assert "步骤 A4 的得分必须在 0 到 3 之间" in answer.content.decode()


def test_a_score_that_is_no_number_is_named_and_nothing_is_saved(claimed, people, as_person):
    answer = decide(as_person(people.teacher, "en"), claimed, score_A4="three", reason="x")
    assert answer.status_code == 422
    assert "The score of step A4 is not a number" in answer.content.decode()
    assert not Mark.objects.exists()


def test_another_solution_gets_its_total_directly_with_a_reason(claimed, people, as_person):
    client = as_person(people.teacher)
    refused = decide(client, claimed, direct="on", direct_total="10")
    assert refused.status_code == 422
    assert "按其他解法给分须写明理由" in refused.content.decode()
    saved = decide(client, claimed, direct="on", direct_total="10", reason="用方程组求解，正确")
    assert saved.status_code == 302
    mark = Mark.objects.get(case=claimed)
    assert (mark.total, mark.steps) == (Decimal(10), [])


def test_an_open_step_is_asked_for(room, people, as_person):
    case = transitions.claim(room.add(factory.unread_document()), by=people.teacher)
    answer = decide(as_person(people.teacher), case, status_A1="MISSING", reason="无法辨认")
    assert answer.status_code == 422
    assert "步骤 A2 还没有判定" in answer.content.decode()
    assert "步骤 A1 还没有判定" not in answer.content.decode()


def test_a_stale_page_is_409_and_tells_what_happened_and_what_was_typed(claimed, people, as_person):
    client = as_person(people.teacher)
    data = sheet_data(claimed, status_A3="GAP_DEDUCTION", reason="我的理由")
    transitions.release(claimed, by=people.teacher)
    transitions.claim(claimed, by=people.leader)
    answer = client.post(reverse("review:decide", args=[claimed.public_id]), data)
    body = answer.content.decode()
    assert answer.status_code == 409
    for words in ("情况已有变化", "现由 陈组长 阅卷", "放回", "领取", "我的理由", "缺理由"):
        assert words in body
    assert not Mark.objects.exists()


def test_two_windows_of_one_person_do_not_decide_twice(claimed, people, as_person):
    client = as_person(people.teacher)
    data = sheet_data(claimed)
    address = reverse("review:decide", args=[claimed.public_id])
    assert client.post(address, data).status_code == 302
    second = client.post(address, data)
    assert second.status_code == 409
    assert "它已经定分：9 / 12 分" in second.content.decode()
    assert Mark.objects.count() == 1


def test_claiming_what_another_has_is_409_in_the_language_of_the_reader(room, people, as_person):
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.leader)
    address = reverse("review:claim", args=[case.public_id])
    for language, words in (("zh-hans", "刚被别人处理"), ("en", "was changed by someone else")):
        answer = as_person(people.teacher, language).post(address)
        assert answer.status_code == 409
        assert words in answer.content.decode()


def test_skipping_goes_on_and_putting_back_returns_to_the_queue(claimed, room, people, as_person):
    following = room.add(factory.hand_worked_document())
    client = as_person(people.teacher)
    answer = client.post(reverse("review:skip", args=[claimed.public_id]))
    assert answer["Location"] == reverse("review:case", args=[following.public_id])
    answer = client.post(reverse("review:release", args=[following.public_id]))
    assert answer["Location"] == reverse("review:queue", args=[room.assessment.public_id])
    claimed.refresh_from_db()
    assert claimed.owner == "QUEUED_HUMAN"
    assert claimed.skipped_until is not None
