"""A carried value that algebra could not compare is not called right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grading.domain.observation import read_observation
from grading.domain.proofs import Proofs
from grading.domain.reading import read_reading
from itembank.algebra.results import Comparison, Result
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import read_rules_file
from tests.adjudicate.conftest import EXAMPLE_FILE, judge_with, reading_of

LINES = [
    "a_7-a_3=4d",
    "4d=15-7=6",
    r"d=\frac32",
    "a_1=7-3=4",
    "S_{10}=10a_1+45d",
    r"S_{10}=40+\frac{135}{2}=\frac{215}{2}",
]


@pytest.mark.parametrize(
    ("result", "method"),
    [(Result.REFUTED, "shadow"), (Result.UNDECIDED, "right-or-wrong"), (Result.PROVED, "nothing-wrong")],
)
def test_right_wrong_and_undecided_are_told_apart(result, method):
    rules = read_rules_file(EXAMPLE_FILE.read_bytes())
    document = judge_with(rules, *LINES).document
    proofs = Proofs(rules, read_reading(reading_of(*LINES)), read_observation(document), algebra_for(rules))
    path = rules.paths[0]
    judged = proofs.judged(path, path.steps[-1])
    (shadow,) = proofs.shadows_of(judged)
    proofs._shadows = {
        key: replace(one, is_right=Comparison(result, "given here")) for key, one in proofs._shadows.items()
    }
    assert shadow.follows.result is Result.PROVED
    answer = proofs.carried(judged)
    assert (answer.method, answer.result) == (method, Result.PROVED if method == "shadow" else Result.UNDECIDED)
