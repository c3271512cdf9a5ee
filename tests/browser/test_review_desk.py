"""The marking desk in a real browser: by mouse, by keyboard alone, without JavaScript, and for screen readers."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from grading import transitions
from grading.domain.problems import ProblemKind
from grading.models import Mark
from review.domain.keys import DEFAULTS
from review.transitions import draw_sample, set_keys
from tests.fixtures.browser import LAPTOP, TABLET
from tests.review import factory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def room(transactional_db: None, people: Any, data_dir: Any) -> factory.Room:
    """Two answers to review and two that the gate accepted."""
    made = factory.make_room(people)
    made.add(factory.hand_worked_document())
    made.add(factory.hand_worked_document(failing=("ecf-shadow", "no-rival")), pages=2)
    made.add(factory.hand_worked_document(failing=()))
    made.add(factory.hand_worked_document(failing=()))
    return made


def queue_of(room: factory.Room) -> str:
    return reverse("review:queue", args=[room.assessment.public_id])


def desk(page: Any, room: factory.Room, number: int = 0) -> None:
    """Open an answer that is in the person's hand."""
    page.goto(reverse("review:case", args=[room.cases[number].public_id]))
    page.wait_for_selector("#stage .mover")


def total_is(page: Any, total: str) -> None:
    """Wait for the total; by locator, since a script from the test would breach the page's own policy."""
    expect(page.locator("#total")).to_have_text(total)


@pytest.fixture
def at_desk(room, people, new_page, log_in):
    """The teacher at the desk with the first answer in hand."""
    transitions.claim(room.cases[0], by=people.teacher)
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    desk(page, room)
    return page


def test_changing_a_step_moves_the_total_and_keeps_focus_and_typed_text(at_desk, room):
    page = at_desk
    page.fill("#reason", "第 3 行是 3")
    page.wait_for_timeout(300)
    page.check("#step-3 input[value=VALID]", force=True)
    total_is(page, "11")
    assert page.input_value("#score-3") == "2"
    assert page.input_value("#reason") == "第 3 行是 3"
    assert page.evaluate("document.activeElement.value") == "VALID"
    page.fill("#score-5", "3")
    page.press("#score-5", "Tab")
    total_is(page, "12")
    assert page.locator("#step-3 .proposal").inner_text().split() == ["系统建议", "✕", "错误", "0"]
    page.click("#submit")
    page.wait_for_selector(f"text={room.cases[1].response.code}")
    mark = Mark.objects.get(source="PERSON")
    assert (mark.total, mark.reason) == (Decimal(12), "第 3 行是 3")


def test_steps_lines_and_boxes_light_up_together(at_desk):
    page = at_desk
    lit = "[...document.querySelectorAll('.lit')].map(e => e.id || e.dataset.line).sort().join()"
    page.hover("#step-3 .step-title")
    assert page.evaluate(lit) == "L3,L3,line-L3,step-3"
    page.hover(".box[data-line=L1] rect")
    assert page.evaluate(lit) == "L1,L1,line-L1,step-1"
    page.focus("#score-4")
    assert "step-4" in page.evaluate(lit)


def test_the_box_lies_on_the_writing_at_every_zoom_and_turn(at_desk):
    page = at_desk
    measure = """() => {
      const image = document.querySelector('.sheet-page.current img').getBoundingClientRect();
      const box = document.querySelector('.box[data-line=L2] rect').getBoundingClientRect();
      return [(box.left - image.left) / image.width, (box.top - image.top) / image.height,
              box.width / image.width, box.height / image.height].map(x => Math.round(x * 100)); }"""
    assert page.evaluate(measure) == [10, 16, 40, 6]
    page.click("[data-view=in]")
    page.click("[data-view=in]")
    assert page.evaluate(measure) == [10, 16, 40, 6]
    page.keyboard.press("r")
    left, top, width, height = page.evaluate(measure)
    assert (width, height) == (6, 40)
    assert (left, top) == (78, 10)


def test_the_keyboard_alone_marks_an_answer(room, people, new_page, log_in):
    transitions.claim(room.cases[0], by=people.teacher)
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(queue_of(room))
    # The browser gives the focus after its first rendering, which may come later than the page's load event.
    expect(page.get_by_role("button", name="继续")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector("#stage .mover")
    page.keyboard.press("3")
    assert page.locator(".step.chosen").get_attribute("id") == "step-3"
    page.keyboard.press("1")
    total_is(page, "11")
    page.keyboard.press("Enter")
    page.wait_for_selector("#sheet-errors")
    assert "请写明理由" in page.locator("#sheet-errors").inner_text()
    page.focus("#reason")
    page.keyboard.type("看清是 3")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"text={room.cases[1].response.code}")
    assert Mark.objects.get(source="PERSON").total == Decimal(11)


