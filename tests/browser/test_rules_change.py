"""Rules changed while marking, in a real browser: looked at in both languages and sizes, and chosen from the keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from review import transitions
from review.models import RulesChange
from tests.review import factory
from tests.rules_changes.conftest import A_PATH, other_points, work
from tests.schemes.conftest import give

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LAPTOP = {"width": 1366, "height": 768}
TABLET = {"width": 1024, "height": 768}


@pytest.fixture
def change(transactional_db: None, people: Any, data_dir: Any) -> RulesChange:
    room = factory.make_room(people)
    give(room.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
    room.add(factory.hand_worked_document(failing=()))
    room.add(factory.unread_document())
    transitions.propose_path(room.question, A_PATH, by=people.teacher, note="倒序相加也对", case=room.cases[-1])
    made = transitions.propose_rules(room.question, other_points(), by=people.leader)
    work()
    return made


def test_a_leader_reads_the_preview_and_chooses_by_keyboard(
    change, people, new_page, log_in, axe_finds_nothing, screenshot
):
    draft = RulesChange.objects.get(state="DRAFT")
    addresses = {
        "preview": reverse("review:rules-change", args=[change.public_id]),
        "path": reverse("review:rules-change", args=[draft.public_id]),
        "changes": reverse("review:rules-changes", args=[change.question.public_id]),
    }
    for language in ("zh-hans", "en"):
        page = new_page(viewport=LAPTOP)
        page.goto(reverse("login"))
        page.click(f".language button[value={language}]")
        log_in(page, people.leader)
        for name, address in addresses.items():
            for viewport in (TABLET, LAPTOP):
                page.set_viewport_size(viewport)
                assert page.goto(address).status == 200, name
                wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                assert wider <= 0, (name, viewport)
                screenshot(page, f"rules-{language}-{name}-{viewport['width']}")
            axe_finds_nothing(page)
    page.goto(addresses["preview"])
    page.locator("input[value=RECOMPUTE]").focus()
    page.keyboard.press("Space")
    page.locator("form[action$='choose/'] button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".messages")).to_contain_text("in force")
    work()
    expect(page.locator("#change-figures")).to_contain_text("3 answers worked out", timeout=10_000)
    axe_finds_nothing(page)
    screenshot(page, "rules-en-report-1366")
