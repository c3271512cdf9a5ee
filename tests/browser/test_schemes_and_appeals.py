"""Blind marking, arbitration, settings and appeals in a real browser: by keyboard, in both languages, for screen readers."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from grading import rounds
from grading.domain.schemes import Kind, Rounding
from grading.models import Case, GivenMark, Mark
from grading.transitions import give_role, set_scheme
from review.domain.appeals import Claim, Goal, Tone
from review.models import Appeal
from review.transitions import file_appeal
from tests.fixtures.browser import LAPTOP, TABLET
from tests.fixtures.people import PASSWORD
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = [("laptop", LAPTOP), ("tablet", TABLET)]


def scheme(room: factory.Room, people: Any, kind: str, share: int = 0) -> None:
    present = rounds.newest_scheme(room.question)
    set_scheme(
        room.question, kind=Kind(kind), tolerance=Decimal(1), rounding=Rounding.HALF_UP, arbiter=None, blind_share=share,
        version=present.version if present else 0, by=people.leader,
    )  # fmt: skip


def person(room: factory.Room, people: Any, login: str, name: str, role: str) -> Any:
    from django.contrib.auth import get_user_model

    made = get_user_model()._default_manager.create_user(login, password=PASSWORD, first_name=name)
    give_role(room.assessment, made, role, by=people.staff)
    return made


@pytest.fixture
def room(transactional_db: None, people: Any, data_dir: Any) -> factory.Room:
    return factory.make_room(people)


@pytest.fixture
def arbiter(room: factory.Room, people: Any) -> Any:
    return person(room, people, "arbiter", "钱仲裁", "arbiter")


@pytest.fixture
def disputed(room: factory.Room, people: Any) -> Case:
    """9 and 4 points under 2+1, tolerance 1."""
    scheme(room, people, "2+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, reason="按步骤给分，第 3 步计算错误")
    give(case, person(room, people, "second", "孙二评", "marker"), 4, reason="第 4 步公式没有写出")
    return Case.objects.get(pk=case.pk)


@pytest.fixture
def appealed(room: factory.Room, people: Any) -> Appeal:
    scheme(room, people, "1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, blind=False)
    case.refresh_from_db()
    claims = [
        Claim(1, Goal.STEP, ("Path_A", "A3"), "第 3 步写的是 3，不是 4", evidence="第 3 行末尾"),
        Claim(2, Goal.STEP, ("Path_A", "A5"), "若第 3 步改判，第 5 步也应改判", after=1),
        Claim(3, Goal.METHOD, None, "另一种求和方法也应得分", covered=False),
    ]
    return file_appeal(
        case,
        by=people.staff,
        version=case.version,
        tone=Tone.UPSET,
        words="我认为第三步没有错，请重评！",
        claims=claims,
    )


def test_a_blind_answer_is_marked_by_keyboard_and_then_compared(room, people, new_page, log_in):
    scheme(room, people, "1", share=100)
    case = room.add(factory.hand_worked_document())
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(reverse("review:queue", args=[room.assessment.public_id]))
    expect(page.get_by_role("button", name="继续阅卷")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url("**/review/blind/**")
    assert "系统建议" not in page.locator("#sheet").inner_text()
    page.keyboard.press("f")
    expect(page.locator("#total")).to_have_text("12")
    page.keyboard.press("Escape")
    page.locator("#submit").press("Enter")
    page.wait_for_url("**/reveal/")
    expect(page.locator(".side .notice")).to_contain_text("您的 12 分已保存。系统建议 9 分。")
    expect(page.get_by_role("button", name="下一份")).to_be_focused()
    assert GivenMark.objects.get(case=case).blind


def test_a_blind_sheet_survives_a_reload_and_undo_takes_back_one_change(room, people, new_page, log_in):
    scheme(room, people, "2+1")
    case = room.add(factory.hand_worked_document())
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(reverse("review:blind", args=[case.public_id]))
    page.click("#claim")
    page.wait_for_selector("#stage .mover")
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page.locator("#total")).to_have_text(re.compile("^2"))
    page.fill("#reason", "第 1 步写全了")
    expect(page.locator("#draft-state")).to_contain_text("已保存")
    page.reload()
    expect(page.locator("#total")).to_have_text(re.compile("^2"))
    assert page.input_value("#reason") == "第 1 步写全了"
    page.keyboard.press("2")
    page.keyboard.press("1")
    expect(page.locator("#total")).to_have_text(re.compile("^4"))
    page.locator("#undo").click()
    expect(page.locator("#total")).to_have_text(re.compile("^2"))


def test_an_arbiter_decides_between_two_marks_by_keyboard(disputed, room, arbiter, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), arbiter)
    page.goto(reverse("review:arbitrations", args=[room.assessment.public_id]))
    page.get_by_role("button", name=f"接手 {disputed.response.code}").press("Enter")
    page.wait_for_selector("#stage .mover")
    assert page.locator(".verdict-card").count() == 3
    assert page.locator("#step-4 .opinion").count() == 3
    page.keyboard.press("3")
    page.keyboard.press("5")
    page.keyboard.press("Escape")
    page.keyboard.press("4")
    page.keyboard.press("1")
    expect(page.locator("#total")).to_have_text("7")
    page.focus("#reason")
    page.keyboard.type("第 4 步公式写在第 4 行")
    page.keyboard.press("Enter")
    page.wait_for_url("**/arbitration/")
    mark = Mark.objects.get()
    assert (mark.total, mark.rule, mark.by) == (Decimal(7), "arbiter", arbiter)


def test_both_marks_the_evidence_and_the_image_are_on_one_screen(disputed, arbiter, new_page, log_in):
    from grading.transitions import take_seeing

    take_seeing(disputed, by=arbiter)
    for _name, size in SIZES:
        page = log_in(new_page(viewport=size), arbiter)
        page.goto(reverse("review:arbitrate", args=[disputed.public_id]))
        page.wait_for_selector("#stage .mover")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        for selector in (
            ".verdict-card >> nth=0",
            ".verdict-card >> nth=1",
            "#step-1 .opinion >> nth=2",
            "#submit",
            "#stage",
        ):
            box = page.locator(selector).bounding_box()
            assert box is not None
            assert box["y"] >= 0
            assert box["y"] + min(box["height"], 20) <= size["height"], selector


def test_an_appeal_is_decided_and_its_reply_drafted(appealed, arbiter, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), arbiter)
    address = reverse("review:appeal", args=[appealed.public_id])
    page.goto(address)
    page.get_by_role("button", name="接手并定分").press("Enter")
    page.wait_for_selector("#stage .mover")
    page.locator("input[name='outcome:1'][value=REJECTED]").press("Space")
    page.fill("#claim-reason-1", "第 3 行末尾确为 4")
    page.locator("input[name='outcome:3'][value=REJECTED]").press("Space")
    page.fill("#claim-reason-3", "细则只认可两种解法，已请示组长")
    page.locator("#submit").press("Enter")
    page.wait_for_selector("#reply")
    reply = page.locator("#reply").inner_text()
    assert "条件未满足，未触发" in reply
    assert "本题得分仍为 9 分" in reply
    assert "我们理解您对这道题得分的在意" in reply
    page.get_by_role("link", name="平实措辞").click()
    expect(page.locator("#reply")).not_to_contain_text("我们理解")
    appealed.refresh_from_db()
    assert list(appealed.claims.values_list("outcome", flat=True)) == ["REJECTED", "NOT_TRIGGERED", "REJECTED"]
