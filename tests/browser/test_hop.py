"""From answer to answer in a real browser: the page made ready ahead is the page that the server shows."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from grading import transitions
from grading.models import Case, Mark
from tests.fixtures.browser import LAPTOP
from tests.review import factory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# What a page is made of, without what is made anew each time: form tokens, names of windows, a message once read.
MADE_OF = """() => {
  const body = document.body.cloneNode(true);
  const anew = ".messages, [name=csrfmiddlewaretoken], [name=window], #draft-state, .katex";
  for (const each of body.querySelectorAll(anew)) each.remove();
  for (const each of body.querySelectorAll("*")) {
    for (const name of ["style", "data-readable", "data-typeset"]) each.removeAttribute(name);
    if (!each.getAttribute("class")) each.removeAttribute("class");
  }
  body.removeAttribute("hx-headers:inherited");
  return body.outerHTML.replace(/\\s+/g, " ").replace(/> </g, "><");
}"""


@pytest.fixture
def room(transactional_db: None, people: Any, data_dir: Any) -> factory.Room:
    """Three answers to review."""
    made = factory.make_room(people)
    for _ in range(3):
        made.add(factory.hand_worked_document())
    return made


@pytest.fixture
def at_desk(room, people, new_page, log_in):
    """The teacher at the desk with an answer in hand and the next one made ready."""
    case = transitions.claim_next(room.assessment, by=people.teacher)
    assert case is not None
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    with page.expect_response("**/upcoming/") as looked:
        page.goto(reverse("review:case", args=[case.public_id]))
    assert looked.value.json()["page"]
    # Typesetting follows in the browser's idle time.
    page.wait_for_timeout(1500)
    return page


def wait_for_hop(page: Any, number: int) -> None:
    """Asked from here: the page's own policy lets no text be evaluated inside it again and again."""
    for _ in range(200):
        if page.evaluate("performance.getEntriesByName('hop').length") == number:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"hop {number} did not end")


def hop(page: Any) -> dict[str, Any]:
    """Accept by key; the measure of the hop, whose detail says whether the page had been made ready."""
    page.keyboard.press("a")
    wait_for_hop(page, 1)
    found: dict[str, Any] = page.evaluate("performance.getEntriesByName('hop').at(-1).detail")
    return found


def test_the_page_made_ready_is_the_one_that_a_reload_shows(at_desk, people):
    page = at_desk
    with page.expect_response("**/upcoming/"):
        assert hop(page)["ready"] is True
    case = Case.objects.get(claimed_by=people.teacher)
    expect(page.locator("#desk-progress")).to_have_text("2 / 3 待复核")
    assert page.url.endswith(reverse("review:case", args=[case.public_id]))
    expect(page.locator(".messages")).to_contain_text("已保存 9 / 12 分")
    assert page.locator(".katex").count() > 0
    made_ready = page.evaluate(MADE_OF)
    page.reload()
    page.wait_for_selector("#stage .mover")
    assert made_ready == page.evaluate(MADE_OF)


def test_a_page_made_ready_can_be_marked_at_once_and_by_each_of_its_forms(at_desk, people):
    page = at_desk
    assert hop(page)["ready"] is True
    second = Case.objects.get(claimed_by=people.teacher)
    page.keyboard.press("f")
    expect(page.locator("#total")).to_have_text("12")
    page.fill("#reason", "看清了")
    page.keyboard.press("Enter")
    wait_for_hop(page, 2)
    assert Mark.objects.get(case=second).total == 12
    page.locator("#release").click()
    page.wait_for_url("**" + reverse("review:queue", args=[second.response.question.assessment.public_id]))
    assert not Case.objects.filter(claimed_by=people.teacher).exists()


def test_a_page_made_ready_gives_way_to_what_happened_since(at_desk, room, people):
    page = at_desk
    for case in room.cases:
        if Case.objects.get(pk=case.pk).claimed_by is None:
            transitions.release(transitions.claim(case, by=people.leader), by=people.leader)
    assert hop(page)["ready"] is False
    case = Case.objects.get(claimed_by=people.teacher)
    expect(page.locator("input[name=version]").first).to_have_value(str(case.version))
