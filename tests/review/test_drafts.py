"""Drafts on the server: one for each person and answer, versions instead of silent overwriting, hostile fields refused."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.urls import reverse

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import transitions
from grading.models import Case, Mark
from review.domain.drafts import LONGEST, kept_fields, merged
from review.models import Draft
from review.transitions import discard_draft, hand_in, save_draft
from review.views.screen import screen_token
from tests.review import factory
from tests.review.conftest import sheet_data


def save(case, person, *, known=0, window="one", **fields):
    kept = {name: [value] for name, value in fields.items()}
    return save_draft(case, by=person, fields=kept, beside=case.run.public_id, known=known, window=window)


def post(client, case, **data):
    return client.post(reverse("review:draft", args=[case.public_id]), {"version": case.version} | data)


def test_a_draft_is_saved_with_its_version_and_prolongs_the_claim(claimed, people, as_person):
    before = claimed.claim_until
    answer = post(as_person(people.teacher), claimed, reason="还在写", window="abc", draft="0")
    assert answer.status_code == 200
    assert answer.json()["version"] == 1
    assert answer.json()["state"] == "mine"
    claimed.refresh_from_db()
    assert claimed.claim_until > before
    assert Draft.objects.get().fields == {"reason": ["还在写"]}


def test_a_window_that_does_not_know_the_present_version_is_refused(claimed, people):
    save(claimed, people.teacher, reason="first")
    with pytest.raises(SomeoneWasFaster) as refused:
        save(claimed, people.teacher, window="two", reason="second")
    assert refused.value.code == "draft.elsewhere"
    assert save(claimed, people.teacher, window="two", known=1, reason="second").version == 2
    assert Draft.objects.get().fields == {"reason": ["second"]}


def test_a_window_may_go_on_from_what_it_wrote_itself(claimed, people):
    save(claimed, people.teacher, reason="first")
    assert save(claimed, people.teacher, reason="its answer was lost on the way").version == 2


def test_the_mark_ends_the_draft_and_a_newer_draft_stops_an_older_page(claimed, people):
    save(claimed, people.teacher, reason="newer")
    rest = {"by": people.teacher, "version": claimed.version, "steps": [], "total": Decimal(3), "reason": "x"}
    with pytest.raises(SomeoneWasFaster):
        hand_in(claimed, known=0, window="two", **rest)
    assert not Mark.objects.exists()
    hand_in(claimed, known=1, window="two", **rest)
    assert not Draft.objects.exists()


def test_a_draft_can_be_given_up(claimed, people, as_person):
    save(claimed, people.teacher, reason="weg")
    as_person(people.teacher).post(reverse("review:discard", args=[claimed.public_id]))
    assert not Draft.objects.exists()
    discard_draft(claimed, by=people.teacher)


def test_only_who_had_the_answer_in_hand_keeps_a_draft(claimed, people):
    with pytest.raises(NotAllowedNow):
        save(claimed, people.leader, reason="never held it")


def test_a_draft_is_seen_by_its_person_alone(claimed, people, as_person):
    save(claimed, people.teacher, reason="只给自己看的话")
    address = reverse("review:case", args=[claimed.public_id])
    assert "只给自己看的话" in as_person(people.teacher).get(address).content.decode()
    assert "只给自己看的话" not in as_person(people.leader).get(address).content.decode()


def test_of_a_draft_made_beside_another_proposal_only_the_reason_comes_back(claimed, people, as_person):
    fields = {"reason": "理由还在", "was:Path_A:A1": "VALID", "status:Path_A:A1": "MISSING"}
    save(claimed, people.teacher, **fields)
    reading = factory.hand_worked_document()["reading"]
    transitions.judge_again(claimed, by=people.teacher, version=claimed.version, reading=reading)
    body = as_person(people.teacher).get(reverse("review:case", args=[claimed.public_id])).content.decode()
    assert 'value="理由还在"' in body
    assert "草稿是对照先前的建议填写的" in body
    assert 'value="MISSING" data-digit="6" checked' not in body


def test_a_colleague_who_was_faster_is_told_with_the_next_save(claimed, people, as_person):
    transitions.release(claimed, by=people.teacher)
    transitions.claim(claimed, by=people.leader)
    answer = post(as_person(people.teacher), claimed, reason="x", draft="0").json()
    assert answer["state"] == "other"
    assert "陈组长" in answer["sentence"]
    english = post(as_person(people.teacher, "en"), claimed, reason="x", draft="1").json()
    assert "has taken this answer" in english["sentence"]


def test_a_heartbeat_prolongs_the_claim_and_takes_nothing_back(claimed, people, as_person):
    client, address = as_person(people.teacher), reverse("review:hold", args=[claimed.public_id])
    before = claimed.claim_until
    assert client.post(address, {"version": claimed.version}).json()["sentence"] == ""
    claimed.refresh_from_db()
    assert claimed.claim_until > before
    transitions.release(claimed, by=people.teacher)
    assert client.post(address, {"version": claimed.version}).json()["state"] == "free"
    assert Case.objects.get(pk=claimed.pk).owner == "QUEUED_HUMAN"


def test_a_visitor_gets_401_where_a_script_asks_and_comes_back_to_the_page_else(claimed, client):
    address = reverse("review:draft", args=[claimed.public_id])
    assert client.post(address, headers={"X-Requested-With": "fetch"}).status_code == 401
    assert client.post(address, headers={"HX-Request": "true"}).status_code == 401
    page = reverse("review:case", args=[claimed.public_id])
    for referer, back in ((f"http://testserver{page}?only=x", page), ("http://elsewhere.example/evil/", "next=/")):
        answer = client.post(reverse("review:decide", args=[claimed.public_id]), headers={"Referer": referer})
        assert answer.status_code == 302
        assert back in answer["Location"]
        assert "elsewhere" not in answer["Location"]


def test_fields_that_are_not_of_the_forms_are_not_kept():
    kept = kept_fields(
        [("reason", ["a\x00b"]), ("csrfmiddlewaretoken", ["s"]), ("statuses", ["x"]), ("line:L1", ["y"])]
    )
    assert kept == {"reason": ["ab"], "line:L1": ["y"]}


@pytest.mark.parametrize(
    "sent",
    [
        [("reason", ["x" * (LONGEST + 1)])],
        [("line:" + "L" * LONGEST, ["x"])],
        [(f"line:L{number}", [""]) for number in range(700)],
        [(f"line:L{number}", ["x" * 1000]) for number in range(100)],
    ],
    ids=["long value", "long name", "many", "much"],
)
def test_more_than_the_forms_can_hold_is_refused(sent):
    with pytest.raises(UnusableInput):
        kept_fields(sent)


def test_one_form_sent_alone_replaces_its_own_fields_only():
    old = {"reason": ["r"], "status:A:1": ["VALID"], "struck:L1": ["on"], "line:L1": ["a"]}
    assert merged(old, {"line:L1": ["b"]}) == {"reason": ["r"], "status:A:1": ["VALID"], "line:L1": ["b"]}
    assert merged(old, {"reason": ["s"]}) == {"struck:L1": ["on"], "line:L1": ["a"], "reason": ["s"]}


HOSTILE = ["\x00", "1" * 5000, "../../etc", "<b>", "١٢", "-1", "1e9", "NaN", "\u202e"]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["version", "draft", "window", "run", "screen", "score:Path_A:A1", "status:Path_A:A1"])
def test_hostile_fields_are_refused_or_ignored_and_nothing_breaks(name, text, claimed, people, as_person):
    client = as_person(people.teacher)
    data = sheet_data(claimed) | {name: text, "reason": "x\x00y"}
    for address in ("draft", "recalculate", "hold", "decide"):
        answer = client.post(reverse(f"review:{address}", args=[claimed.public_id]), data)
        assert answer.status_code in {200, 302, 409, 422}
        claimed.refresh_from_db()
        if claimed.closed_at:
            assert "\x00" not in Mark.objects.get().reason


def test_a_stale_correction_of_the_reading_keeps_what_was_typed(claimed, people, as_person):
    save(claimed, people.teacher, reason="bleibt")
    answer = as_person(people.teacher).post(
        reverse("review:judge-again", args=[claimed.public_id]),
        {"version": claimed.version - 1, "draft": "1", "line:L3": "a_1=3"},
    )
    assert answer.status_code == 409
    assert "a_1=3" in answer.content.decode()
    assert Draft.objects.get().fields == {"reason": ["bleibt"], "line:L3": ["a_1=3"]}


@pytest.fixture
def other(room, people):
    return transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)


def token(case, **changes):
    return screen_token(case, list(case.response.pages.order_by("number")), **changes)


@pytest.mark.parametrize("sent", ["none", "garbage", "of another answer", "of another epoch", "of a replaced page"])
def test_a_mark_without_the_token_of_the_image_on_screen_is_refused(sent, claimed, other, people, as_person):
    tokens = {
        "none": "", "garbage": "1." + "0" * 40, "of another answer": token(other),
        "of another epoch": token(claimed, epoch=claimed.owner_epoch - 1), "of a replaced page": token(claimed),
    }  # fmt: skip
    data = sheet_data(claimed, screen=tokens[sent], reason="bleibt")
    if sent == "of a replaced page":
        claimed.response.pages.update(stored_sha256="0" * 64)
    answer = as_person(people.teacher).post(reverse("review:decide", args=[claimed.public_id]), data)
    assert answer.status_code == 409
    assert "不是这份作答现在的图像" in answer.content.decode()
    assert not Mark.objects.exists()
    assert Draft.objects.get().fields["reason"] == ["bleibt"]
