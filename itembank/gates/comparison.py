"""What somebody came to from the stem alone, against the key: by algebra, and by no model's word."""

from __future__ import annotations

import re
from typing import Any

from itembank.algebra import Algebra, Comparison, Result
from itembank.domain.gates import Detail, Outcome
from itembank.domain.item_model import Part, Value

from .claims import Claim, Reading

_FORMULA = re.compile(r"\$([^$]+)\$")
_BY_VALUE = frozenset({"form"})
"""Relations that ask for more than a value: what was computed need not be written in that form."""
_ORDER = (Outcome.INCORRECT, Outcome.AMBIGUOUS, Outcome.NOT_COMPUTABLE)


def of_all_parts(outcomes: list[Outcome]) -> Outcome:
    """What is said of an item whose parts have these outcomes: the worst of them."""
    return next((each for each in _ORDER if each in outcomes), Outcome.CORRECT)


def place(part: Part) -> str:
    """Where a part stands, "" for an item that is one question."""
    return "" if part.number is None else f"parts[{part.number}]"


def compared(part: Part, claim: Claim, algebra: Algebra) -> tuple[Outcome, tuple[Detail, ...], list[dict[str, Any]]]:
    """The outcome, its reasons, and each comparison that was made. No reading, or one undecided, is no pass."""
    where = place(part)
    if not claim.readings:
        detail = Detail(
            "not-computed",
            f"没有独立算出答案：{claim.why.zh}",
            f"No answer was computed: {claim.why.en}",
            where,
        )
        return Outcome.NOT_COMPUTABLE, (detail,), []
    kept: list[dict[str, Any]] = []
    verdicts = [_agrees(part, reading, algebra, kept) for reading in claim.readings]
    shown = shown_readings(claim)
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
    if len(claim.readings) > 1:
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


def shown_readings(claim: Claim) -> str:
    """The answers of every reading in one short line."""
    return " / ".join(", ".join(reading.choices or reading.values) for reading in claim.readings)[:300]


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
