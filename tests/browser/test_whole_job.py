"""The whole job in Chromium: set up, delivered, judged by real workers, reviewed by a teacher, marks out.

``WENSHU_SCREENSHOTS=folder`` keeps a picture of every page on the way.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from django.contrib.auth.models import Permission
from playwright.sync_api import expect

import grading.sample
from config.foundation import strict_json
from grading import queries, transitions
from grading.domain.roster import RosterRow
from grading.models import Assessment, Case, Mark
from itembank.transitions import publish_rules
from tests.fixtures.browser import LAPTOP

pytestmark = [
    pytest.mark.browser,
    pytest.mark.services,
    pytest.mark.slow,
    pytest.mark.timeout(1500),
    pytest.mark.django_db(transaction=True),
]
SAMPLE = Path(grading.sample.__file__).parent
HEIC = Path(__file__).resolve().parent.parent / "grading" / "files" / "rotated-once.heic"
RULES = SAMPLE / "rules" / "q1-arithmetic-sequence.json"
PATIENCE = 600_000  # milliseconds for all judging; a loaded machine reads a page in half a minute
NEAT, RIVAL, SLIP, CARRIED, PHOTO, BROKEN = "20260106", "20260104", "20260112", "20260113", "20260124", "20260101"
NAMES = {NEAT: "陈一鸣", RIVAL: "林小雨", SLIP: "黄子轩", CARRIED: "周可欣", PHOTO: "吴天佑", BROKEN: '=HYPERLINK("x")'}
CLASS_LIST = "学号,姓名,班级\r\n" + "".join(
    f"{number},{chr(34) + name.replace(chr(34), chr(34) * 2) + chr(34)},高三（1）班\r\n"
    for number, name in NAMES.items()
)


def sent(name: str, content: bytes) -> dict[str, Any]:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": content}


def picture(number: str) -> tuple[str, bytes]:
    """The sample's picture of a candidate's answer to question 1."""
    (path,) = SAMPLE.glob(f"images/{number}_1_1.*")
    return path.name, path.read_bytes()


def delivery() -> list[tuple[str, bytes]]:
    """Right, two results side by side (a PNG), a case, a carried error, a HEIC photo; then one that is no image and one without a name."""
    good = [picture(number) for number in (NEAT, RIVAL, SLIP, CARRIED)]
    return [
        *good,
        (f"{PHOTO}_1_1.heic", HEIC.read_bytes()),
        (f"{BROKEN}_1_1.jpg", b"no image"),
        ("scan.jpg", good[0][1]),
    ]


@dataclass
class Visit:
    """One person's walk through the pages: each page is checked by axe and photographed under a running number."""

    page: Any
    name: str
    axe: Callable[[Any], None]
    screenshot: Callable[[Any, str], Path]
    seen: int = 0

    def look(self, what: str) -> None:
        self.seen += 1
        self.axe(self.page)
        self.screenshot(self.page, f"whole-{self.name}-{self.seen:02}-{what}")

    def go(self, selector: str) -> None:
        """Follow a link or press a button that leads to another page."""
        before = self.page.url
        self.page.click(selector)
        self.page.wait_for_url(lambda address: address != before)


@pytest.fixture
def visit(new_page, log_in, axe_finds_nothing, screenshot):
    def begin(person: Any, language: str, **options: Any) -> Visit:
        page = new_page(viewport=LAPTOP, locale="zh-CN" if language == "zh-hans" else "en-GB", **options)
        page.context.set_default_timeout(60_000)
        page.goto("/accounts/login/")
        if page.locator("html").get_attribute("lang") != {"zh-hans": "zh-Hans"}.get(language, language):
            page.click(f".language button[value={language}]")
            page.wait_for_selector(f"html[lang={language}]")
        log_in(page, person)
        return Visit(page, f"{language}-{person.get_username()}", axe_finds_nothing, screenshot)

    return begin


WORDS = {
    "zh-hans": {"refused": "未收取", "bad_rules": "第 1 行", "no_name": "看不出是谁的哪一题", "added": "新增考生 6 名"},
    "en": {"refused": "Refused", "bad_rules": "line 1", "no_name": "does not tell whose answer", "added": "6 candidates added"},
}  # fmt: skip


