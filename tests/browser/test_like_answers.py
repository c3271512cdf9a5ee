"""Same answers together in a real browser: found, looked at, one left out, confirmed and undone; by keyboard and without a script."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from grading.models import Case, Mark
from tests.fixtures.browser import LAPTOP, TABLET
from tests.groups.conftest import furnish

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def alike(transactional_db: None, people: Any, data_dir: Any) -> Any:
    return furnish(people, pages=1)


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_a_group_is_looked_at_confirmed_but_for_one_and_undone_by_keyboard(
    alike, people, new_page, log_in, axe_finds_nothing, screenshot
):
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(reverse("review:queue", args=[alike.room.assessment.public_id]))
    page.get_by_role("link", name="相同作答一起评").press("Enter")
    page.wait_for_url("**/groups/**")
    axe_finds_nothing(page)
    assert fits(page)
    screenshot(page, "groups-1366")
    page.get_by_role("link", name="查看全组 5 · 12").press("Enter")
    page.wait_for_url("**/alike/")
    assert page.locator(".tile").count() == 5
    page.wait_for_function("document.querySelectorAll('.crop image').length === 5")
    axe_finds_nothing(page)
    assert fits(page)
    screenshot(page, "group-1366")
    left = page.locator(".tile.odd input[type=checkbox]").first
    left.focus()
    page.keyboard.press("Space")
    expect(page.locator("#chosen-count")).to_have_text("4")
    # A changed step shows what follows before it is given to anybody, and is taken back with one key.
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    page.keyboard.press("5")
    expect(page.locator("#total")).to_have_text("10")
    page.keyboard.press("u")
    expect(page.locator("#total")).to_have_text("12")
    page.keyboard.press("a")
    page.wait_for_url("**/review/group/**")
    assert Mark.objects.filter(total=12).count() == 4
    axe_finds_nothing(page)
    screenshot(page, "marked-group-1366")
    page.locator("#undo-group").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("已撤回 4 份作答的分数")
    assert Case.objects.filter(closed_at__isnull=False).count() == 0


def test_without_a_script_on_a_tablet_in_english_the_whole_works_too(
    alike, people, new_page, log_in, axe_finds_nothing, screenshot
):
    page = log_in(new_page(viewport=TABLET, locale="en-GB"), people.teacher)
    page.get_by_role("button", name="EN").click()
    for name, address in (
        ("groups-1024", reverse("review:groups", args=[alike.room.assessment.public_id])),
        ("group-1024", reverse("review:alike", args=[alike.same[0].public_id])),
    ):
        page.goto(address)
        axe_finds_nothing(page)
        assert fits(page)
        screenshot(page, name)
    plain = log_in(new_page(viewport=TABLET, java_script_enabled=False), people.teacher)
    plain.goto(reverse("review:alike", args=[alike.same[0].public_id]))
    plain.locator(".tile input[type=checkbox]").nth(1).check()
    plain.locator("#accept").click()
    assert Mark.objects.count() == 4
    plain.locator("#undo-group").click()
    assert Case.objects.filter(closed_at__isnull=False).count() == 0
