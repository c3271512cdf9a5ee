"""Marked papers: the marks on the image at their places, the points, and never a zero for what nobody has marked."""

from __future__ import annotations

import io
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from PIL import Image, ImageChops

from grading import transitions
from grading.annotations import annotations_on_paper, shape_on
from grading.domain.annotations import read_changes
from grading.intake import media
from grading.models import Candidate, Case
from grading.papers.composing import drawn_page
from grading.papers.contents import papers_of
from grading.papers.folder import export_papers, file_name
from grading.papers.lettering import width_of
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = pytest.mark.django_db


def red(image: Image.Image, x: float, y: float, room: int = 3) -> bool:
    """Whether a pixel near this share of the image is the red of a mark."""
    at = round(x * image.width), round(y * image.height)
    near = (
        image.convert("RGB").getpixel((at[0] + dx, at[1] + dy))
        for dx in range(-room, room + 1)
        for dy in range(-room, room + 1)
    )
    return any(isinstance(each, tuple) and each[0] > 140 and each[1] < 90 and each[2] < 90 for each in near)


def pages_in(pdf: bytes) -> list[Image.Image]:
    """The pages of a paper: each is one image that fills it."""
    assert pdf.startswith(b"%PDF")
    starts = [match.start() for match in re.finditer(rb"\xff\xd8\xff", pdf)]
    return [Image.open(io.BytesIO(pdf[start:])) for start in starts]


@pytest.fixture
def marked(room: factory.Room, people: Any) -> Case:
    """An answer with a box, a tick and words on it, marked with a comment, beside one that nobody has marked."""
    case = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    page = case.response.pages.get()
    place = {"do": "draw", "page": page.public_id, "image": page.stored_sha256}
    half, low = Decimal("0.5"), Decimal("0.8")
    sent = [
        place | {"key": "a", "kind": "box", "at": [Decimal("0.25"), Decimal("0.6")], "to": [half, low]},
        place | {"key": "b", "kind": "text", "at": [half, half], "text": "首项应为 3，x₁≠√2π 翀𠮷"},
        place | {"key": "c", "kind": "tick", "at": [low, low]},
    ]
    transitions.annotate(case, read_changes(sent), by=people.teacher)
    transitions.annotate(case, read_changes([{"do": "erase", "key": "c"}]), by=people.teacher)
    give(case, people.teacher, 9, blind=False, reason="第三步抄错 =HYPERLINK(1)")
    room.add(factory.hand_worked_document())
    return Case.objects.get(pk=case.pk)


def test_the_marks_lie_where_they_were_drawn_and_what_was_erased_is_not_there(marked):
    page = marked.response.pages.get()
    shapes = [shape_on(each) for each in annotations_on_paper(marked)]
    bare = drawn_page(media.load(page.stored_sha256), [], (page.width, page.height), (620, 877))
    image = drawn_page(media.load(page.stored_sha256), shapes, (page.width, page.height), (620, 877))
    assert image.size == (620, 877)
    for x, y in ((0.25, 0.7), (0.5, 0.7), (0.375, 0.6), (0.375, 0.8)):
        assert red(image, x, y)
        assert not red(bare, x, y)
    assert any(red(image, 0.5 + step / 100, 0.5 + step / 700) for step in range(1, 12))
    assert not red(image, 0.8, 0.8, room=15)


def test_each_candidate_gets_one_pdf_with_points_or_the_word_that_there_are_none(marked, room, tmp_path):
    folder = tmp_path / "papers"
    call_command("export_papers", "MOCK-2026", "--out", str(folder))
    assert sorted(each.name for each in folder.iterdir()) == ["2026001.pdf", "2026002.pdf"]
    first, second = papers_of(room.assessment)
    assert (first.total, first.finished) == ("总分 9 / 12", True)
    assert (second.total, second.finished) == ("尚未评完：1 题未定分，总分暂缺", False)
    assert "0" not in second.parts[0].result
    assert [each.sign for each in first.parts[0].steps].count("tick") >= 3
    assert first.parts[0].notes == ["评语：第三步抄错 =HYPERLINK(1)"]
    (shown,) = pages_in((folder / "2026001.pdf").read_bytes())
    assert shown.size == (1240, 1754)
    red_part, green_part, _blue = shown.convert("RGB").split()
    wanted = ImageChops.darker(red_part.point(lambda v: 255 * (v > 140)), green_part.point(lambda v: 255 * (v < 90)))
    reds = wanted.histogram()[255]
    assert reds > 2000, "the box and the words are on the paper"


def test_the_same_marks_give_the_same_bytes_and_a_full_folder_is_left_alone(marked, room, tmp_path, capsys):
    for name in ("one", "two"):
        export_papers(room.assessment, tmp_path / name)
    for each in (tmp_path / "one").iterdir():
        assert each.read_bytes() == (tmp_path / "two" / each.name).read_bytes()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(SystemExit) as ended:
        call_command("export_papers", "MOCK-2026", "--out", str(tmp_path / "one"))
    assert ended.value.code == 2
    assert "not an empty folder" in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == before


def test_a_fault_in_the_middle_leaves_no_paper_and_no_folder(marked, room, tmp_path, monkeypatch):
    calls = []
    whole = Path.write_bytes

    def full(path: Path, content: bytes) -> int:
        calls.append(path)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return whole(path, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        export_papers(room.assessment, tmp_path / "out" / "papers")
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    "number",
    [
        "../../etc/passwd",
        "..",
        ".",
        "=1+1",
        "-rf",
        "@x",
        "+1",
        "a/b",
        "a\\b",
        "CON",
        "nul",
        "x\x00y",
        "",
        "张三",
        "A1",
        "a" * 60,
    ],
)
def test_a_number_from_a_class_list_cannot_bend_the_name_of_its_file(number, tmp_path):
    name = file_name(number)
    assert (tmp_path / name).resolve().parent == tmp_path.resolve()
    assert name[0].isalnum()
    assert name.endswith(".pdf")
    assert len(name) < 60
    assert name.split(".")[0].lower() not in ("con", "nul")


def test_numbers_that_differ_have_files_that_differ_also_where_case_is_ignored():
    numbers = ["a1", "A1", "a/1", "a\\1", "a_1", "张三", "李四"]
    assert len({file_name(number).lower() for number in numbers}) == len(numbers)


def test_a_candidate_with_a_wild_number_gets_a_paper_inside_the_folder(marked, room, tmp_path):
    Candidate.objects.filter(number="2026001").update(number="../=cmd|'x'!A1")
    export_papers(room.assessment, tmp_path / "out" / "papers")
    assert len(list((tmp_path / "out" / "papers").iterdir())) == 2
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["papers"]


def test_an_answer_being_marked_again_shows_its_standing_mark_and_says_so(marked, room, people):
    transitions.return_mark(marked, by=people.leader, version=marked.version, reason="再看")
    first = next(papers_of(room.assessment, "en"))
    assert first.parts[0].result == "9 / 12 points"
    assert first.parts[0].notes[0] == "Being marked again; the mark may change"
    assert len(first.parts[0].pages[0][1]) == 2


def test_every_sign_has_a_width_also_one_that_no_font_has():
    assert all(width_of(sign, 20) > 0 for sign in "文A√≠₁²π𠮷≤∵△")
    assert width_of("𠮷", 20) > width_of("文", 20), "its code is written out"