def set_up(staff: Visit, words: dict[str, str]) -> Assessment:
    """From an empty site to an assessment with rules, a class and a marker."""
    page = staff.page
    page.goto("/")
    staff.look("home")
    staff.go("main a.button.primary")
    staff.look("assessments")
    staff.go("main a.button.primary")
    page.click("main button.primary")
    assert page.locator("#id_title_error, #id_code_error").count() == 2
    page.fill("#id_title", "2026 高三一模 · 数学")
    page.fill("#id_code", "G3-MOCK-1")
    page.check("#id_allow_uncertified")
    staff.look("create")
    staff.go("main button.primary")
    staff.look("empty-assessment")

    staff.go("main a.button.primary")
    page.set_input_files("#id_rules", [sent("rules.json", b'{"title": ')])
    page.click("main button.primary")
    assert "rules.json" in page.locator("#rule-faults").inner_text()
    staff.look("refused-rules")
    page.set_input_files("#id_rules", [RULES])
    page.click("main button.primary")
    page.wait_for_selector("td a[href*='/questions/']")
    staff.look("questions")
    staff.go("td a[href*='/questions/']")
    expect(page.locator("main .katex").first).to_be_visible()
    staff.look("rules")
    staff.go(".crumbs a[href$='/']:nth-of-type(2)")

    staff.go("main a.button.primary")
    page.set_input_files("#id_roster", [sent("高三1班.csv", CLASS_LIST.encode("gb18030"))])
    page.click("main button.primary")
    assert words["added"] in page.locator(".messages").inner_text()
    staff.look("classes")
    staff.go(".crumbs a:nth-of-type(2)")

    staff.go("main a.button.primary")
    page.fill("#id_username", "teacher")
    page.select_option("#id_role", "marker")
    page.click("main section button.primary")
    page.wait_for_selector("td:has-text('王老师')")
    staff.look("people")
    staff.go(".crumbs a:nth-of-type(2)")
    return Assessment.objects.get(code="G3-MOCK-1")


def deliver(staff: Visit, words: dict[str, str]) -> None:
    """Upload, watch the files being opened, see the bad ones named."""
    page = staff.page
    staff.go("main a.button.primary")
    page.set_input_files("#id_images", [sent(name, content) for name, content in delivery()])
    staff.look("upload")
    staff.go("main button.primary")
    expect(page.locator("#delivery-files")).not_to_have_attribute("hx-get", re.compile("."), timeout=PATIENCE)
    refused = page.locator("tr:has(.bad-state)")
    assert refused.count() == 2
    told = refused.all_inner_texts()
    assert any(f"{BROKEN}_1_1.jpg" in line and words["refused"] in line for line in told)
    assert any("scan.jpg" in line and words["no_name"] in line for line in told)
    assert page.locator("tr:has(td .good-state)").count() == 5
    staff.look("delivery")
    staff.go("main a.button.primary")


def judge(staff: Visit, assessment: Assessment) -> None:
    """Start the machine and watch the progress come to its end, without reloading."""
    page = staff.page
    page.click("#start-judging")
    page.wait_for_selector(".messages")
    staff.look("judging")
    work = page.locator("#assessment-work")
    expect(work).to_contain_text("5 / 5", timeout=PATIENCE)
    expect(work).not_to_have_attribute("hx-get", re.compile("."), timeout=PATIENCE)
    progress = queries.progress_of(assessment)
    assert (progress.judged, progress.accepted + progress.to_review) == (5, 5)
    assert progress.accepted >= 1
    figures = [int(text) for text in work.locator(".fact dd").all_inner_texts()]
    assert figures == [5, 5, progress.accepted, progress.to_review, 0, progress.accepted]
    staff.look("judged")


def case_to_change(assessment: Assessment) -> Case:
    """A waiting answer with a proposal in which a step is not valid: the two results side by side never pass."""
    cases = queries.open_cases(assessment).filter(response__candidate__number__in=[RIVAL, CARRIED])
    for case in cases:
        assert case.run is not None
        if any(step["status"] != "VALID" for step in case.run.document["verdict"]["step_details"]):
            return case
    raise AssertionError("no answer waits whose proposal could be changed")


