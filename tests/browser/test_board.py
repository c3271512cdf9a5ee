"""The leader's board in a real browser: looked at in both languages and sizes, and one answer returned from the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from grading import transitions
from grading.models import Case
from tests.board.conftest import TOTALS, marked_by, marker
from tests.fixtures.browser import LAPTOP
from tests.review import factory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def room(transactional_db: None, people: Any, data_dir: Any) -> factory.Room:
    made = factory.make_room(people)
    marked_by(made, people.teacher, TOTALS)
    marked_by(made, marker(made, people, "sun", "孙老师"), TOTALS[::-1])
    marked_by(made, marker(made, people, "yan", "严老师"), tuple(max(0, total - 4) for total in TOTALS))
    made.add(factory.hand_worked_document())
    made.add(factory.hand_worked_document(failing=()))
    for person, paused, cap in ((people.teacher, False, 20), (people.leader, True, None)):
        transitions.limit_marker(
            made.assessment, person=person, question=made.question, paused=paused, cap=cap, reason="先一起看细则",
            version=0, by=people.leader,
        )  # fmt: skip
    return made


def addresses(room: factory.Room) -> dict[str, str]:
    names = ("board", "board-marks")
    case = Case.objects.filter(given_marks__isnull=False)[0]
    return {name: reverse(f"review:{name}", args=[room.assessment.public_id]) for name in names} | {
        "limits": reverse("review:limits", args=[room.assessment.public_id])
        + f"?marker=teacher&question={room.question.public_id}",
        "return": reverse("review:return", args=[case.public_id]),
    }


@pytest.mark.one_database
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(room, people, every_look):
    every_look(
        people.leader,
        addresses(room),
        (("zh-hans", "light"), ("en", "light"), ("zh-hans", "dark")),
        "board-{language}-{scheme}-{name}-{width}",
    )


def test_a_leader_finds_the_hard_marker_and_returns_an_answer_by_keyboard(room, people, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), people.leader)
    page.goto(addresses(room)["board"])
    expect(page.locator(".needs li").first).to_contain_text("严老师 的评分严于他人")
    page.locator(".needs li a").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("严老师 评过的作答")
    page.locator("tbody a.button").first.focus()
    page.keyboard.press("Enter")
    page.locator("#reason").focus()
    page.keyboard.type("第 3 步漏给延续分")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_contain_text("已打回重评")
    assert Case.objects.filter(life_cycle=2, closed_at=None).count() == 1
