"""The staff's pages in a real browser: looked at in both languages and sizes, and free of accessibility faults."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from playwright.sync_api import expect

from config.foundation.models import Job
from grading import transitions
from grading.models import UploadedFile
from grading.tasks import decode_file
from tests.fixtures.browser import LAPTOP, TABLET
from tests.grading.marking_room import RULES, a_queued_case, an_answer, an_assessment, picture, verdict_document

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def assessment(transactional_db: None, people: Any, data_dir: Any) -> Any:
    """One accepted answer, one waiting, one file refused and one not yet opened."""
    made = an_assessment(people.staff, questions=2)
    transitions.give_role(made, people.teacher, "marker", by=people.staff)
    accepted = an_answer(made, people.staff, candidate="1001").case
    transitions.record_run(accepted, verdict_document(decision="ACCEPT"), epoch=1)
    a_queued_case(made, people.staff, candidate="1002")
    files = [("1003_2_1.jpg", picture("late")), ("期中<b>卷</b>.jpg", picture("lost")), ("1009_1.jpg", picture("who"))]
    transitions.receive_upload(made, files, by=people.staff)
    return made


def addresses(assessment: Any) -> dict[str, str]:
    upload = assessment.uploads.order_by("-pk").first()
    names = ("assessment", "questions", "classes", "people", "uploads", "results", "gate")
    return {"assessments": reverse("grading:assessments"), "create": reverse("grading:create")} | {
        name: reverse(f"grading:{name}", args=[assessment.public_id]) for name in names
    } | {
        "delivery": reverse("grading:delivery", args=[upload.public_id]),
        "rules": reverse("grading:rules", args=[assessment.questions.first().public_id]),
    }  # fmt: skip


def allow_creating(person: Any) -> None:
    person.user_permissions.add(Permission.objects.get(codename="create_assessment"))


@pytest.mark.one_database
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_axe_finds_nothing_in_the_dark_and_nothing_is_wider_than_the_screen(
    language, assessment, people, new_page, log_in, axe_finds_nothing, screenshot
):
    allow_creating(people.staff)
    page = new_page(viewport=LAPTOP, color_scheme="dark")
    page.goto(reverse("login"))
    page.click(f".language button[value={language}]")
    log_in(page, people.staff)
    for name, address in addresses(assessment).items():
        for viewport in (TABLET, LAPTOP):
            page.set_viewport_size(viewport)
            assert page.goto(address).status == 200, name
            wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wider <= 0, (name, viewport)
        axe_finds_nothing(page)
        screenshot(page, f"staff-{language}-dark-{name}")


def uploads_of(assessment: Any) -> str:
    return reverse("grading:uploads", args=[assessment.public_id])


def chosen(*names: str) -> list[Any]:
    return [{"name": name, "mimeType": "image/jpeg", "buffer": picture(name)} for name in names]


def test_choosing_says_how_much_and_too_many_files_are_stopped_before_sending(
    assessment, people, new_page, log_in, settings
):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    page = log_in(new_page(viewport=LAPTOP), people.staff)
    page.goto(uploads_of(assessment))
    page.set_input_files("#id_images", chosen("1001_2_1.jpg", "1002_2_1.jpg"))
    expect(page.locator("#chosen")).to_contain_text("2 个文件")
    expect(page.locator(".file-name")).to_have_text("1001_2_1.jpg, 1002_2_1.jpg")
    expect(page.locator("#too-much")).to_be_hidden()
    before = assessment.uploads.count()
    page.set_input_files("#id_images", chosen("1001_2_1.jpg", "1002_2_1.jpg", "1003_2_2.jpg"))
    expect(page.locator("#too-much")).to_have_text("所选文件超过 2 个，请分几次上传。")
    page.click("main button.primary")
    page.wait_for_timeout(300)
    assert assessment.uploads.count() == before


def test_a_broken_connection_is_said_the_choice_is_kept_and_a_second_press_sends(assessment, people, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), people.staff)
    page.goto(uploads_of(assessment))
    page.set_input_files("#id_images", chosen("1001_2_1.jpg"))
    page.route("**/uploads/", lambda route: route.abort())
    page.click("main button.primary")
    expect(page.locator("#broken")).to_contain_text("连接中断")
    expect(page.locator(".file-name")).to_have_text("1001_2_1.jpg")
    page.unroute("**/uploads/")
    page.click("main button.primary")
    page.wait_for_selector("#delivery-files")
    assert page.locator("th:has-text('1001_2_1.jpg')").count() == 1


def test_a_delivery_renews_itself_until_every_file_is_opened(assessment, people, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), people.staff)
    page.goto(addresses(assessment)["delivery"])
    expect(page.locator("#delivery-files")).to_contain_text("还有 1 / 3 个文件正在打开")
    file = UploadedFile.objects.get(outcome="WAITING")
    decode_file(Job.objects.get(subject=f"file:{file.public_id}").pk)
    expect(page.locator("#delivery-files")).to_contain_text("全部文件已处理。", timeout=30_000)
    expect(page.locator("#delivery-files")).not_to_have_attribute("hx-get", re.compile("."))


def test_judging_appears_as_soon_as_it_is_possible_without_reloading(assessment, people, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), people.staff)
    page.goto(addresses(assessment)["assessment"])
    expect(page.locator("#start-judging")).to_have_count(0)
    file = UploadedFile.objects.get(outcome="WAITING")
    decode_file(Job.objects.get(subject=f"file:{file.public_id}").pk)
    expect(page.locator("#start-judging")).to_have_text("开始评阅 1 份作答", timeout=30_000)
    page.click("#start-judging")
    expect(page.locator(".messages")).to_contain_text("已开始评阅 1 份作答。")


def test_without_javascript_staff_can_set_up_and_upload(assessment, people, new_page, log_in):
    allow_creating(people.staff)
    page = log_in(new_page(viewport=LAPTOP, java_script_enabled=False), people.staff)
    page.goto(reverse("grading:create"))
    page.fill("#id_title", "无脚本考试")
    page.fill("#id_code", "NO-JS")
    page.click("main button.primary")
    page.click("main a.button.primary")
    page.set_input_files("#id_rules", [RULES])
    page.click("main button.primary")
    assert "第1题" in page.locator("main table").inner_text()
    page.goto(uploads_of(assessment))
    page.set_input_files("#id_images", chosen("1001_2_1.jpg", "bad.jpg"))
    page.click("main button.primary")
    assert "bad.jpg" in page.locator("tr:has(.bad-state)").inner_text()
    assert page.locator(".no-js-only a").is_visible()


def test_a_form_can_be_filled_and_sent_from_the_keyboard(assessment, people, new_page, log_in):
    page = log_in(new_page(viewport=LAPTOP), people.staff)
    page.goto(addresses(assessment)["people"])
    page.focus("#id_username")
    page.keyboard.type("auditor")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("td:has-text('赵质检')")).to_be_visible()
    page.goto(uploads_of(assessment))
    page.focus("#id_images")
    ring = page.locator(".file-field").evaluate("each => getComputedStyle(each).outlineStyle")
    assert ring == "solid"