def change_a_step(page: Any) -> Decimal:
    """Give full points to the first step that is not valid yet; the total must follow. Returns the new total."""
    step = page.locator(".step:not(.VALID)").first
    number = step.get_attribute("data-step")
    before = Decimal(page.locator("#total").inner_text().split()[0])
    scored = Decimal(page.input_value(f"#score-{number}") or "0")
    points = Decimal(page.locator(f"#step-{number} .step-score .soft").inner_text().removeprefix("/").strip())
    page.check(f"#step-{number} input[value=VALID]", force=True)
    total = before - scored + points
    expect(page.locator("#total")).to_have_text(re.compile(rf"^\s*{total:f}"))
    return total


def review(teacher: Visit, assessment: Assessment) -> tuple[str, Decimal]:
    """Queue, a wrong answer, a changed step, a reason asked for and given, then every other answer."""
    page = teacher.page
    teacher.look("home")
    teacher.go("main a.button.primary")
    teacher.look("queue")
    case = case_to_change(assessment)
    teacher.go(f"a.anonymous:has-text('{case.response.code}')")
    page.click("#claim")
    page.wait_for_selector("#submit:enabled")
    page.wait_for_selector("#stage .mover")
    teacher.look("case")
    total = change_a_step(page)
    teacher.look("changed-step")
    page.click("#submit")
    page.wait_for_selector("#sheet-errors")
    page.fill("#reason", "第 3 步看清了")
    teacher.look("reason")
    teacher.go("#submit")
    assert case.response.code not in page.locator(".head").inner_text()
    mark = Mark.objects.get(case=case)
    assert (mark.total, mark.reason, str(mark.by)) == (total, "第 3 步看清了", "teacher")
    teacher.look("next")
    while page.locator("#submit").count():
        page.click("[data-do=full]")
        expect(page.locator("#total")).to_have_text("12")
        page.fill("#reason", "看原卷")
        teacher.go("#submit")
    teacher.look("queue-done")
    assert not queries.open_cases(assessment).exists()
    return case.response.candidate.number, total


def take_out(staff: Visit, assessment: Assessment, number: str, total: Decimal, language: str) -> None:
    """Results on the screen, as CSV and as XLSX: the teacher's mark and the Chinese arrive."""
    page = staff.page
    page.reload()
    staff.look("all-decided")
    staff.go("main a.button.primary")
    staff.look("results")
    with page.expect_download() as csv_file:
        page.click("a[href$='/csv/']")
    assert re.fullmatch(r"G3-MOCK-1-\d{4}-\d\d-\d\d\.csv", csv_file.value.suggested_filename)
    content = Path(csv_file.value.path()).read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    head, *lines = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    assert head[1] == ("姓名" if language == "zh-hans" else "Name")
    rows = {line[0]: line for line in lines}
    assert rows[number][1:3] == [NAMES[number], "高三（1）班"]
    assert Decimal(rows[number][4]) == Decimal(rows[number][5]) == total
    assert rows[BROKEN][1] == """'=HYPERLINK("x")"""
    with page.expect_download() as workbook:
        page.click("a[href$='/xlsx/']")
    book = openpyxl.load_workbook(io.BytesIO(Path(workbook.value.path()).read_bytes()))
    cells = {row[0]: row for row in book.worksheets[0].iter_rows(values_only=True)}
    assert cells[number][1] == NAMES[number]
    assert Decimal(str(cells[number][4])) == total


@pytest.mark.slow
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_from_an_empty_site_to_marks_in_a_spreadsheet(language, people, worker, visit):
    people.staff.user_permissions.add(Permission.objects.get(codename="create_assessment"))
    staff = visit(people.staff, language)
    assessment = set_up(staff, WORDS[language])
    deliver(staff, WORDS[language])
    judge(staff, assessment)
    number, total = review(visit(people.teacher, language), assessment)
    take_out(staff, assessment, number, total, language)


