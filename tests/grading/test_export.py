"""Marks out: Chinese intact in Excel, nothing that runs, an unmarked answer never a zero."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal

import openpyxl
import pytest

from grading import transitions
from grading.domain.spreadsheet import csv_bytes, safe_text, xlsx_bytes
from grading.exporting import export_marks
from grading.models import Candidate
from tests.grading.marking_room import a_queued_case, an_answer, an_assessment, verdict_document


@pytest.fixture
def assessment(people, data_dir):
    made = an_assessment(people.staff)
    case = an_answer(made, people.staff, candidate="1001").case
    transitions.record_run(case, verdict_document(decision="ACCEPT"), epoch=1)
    a_queued_case(made, people.staff, candidate="1002")
    return made


def table(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_the_csv_opens_in_excel_with_chinese_intact(assessment):
    content = export_marks(assessment, "csv")
    assert content.startswith(b"\xef\xbb\xbf")
    assert b"\r\n" in content
    head, first, *_ = table(content)
    assert head[:4] == ["学号", "姓名", "班级", "密号"]
    assert head[4] == "第1题（12）"
    assert (first[0], first[1], first[4], first[5]) == ("1001", "陈一", "9", "9")


def test_an_unmarked_answer_is_empty_and_a_missing_one_is_said(assessment):
    _, marked, waiting, absent = table(export_marks(assessment, "csv"))
    assert marked[-1] == "已定分（系统通过 1 题）"
    assert (waiting[4], waiting[5], waiting[-1]) == ("", "", "1 题未定分")
    assert (absent[4], absent[5], absent[-1]) == ("—", "", "无作答")


def test_the_workbook_holds_numbers_as_numbers_and_text_as_text(assessment):
    Candidate.objects.filter(number="1001").update(name='=HYPERLINK("http://example.org","x")')
    book = openpyxl.load_workbook(io.BytesIO(export_marks(assessment, "xlsx")))
    row = next(book.worksheets[0].iter_rows(min_row=2, max_row=2))
    assert (row[0].value, row[0].data_type) == ("1001", "s")
    assert (row[1].value, row[1].data_type) == ('=HYPERLINK("http://example.org","x")', "s")
    assert (row[4].value, row[4].data_type) == (9, "n")


def test_the_documents_carry_every_edition_and_no_name(assessment):
    content = export_marks(assessment, "json")
    exported = json.loads(content)
    assert len(exported["answers"]) == 2
    assert {len(answer["marks"]) for answer in exported["answers"]} == {0, 1}
    assert all(answer["document"]["verdict"] for answer in exported["answers"])
    assert "陈一" not in content.decode()


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("-2+3", "'-2+3"),
        ("  =1", "'  =1"),
        ("＝1", "'＝1"),
        ("\t=1", "'\t=1"),
        ("-3", "-3"),
        ("+8613800000000", "+8613800000000"),
        ("王小明", "王小明"),
        ("0429", "0429"),
    ],
)
def test_what_would_run_as_a_formula_is_made_text_and_plain_numbers_stay(given, written):
    assert safe_text(given) == written
    assert table(csv_bytes([[given]])) == [[written]]


def test_half_marks_are_exact_in_both_kinds():
    assert table(csv_bytes([[Decimal("7.50"), Decimal("10.0")]])) == [["7.5", "10"]]
    cell = openpyxl.load_workbook(io.BytesIO(xlsx_bytes([[Decimal("7.5")]], sheet="x"))).worksheets[0]["A1"]
    assert cell.value == 7.5
