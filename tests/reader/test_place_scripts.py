"""Superscripts and subscripts are told by where a mark stands, never by what the recogniser thinks."""

import pytest

from grading.judges.embedded.rows import Part
from grading.judges.embedded.scripts import CLOSE_CALL, Mark, Place, Ruling, marks_of, placed, ruling_of

FIGURE = 100.0
BASELINE = 500.0


def part(x: int, top: float, bottom: float, width: int = 50, label: int = 1) -> Part:
    """A part with its edges given in figure heights above the baseline."""
    y0, y1 = round(BASELINE - top * FIGURE), round(BASELINE - bottom * FIGURE)
    return Part(label, x, y0, x + width, y1, width * (y1 - y0))


def mark(top: float, bottom: float, width: int = 50) -> Mark:
    one = part(200, top, bottom, width)
    return Mark((one,), (one.x0, one.y0, one.x1, one.y1))


BASE = mark(0.7, 0.0)


@pytest.mark.parametrize(
    ("top", "bottom", "width", "place"),
    [
        (1.0, 0.0, 60, Place.MAIN),
        (0.7, 0.0, 60, Place.MAIN),
        (0.7, -0.3, 60, Place.MAIN),
        (1.2, -0.3, 40, Place.MAIN),
        (1.25, 0.6, 45, Place.SUPER),
        (1.05, 0.45, 45, Place.SUPER),
        (0.3, -0.35, 45, Place.SUB),
        (0.2, -0.35, 20, Place.SUB),
        (0.15, -0.15, 15, Place.MAIN),
        (0.42, 0.3, 50, Place.MAIN),
        (1.0, 0.9, 40, Place.SUPER),
        (0.8, 0.12, 65, Place.MAIN),
        (1.0, 0.66, 12, Place.MAIN),
    ],
    ids=[
        "figure",
        "small letter",
        "letter with a tail",
        "bracket",
        "exponent",
        "low exponent",
        "index",
        "index 1",
        "comma",
        "minus",
        "minus of an exponent",
        "plus",
        "prime",
    ],
)
def test_a_mark_has_the_place_that_its_height_gives(top: float, bottom: float, width: int, place: Place) -> None:
    assert placed(mark(top, bottom, width), Ruling(BASELINE, FIGURE), BASE).place is place


def test_what_has_nothing_to_hang_on_stands_on_the_line() -> None:
    assert placed(mark(1.25, 0.6), Ruling(BASELINE, FIGURE), None).place is Place.MAIN


def test_a_script_decided_by_a_hair_says_so() -> None:
    clear = placed(mark(1.25, 0.6), Ruling(BASELINE, FIGURE), BASE)
    close = placed(mark(0.95, 0.26), Ruling(BASELINE, FIGURE), BASE)

    assert clear.margin > CLOSE_CALL > close.margin


def test_the_two_strokes_of_an_equals_sign_are_one_mark_and_never_a_script() -> None:
    strokes = [part(100, 0.9, 0.8, 60, 1), part(102, 0.65, 0.55, 60, 2)]

    (equals,) = marks_of(strokes, FIGURE)

    assert placed(equals, Ruling(BASELINE, FIGURE), BASE).place is Place.MAIN


def test_a_stacked_exponent_and_index_are_two_marks() -> None:
    assert len(marks_of([part(100, 1.3, 0.65, 45, 1), part(102, 0.35, -0.3, 45, 2)], FIGURE)) == 2


def test_the_baseline_follows_a_line_that_climbs() -> None:
    climbing = []
    for number in range(8):
        lift = 0.03 * number
        climbing += marks_of([part(100 + 100 * number, 1.0 + lift, lift, 60, number + 1)], FIGURE)

    ruling = ruling_of(climbing, FIGURE, None)

    assert all(placed(one, ruling, climbing[0]).place is Place.MAIN for one in climbing)


def test_indices_as_many_as_letters_do_not_pull_the_baseline_down() -> None:
    row = []
    for number in range(4):
        row += marks_of([part(100 + 200 * number, 0.7, 0.0, 60, 2 * number + 1)], FIGURE)
        row += marks_of([part(170 + 200 * number, 0.35, -0.35, 45, 2 * number + 2)], FIGURE)

    ruling = ruling_of(row, FIGURE, None)

    assert [placed(one, ruling, row[0]).place for one in row[1::2]] == [Place.SUB] * 4
    assert [placed(one, ruling, row[0]).place for one in row[::2]] == [Place.MAIN] * 4
