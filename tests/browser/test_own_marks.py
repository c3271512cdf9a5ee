"""回评 and 转交 in a real browser: looked at in both languages and sizes, and done from the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from grading import transitions
from grading.models import Case, Mark, PassedOn
from tests.fixtures.browser import LAPTOP
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def room(transactional_db: None, people: Any, data_dir: Any) -> factory.Room:
    """王老师 has marked two answers, holds a third, and a fourth waits."""
    made = factory.make_room(people)
    for total in (7, 9):
        give(made.add(factory.hand_worked_document()), people.teacher, total, blind=False, reason="第 4 步没有写出理由")
    transitions.claim(made.add(factory.hand_worked_document()), by=people.teacher)
    made.add(factory.hand_worked_document())
    return made


def addresses(room: factory.Room) -> dict[str, str]:
    decided, held = room.cases[1].public_id, room.cases[2].public_id
    return {
        "own-marks": reverse("review:own-marks", args=[room.assessment.public_id]),
        "change": reverse("review:change", args=[decided]),
        "pass-on": reverse("review:pass-on", args=[held]),
        "queue": reverse("review:queue", args=[room.assessment.public_id]),
    }


@pytest.mark.one_database
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(room, people, every_look):
    every_look(people.teacher, addresses(room), (("zh-hans", "light"), ("en", "dark")), "{name}-{language}-{width}")


def test_a_mark_is_changed_and_an_answer_passed_on_by_keyboard_alone(room, people, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(addresses(room)["own-marks"])
    page.locator("tbody a.button").first.press("Enter")
    page.wait_for_selector("#stage .mover")
    expect(page.locator("#total")).to_have_text("9")
    page.keyboard.press("5")
    page.keyboard.press("1")
    expect(page.locator("#total")).to_have_text("12")
    page.locator("#reason").focus()
    page.keyboard.type("第 5 步其实正确")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_contain_text("12 分，第 2 版")
    assert list(Mark.objects.filter(case=room.cases[1]).order_by("edition").values_list("total", flat=True)) == [9, 12]
    page.goto(reverse("review:case", args=[room.cases[2].public_id]))
    page.wait_for_selector("#stage .mover")
    page.keyboard.press("t")
    page.wait_for_url("**/pass-on/")
    expect(page.locator("#to")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type("像是另一种解法")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/case/{room.cases[3].public_id}/")
    assert PassedOn.objects.get().to == people.leader
    assert Case.objects.get(pk=room.cases[2].pk).claimed_by is None
