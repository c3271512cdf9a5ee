"""Two answers side by side in a real browser: moved together, unlocked, by keyboard, and as a plain page without a script."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from grading.models import Case
from tests.fixtures.browser import LAPTOP
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def room(transactional_db: None, people: Any, data_dir: Any) -> factory.Room:
    made = factory.make_room(people)
    first, _second = made.add(factory.hand_worked_document()), made.add(factory.hand_worked_document())
    give(first, people.teacher, 7, blind=False, reason="第 4 步没有写出理由")
    return made


def addresses(room: factory.Room) -> dict[str, str]:
    one, other = (Case.objects.get(pk=case.pk).public_id for case in room.cases)
    here = reverse("review:compare", args=[one])
    return {
        "reference": here,
        "person": f"{here}?left={one}.run.1&right={one}.mark.1",
        "answers": f"{here}?left={one}.mark.1&right={other}.run.1",
    }


def place(page: Any, side: str) -> list[float]:
    """Scale, and the place of the image in shares of its own size."""
    found: list[float] = page.evaluate(
        """(side) => {
          const stage = document.querySelector(`.pane-${side} .stage`).getBoundingClientRect();
          const image = document.querySelector(`.pane-${side} .sheet-page.current`).getBoundingClientRect();
          return [image.width / stage.width, (image.x - stage.x) / image.width, (image.y - stage.y) / image.height];
        }""",
        side,
    )
    return [round(each, 2) for each in found]


def test_both_images_move_together_until_they_are_unlocked_all_by_keyboard(room, people, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(addresses(room)["answers"])
    page.wait_for_selector(".pane-right .mover")
    page.wait_for_timeout(100)
    before = place(page, "left")
    page.keyboard.press("1")
    expect(page.locator(".pane-left .stage")).to_be_focused()
    for key in ("+", "+", "ArrowDown", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    assert place(page, "left") != before
    assert place(page, "left") == place(page, "right")
    page.keyboard.press("r")
    page.wait_for_timeout(100)
    assert place(page, "left") == place(page, "right")
    assert place(page, "left") != before
    page.keyboard.press("l")
    expect(page.get_by_role("button", name="同步移动")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("2")
    held = place(page, "left")
    page.keyboard.press("r")
    page.keyboard.press("+")
    page.wait_for_timeout(100)
    assert place(page, "left") == held
    assert place(page, "right") != held
    page.keyboard.press("l")
    page.wait_for_timeout(100)
    assert place(page, "left") == place(page, "right")
    page.keyboard.press("d")
    expect(page.locator("[data-differs]").first).to_be_focused()
    page.keyboard.press("x")
    page.wait_for_url("**left=*run.1&right=*mark.1")
    expect(page.locator("#pane-left")).to_contain_text(room.cases[1].response.code)


@pytest.mark.one_database
def test_axe_finds_nothing_nothing_is_wider_and_without_a_script_both_columns_are_there(
    room, people, new_page, log_in, every_look, screenshot
):
    every_look(
        people.teacher, addresses(room), (("zh-hans", "light"), ("en", "dark")), "compare-{language}-{name}-{width}"
    )
    plain = log_in(new_page(viewport=LAPTOP, java_script_enabled=False), people.teacher)
    plain.goto(addresses(room)["answers"])
    left, right = (plain.locator(f".pane-{side} img").first.bounding_box() for side in ("left", "right"))
    assert left["x"] + left["width"] < right["x"]
    assert plain.locator(".beside-row").count() == 5
    plain.get_by_role("link", name="左右互换").click()
    expect(plain.locator("#pane-left")).to_contain_text(room.cases[1].response.code)
    screenshot(plain, "compare-plain")
