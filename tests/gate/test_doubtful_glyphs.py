"""A mark that hangs on a glyph that may be another one is nobody's mark: every doubt, and doubts together."""

from __future__ import annotations

from decimal import Decimal

import pytest

from grading.domain.gate.stability import COMBINATIONS_TRIED

from .cast import Answer, failing, inked, line, said, wang


def doubted(answer: Answer, number: int, *others: str) -> None:
    """The reader names other readings of a line."""
    answer.reading["lines"][number - 1]["alternatives"] = [
        {"latex": other, "confidence": Decimal("0.3")} for other in others
    ]


def proved_twice() -> Answer:
    """d = 2 stands on two lines, and step A2 cites both."""
    answer = wang()
    answer.rewrite(2, "d=2")
    answer.reading["lines"].append(line(6, "d=2"))
    answer.ink = inked(answer.reading)
    for path in answer.observation["paths"]:
        for index, step in enumerate(path["steps"]):
            if step["step_id"] in {"A2", "B2"}:
                path["steps"][index] = said(step["step_id"], "VALID", 2, 6, quote="d=2")
    return answer


CONFUSED = [
    ("1 and 7", 5, r"S_{10}=10\times 3+45\times 2=720"),
    ("2 and z", 5, r"S_{10}=10\times 3+45\times 2=1z0"),
    ("0 and 6", 5, r"S_{10}=10\times 3+45\times 2=126"),
    ("0 and o", 5, r"S_{10}=10\times 3+45\times 2=12o"),
    ("3 and 8", 5, r"S_{10}=10\times 8+45\times 2=120"),
    ("5 and S", 5, r"S_{10}=10\times 3+4S\times 2=120"),
    ("4 and 9", 5, r"S_{10}=10\times 3+95\times 2=120"),
    ("the sign times and x", 5, r"S_{10}=10x3+45x2=120"),
    ("plus and t", 5, r"S_{10}=10\times 3t45\times 2=120"),
    ("1 and l", 5, r"S_{l0}=10\times 3+45\times 2=120"),
    ("S and s", 5, r"s_{10}=10\times 3+45\times 2=120"),
    ("a minus and nothing", 3, r"a_1=72\times 2=3"),
    ("a and 9", 4, "S_{10}=109_1+45d"),
    ("d and a", 4, "S_{10}=10a_1+45a"),
    ("4 and a", 1, "a_7-a_3=ad"),
]


@pytest.mark.parametrize(("number", "other"), [case[1:] for case in CONFUSED], ids=[case[0] for case in CONFUSED])
def test_a_glyph_that_may_be_its_look_alike_keeps_the_answer_from_passing(number: int, other: str) -> None:
    answer = wang()
    doubted(answer, number, other)
    document = answer.decide()
    assert document["decision"] == "MANUAL_REVIEW"
    assert failing(document) == ["reading-stable"]


def test_a_doubt_that_leaves_the_mathematics_as_it_is_passes() -> None:
    answer = wang()
    doubted(answer, 5, r"S_{10}=10\cdot 3+45\times 2=120", r"S_{10}=3\times 10+45\times 2=120")
    assert answer.decide()["decision"] == "ACCEPT"


def test_a_step_proved_on_two_lines_stands_when_one_of_them_is_doubtful() -> None:
    for number in (2, 6):
        answer = proved_twice()
        doubted(answer, number, "z=2")
        assert answer.decide()["decision"] == "ACCEPT", number


def test_a_step_proved_on_two_doubtful_lines_falls_when_both_doubts_are_true() -> None:
    answer = proved_twice()
    doubted(answer, 2, "z=2")
    doubted(answer, 6, "z=2")
    document = answer.decide()
    assert failing(document) == ["reading-stable"]
    entry = next(entry for entry in document["gate"] if entry["rule"] == "reading-stable")
    assert entry["facts"]["together"] == [["L2", "z=2"], ["L6", "z=2"]]
    assert "step-proved" in entry["facts"]["rules"]
    assert "L2" not in entry["message"]["en"] or " and " in entry["message"]["en"]


def test_three_doubts_together_are_looked_at_too() -> None:
    answer = proved_twice()
    answer.reading["lines"].append(line(7, "2=d"))
    answer.ink = inked(answer.reading)
    for path in answer.observation["paths"]:
        for step in path["steps"]:
            if step["step_id"] in {"A2", "B2"}:
                step["line_ids"].append("L7")
    assert answer.decide()["decision"] == "ACCEPT"
    for number, other in ((2, "z=2"), (6, "z=2"), (7, "2=z")):
        assert answer.decide()["decision"] == "ACCEPT", number
        doubted(answer, number, other)
    document = answer.decide()
    assert failing(document) == ["reading-stable"]


def test_more_readings_of_the_page_than_are_tried_go_to_a_person() -> None:
    """Five lines with three harmless doubts each are fifteen doubts, and 4⁵ readings of the page."""
    answer = wang()
    for number, each in enumerate(answer.reading["lines"], start=1):
        doubted(answer, number, *(each["latex"] + " " * extra for extra in (1, 2, 3)))
    document = answer.decide()
    assert failing(document) == ["reading-stable"]
    entry = next(entry for entry in document["gate"] if entry["rule"] == "reading-stable")
    assert entry["facts"]["combinations"] == 4**5 - 1 > COMBINATIONS_TRIED


def test_a_doubt_on_each_of_five_lines_is_worked_through() -> None:
    answer = wang()
    for number, each in enumerate(answer.reading["lines"], start=1):
        doubted(answer, number, each["latex"] + " ")
    document = answer.decide()
    assert document["decision"] == "ACCEPT"
    entry = next(entry for entry in document["gate"] if entry["rule"] == "reading-stable")
    assert entry["facts"] == {"alternatives": 5, "combinations": 31}
