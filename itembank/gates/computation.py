"""Gate 3, independent computation: first somebody computes from the stem alone, only then the claimed answer is compared.

The solver is handed a `Stem`, which cannot hold a key; what it returns is a claim, and algebra alone says whether it is
the claimed answer. What algebra cannot decide is NOT_COMPUTABLE, never a pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from itembank.algebra import Algebra, Comparison, Result
from itembank.domain.gates import COMPUTATION, Detail, GateOutcome, Outcome
from itembank.domain.instructions import addresses_checker
from itembank.domain.item_model import Item, Part, Value

from .solver import Computed, Reading, Solver
from .stem import Stem

_FORMULA = re.compile(r"\$([^$]+)\$")
_BY_VALUE = frozenset({"form"})
"""Relations that ask for more than a value: what was computed need not be written in that form."""
_ORDER = (Outcome.INCORRECT, Outcome.AMBIGUOUS, Outcome.NOT_COMPUTABLE)


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
    outcome = next((each for each in _ORDER if any(one.outcome is each for one in said)), Outcome.CORRECT)
    refuted = [detail for detail, result in wrong_steps if result is Result.REFUTED and detail]
    results = {result for _, result in wrong_steps}
    explained = False if Result.REFUTED in results else (None if results - {Result.PROVED} else True)
    if explained is False and outcome is Outcome.CORRECT:
        outcome = Outcome.INCORRECT  # the key is right, what students would read beside it is not
    return GateOutcome(
        COMPUTATION,
        outcome,
        tuple(detail for one in said for detail in one.detail) + tuple(refuted),
        {"explanation_ok": explained, "parts": [one.artefacts for one in said]},
    )


def _part(item: Item, part: Part, solver: Solver, algebra: Algebra) -> _Said:
    stem = Stem.of(item, part)
    computed = solver.solve(stem)
    # From here on the claimed answer may be looked at; nothing is asked any more.
    where = "" if part.number is None else f"parts[{part.number}]"
    outcome, details, answers = _compared(part, computed, algebra, where)
    seen = _instructions(stem, computed)
    if seen:
        quoted = "；".join(seen)[:200]
        details += (
            Detail(
                "instruction-ignored",
                f"题面里有对审题者说的话，未予理会：{quoted}",
                f"The stem addresses its checker; this was ignored: {quoted}",
                where,
            ),
        )
    artefacts = {
        **computed.artefacts,
        "part": part.number,
        "readings": [{"values": list(one.values), "choices": list(one.choices)} for one in computed.readings],
        "instructions_seen": list(seen),
        "comparisons": answers,
        "outcome": str(outcome),
    }
    return _Said(outcome, details, artefacts)


def _instructions(stem: Stem, computed: Computed) -> tuple[str, ...]:
    """Words to the checker that the solver reported, and those that plain code finds whatever the solver says."""
    found = addresses_checker(stem.text)
    return tuple(dict.fromkeys([*computed.instructions_seen, *([found] if found else [])]))


def _compared(
    part: Part, computed: Computed, algebra: Algebra, where: str
) -> tuple[Outcome, tuple[Detail, ...], list[dict[str, Any]]]:
    if not computed.readings:
        detail = Detail(
            "not-computed", f"没有独立算出答案：{computed.why}", f"No answer was computed: {computed.why}", where
        )
        return Outcome.NOT_COMPUTABLE, (detail,), []
    kept: list[dict[str, Any]] = []
    verdicts = [_agrees(part, reading, algebra, kept) for reading in computed.readings]
    shown = " / ".join(", ".join(reading.choices or reading.values) for reading in computed.readings)[:300]
    if len(set(verdicts)) == 1 and verdicts[0] is Result.PROVED:
        return Outcome.CORRECT, (), kept
    if Result.UNDECIDED in verdicts:
        detail = Detail(
            "not-compared",
            f"算出的是 {shown}，无法与答案比较",
            f"It came to {shown}, which cannot be compared with the key",
            where,
        )
        return Outcome.NOT_COMPUTABLE, (detail,), kept
    if len(computed.readings) > 1:
        detail = Detail(
            "several-readings",
            f"题目有几种理解，答案不同：{shown}",
            f"The question can be read in several ways: {shown}",
            where,
        )
        return Outcome.AMBIGUOUS, (detail,), kept
    detail = Detail(
        "another-answer",
        f"独立算出的是 {shown}，与所给答案不同",
        f"It came to {shown}, not to the claimed answer",
        where,
    )
    return Outcome.INCORRECT, (detail,), kept


def _agrees(part: Part, reading: Reading, algebra: Algebra, kept: list[dict[str, Any]]) -> Result:
    """PROVED, REFUTED or UNDECIDED: whether this is what the key claims."""
    if part.options:
        return _chosen(part, reading, algebra, kept)
    if reading.choices or len(reading.values) != len(part.values) or not part.values:
        return Result.UNDECIDED
    results = [_value(value, text, algebra, kept) for value, text in zip(part.values, reading.values, strict=True)]
    if Result.REFUTED in results:
        return Result.REFUTED
    return Result.PROVED if set(results) == {Result.PROVED} else Result.UNDECIDED


def _value(value: Value, text: str, algebra: Algebra, kept: list[dict[str, Any]]) -> Result:
    if value.relation == "text":
        return Result.UNDECIDED
    relation = "value" if value.relation in _BY_VALUE else value.relation
    gold = value.accepted[0]
    answer = algebra.compare(gold, text, relation=relation, kind=value.kind, options=value.options)
    return _noted(gold, text, answer, kept)


def _noted(gold: str, text: str, answer: Comparison, kept: list[dict[str, Any]]) -> Result:
    kept.append({"key": gold, "computed": text, **answer.document()})
    return answer.result if answer.result in {Result.PROVED, Result.REFUTED} else Result.UNDECIDED


def _chosen(part: Part, reading: Reading, algebra: Algebra, kept: list[dict[str, Any]]) -> Result:
    """The options that the reading comes to, against those that the key names."""
    if reading.choices:
        return Result.PROVED if set(reading.choices) == set(part.choices) else Result.REFUTED
    if part.kind != "single_choice" or len(reading.values) != 1:
        return Result.UNDECIDED
    (text,) = reading.values
    results = {}
    for option in part.options:
        formulas = _FORMULA.findall(option.content)
        content = formulas[0] if len(formulas) == 1 else option.content
        results[option.label] = _noted(content, text, algebra.compare(content, text), kept)
    equal = {label for label, result in results.items() if result is Result.PROVED}
    if any(result is Result.UNDECIDED for result in results.values()):
        return Result.UNDECIDED
    return Result.PROVED if equal == set(part.choices) else Result.REFUTED


def _explanation(part: Part, algebra: Algebra) -> Iterator[tuple[Detail | None, Result]]:
    """Each line of the explanation with formulas, and whether algebra refutes an equality in it."""
    prefix = "" if part.number is None else f"parts[{part.number}]."
    for number, line in enumerate((part.explanation or part.solution).splitlines()):
        for formula in _FORMULA.findall(line):
            answer = algebra.sound(formula)
            detail = None
            if answer.result is Result.REFUTED:
                detail = Detail(
                    "wrong-step",
                    f"解析第 {number + 1} 行的“{formula}”不成立",
                    f"Line {number + 1} of the explanation is wrong: “{formula}”",
                    f"{prefix}explanation[{number}]",
                )
            yield detail, answer.result
