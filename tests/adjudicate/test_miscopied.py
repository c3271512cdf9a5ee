"""A value of the question copied wrongly is one error of copying, and what follows from it is carried."""

from __future__ import annotations

from pathlib import Path

import pytest

from grading.domain.copied import in_stem, miscopied
from grading.domain.reading import read_reading
from grading.domain.student_values import StudentValues
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules, read_rules_file
from tests.adjudicate.conftest import Judged, judge_with, reading_of

RULES = Path(__file__).parents[2] / "grading" / "sample" / "rules"
UNSURE = 0.7

COSINE = [
    r"\cos A=\frac{b^2+c^2-a^2}{2bc}",
    r"\cos A=\frac{36+25-49}{60}=\frac{1}{5}",
    r"A=\arccos\frac{1}{5}",
    r"S=\frac{1}{2}bc\sin A",
    r"S=15\times\frac{2\sqrt{6}}{5}=6\sqrt{6}",
]
PARAMETER = [
    "x_1+x_2=4",
    "x_1x_2=m",
    "x_1^2+x_2^2=(x_1+x_2)^2-2x_1x_2",
    "16-2m=20",
    "m=-2",
    r"\Delta=16+8=24",
]
TRIGONOMETRY = [
    r"2\sin^2 x-3\sin x-2=0",
    r"(2\sin x+1)(\sin x-2)=0",
    r"\sin x=-\frac{1}{2}",
    r"x=\frac{7\pi}{6} 或 x=\frac{11\pi}{6}",
]


def rules_of(question: str) -> Rules:
    return read_rules_file(next(RULES.glob(f"{question}-*.json")).read_bytes())


def copied(question: str, lines: list[str]) -> dict[str, str]:
    rules = rules_of(question)
    algebra = algebra_for(rules)
    values = StudentValues(read_reading(reading_of(*lines)), algebra)
    return {name: one.value for name, one in miscopied(rules.paths[0], rules, values, algebra).items()}


def codes(judged: Judged) -> list[str]:
    return [code for step in judged.observation.paths["Path_A"] for code in step.error_codes]


@pytest.mark.parametrize(
    ("question", "lines", "found"),
    [
        ("q2", COSINE, {"b": "6"}),
        ("q4", PARAMETER, {"Q": "20"}),
        ("q5", TRIGONOMETRY, {"b": "-3"}),
        ("q1", ["a_7-a_3=4d", "4d=17-7=10", r"d=\frac{5}{2}"], {"a_7": "17"}),
    ],
)
def test_what_was_copied_wrongly_is_found_by_what_was_made_of_it(question, lines, found):
    assert copied(question, lines) == found


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("q2", [COSINE[0], r"\cos A=\frac{64+25-49}{80}=\frac{1}{5}"]),  # the right numbers, wrong arithmetic
        ("q2", [COSINE[0], r"\cos A=\frac{1}{5}"]),  # nothing shows what was put in
        ("q4", [*PARAMETER[:3], "16-2m=10", "m=-2"]),
        ("q4", [*PARAMETER[:3], "16-m=10", "m=6"]),  # a wrong formula over the right number
        ("q5", [r"2\sin^2 x+3\sin x-2=0", r"(2\sin x+1)(\sin x-2)=0"]),
        ("q1", ["a_7-a_3=4d", "4d=15-7=10", r"d=\frac{5}{2}"]),
    ],
)
def test_another_error_is_not_taken_for_a_miscopied_value(question, lines):
    assert copied(question, lines) == {}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (r"2\sin^2 x-3\sin x-2=0", ("b", "-3")),
        (r"2\sin^2 x+5\sin x-2=0", ("b", "5")),
        (r"2\sin^2 x+3\sin x+2=0", None),  # the rules name no value that changed here
        (r"2\sin^2 x-5\sin x-2=0", None),  # two changes are no slip of the pen
        (r"2\sin^2 x+3\sin x-2=0", None),
    ],
)
def test_a_formula_of_the_stem_with_one_number_or_sign_changed(line, found):
    assert in_stem(line, rules_of("q5")) == found


@pytest.mark.parametrize(
    ("question", "lines", "statuses"),
    [
        ("q2", COSINE, ["VALID", "INVALID", "ECF_GRANTED", "VALID", "ECF_GRANTED"]),
        ("q4", PARAMETER, ["VALID", "VALID", "INVALID", "ECF_GRANTED", "ECF_GRANTED"]),
        ("q5", TRIGONOMETRY, ["INVALID", "ECF_GRANTED", "ECF_GRANTED"]),
    ],
)
def test_the_first_step_bears_the_error_of_copying_and_the_rest_carries_it(question, lines, statuses):
    found = judge_with(rules_of(question), *lines)
    assert found.statuses("Path_A") == statuses
    assert codes(found) == ["ERR_COPY"]


@pytest.mark.parametrize(("question", "lines"), [("q2", COSINE), ("q4", PARAMETER), ("q5", TRIGONOMETRY)])
def test_a_miscopied_value_is_shown_to_a_teacher_and_never_settled_by_the_machine(question, lines):
    found = judge_with(rules_of(question), *lines)
    assert min(found.confidences("Path_A")) < UNSURE


def test_a_slip_after_a_miscopied_value_is_an_error_of_its_own():
    found = judge_with(rules_of("q2"), *COSINE[:4], r"S=15\times\frac{2\sqrt{6}}{5}=8\sqrt{6}")
    assert found.statuses("Path_A") == ["VALID", "INVALID", "ECF_GRANTED", "VALID", "INVALID"]
