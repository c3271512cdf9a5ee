"""Class lists: taken row by row, each unusable row named, never doubled, never run as markup."""

from __future__ import annotations

import io

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from grading import transitions
from grading.domain.roster import RosterRow
from grading.models import Candidate
from tests.staff.conftest import at

HEAD = "学号,姓名,班级\r\n"


def send(client, assessment, content: bytes, name: str = "名单.csv"):
    return client.post(at("classes", assessment), {"roster": SimpleUploadedFile(name, content)}, follow=True)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "gb18030"])
def test_a_csv_is_taken_in_every_encoding_that_excel_writes(encoding, empty, people, as_person):
    answer = send(as_person(people.staff), empty, (HEAD + "0429,欧阳龑,高三(1)班\r\n").encode(encoding))
    assert answer.status_code == 200
    assert "新增考生 1 名" in answer.content.decode()
    assert (Candidate.objects.get().number, Candidate.objects.get().name) == ("0429", "欧阳龑")


def test_a_workbook_is_taken(empty, people, as_person):
    book = openpyxl.Workbook()
    for row in (["班级", "学号", "姓名"], ["高三2班", 20260101, "陈一"]):
        book.worksheets[0].append(row)
    out = io.BytesIO()
    book.save(out)
    send(as_person(people.staff), empty, out.getvalue(), "名单.xlsx")
    assert Candidate.objects.get().number == "20260101"


def test_unusable_rows_are_named_and_the_others_taken(empty, people, as_person):
    content = HEAD + "1,甲,一班\r\n2,,一班\r\n1,乙,一班\r\n3,丙,一班\r\n"
    answer = send(as_person(people.staff), empty, content.encode())
    body = answer.content.decode()
    assert answer.status_code == 422
    assert "名单.csv" in body
    assert "第 3 行没有姓名" in body
    assert "第 4 行的学号 1 与第 2 行重复" in body
    assert sorted(Candidate.objects.values_list("number", flat=True)) == ["1", "3"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"", "The file is empty"),
        ("a.csv", "学号,姓名\r\n1,甲\r\n".encode(), "Row 1 has no column “班级”"),
        ("a.csv", HEAD.encode(), "holds no candidates"),
        ("a.xlsx", b"PK\x03\x04 not a workbook", "not a readable XLSX"),
        ("a.xlsx", b"plain text", "not a readable XLSX"),
        ("a.csv", b"\xff\xff\xff\xff", "neither UTF-8 nor GB18030"),
        ("a.csv", (HEAD + "1," + '"' + "x" * 200_000).encode(), "not readable CSV"),
    ],
)
def test_an_unusable_file_is_refused_with_what_to_do(name, content, words, empty, people, as_person):
    answer = send(as_person(people.staff, "en"), empty, content, name)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not Candidate.objects.exists()


def test_names_with_markup_are_shown_as_text(empty, people, as_person):
    content = HEAD + "1,<script>alert(1)</script>,<b>一班</b>\r\n"
    body = send(as_person(people.staff), empty, content.encode()).content.decode()
    assert "<script>alert" not in body
    assert "<b>一班" not in body
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in body


def test_the_same_list_twice_doubles_nobody(empty, people, as_person):
    client = as_person(people.staff, "en")
    content = (HEAD + "1,甲,一班\r\n").encode()
    send(client, empty, content)
    assert "0 candidates added, 0 changed, 1 as before." in send(client, empty, content).content.decode()
    assert "0 candidates added, 1 changed" in send(client, empty, (HEAD + "1,乙,一班\r\n").encode()).content.decode()


def test_without_a_file_the_page_says_so(empty, people, as_person):
    answer = as_person(people.staff).post(at("classes", empty))
    assert answer.status_code == 422
    assert "请先选择文件。" in answer.content.decode()


def test_the_list_costs_the_same_for_three_candidates_and_for_sixty(assessment, people, as_person):
    client = as_person(people.staff)

    def cost() -> int:
        client.get(at("classes", assessment))
        with CaptureQueriesContext(connection) as captured:
            client.get(at("classes", assessment))
        return len(captured)

    few = cost()
    rows = [RosterRow(i, f"3{i:03}", f"学生{i}", f"高三{i % 5}班") for i in range(60)]
    transitions.import_roster(rows, by=people.staff, assessment=assessment)
    assert cost() == few
