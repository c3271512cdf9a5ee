"""Marks on the page and in files, in the language of the page; what would run in a spreadsheet stays text."""

from __future__ import annotations

import csv
import io

import openpyxl
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from grading import transitions
from grading.domain.roster import RosterRow
from grading.models import Candidate
from tests.grading.marking_room import a_queued_case, an_answer, verdict_document
from tests.staff.conftest import at


@pytest.fixture
def marked(assessment, people):
    """1001 accepted with 9 points, 1002 waits, 1003 handed in nothing."""
    case = an_answer(assessment, people.staff, candidate="1001").case
    transitions.record_run(case, verdict_document(decision="ACCEPT"), epoch=1)
    a_queued_case(assessment, people.staff, candidate="1002")
    return assessment


def table(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize(
    ("language", "heads", "states"),
    [
        (
            "zh-hans",
            ["学号", "姓名", "班级", "密号", "第1题（12）", "总分", "状态"],
            ["已定分（系统通过 1 题）", "1 题未定分", "无作答"],
        ),
        (
            "en",
            ["Number", "Name", "Class", "Anonymous code", "第1题 (12)", "Total", "State"],
            ["Final (1 auto-accepted)", "1 without a mark", "Nothing handed in"],
        ),
    ],
)
def test_page_csv_and_workbook_speak_the_language_of_the_page(language, heads, states, marked, people, as_person):
    client = as_person(people.staff, language)
    body = client.get(at("results", marked)).content.decode()
    head, *rows = table(client.get(at("export", marked, "csv")).content)
    book = openpyxl.load_workbook(io.BytesIO(client.get(at("export", marked, "xlsx")).content))
    assert head == heads
    assert [row[-1] for row in rows] == states
    assert [cell.value for cell in book.worksheets[0][1]] == heads
    for words in [*heads, *states]:
        assert words in body


def test_an_open_answer_is_never_shown_as_zero(marked, people, as_person):
    body = as_person(people.staff).get(at("results", marked)).content.decode()
    row = body.partition("1002")[2].partition("</tr>")[0]
    assert "未定分" in row
    assert ">0<" not in row


def test_a_name_that_is_a_formula_or_markup_stays_text_everywhere(marked, people, as_person):
    Candidate.objects.filter(number="1001").update(name="=cmd|' /C calc'!A0")
    Candidate.objects.filter(number="1002").update(name="<script>alert(1)</script>")
    client = as_person(people.staff)
    rows = table(client.get(at("export", marked, "csv")).content)
    assert rows[1][1] == "'=cmd|' /C calc'!A0"
    book = openpyxl.load_workbook(io.BytesIO(client.get(at("export", marked, "xlsx")).content))
    assert book.worksheets[0]["B2"].data_type == "s"
    assert "<script>alert" not in client.get(at("results", marked)).content.decode()


def test_files_are_named_after_the_assessment_and_never_cached(marked, people, as_person):
    answer = as_person(people.staff).get(at("export", marked, "csv"))
    assert answer["Content-Disposition"].startswith('attachment; filename="T-1-')
    assert "no-store" in answer["Cache-Control"]


def test_without_a_class_the_page_says_so(empty, people, as_person):
    assert "还没有班级参加这场考试" in as_person(people.staff).get(at("results", empty)).content.decode()


def test_the_table_costs_the_same_for_three_candidates_and_for_sixty(marked, people, as_person):
    client = as_person(people.staff)

    def cost() -> int:
        client.get(at("results", marked))
        with CaptureQueriesContext(connection) as captured:
            client.get(at("results", marked))
        return len(captured)

    few = cost()
    rows = [RosterRow(i, f"3{i:03}", f"学生{i}", f"高三{i % 5}班") for i in range(60)]
    transitions.import_roster(rows, by=people.staff, assessment=marked)
    assert cost() == few
