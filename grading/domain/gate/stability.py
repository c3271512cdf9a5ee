"""The rule about doubtful glyphs: no other reading of the page, on one line or on several at once, changes the mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod

from ..reading import Line
from .case import Answer, Case, Finding, Rule, fails, holds

COMBINATIONS_TRIED = 256
"""How many readings of the whole page are tried; an answer with more of them goes to a person."""

Doubt = tuple[Line, str]
"""A line and another text that it may be read as."""


def reading_stable(case: Case, decisive: Sequence[tuple[str, Rule]]) -> Answer:
    """No alternative reading of doubtful glyphs changes what algebra says of the mark.

    Every combination of alternatives, one at most on each line, is put in place and the rules that rest on algebra run
    again; where one fails that holds for the reading as it is, the mark hangs on the doubt. Combinations matter: a step
    proved by two doubtful lines stands under either doubt alone and falls under both. Larger combinations are only asked
    when no smaller one changes anything. Over the bound nothing is tried and the rule fails.
    """
    doubts = [
        (line, others)
        for line in case.reading.standing
        for others in [[other.latex for other in line.alternatives if other.latex != line.content]]
        if others
    ]
    single = sum(len(others) for _, others in doubts)
    if not doubts:
        return holds("没有存疑的字形。", "No glyph is in doubt.", alternatives=0)
    if single > case.policy.alternatives_limit:
        return fails(
            f"存疑的读法有 {single} 种，多于可逐一验算的 {case.policy.alternatives_limit} 种。",
            f"There are {single} doubtful readings, more than the {case.policy.alternatives_limit} that are tried.",
            alternatives=single,
        )
    whole = prod(len(set(others)) + 1 for _, others in doubts) - 1
    if whole > COMBINATIONS_TRIED:
        return fails(
            f"各行存疑的读法合起来有 {whole} 种，多于可验算的 {COMBINATIONS_TRIED} 种。",
            f"The doubtful lines can be read together in {whole} ways, more than the {COMBINATIONS_TRIED} that are tried.",
            alternatives=single,
            combinations=whole,
        )
    return Answer(
        _changing(case, decisive, doubts),
        f"{single} 种存疑读法（合起来 {whole} 种）都不影响判分。",
        f"None of {single} doubtful readings, {whole} taken together, changes the mark.",
        {"alternatives": single, "combinations": whole},
    )


def _changing(
    case: Case, decisive: Sequence[tuple[str, Rule]], doubts: Sequence[tuple[Line, Sequence[str]]]
) -> list[Finding]:
    base = failing(case, decisive)
    for size in range(1, len(doubts) + 1):
        found = [
            _finding(case, combination, worse)
            for combination in _of_size(doubts, size)
            for worse in [sorted({rule for rule, _ in failing(_read_as(case, combination), decisive) - base})]
            if worse
        ]
        if found:
            return found
    return []


def _of_size(doubts: Sequence[tuple[Line, Sequence[str]]], size: int) -> Iterator[tuple[Doubt, ...]]:
    """Each choice of that many doubtful lines with one alternative for each."""
    for chosen in combinations(doubts, size):
        for texts in product(*(dict.fromkeys(others) for _, others in chosen)):
            yield tuple((line, text) for (line, _), text in zip(chosen, texts, strict=True))


def _read_as(case: Case, combination: Sequence[Doubt]) -> Case:
    reading = case.reading
    for line, text in combination:
        reading = reading.with_line(replace(line, content=text))
    return case.with_reading(reading)


def _finding(case: Case, combination: Sequence[Doubt], worse: list[str]) -> Finding:
    zh = "、".join(f"{case.zh(line)}读作“{text[:80]}”" for line, text in combination)
    en = " and ".join(f"{case.en(line)} read as “{text[:80]}”" for line, text in combination)
    line, text = combination[0]
    return Finding(
        f"若{zh}，判分会改变。",
        f"Were {en}, the mark would change.",
        facts={
            "line_id": line.line_id,
            "alternative": text[:200],
            "rules": worse,
            **(
                {"together": [[each.line_id, other[:200]] for each, other in combination]}
                if len(combination) > 1
                else {}
            ),
        },
    )


def failing(case: Case, rules: Sequence[tuple[str, Rule]]) -> set[tuple[str, str | None]]:
    """Each (rule, step) that does not hold."""
    return {(name, finding.step_id) for name, rule in rules for finding in rule(case).found}
