"""Drafts of audits, of the decision of an appeal and of the change of one's own mark: whose they are and when they end."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.urls import reverse

from grading import transitions
from grading.models import Case, Touch
from review.domain.appeals import Claim, Goal, Tone
from review.models import Draft
from review.transitions import commit_audit, draw_sample, file_appeal, take_appeal
from tests.review import factory
from tests.review.conftest import screen_of
from tests.schemes.conftest import give, steps_worth


@pytest.fixture
def marked(room, people):
    give(room.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
    return Case.objects.get()


@pytest.fixture
def item(marked, room, people):
    return draw_sample(room.assessment, size=1, seed="s", source="ANY", by=people.auditor).items.get()


def keep(client, name, key, **fields):
    return client.post(reverse(f"review:{name}", args=[key]), {"draft": "0", "window": "w1", "reason": "半句"} | fields)


def everything_valid():
    """The fields of the sheet with every step right."""
    points = {"A1": 2, "A2": 2, "A3": 2, "A4": 3, "A5": 3}
    return {
        f"{name}:Path_A:{step}": value
        for step, score in points.items()
        for name, value in (("was", "VALID"), ("status", "VALID"), ("score", str(score)))
    }


def test_an_audit_s_draft_is_the_auditor_s_ends_with_the_commit_and_is_no_touch(item, people, as_person):
    client = as_person(people.auditor)
    answer = keep(client, "audit-draft", item.public_id)
    assert (answer.status_code, answer.json()["version"]) == (200, 1)
    assert not Touch.objects.filter(person=people.auditor).exists()
    address = reverse("review:audit-item", args=[item.public_id])
    assert "半句" in client.get(address).content.decode()
    sent = {**everything_valid(), "draft": "1", "window": "w1", "reason": "完"}
    gone = client.post(address, sent, headers={"X-Desk": "1"})
    assert (gone.status_code, gone["X-Location"]) == (204, reverse("review:sample", args=[item.sample.public_id]))
    assert not Draft.objects.exists()
    assert "您" in client.get(gone["X-Location"]).content.decode()


def test_a_newer_window_of_the_auditor_s_own_is_not_overwritten(item, people, as_person):
    client = as_person(people.auditor)
    keep(client, "audit-draft", item.public_id)
    other = keep(client, "audit-draft", item.public_id, window="w2", reason="另一个")
    assert (other.status_code, other.json()["code"]) == (409, "draft.elsewhere")
    address = reverse("review:audit-item", args=[item.public_id])
    sent = {**everything_valid(), "draft": "0", "window": "w2", "reason": "完"}
    assert client.post(address, sent).status_code == 409
    item.refresh_from_db()
    assert item.committed_at is None
    assert Draft.objects.get().fields["reason"] == ["半句"]


def test_nothing_is_kept_of_an_audit_that_is_done_or_not_theirs_to_do(item, room, people, as_person):
    assert keep(as_person(people.teacher), "audit-draft", item.public_id).status_code == 403
    commit_audit(item, by=people.auditor, steps=steps_worth(9), total=Decimal(9), comment="")
    answer = keep(as_person(people.auditor), "audit-draft", item.public_id)
    assert (answer.status_code, answer.json()["code"]) == (409, "audit.done")
    assert not Draft.objects.exists()


def test_the_change_of_a_mark_keeps_its_draft_until_it_is_an_edition(marked, people, as_person):
    client = as_person(people.teacher)
    assert keep(client, "change-draft", marked.public_id, version=marked.version).status_code == 200
    address = reverse("review:change", args=[marked.public_id])
    assert "半句" in client.get(address).content.decode()
    sent = {
        **everything_valid(), "draft": "1", "window": "w1", "reason": "看漏了",
        "version": marked.version, "screen": screen_of(marked),
    }  # fmt: skip
    assert client.post(address, sent).status_code == 302
    assert not Draft.objects.exists()
    assert marked.marks.count() == 2


def test_on_a_page_that_is_out_of_date_or_not_theirs_nothing_more_is_kept(marked, people, as_person):
    client = as_person(people.teacher)
    stale = keep(client, "change-draft", marked.public_id, version=marked.version - 1)
    assert (stale.status_code, stale.json()["code"]) == (409, "case.moved")
    other = keep(as_person(people.leader), "change-draft", marked.public_id, version=marked.version)
    assert (other.status_code, other.json()["code"]) == (409, "own_mark.not_own")
    marked.response.question.assessment.__class__.objects.update(state="RELEASED")
    late = keep(client, "change-draft", marked.public_id, version=marked.version)
    assert (late.status_code, late.json()["code"]) == (409, "own_mark.released")
    assert not Draft.objects.exists()


def test_a_draft_that_is_given_up_leaves_the_standing_mark(marked, people, as_person):
    client = as_person(people.teacher)
    keep(client, "change-draft", marked.public_id, version=marked.version)
    answer = client.post(reverse("review:discard", args=[marked.public_id]), {"page": "change"})
    assert answer["Location"] == reverse("review:change", args=[marked.public_id])
    assert "半句" not in client.get(answer["Location"]).content.decode()


def test_an_appeal_s_draft_holds_its_claims_and_ends_with_the_decision(marked, people, as_person):
    appeal = file_appeal(
        marked, by=people.staff, version=marked.version, tone=Tone.CALM, words="",
        claims=[Claim(1, Goal.READING, None, "重看")],
    )  # fmt: skip
    case = take_appeal(appeal, by=people.leader)
    client = as_person(people.leader)
    words = {"outcome:1": "REJECTED", "reason:1": "确是 4"}
    kept = keep(client, "draft", case.public_id, version=case.version, **words)
    assert kept.status_code == 200
    address = reverse("review:appeal", args=[appeal.public_id])
    page = client.get(address).content.decode()
    assert 'value="确是 4"' in page
    assert "半句" in page
    assert client.post(reverse("review:discard", args=[case.public_id]))["Location"] == address
    assert "确是 4" not in client.get(address).content.decode()
    # A page of before the draft of another window is refused, and what it carried is shown to copy from.
    keep(client, "draft", case.public_id, version=case.version, **words)
    case.refresh_from_db()
    sent = {"version": case.version, "screen": screen_of(case), "draft": "0", "window": "w2", "reason": "旧页"}
    refused = client.post(address, {**everything_valid(), **words, **sent})
    assert refused.status_code == 409
    assert "旧页" in refused.content.decode()
    transitions.release(case, by=people.leader)
    assert Draft.objects.count() == 1
