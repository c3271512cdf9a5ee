"""Marks on the image in a real browser: by pointer, by keys alone, turned and enlarged, without a connection."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from grading import transitions
from grading.models import Annotation
from tests.fixtures.browser import LAPTOP
from tests.review import factory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def room(transactional_db: None, people: Any, data_dir: Any) -> factory.Room:
    made = factory.make_room(people)
    made.add(factory.hand_worked_document())
    made.add(factory.hand_worked_document())
    return made


@pytest.fixture
def at_desk(room, people, new_page, log_in):
    """The teacher at the desk with the first answer in hand."""
    transitions.claim(room.cases[0], by=people.teacher)
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(reverse("review:case", args=[room.cases[0].public_id]))
    page.wait_for_selector("#stage .mover")
    return page


def spot(page: Any, x: float, y: float) -> tuple[float, float]:
    """The place of the screen where these shares of the page are, while it is not turned."""
    box = page.locator(".sheet-page.current img").bounding_box()
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def kept(page: Any, count: int) -> list[tuple[str, float, float, str]]:
    """What the server has once all of it has arrived."""
    expect(page.locator(".drawn .mark-drawn:not(.waiting)")).to_have_count(count)
    found = Annotation.objects.filter(erased__isnull=True).order_by("pk")
    for _ in range(100):
        if found.count() == count:
            break
        page.wait_for_timeout(50)
    return [(each.kind, round(float(each.x), 2), round(float(each.y), 2), each.text) for each in found]


def paths(page: Any) -> list[str]:
    return list(
        page.evaluate(
            "[...document.querySelectorAll('.mark-drawn path:not(.halo), .mark-drawn text')].map(e => e.getAttribute('d') ?? e.textContent)"
        )
    )


def test_a_pointer_draws_each_kind_which_a_reload_shows_in_the_same_place_and_the_eraser_takes_away(
    at_desk, room, axe_finds_nothing
):
    page = at_desk
    page.click("[data-draw=open]")
    page.click("[data-draw=tick]")
    page.mouse.click(*spot(page, 0.5, 0.2))
    page.keyboard.press("b")
    page.mouse.move(*spot(page, 0.4, 0.3))
    page.mouse.down()
    page.mouse.move(*spot(page, 0.1, 0.22))
    page.mouse.up()
    page.keyboard.press("l")
    page.mouse.move(*spot(page, 0.6, 0.3))
    page.mouse.down()
    page.mouse.move(*spot(page, 0.42, 0.27))
    page.mouse.up()
    page.keyboard.press("w")
    page.fill("#draw-words", "首项应为 3，后面照此给分，公差求对了，请注意书写的规范")
    page.mouse.click(*spot(page, 0.62, 0.29))
    assert [each[0] for each in kept(page, 4)] == ["tick", "box", "arrow", "text"]
    before = paths(page)
    page.reload()
    page.wait_for_selector("#stage .mover")
    assert paths(page) == before, "the script and the server draw by the same numbers"
    page.keyboard.press("d")
    page.wait_for_selector(".stage.drawing")
    axe_finds_nothing(page)
    page.mouse.click(*spot(page, 0.5, 0.2))
    assert kept(page, 3)[0] == ("box", 0.1, 0.22, "")
    page.keyboard.press("u")
    assert kept(page, 4)[-1] == ("tick", 0.5, 0.2, "")
    assert page.locator("#reading").get_attribute("open") is None, "drawing over a line must not open its reading"


def test_keys_alone_draw_turned_and_enlarged_and_enter_hands_in_again_afterwards(at_desk, room):
    page = at_desk
    for key in ("r", "+", "v"):
        page.keyboard.press(key)
    page.wait_for_selector(".crosshair")
    at = page.evaluate("document.querySelector('.crosshair').getBoundingClientRect().y")
    for _ in range(4):
        page.keyboard.press("ArrowDown")
    assert page.evaluate("document.querySelector('.crosshair').getBoundingClientRect().y") > at
    page.keyboard.press("Enter")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.press("w")
    page.keyboard.type("过程完整")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("Enter")
    assert [each[0] for each in kept(page, 3)] == ["tick", "box", "text"]
    page.keyboard.press("d")
    assert page.evaluate("getComputedStyle(document.querySelector('.stage')).cursor") == "crosshair"
    page.keyboard.press("Escape")
    expect(page.locator(".crosshair")).to_have_count(0)
    page.keyboard.press("a")
    page.wait_for_selector(f"text={room.cases[1].response.code}")
    assert Annotation.objects.filter(case=room.cases[0]).count() == 3
    expect(page.locator(".mark-drawn")).to_have_count(0)


def test_without_a_connection_what_is_drawn_waits_and_arrives_after_a_reload(at_desk, room):
    page = at_desk
    address = re.compile(r"/annotate/$")
    page.route(address, lambda route: route.abort())
    page.keyboard.press("x")
    page.wait_for_selector(".stage.drawing")
    page.mouse.click(*spot(page, 0.3, 0.2))
    expect(page.locator("#draft-state")).to_have_attribute("data-state", "offline")
    assert not Annotation.objects.exists()
    page.reload()
    expect(page.locator(".mark-drawn.waiting")).to_have_count(1)
    page.unroute(address)
    page.reload()
    assert kept(page, 1) == [("cross", 0.3, 0.2, "")]
    page.reload()
    page.wait_for_selector("#stage .mover")
    assert kept(page, 1) == [("cross", 0.3, 0.2, "")]
