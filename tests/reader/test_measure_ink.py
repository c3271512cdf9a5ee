"""Ink as the policy gate sees it: where there is some, where a box holds it, what no box explains."""

import json

import cv2
import numpy as np
import pytest

from grading.judges.embedded.ink import measure_ink
from grading.judges.embedded.pages import UnusablePage
from tests.reader.drawing import images_of, paper, png, truths, write


@pytest.mark.parametrize("ruled", [False, True], ids=["plain", "ruled"])
def test_a_page_nobody_wrote_on_is_blank(ruled: bool) -> None:
    page = measure_ink([png(paper(ruled=ruled))], [])["pages"][0]

    assert page["blank"] is True
    assert page["regions"] == []
    assert page["ink_fraction"] == "0"


@pytest.mark.parametrize("ink", [30, 120, 175], ids=["pen", "pencil", "faint pencil"])
def test_a_written_page_is_not_blank_however_faint(ink: int) -> None:
    sheet = paper(ruled=ink < 100)
    write(sheet, "x=7", (100, 200), ink)

    page = measure_ink([png(sheet)], [])["pages"][0]

    assert page["blank"] is False
    assert len(page["regions"]) == 1


def test_a_box_on_writing_holds_ink_and_one_beside_it_does_not() -> None:
    sheet = paper(ruled=True)
    write(sheet, "x=7", (100, 200))

    on, beside = measure_ink([png(sheet)], [(1, (0.08, 0.2, 0.4, 0.32)), (1, (0.5, 0.5, 0.9, 0.8))])["boxes"]

    assert (on["on_page"], on["has_ink"], on["struck"]) == (True, True, False)
    assert (beside["on_page"], beside["has_ink"], beside["struck"]) == (True, False, None)


@pytest.mark.parametrize(
    ("page", "box"),
    [(1, (0.5, 0.5, 1.2, 0.8)), (1, (0.6, 0.5, 0.5, 0.8)), (1, (-0.1, 0.1, 0.5, 0.5)), (2, (0.1, 0.1, 0.9, 0.9))],
    ids=["beyond the edge", "inside out", "negative", "no such page"],
)
def test_a_box_off_the_page_holds_nothing(page: int, box: tuple[float, float, float, float]) -> None:
    sheet = paper()
    write(sheet, "x=7", (100, 200))

    facts = measure_ink([png(sheet)], [(page, box)])["boxes"][0]

    assert (facts["on_page"], facts["has_ink"]) == (False, False)


def test_boxes_may_come_as_mappings() -> None:
    sheet = paper()
    write(sheet, "x=7", (100, 200))
    box = (0.08, 0.2, 0.4, 0.32)

    assert measure_ink([png(sheet)], [{"page": 1, "box": list(box)}]) == measure_ink([png(sheet)], [(1, box)])


def test_writing_that_no_box_covers_is_unaccounted() -> None:
    sheet = paper()
    write(sheet, "x=7", (100, 200))
    write(sheet, "y=3", (100, 500))
    first = (0.08, 0.2, 0.4, 0.32)

    left = measure_ink([png(sheet)], [(1, first)])["unaccounted"]

    assert len(left) == 1
    assert 0.55 < float(left[0]["box"][1]) < 0.7
    assert measure_ink([png(sheet)], [(1, first), (1, (0.08, 0.6, 0.4, 0.76))])["unaccounted"] == []


@pytest.mark.parametrize("slope", [0, 14, -20], ids=["level", "falling", "rising"])
def test_a_line_with_a_stroke_through_it_is_struck(slope: int) -> None:
    sheet = paper()
    write(sheet, "x=7+5", (100, 200))
    cv2.line(sheet, (80, 180 - slope), (340, 180 + slope), 40, 5, cv2.LINE_AA)

    assert measure_ink([png(sheet)], [(1, (0.05, 0.18, 0.4, 0.34))])["boxes"][0]["struck"] is True


def test_an_underline_strikes_nothing() -> None:
    sheet = paper()
    write(sheet, "x=7+5", (100, 200))
    cv2.line(sheet, (90, 222), (340, 222), 40, 5, cv2.LINE_AA)

    assert measure_ink([png(sheet)], [(1, (0.05, 0.18, 0.4, 0.36))])["boxes"][0]["struck"] is False


def test_fractions_and_roots_of_the_sample_are_not_struck_and_strikes_are() -> None:
    wanted = [truth for truth in truths() if any(line["struck_out"] for line in truth["lines"])][:4]
    assert wanted
    for truth in wanted:
        lines = truth["lines"]
        boxes = measure_ink(images_of(truth), [(line["page"], tuple(line["box"])) for line in lines])["boxes"]
        assert [box["struck"] for box in boxes] == [line["struck_out"] for line in lines], truth["files"]


def test_a_given_template_is_not_the_candidates_ink() -> None:
    form = paper()
    write(form, "Name", (100, 120))
    answered = form.copy()
    write(answered, "x=7", (100, 400))

    page, blank = (measure_ink([png(sheet)], [], [png(form)])["pages"][0] for sheet in (answered, form))

    assert blank["blank"] is True
    assert (page["blank"], page["template_masked"], len(page["regions"])) == (False, True, 1)


def test_the_facts_are_the_same_bytes_each_time_and_hold_no_floats() -> None:
    sheet = paper(ruled=True)
    write(sheet, "x=7", (100, 200))

    once, again = (json.dumps(measure_ink([png(sheet)], [(1, (0.0, 0.0, 0.3, 0.4))]), sort_keys=True) for _ in "12")

    assert once == again
    assert not any(isinstance(value, float) for value in _leaves(json.loads(once)))


def _leaves(document: object) -> list[object]:
    if isinstance(document, dict):
        return [leaf for value in document.values() for leaf in _leaves(value)]
    if isinstance(document, list):
        return [leaf for value in document for leaf in _leaves(value)]
    return [document]


def test_bytes_that_are_no_image_are_refused() -> None:
    with pytest.raises(UnusablePage):
        measure_ink([b"not an image"], [])


def test_the_ink_of_an_all_dark_picture_does_not_crash() -> None:
    assert measure_ink([png(np.zeros((300, 300), np.uint8))], [])["pages"][0]["width"] == 300
