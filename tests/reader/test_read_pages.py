"""Reading pages: what is neat is read whole and exactly, what is not fails aloud, and nothing is lost silently."""

import builtins
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from grading.domain.reading import read_reading
from grading.judges.embedded import recogniser
from grading.judges.embedded.ink import measure_ink
from grading.judges.embedded.reader import ReaderSettings, examine_pages, read_pages
from tests.reader.drawing import images_of, paper, png, same, truths, write

TRUSTED = ReaderSettings().line_confidence


def answer(kind: str, hand: str = "kai-very-neat") -> dict[str, Any]:
    """The first sample answer of this kind in this hand."""
    return next(truth for truth in truths() if truth["kind"] == kind and truth["hand"] == hand)


def content(line: dict[str, Any]) -> str:
    return str(line.get("latex", line.get("text")))


@pytest.mark.parametrize("question", range(1, 7))
def test_a_very_neat_answer_is_read_line_for_line(question: int) -> None:
    truth = next(
        truth
        for truth in truths()
        if (truth["hand"], truth["kind"], truth["question"]) == ("kai-very-neat", "right", question)
    )

    reading = read_pages(images_of(truth))

    assert "failure" not in reading
    assert [same(content(line)) for line in reading["lines"]] == [same(line["latex"]) for line in truth["lines"]]
    assert not any(line["unread_ink"] for line in reading["lines"])


def test_a_reading_fits_its_schema_and_says_who_read() -> None:
    reading = read_pages(images_of(answer("right")))

    assert read_reading(reading).lines
    assert reading["reader"]["name"] == "embedded"
    assert [line["line_id"] for line in reading["lines"]] == [f"L{n + 1}" for n in range(len(reading["lines"]))]


def test_boxes_lie_on_the_writing_of_their_line() -> None:
    truth = answer("right")
    reading = read_pages(images_of(truth))

    for line, true in zip(reading["lines"], truth["lines"], strict=True):
        x0, y0, x1, y1 = line["box"]
        a0, b0, a1, b1 = true["box"]
        assert max(abs(x0 - a0), abs(x1 - a1), abs(y0 - b0), abs(y1 - b1)) < 0.02
    boxes = measure_ink(images_of(truth), [(line["page"], tuple(line["box"])) for line in reading["lines"]])
    assert all(box["has_ink"] and not box["struck"] for box in boxes["boxes"])
    assert boxes["unaccounted"] == []


@pytest.mark.parametrize("turns", [1, 2, 3], ids=["quarter", "upside down", "three quarters"])
def test_a_page_on_its_side_is_read_upright_with_boxes_on_the_stored_page(turns: int) -> None:
    image = images_of(answer("right"))[0]
    gray = cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert gray is not None
    turned = png(np.ascontiguousarray(np.rot90(gray, turns)))

    upright, sideways = examine_pages([image]), examine_pages([turned])

    assert sideways["pages"][0]["rotation"] == 90 * (4 - turns)
    assert [content(line) for line in sideways["lines"]] == [content(line) for line in upright["lines"]]
    facts = measure_ink([turned], [(1, tuple(line["box"])) for line in sideways["lines"]])
    assert facts["unaccounted"] == []


def test_crossed_out_lines_are_marked_and_the_others_are_not() -> None:
    truth = next(truth for truth in truths() if truth["kind"] == "struck_out" and truth["neat"])

    reading = read_pages(images_of(truth))

    assert [line["struck_out"] for line in reading["lines"]] == [line["struck_out"] for line in truth["lines"]]


@pytest.mark.parametrize("ruled", [False, True], ids=["plain", "ruled"])
def test_an_empty_page_is_blank(ruled: bool) -> None:
    reading = examine_pages([png(paper(ruled=ruled))])

    assert reading["failure"]["code"] == "blank"
    assert reading["lines"] == []
    assert reading["pages"][0]["blank"] is True


def test_scribble_fails_and_no_line_of_it_is_trusted() -> None:
    truth = next(truth for truth in truths() if truth["kind"] == "unreadable")

    reading = read_pages(images_of(truth))

    assert reading["failure"]["code"] == "low_confidence"
    assert all(line["confidence"] < TRUSTED for line in reading["lines"])


@pytest.mark.slow
def test_real_handwriting_fails_with_boxes_on_the_writing(cases_folder: Path) -> None:
    scans = sorted((cases_folder / "real").glob("*.png"))[:3]
    if not scans:
        pytest.skip(f"no real scans in {cases_folder}")
    for scan in scans:
        image = scan.read_bytes()
        reading = read_pages([image])
        assert reading["failure"]["code"] == "low_confidence", scan.name
        assert all(line["confidence"] < TRUSTED for line in reading["lines"])
        facts = measure_ink([image], [(1, tuple(line["box"])) for line in reading["lines"]])
        left = sum(float(region["ink_fraction"]) for region in facts["unaccounted"])
        assert left < 0.25 * float(facts["pages"][0]["ink_fraction"])
        assert all(box["has_ink"] for box in facts["boxes"])


def test_ink_beside_the_lines_is_reported() -> None:
    sheet = paper()
    write(sheet, "x=7", (100, 200))
    cv2.circle(sheet, (800, 600), 4, 40, -1)

    page = examine_pages([png(sheet)])["pages"][0]

    assert len(page["unread_ink_boxes"]) == 1
    assert page["unread_ink_boxes"][0][0] > 0.7


def test_two_columns_are_not_read_across() -> None:
    sheet = paper(1600, 800)
    for row, (left, right) in enumerate([("x=1", "y=4"), ("x=2", "y=5"), ("x=3", "y=6"), ("x=7", "y=8")]):
        write(sheet, left, (100, 150 + 150 * row))
        write(sheet, right, (900, 150 + 150 * row))

    read = [content(line).lower() for line in read_pages([png(sheet)])["lines"]]

    assert read == ["x=1", "x=2", "x=3", "x=7", "y=4", "y=5", "y=6", "y=8"]


def test_pages_keep_their_numbers() -> None:
    truth = next(truth for truth in truths() if len(truth["files"]) == 2 and truth["hand"] == "kai-neat")

    reading = read_pages(images_of(truth))

    assert [line["page"] for line in reading["lines"]] == [line["page"] for line in truth["lines"]]


def test_bytes_that_are_no_image_are_a_failure_not_a_crash() -> None:
    assert read_pages([b"GIF89a nonsense"])["failure"]["code"] == "unusable_image"


def test_the_same_page_reads_the_same_twice() -> None:
    images = images_of(answer("right"))

    assert read_pages(images) == read_pages(images)


@pytest.fixture
def no_rapidocr(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.startswith("rapidocr"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *rest)

    monkeypatch.setattr(recogniser, "_engine", None)
    monkeypatch.setitem(sys.modules, "rapidocr", None)
    monkeypatch.setattr(builtins, "__import__", refuse)


@pytest.mark.usefixtures("no_rapidocr")
def test_a_missing_package_is_named() -> None:
    with pytest.raises(recogniser.ReaderUnavailable, match="rapidocr"):
        read_pages([png(paper())])
