"""Every screen of the product, furnished with work of every kind: one language at a time, no wider than a tablet, free of
what axe knows, and all of it within a keyboard's reach."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from grading import transitions
from tests.fixtures.browser import LAPTOP
from tests.fixtures.people import PASSWORD
from tests.pictures import faults
from tests.pictures.camera import LANGUAGES, Camera
from tests.pictures.handmade import Handmade
from tests.pictures.room import Room, account, furnish, words_of
from tests.pictures.screens import ANYBODY, SCREENS
from tests.review import factory

pytestmark = [
    pytest.mark.browser, pytest.mark.one_database, pytest.mark.slow, pytest.mark.django_db(transaction=True)
]  # fmt: skip


@pytest.fixture
def room(transactional_db: None, data_dir: Any, settings: Any) -> Room:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

    def person(login: str, name: str) -> Any:
        return account(login, name, password=PASSWORD)

    staff = person("staff", "李教务")
    staff.user_permissions.add(Permission.objects.get(codename="create_assessment"))
    return furnish(Handmade(staff), person)


def axe(page: Any) -> list[str]:
    violations = Axe().run(page).response["violations"]
    return [f"axe: {each['id']} {each['nodes'][0]['html'][:160]}" for each in violations]


def texts_in_both_languages(room: Room) -> list[str]:
    """What each screen says in the wrong language, as the server sends it."""
    words, found = words_of(room.assessment), []
    clients: dict[str, Client] = {}
    for screen in SCREENS:
        client = clients.setdefault(screen.who, Client())
        if screen.who != ANYBODY and "sessionid" not in client.cookies:
            client.force_login(getattr(room.cast, screen.who))
        for language, (_locale, code) in LANGUAGES.items():
            client.cookies["django_language"] = code
            html = client.get(screen.address(room)).content.decode()
            found += [f"{screen.name} {language}: {each}" for each in faults.foreign_words(html, language, words)]
    return found


@pytest.mark.timeout(600)
def test_no_screen_has_a_fault(room, browser, live_server):
    """Their texts in both languages; in the browser one screen in Chinese, the next in English."""
    camera = Camera(browser, live_server.url, room, PASSWORD, hurried=True)
    found = texts_in_both_languages(room)
    for number, screen in enumerate(SCREENS):
        page = camera.open(screen, "en" if number % 2 else "zh", "1024")
        told = faults.too_wide(page) + faults.unset_formulas(page) + axe(page)
        # A page that is shown in several states has the same stops in each, but for a dialog.
        told += faults.keyboard(page) if screen.act is None or screen.name == "case-keys" else []
        found += [f"{screen.name}: {each}" for each in told]
    camera.close()
    assert not found + camera.heard, "\n".join(found + camera.heard)


def test_the_first_stop_leads_past_the_head_and_a_dialog_gives_the_focus_back(
    transactional_db, people, data_dir, new_page, log_in
):
    small = factory.make_room(people)
    held = transitions.claim(small.add(factory.hand_worked_document()), by=people.teacher)
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(reverse("review:own-marks", args=[small.assessment.public_id]))
    page.keyboard.press("Tab")
    expect(page.locator(".skip-link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.goto(reverse("review:case", args=[held.public_id]))
    page.wait_for_selector("#stage .mover")
    opener = page.locator("[data-do=help]")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog#help")).to_be_visible()
    assert page.evaluate("document.querySelector('dialog#help').contains(document.activeElement)")
    page.keyboard.press("Escape")
    expect(page.locator("dialog#help")).to_be_hidden()
    expect(opener).to_be_focused()
