"""Gate 3, independent computation: first somebody computes from the stem alone, only then the claimed answer is compared.

The solver is handed a `Stem`, which cannot hold a key; what it returns is a claim, and algebra alone says whether it is
the claimed answer. What algebra cannot decide is NOT_COMPUTABLE, never a pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from itembank.algebra import Algebra, Result
from itembank.domain.gates import COMPUTATION, Detail, GateOutcome, Outcome
from itembank.domain.item_model import Item, Part

from .claims import ignored, instructions, record
from .comparison import compared, of_all_parts, place
from .solver import Solver
from .stem import Stem

_FORMULA = re.compile(r"\$([^$]+)\$")

_NAME = re.compile(r"\\?[A-Za-z]+(_\w|_\{\w+\})?'*(\([^()]*\))?")


@dataclass(frozen=True)
class _Said:
    """What is said of one part."""

    outcome: Outcome
    detail: tuple[Detail, ...]
    artefacts: dict[str, Any]


def compute(item: Item, solver: Solver) -> GateOutcome:
    """Gate 3 for one item. Never raises for what the item, the model or its program says."""
    algebra = Algebra(item.declares)
    said = [_part(item, part, solver, algebra) for part in item.parts]
    wrong_steps = [step for part in item.parts for step in _explanation(part, algebra)]
    outcome = of_all_parts([one.outcome for one in said])
    refuted = [detail for detail, result in wrong_steps if result is Result.REFUTED and detail]
    results = {result for _, result in wrong_steps}
    explained = False if Result.REFUTED in results else (None if results - {Result.PROVED} else True)
    unproved = [detail for part in item.parts for detail in _rewritten(part, algebra)]
    if unproved and explained is True:
        explained = None
    if unproved and outcome is Outcome.CORRECT:
        outcome = Outcome.NOT_COMPUTABLE
    if explained is False and outcome in {Outcome.CORRECT, Outcome.NOT_COMPUTABLE}:
        outcome = Outcome.INCORRECT  # the key is right, what students would read beside it is not
    return GateOutcome(
        COMPUTATION,
        outcome,
        tuple(detail for one in said for detail in one.detail) + tuple(refuted) + tuple(unproved),
        {"explanation_ok": explained, "parts": [one.artefacts for one in said]},
    )


def _part(item: Item, part: Part, solver: Solver, algebra: Algebra) -> _Said:
    stem = Stem.of(item, part)
    computed = solver.solve(stem)
    # From here on the claimed answer may be looked at; nothing is asked any more.
    outcome, details, answers = compared(part, computed, algebra)
    seen = instructions(stem, computed)
    artefacts = record(computed, part=part.number, seen=seen, comparisons=answers, outcome=outcome)
    return _Said(outcome, details + ignored(seen, place(part)), artefacts)


def _formulas(part: Part) -> Iterator[tuple[str, int, str]]:
    """Each formula of the explanation with the number of its line, from 1, and the line's place in the item."""
    prefix = "" if part.number is None else f"parts[{part.number}]."
    for number, line in enumerate((part.explanation or part.solution).splitlines()):
        for formula in _FORMULA.findall(line):
            yield formula, number + 1, f"{prefix}explanation[{number}]"


def _explanation(part: Part, algebra: Algebra) -> Iterator[tuple[Detail | None, Result]]:
    """Each formula of the explanation, and whether algebra refutes an equality in it."""
    for formula, line, where in _formulas(part):
        answer = algebra.sound(formula)
        detail = None
        if answer.result is Result.REFUTED:
            detail = Detail(
                "wrong-step",
                f"解析第 {line} 行的“{formula}”不成立",
                f"Line {line} of the explanation is wrong: “{formula}”",
                where,
            )
        yield detail, answer.result


def _rewritten(part: Part, algebra: Algebra) -> Iterator[Detail]:
    """Chains A = B = 0 in the same letters whose A is not B. As a condition on the letters it may yet hold, as the
    rewriting that is nearly always meant it does not: a person must look."""
    for formula, line, where in _formulas(part):
        *sides, last = (side.strip() for side in formula.split("="))
        if len(sides) < 2 or last != "0":
            continue
        pairs = [(one, other) for one, other in pairwise(sides) if _letters(one) and _letters(one) == _letters(other)]
        if any(algebra.compare(one, other).result is Result.REFUTED for one, other in pairs):
            yield Detail(
                "unproved-step",
                f"解析第 {line} 行的“{formula}”前后不是同一个式子，请人核对",
                f"Line {line} of the explanation changes the expression in “{formula}”; a person must look",
                where,
            )


def _letters(side: str) -> frozenset[str]:
    """The letters of an expression; none for a lone name or f(x), which an equality may define."""
    if _NAME.fullmatch(side):
        return frozenset()
    return frozenset(re.findall("[A-Za-z]", re.sub(r"\\[A-Za-z]+", "", side)))