@pytest.fixture
def judged(people: Any, worker: Any) -> Assessment:
    """Three answers judged by a real worker: one with two results, one carried error, one photo that cannot be read."""
    assessment = transitions.create_assessment(
        code="G3-MOCK-2",
        title="2026 高三二模 · 数学",
        judge="embedded",
        policy={"allow_uncertified": True},
        by=people.staff,
    )
    document = strict_json.loads(RULES.read_bytes(), max_bytes=2**18, allow_controls="\n\t")
    rules = publish_rules(document, by=people.staff)
    transitions.add_question(assessment, number=1, label="第1题", rules=rules, by=people.staff)
    rows = [RosterRow(2, number, NAMES[number], "高三1班") for number in (RIVAL, CARRIED, PHOTO)]
    transitions.import_roster(rows, by=people.staff, assessment=assessment)
    transitions.give_role(assessment, people.teacher, "marker", by=people.staff)
    transitions.start_judging(assessment, by=people.staff)
    files = [picture(RIVAL), picture(CARRIED), (f"{PHOTO}_1_1.heic", HEIC.read_bytes())]
    transitions.receive_upload(assessment, files, by=people.staff)
    wait_for(lambda: queries.progress_of(assessment).judged == 3)
    return assessment


def wait_for(true: Callable[[], bool]) -> None:
    import time

    deadline = time.monotonic() + PATIENCE / 1000
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.5)


def test_the_teacher_reviews_without_javascript(judged, people, visit):
    teacher = visit(people.teacher, "zh-hans", java_script_enabled=False)
    page = teacher.page
    teacher.go("main a.button.primary")
    case = case_to_change(judged)
    teacher.go(f"a.anonymous:has-text('{case.response.code}')")
    page.click("#claim")
    assert page.locator(".sheet-page img").first.is_visible()
    step = page.locator(".step:not(.VALID)").first
    number = step.get_attribute("data-step")
    page.check(f"#step-{number} input[value=VALID]", force=True)
    page.click("button[formaction]")
    shown = Decimal(page.locator("#total").inner_text().split()[0])
    assert shown == sum(Decimal(page.input_value(f"#score-{at}") or "0") for at in range(1, 6))
    page.click("#submit")
    assert page.locator("#sheet-errors").is_visible()
    page.fill("#reason", "看清了")
    teacher.screenshot(page, "whole-no-script-case")
    teacher.go("#submit")
    assert Mark.objects.get(case=case).total == shown
    assert page.locator("#submit").is_visible()
    assert case.response.code not in page.locator(".head").inner_text()


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until the focus stands on the element, as somebody without a mouse would."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached with Tab")


def follow(page: Any, key: str = "Enter") -> None:
    before = page.url
    page.keyboard.press(key)
    page.wait_for_url(lambda address: address != before)


def test_the_teacher_reviews_by_keyboard_alone(judged, people, new_page, screenshot):
    from tests.fixtures.people import PASSWORD

    page = new_page(viewport=LAPTOP)
    page.context.set_default_timeout(60_000)
    page.goto("/accounts/login/")
    page.keyboard.type("teacher")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    follow(page)
    tab_to(page, "main a.button.primary")
    follow(page)
    case = case_to_change(judged)
    tab_to(page, f"a.anonymous[href*='{case.public_id}']")
    follow(page)
    tab_to(page, "#claim")
    page.keyboard.press("Enter")
    page.wait_for_selector("#submit:enabled")
    page.wait_for_selector("#stage .mover")
    step = page.locator(".step:not(.VALID)").first
    number = step.get_attribute("data-step")
    before = Decimal(page.locator("#total").inner_text().split()[0])
    page.keyboard.press(number)
    page.keyboard.press("1")
    expect(page.locator(f"#step-{number}")).to_have_class(re.compile("VALID"))
    expect(page.locator("#total")).not_to_have_text(re.compile(rf"^\s*{before:f}\s*$"))
    total = Decimal(page.locator("#total").inner_text().split()[0])
    tab_to(page, "#reason")
    page.keyboard.type("看清了")
    screenshot(page, "whole-keyboard-case")
    follow(page)
    assert Mark.objects.get(case=case).total == total
    assert case.response.code not in page.locator(".head").inner_text()
    page.wait_for_selector("#stage .mover")
    page.keyboard.press("f")
    expect(page.locator("#total")).to_have_text("12")
    tab_to(page, "#reason")
    page.keyboard.type("看原卷")
    follow(page)
    assert Mark.objects.filter(source="PERSON").count() == 2
