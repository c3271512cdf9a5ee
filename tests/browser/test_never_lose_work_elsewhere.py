"""What a person types is kept on the other marking pages as at the desk: the audit, the decision of an appeal, the change of one's own mark.

Each failure kind is tried on one of the three; a reload on all. The ended session was seen to fail while the refused
total took the place of the sheet; the others were written with the protection in place.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.urls import reverse
from playwright.sync_api import expect

from grading import transitions
from grading.models import Case, Mark
from review.domain.appeals import Claim, Goal, Tone
from review.models import AuditItem, Draft
from review.transitions import commit_audit, draw_sample, file_appeal, take_appeal
from tests.fixtures.browser import LAPTOP
from tests.fixtures.people import PASSWORD
from tests.review import factory
from tests.schemes.conftest import give, steps_worth

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def room(transactional_db: None, people: Any, data_dir: Any) -> factory.Room:
    """One answer, marked by the teacher."""
    made = factory.make_room(people)
    give(made.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
    made.cases[0].refresh_from_db()
    return made


def opened(kind: str, room: factory.Room, people: Any, new_page: Any, log_in: Any) -> tuple[Any, Any]:
    """The page of one kind in the browser of whoever works on it, and that person."""
    [case] = room.cases
    if kind == "change":
        person, address = people.teacher, reverse("review:change", args=[case.public_id])
    elif kind == "audit":
        item = draw_sample(room.assessment, size=1, seed="s", source="ANY", by=people.auditor).items.get()
        person, address = people.auditor, reverse("review:audit-item", args=[item.public_id])
    else:
        claim = Claim(1, Goal.READING, None, "重看第 3 行")
        appeal = file_appeal(case, by=people.staff, version=case.version, tone=Tone.CALM, words="", claims=[claim])
        take_appeal(appeal, by=people.leader)
        person, address = people.leader, reverse("review:appeal", args=[appeal.public_id])
    page = log_in(new_page(viewport=LAPTOP), person)
    page.goto(address)
    page.wait_for_selector("#stage .mover")
    return page, person


def state_is(page: Any, word: str) -> None:
    expect(page.locator("#draft-state")).to_have_attribute("data-state", word)


def fill(page: Any, kind: str) -> None:
    page.check("#step-3 input[value=INVALID]", force=True)
    page.fill("#reason", "看了很久写下的")
    if kind == "appeal":
        page.check("input[name='outcome:1'][value=REJECTED]")
        page.fill("#claim-reason-1", "第 3 行确是 4")


@pytest.mark.parametrize("kind", ["audit", "appeal", "change"])
def test_a_reload_brings_everything_back(kind, room, people, new_page, log_in):
    page, person = opened(kind, room, people, new_page, log_in)
    fill(page, kind)
    state_is(page, "saved")
    page.evaluate("localStorage.clear()")
    page.reload()
    state_is(page, "restored")
    expect(page.locator("#reason")).to_have_value("看了很久写下的")
    expect(page.locator("#step-3 input[type=radio][value=INVALID]")).to_be_checked()
    if kind == "appeal":
        expect(page.locator("#claim-reason-1")).to_have_value("第 3 行确是 4")
        expect(page.locator("input[name='outcome:1'][value=REJECTED]")).to_be_checked()
    assert Draft.objects.get().person == person


def test_without_a_network_an_audit_goes_on_and_is_handed_in_when_it_is_back(room, people, new_page, log_in):
    page, _person = opened("audit", room, people, new_page, log_in)
    for step in range(1, 6):
        page.check(f"#step-{step} input[value=VALID]", force=True)
    expect(page.locator("#total")).to_have_text("12")
    page.context.set_offline(True)
    page.fill("#reason", "断网时写的")
    state_is(page, "offline")
    page.click("#submit")
    expect(page.locator("#desk-notice")).to_contain_text("没有网络")
    assert page.input_value("#reason") == "断网时写的"
    page.context.set_offline(False)
    state_is(page, "saved")
    page.click("#submit")
    page.wait_for_url("**/audit/**")
    expect(page.locator(".messages")).to_be_visible()
    assert AuditItem.objects.get().comment == "断网时写的"
    assert not Draft.objects.exists()


def test_a_session_that_ends_over_an_appeal_loses_no_claim(room, people, new_page, log_in):
    page, person = opened("appeal", room, people, new_page, log_in)
    Session.objects.all().delete()
    fill(page, "appeal")
    expect(page.locator("#desk-notice")).to_contain_text("已退出登录")
    page.click("#notice-sign-in")
    page.fill("input[name=username]", person.get_username())
    page.fill("input[name=password]", PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_selector("#draft-state[data-state=restored]")
    expect(page.locator("#claim-reason-1")).to_have_value("第 3 行确是 4")
    expect(page.locator("#reason")).to_have_value("看了很久写下的")


def test_a_leader_who_returned_the_answer_meanwhile_is_told_and_what_was_typed_is_shown(room, people, new_page, log_in):
    page, _person = opened("change", room, people, new_page, log_in)
    fill(page, "change")
    state_is(page, "saved")
    case = Case.objects.get(pk=room.cases[0].pk)
    transitions.return_mark(case, by=people.leader, version=case.version, reason="大家再看")
    page.click("#submit")
    expect(page.locator("h1")).to_contain_text("情况已有变化")
    expect(page.locator("main")).to_contain_text("看了很久写下的")
    assert Mark.objects.count() == 1


def test_an_auditor_who_was_faster_is_told_of_and_what_was_typed_stays(room, people, new_page, log_in):
    page, _person = opened("audit", room, people, new_page, log_in)
    for step in range(1, 6):
        page.check(f"#step-{step} input[value=VALID]", force=True)
    page.fill("#reason", "我的看法")
    state_is(page, "saved")
    other = type(people.auditor)._default_manager.create_user("auditor2")
    transitions.give_role(room.assessment, other, "qa_auditor", by=people.staff)
    commit_audit(AuditItem.objects.get(), by=other, steps=steps_worth(9), total=Decimal(9), comment="")
    page.click("#submit")
    expect(page.locator("main")).to_contain_text("已经抽查过了")
    expect(page.locator("#reason")).to_have_value("我的看法")
    assert AuditItem.objects.get().auditor == other
