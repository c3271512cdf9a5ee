"""Class lists: text stays text, each unusable row is named, the same list twice is once."""

from __future__ import annotations

import contextlib
import io
import time
import zipfile

import openpyxl
import pytest

from config.foundation.errors import UnusableInput
from grading import transitions
from grading.domain.roster import read_roster
from grading.models import Candidate, SchoolClass


def sheet(rows) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


LIST = "学号,姓名,班级\n0429,王小明,高三1班\n0430,李华,高三2班\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_a_csv_in_the_usual_encodings_is_read(encoding):
    rows, faults = read_roster("list.csv", LIST.encode(encoding))
    assert [(row.number, row.name, row.school_class) for row in rows] == [
        ("0429", "王小明", "高三1班"),
        ("0430", "李华", "高三2班"),
    ]
    assert faults == []


def test_columns_may_stand_in_any_order_with_others_between_them():
    rows, _ = read_roster("list.csv", "备注,班级,姓名,学号\nx,高三1班,王小明,0429\n".encode())
    assert (rows[0].number, rows[0].name) == ("0429", "王小明")


def test_a_workbook_is_read_with_numbers_as_they_stand():
    content = sheet([["学号", "姓名", "班级"], ["0429", "王小明", "高三1班"], [20260101, "李华", "高三1班"]])
    rows, _ = read_roster("list.xlsx", content)
    assert [row.number for row in rows] == ["0429", "20260101"]


def test_unusable_rows_are_named_and_the_rest_go_on():
    content = "学号,姓名,班级\n1,甲,一班\n,乙,一班\n3,,一班\n4,丁,\n1,戊,一班\n\n6,己,一班\n".encode()
    rows, faults = read_roster("list.csv", content)
    assert [row.number for row in rows] == ["1", "6"]
    assert [fault.row for fault in faults] == [3, 4, 5, 6]
    assert "第 6 行" in faults[3].zh
    assert "第 2 行" in faults[3].zh


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.csv", b"", "roster.empty"),
        ("a.csv", "学号,姓名\n1,甲\n".encode(), "roster.column"),
        ("a.csv", "学号,姓名,班级\n".encode(), "roster.empty"),
        ("a.xlsx", b"not a workbook", "roster.not_xlsx"),
        ("a.csv", b"PK\x03\x04broken", "roster.not_xlsx"),
        ("a.csv", b"\xff\xfe\xff\xff", "roster.encoding"),
        ("a.csv", b"x" * (5 * 2**20 + 1), "roster.too_large"),
    ],
)
def test_an_unusable_file_says_what_is_wrong(name, content, code):
    with pytest.raises(UnusableInput) as refused:
        read_roster(name, content)
    assert refused.value.code == code


def test_importing_twice_changes_nothing_and_a_new_class_moves_the_candidate(people):
    rows, _ = read_roster("list.csv", LIST.encode())
    first = transitions.import_roster(rows, by=people.staff)
    again = transitions.import_roster(rows, by=people.staff)
    assert (first.created, again.created, again.moved, again.unchanged) == (2, 0, 0, 2)
    moved, _ = read_roster("list.csv", LIST.replace("0429,王小明,高三1班", "0429,王小明,高三2班").encode())
    assert transitions.import_roster(moved, by=people.staff).moved == 1
    assert Candidate.objects.get(number="0429").school_class == SchoolClass.objects.get(name="高三2班")


def damaged_workbooks() -> dict[str, bytes]:
    """A workbook with one part after the other cut, emptied or replaced."""
    whole = sheet([["学号", "姓名", "班级"], ["0429", "王小明", "高三1班"]])
    found = {}
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name in parts:
        for kind, content in (("empty", b""), ("cut", parts[name][:40]), ("other", b"<x/>")):
            out = io.BytesIO()
            with zipfile.ZipFile(out, "w") as archive:
                for each, body in parts.items():
                    archive.writestr(each, content if each == name else body)
            found[f"{kind} {name}"] = out.getvalue()
    return found


@pytest.mark.parametrize("content", damaged_workbooks().values(), ids=damaged_workbooks().keys())
def test_a_damaged_workbook_is_refused_in_words_or_read(content):
    with contextlib.suppress(UnusableInput):
        rows, faults = read_roster("list.xlsx", content)
        assert rows or faults


def test_a_workbook_with_endless_columns_is_read_quickly():
    book = openpyxl.Workbook()
    page = book.worksheets[0]
    page.append(["学号", "姓名", "班级"])
    for number in range(2, 400):
        page.append([str(number), "某", "高三1班"])
        page.cell(row=number, column=16384, value="x")
    out = io.BytesIO()
    book.save(out)
    begun = time.monotonic()
    rows, faults = read_roster("wide.xlsx", out.getvalue())
    assert (len(rows), faults) == (398, [])
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("name", ["王\u202e小明", "王\u2028小明", "王\x00小明", "王\u2066小明"])
def test_a_name_that_falsifies_what_the_screen_shows_is_named_by_its_row(name):
    rows, faults = read_roster("list.csv", f"学号,姓名,班级\n1,{name},一班\n".encode())
    assert (rows, [fault.row for fault in faults]) == ([], [2])