def test_full_zero_undo_help_and_pages_from_the_keyboard(room, people, new_page, log_in):
    transitions.claim(room.cases[1], by=people.teacher)
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    desk(page, room, 1)
    page.keyboard.press("f")
    total_is(page, "12")
    page.keyboard.press("0")
    total_is(page, "0")
    assert page.locator("#zero-question").is_visible()
    page.keyboard.press("Escape")
    total_is(page, "12")
    assert not page.locator("#zero-question").is_visible()
    page.keyboard.press("u")
    total_is(page, "9")
    page.keyboard.press("]")
    assert page.locator("#page-number").inner_text() == "2 / 2"
    page.keyboard.press("[")
    assert page.locator("#page-number").inner_text() == "1 / 2"
    page.keyboard.press("?")
    assert page.locator("#help").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#help").is_visible()
    page.keyboard.press("e")
    assert page.evaluate("document.activeElement.classList.contains('line-edit')")
    page.keyboard.press("Escape")
    page.keyboard.press("s")
    page.wait_for_url(lambda address: room.cases[1].public_id not in address)
    room.cases[1].refresh_from_db()
    assert room.cases[1].skipped_until is not None


def test_correcting_the_reading_shows_the_formula_and_judges_again(at_desk):
    page = at_desk
    page.keyboard.press("e")
    page.fill("#edit-L3", "a_1=a_3-2d=7-2\\times 2=\\frac{6}{2}")
    assert page.locator("#line-L3 .line-preview .katex .mfrac").count() == 1
    page.fill("#edit-L3", "\\frac{")
    assert page.locator("#line-L3 .line-preview").inner_text() == "\\frac{"
    page.fill("#edit-L3", "a_1=a_3-2d=7-2\\times 2=3")
    page.fill("#edit-L5", "S_{10}=10\\times 3+45\\times 2=120")
    page.click("#reading-form button[type=submit]")
    page.wait_for_selector("text=识读已更正")
    assert page.locator("#total").inner_text().strip() == "12"
    assert "✕ 错误 0" in " ".join(page.locator("#step-3 .earlier").inner_text().split())


def test_without_javascript_the_whole_way_from_queue_to_next_works(room, people, new_page, log_in):
    transitions.claim(room.cases[0], by=people.teacher)
    page = log_in(new_page(viewport=LAPTOP, java_script_enabled=False), people.teacher)
    page.goto(queue_of(room))
    page.click("button.primary")
    assert page.locator(".sheet-page img").first.is_visible()
    assert "d=(15-7)/4=2" in page.locator("#step-2 .quote").inner_text()
    page.check("#step-3 input[value=VALID]", force=True)
    page.click("text=重新计算")
    assert page.locator("#total").inner_text().strip() == "11"
    assert page.input_value("#score-3") == "2"
    page.click("#submit")
    assert "请写明理由" in page.locator("#sheet-errors").inner_text()
    page.fill("#reason", "看清是 3")
    page.press("#reason", "Enter")
    expect(page.locator(".head")).to_contain_text(room.cases[1].response.code)
    assert page.locator(".sheet-page").count() == 2
    assert Mark.objects.get(source="PERSON").total == Decimal(11)
    page.click("#reading > summary")
    page.fill("#edit-L3", "a_1=a_3-2d=7-2\\times 2=3")
    page.click("#reading-form button[type=submit]")
    assert "识读已更正" in page.locator(".headline").inner_text()


@pytest.mark.one_database
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_axe_finds_nothing_on_any_page(language, scheme, room, people, new_page, log_in, axe_finds_nothing, screenshot):
    transitions.claim(room.cases[0], by=people.teacher)
    case = reverse("review:case", args=[room.cases[0].public_id])
    other = reverse("review:case", args=[room.cases[1].public_id])
    problem = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    transitions.report_problem(
        problem, by=people.teacher, version=problem.version, kind=ProblemKind.BLANK, note="好像没有写"
    )
    sample = draw_sample(room.assessment, size=2, seed="s", source="ANY", by=people.auditor)
    item = reverse("review:audit-item", args=[sample.items.all()[0].public_id])
    page = new_page(viewport=LAPTOP, color_scheme=scheme)
    page.goto(reverse("login"))
    page.click(f".language button[value={language}]")
    axe_finds_nothing(page)
    screenshot(page, f"review-{language}-{scheme}-login")
    pages = {
        people.teacher: {"home": "/", "queue": queue_of(room), "case": case, "other": other, "trail": case + "trail/", "keys": "/review/keys/",
                         "missing": "/nowhere/"},
        people.leader: {"problems": reverse("review:problems", args=[room.assessment.public_id])},
        people.auditor: {"audits": reverse("review:audits", args=[room.assessment.public_id]), "item": item,
                         "sample": reverse("review:sample", args=[sample.public_id]), "refused": case},
    }  # fmt: skip
    for person, addresses in pages.items():
        page.context.clear_cookies(name="sessionid")
        log_in(page, person)
        for name, address in addresses.items():
            page.goto(address)
            for details in page.locator("details").all():
                details.evaluate("each => each.open = true")
            axe_finds_nothing(page)
            screenshot(page, f"review-{language}-{scheme}-{name}")


