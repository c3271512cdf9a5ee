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


def test_a_leader_reads_the_preview_and_chooses_by_keyboard(change, people, every_look, axe_finds_nothing, screenshot):
    draft = RulesChange.objects.get(state="DRAFT")
    addresses = {
        "preview": reverse("review:rules-change", args=[change.public_id]),
        "path": reverse("review:rules-change", args=[draft.public_id]),
        "changes": reverse("review:rules-changes", args=[change.question.public_id]),
    }
    page = every_look(
        people.leader, addresses, (("zh-hans", "light"), ("en", "light")), "rules-{language}-{name}-{width}"
    )
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
