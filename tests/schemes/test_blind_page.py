"""Blind marking on the screen: what is hidden is hidden by the server, on every address, until the commit."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from grading import rounds, transitions
from grading.domain.blindness import drawn_blind
from grading.models import Case, GivenMark
from review.forms import field
from review.models import Draft
from review.views.screen import screen_token
from tests.review import factory
from tests.schemes.conftest import give, steps_worth

pytestmark = pytest.mark.django_db
SECRETS = ("秘密评语", "7777", "王老师", "首评理由")


def telling_document() -> dict[str, Any]:
    """A verdict full of words that stand nowhere else."""
    document = copy.deepcopy(factory.hand_worked_document())
    document["verdict"]["diagnosis"]["comments"] = "秘密评语"
    for step in document["verdict"]["step_details"]:
        step["deduction_reason"] = "秘密评语" if step["deduction_reason"] else ""
    document["reading"]["lines"][0]["latex"] = "d=7777"
    for each in document["evidence"]:
        each["quote"] = "d=7777"
    return document


@pytest.fixture
def case(room):
    return room.add(telling_document())


def sheet(total: int, **more: str) -> dict[str, str]:
    sent: dict[str, str] = {}
    for step in steps_worth(total):
        key = (step["path_id"], step["step_id"])
        sent |= {field("was", key): step["status"], field("status", key): step["status"]}
        sent[field("score", key)] = str(step["score"])
    return sent | {"reason": ""} | more


def beside(case: Case) -> dict[str, str]:
    """Version and image token as the open page has them."""
    case = Case.objects.get(pk=case.pk)
    return {"version": str(case.version), "screen": screen_token(case, list(case.response.pages.order_by("number")))}


def commit(client: Any, case: Case, total: int, **more: str) -> Any:
    client.post(reverse("review:blind-claim", args=[case.public_id]))
    return client.post(reverse("review:blind", args=[case.public_id]), sheet(total, **beside(case) | more))


def addresses(*ids: str) -> list[str]:
    """Every address of the site that takes one id, with each of these."""
    found: list[str] = []

    def walk(patterns: list[URLPattern | URLResolver], before: str) -> None:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, f"{before}{pattern.namespace}:" if pattern.namespace else before)
            elif "public_id" in pattern.pattern.converters:
                extra = {name: "screen" for name in pattern.pattern.converters if name != "public_id"}
                found.extend(reverse(f"{before}{pattern.name}", kwargs={"public_id": each, **extra}) for each in ids)

    walk(get_resolver().url_patterns, "")
    return found


def test_a_second_marker_finds_nothing_of_the_first_or_of_the_machine_on_any_address(
    case, room, people, second, scheme, as_person
):
    scheme("2+1")
    give(case, people.teacher, 9, reason="首评理由")
    transitions.claim(Case.objects.get(pk=case.pk), by=second)
    client = as_person(second)
    tried = addresses(case.public_id, room.assessment.public_id, room.question.public_id)
    assert len(tried) > 60
    answered = 0
    for address in tried:
        for method in (client.get, client.post):
            with transaction.atomic():
                answer = method(address, follow=False)
                transaction.set_rollback(True)
            if answer.status_code == 200 and not answer.streaming:
                answered += 1
                told = [word for word in SECRETS if word in answer.content.decode()]
                # The page for passing on lists every colleague, whoever has marked.
                assert told == (["王老师"] if address.endswith("/pass-on/") else []), address
    assert answered >= 4


def test_the_same_words_are_there_for_whoever_may_see_them(case, people, as_person):
    body = as_person(people.teacher).get(reverse("review:case", args=[case.public_id])).content.decode()
    assert "秘密评语" in body
    assert "7777" in body


def test_the_queue_shows_no_proposal_and_no_reason_of_a_blind_answer(case, room, people, scheme, as_person):
    queue = reverse("review:queue", args=[room.assessment.public_id])
    row = 'id="row-' + case.public_id
    shown = as_person(people.teacher).get(queue).content.decode().split(row)[1].split("</tr>")[0]
    assert "9 / 12" in shown
    scheme("2+1")
    hidden = as_person(people.teacher).get(queue).content.decode().split(row)[1].split("</tr>")[0]
    assert "9 / 12" not in hidden
    assert "盲评" in hidden
    assert "doubtful" not in hidden
    assert 'title="有疑字，会改变得分"' in shown
    assert 'title="有疑字，会改变得分"' not in hidden


@pytest.mark.parametrize("since", ["now", "earlier"])
def test_what_stopped_a_blind_answer_neither_lists_nor_counts_nor_deals_it(
    since, case, room, people, scheme, as_person
):
    """Also under a scheme that is no longer the newest: a round keeps the one that it began with."""
    queue = reverse("review:queue", args=[room.assessment.public_id])
    rule = case.reasons[0]
    client = as_person(people.teacher)
    row, chip = 'id="row-' + case.public_id, f"?only={rule}"
    before = client.get(queue).content.decode()
    assert chip in before
    assert row in client.get(queue, {"only": rule}).content.decode()
    scheme("2+1")
    if since == "earlier":
        give(case, people.leader, 9)
        scheme("1")
    after = client.get(queue).content.decode()
    assert row in after
    assert chip not in after
    assert row not in client.get(queue, {"only": rule}).content.decode()
    assert transitions.claim_next(room.assessment, by=people.teacher, reason=rule) is None


def test_the_ordinary_page_leads_to_the_blind_one_and_its_verbs_are_refused(case, people, scheme, as_person):
    scheme("2+1")
    transitions.claim(case, by=people.teacher)
    client = as_person(people.teacher)
    answer = client.get(reverse("review:case", args=[case.public_id]))
    assert answer["Location"] == reverse("review:blind", args=[case.public_id])
    for verb in ("decide", "recalculate", "judge-again"):
        refused = client.post(reverse(f"review:{verb}", args=[case.public_id]), sheet(9))
        assert refused.status_code == 409
        assert "先盲评" in refused.content.decode()
    assert client.get(reverse("review:trail", args=[case.public_id])).status_code == 409


def test_the_blind_page_leads_to_the_ordinary_one_where_nothing_is_hidden(case, people, as_person):
    answer = as_person(people.teacher).get(reverse("review:blind", args=[case.public_id]))
    assert answer["Location"] == reverse("review:case", args=[case.public_id])


def test_a_blind_mark_is_committed_without_a_script_and_the_next_answer_opens(
    case, room, people, second, scheme, as_person
):
    scheme("2+1")
    other = room.add(factory.hand_worked_document())
    answer = commit(as_person(people.teacher), case, 9)
    assert answer["Location"] == reverse("review:case", args=[other.public_id])
    given = GivenMark.objects.get()
    assert (given.place, given.blind, given.by) == ("FIRST", True, people.teacher)


def test_an_unfinished_blind_sheet_keeps_what_was_entered(case, people, scheme, as_person):
    scheme("2+1")
    client = as_person(people.teacher)
    answer = commit(client, case, 9, **{field("status", ("Path_A", "A3")): "", "reason": "写到一半"})
    assert answer.status_code == 422
    assert "步骤 A3 还没有判定" in answer.content.decode()
    assert 'value="写到一半"' in answer.content.decode()
    assert not GivenMark.objects.exists()


@pytest.mark.parametrize("reason", ["x" * 501, "'; DROP TABLE grading_mark; --", "<script>alert(1)</script>"])
def test_hostile_text_in_a_reason_is_data(reason, case, people, scheme, as_person):
    scheme("2+1")
    client = as_person(people.teacher)
    answer = commit(client, case, 9, reason=reason)
    if len(reason) > 500:
        assert answer.status_code == 422
        assert not GivenMark.objects.exists()
    else:
        assert GivenMark.objects.get().reason == reason


def test_a_stale_blind_page_lands_nowhere(case, people, second, scheme, as_person):
    scheme("2+1")
    client = as_person(people.teacher)
    client.post(reverse("review:blind-claim", args=[case.public_id]))
    answer = client.post(reverse("review:blind", args=[case.public_id]), sheet(9, version="1"))
    assert answer.status_code == 409
    assert not GivenMark.objects.exists()


# --- blind first by share -----------------------------------------------------------------------------------------


def test_the_whole_share_is_blind_and_none_of_none(case, people, scheme):
    scheme("1", blind_share=100)
    assert rounds.blind_to(case, people.teacher)
    scheme("1", blind_share=0)
    assert not rounds.blind_to(case, people.teacher)


def test_the_draw_is_the_same_every_time_near_its_share_and_larger_shares_keep_it():
    cases = [f"case{number}" for number in range(4000)]
    small = {each for each in cases if drawn_blind("seed", each, 1, per_cent=10)}
    large = {each for each in cases if drawn_blind("seed", each, 1, per_cent=30)}
    assert small == {each for each in cases if drawn_blind("seed", each, 1, per_cent=10)}
    assert small < large
    assert 330 < len(small) < 470
    assert 1080 < len(large) < 1320


def test_nobody_can_foresee_the_draw_without_the_seed():
    cases = [f"case{number}" for number in range(2000)]
    one, other = ({each for each in cases if drawn_blind(seed, each, 1, per_cent=50)} for seed in ("a", "b"))
    assert 400 < len(one & other) < 600


def test_the_seed_is_shown_on_no_page_and_stays_when_the_setting_changes(room, people, scheme, as_person):
    first = scheme("1", blind_share=10)
    again = scheme("1", blind_share=20)
    assert first.blind_seed == again.blind_seed
    assert len(first.blind_seed) == 64
    for name, target in (("scheme", room.question), ("schemes", room.assessment)):
        for person in (people.leader, people.staff):
            body = as_person(person).get(reverse(f"review:{name}", args=[target.public_id])).content.decode()
            assert first.blind_seed not in body


def test_after_the_commit_the_verdict_is_revealed_and_the_mark_is_final(case, people, scheme, as_person):
    scheme("1", blind_share=100)
    client = as_person(people.teacher)
    answer = commit(client, case, 12)
    assert answer["Location"] == reverse("review:reveal", args=[case.public_id])
    body = client.get(answer["Location"]).content.decode()
    assert "您的 12 分已保存。系统建议 9 分。" in body
    assert "秘密评语" in body
    assert body.index('class="differs"') < body.index("</tbody>")
    given, mark = GivenMark.objects.get(), Case.objects.get(pk=case.pk).marks.get()
    assert (given.blind, mark.total, mark.rule) == (True, Decimal(12), "sole")


def test_nobody_else_sees_the_comparison(case, people, second, scheme, as_person):
    scheme("1", blind_share=100)
    commit(as_person(people.teacher), case, 12)
    assert as_person(second).get(reverse("review:reveal", args=[case.public_id])).status_code == 404
    assert as_person(people.stranger).get(reverse("review:reveal", args=[case.public_id])).status_code == 404


def test_a_mark_lands_only_on_the_answer_whose_image_is_on_the_screen(case, room, people, scheme, as_person):
    scheme("2+1")
    other = room.add(factory.hand_worked_document())
    client = as_person(people.teacher)
    client.post(reverse("review:blind-claim", args=[case.public_id]))
    wrong = beside(case) | {"screen": beside(other)["screen"]}
    answer = client.post(reverse("review:blind", args=[case.public_id]), sheet(9, **wrong))
    assert answer.status_code == 409
    assert "不是在这份作答的图像旁填写的" in answer.content.decode()
    assert not GivenMark.objects.exists()


def test_what_is_typed_on_a_blind_page_is_kept_and_goes_with_the_mark(case, people, scheme, as_person):
    scheme("2+1")
    client = as_person(people.teacher)
    client.post(reverse("review:blind-claim", args=[case.public_id]))
    typed = sheet(9, **beside(case) | {"reason": "写到一半", "draft": "0", "window": "w1"})
    saved = client.post(reverse("review:draft", args=[case.public_id]), typed)
    assert saved.status_code == 200
    assert "9" not in saved.json().get("sentence", "")
    again = as_person(people.teacher).get(reverse("review:blind", args=[case.public_id])).content.decode()
    assert 'value="写到一半"' in again
    assert [step.split('"')[0] for step in again.split('class="step ')[1:]] == ["VALID"] * 4 + ["INVALID"]
    committed = client.post(reverse("review:blind", args=[case.public_id]), typed | {"draft": "1"})
    assert committed.status_code == 302
    assert not Draft.objects.exists()


def test_who_lost_a_blind_answer_is_not_told_to_whom(case, people, second, scheme, as_person):
    scheme("2+1")
    transitions.claim(case, by=people.teacher)
    Case.objects.filter(pk=case.pk).update(claim_until=case.created_at)
    transitions.claim(Case.objects.get(pk=case.pk), by=second)
    told = as_person(people.teacher).post(reverse("review:hold", args=[case.public_id]), {"version": "1"}).json()
    assert told["state"] == "other"
    assert "孙二评" not in told["sentence"]
    assert "有人" in told["sentence"]