def test_the_desk_fits_a_laptop_and_a_tablet_without_scrolling_sideways(room, people, new_page, log_in, screenshot):
    transitions.claim(room.cases[0], by=people.teacher)
    for name, viewport in (("laptop", LAPTOP), ("tablet", TABLET), ("phone", {"width": 390, "height": 844})):
        page = log_in(new_page(viewport=viewport), people.teacher)
        for address in ("/", queue_of(room), reverse("review:case", args=[room.cases[0].public_id])):
            page.goto(address)
            page.wait_for_timeout(200)
            wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wider <= 0, (name, address)
        screenshot(page, f"review-desk-{name}")
        if name != "phone":
            assert page.locator("#submit").bounding_box()["y"] + 32 <= viewport["height"]


def test_the_view_of_each_image_is_remembered_and_tools_never_cover_the_work(room, people, new_page, log_in):
    transitions.claim(room.cases[1], by=people.teacher)
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    desk(page, room, 1)
    page.click("[data-view=rotate]")
    page.click("[data-view=contrast]")
    page.click("[data-view=fit-height]")
    page.click(".strip-page >> nth=1")
    assert page.locator("#page-number").inner_text() == "2 / 2"
    assert page.locator("[data-view=contrast]").get_attribute("aria-pressed") == "false"
    desk(page, room, 1)
    for tool in ("contrast", "fit-height"):
        assert page.locator(f"[data-view={tool}]").get_attribute("aria-pressed") == "true"
    assert "rotate(90deg)" in page.locator(".sheet-page.current").get_attribute("style")
    page.click("[data-draw=open]")
    page.locator("#draw-tools").wait_for()
    stage = page.locator("#stage").bounding_box()
    for tools in (".viewer-tools:not(.draw-tools)", ".draw-tools", ".strip", ".desk-foot"):
        box = page.locator(tools).bounding_box()
        assert box["y"] + box["height"] <= stage["y"] + 1 or box["y"] >= stage["y"] + stage["height"] - 1, tools


def test_ink_that_nobody_read_is_drawn_where_it_lies(room, people, new_page, log_in):
    document = factory.hand_worked_document()
    document["facts"]["ink"] = {"unaccounted": [{"page": 1, "box": [0, 0, 1, 1], "ink_fraction": 0}]}
    case = transitions.claim(room.add(document), by=people.teacher)
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    page.goto(reverse("review:case", args=[case.public_id]))
    box, image = page.locator("rect.unread").bounding_box(), page.locator(".sheet-page img").bounding_box()
    assert abs(box["width"] - image["width"]) < 4
    page.click("[data-view=boxes]")
    assert not page.locator("rect.unread").is_visible()


def test_the_next_image_is_loaded_ahead_and_nothing_is_claimed_by_looking(at_desk, room):
    page = at_desk
    following = room.cases[1].response.pages.first().public_id
    with page.expect_response(lambda answer: following in answer.url):
        page.reload()
    room.cases[1].refresh_from_db()
    assert room.cases[1].claimed_by is None


def test_a_person_works_with_keys_of_their_own_and_every_key_has_a_button(room, people, new_page, log_in):
    transitions.claim(room.cases[0], by=people.teacher)
    set_keys(people.teacher, single_keys=True, keys={**DEFAULTS, "full": "m", "skip": ""})
    page = log_in(new_page(viewport=LAPTOP), people.teacher)
    desk(page, room)
    page.keyboard.press("f")
    total_is(page, "9")
    page.keyboard.press("m")
    total_is(page, "12")
    page.keyboard.press("?")
    assert "M" in page.locator("#help kbd").all_inner_texts()
    page.keyboard.press("Escape")
    for button in ("full", "zero", "undo", "reading", "problem"):
        assert page.locator(f"[data-do={button}]").is_visible(), button
    for button in ("accept", "skip", "release", "submit"):
        assert page.locator(f"#{button}").is_visible(), button
    set_keys(people.teacher, single_keys=False, keys=DEFAULTS)
    desk(page, room)
    page.keyboard.press("0")
    page.keyboard.press("f")
    page.wait_for_timeout(300)
    assert not page.locator("#zero-question").is_visible()


def test_a_problem_paper_is_reported_from_the_keyboard_and_the_next_answer_opens(at_desk, room):
    page = at_desk
    page.keyboard.press("p")
    expect(page.locator(".problem-kinds button >> nth=0")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"text={room.cases[1].response.code}")
    room.cases[0].refresh_from_db()
    assert room.cases[0].problem == "UNREADABLE"
    assert not Mark.objects.filter(source="PERSON").exists()
