r"""Values of the question that an answer copied wrongly, seen by what was made of them.

`a_7=16` says itself that a given value was miscopied. More often only the working shows it: `(36+25-49)/60` is the cosine
rule with 6 for b, `16-2m=20` is the expected equation with 20 for 10, `2\sin^2x-3\sin x-2=0` is the stem with another
sign. A value counts as miscopied only where the right one does not stand in that working, and where one given value and one
written number explain it, and no other pair does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isqrt

from itembank.algebra.results import Result
from itembank.domain.formula_names import used_names
from itembank.domain.rules import Path, Rules, Step

from .expressions import flat, remembered, sides
from .oracle import Oracle
from .student_values import StudentValues

_NUMBER = re.compile(r"(?<![\d.])\d{1,6}(?![\d.])")
_TOKEN = re.compile(r"\d+(?:\.\d+)?|\\[A-Za-z]+|.")
_STEM_FORMULA = re.compile(r"\$([^$]{3,200})\$")
_MOST_NUMBERS = 8  # written numbers that are tried in the place of a given value


@dataclass(frozen=True)
class Copied:
    """A given value that stands otherwise in the working of a line; `position` is the place of that line."""

    name: str
    value: str
    position: int
    line_id: str


def miscopied(path: Path, rules: Rules, values: StudentValues, oracle: Oracle) -> dict[str, Copied]:
    """The given value that the answer has miscopied on this path without naming it; empty where it names or has none."""
    found: dict[str, Copied] = {}
    named = {item.name for item in values.written}
    for place, line in enumerate(values.lines if rules.givens else ()):
        pair = in_stem(line.content, rules)
        pair = pair or next((one for step in path.steps if (one := _in_step(step, place, rules, values, oracle))), None)
        if pair is not None and pair[0] not in named:
            found.setdefault(pair[0], Copied(*pair, values.position_of(line), line.line_id))
    # Two given values at once are too many to be sure of either.
    return found if len(found) == 1 else {}


def _in_step(step: Step, place: int, rules: Rules, values: StudentValues, oracle: Oracle) -> tuple[str, str] | None:
    line = values.lines[place]
    for name, formula in step.yields.items():
        stated = values.on_line(line.line_id).get(name, ())[-1:]
        if not stated or oracle.compare(rules.quantities[name], stated[0]).result is not Result.REFUTED:
            continue
        texts = tuple(_working_of([one.content for one in values.lines], place))
        pair = in_formula(formula, stated[0], texts, rules.known_values, rules, oracle)
        if pair is not None:
            return pair
    return in_expected(step, line.content, rules, oracle)


def in_formula(
    formula: str, stated: str, texts: Sequence[str], inputs: Mapping[str, str], rules: Rules, oracle: Oracle
) -> tuple[str, str] | None:
    """The given value and the number in its place with which the formula gives what is stated; `texts`: its working."""
    numbers = numbers_in(texts)
    used = used_names(formula, frozenset(inputs))
    names = [name for name in used if name in rules.givens and not _stands(rules.givens[name], numbers)]
    found = set(explanations(formula, stated, numbers, inputs, names, oracle))
    return next(iter(found)) if len(found) == 1 else None


def explanations(
    formula: str,
    stated: str,
    numbers: Collection[str],
    inputs: Mapping[str, str],
    names: Iterable[str],
    oracle: Oracle,
) -> Iterator[tuple[str, str]]:
    """Each name and number in the place of its value with which the formula gives what is stated."""
    for name in names:
        for number in sorted(numbers)[:_MOST_NUMBERS]:
            value = oracle.evaluate(formula, {**inputs, name: number})
            if value is not None and oracle.compare(stated, value).result is Result.PROVED:
                yield name, number


def in_expected(step: Step, content: str, rules: Rules, oracle: Oracle) -> tuple[str, str] | None:
    """The given value and the number in its place with which an expected result is just what the line says."""
    replaceable = _givens_in(step.expects, tuple(rules.givens.items()))
    if not replaceable:
        return None
    numbers = numbers_in((content,))
    found = set()
    for name, right, token, expected in replaceable:
        if _stands(right, numbers) or oracle.fulfils(expected, content).result is not Result.REFUTED:
            continue
        for number in sorted(numbers)[:_MOST_NUMBERS]:
            if oracle.fulfils(token.sub(number, expected), content).result is Result.PROVED:
                found.add((name, number))
    return next(iter(found)) if len(found) == 1 else None


@remembered
def _givens_in(
    expects: tuple[str, ...], givens: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str, re.Pattern[str], str], ...]:
    """Each given whole number that stands in an expected result: its name, its digits, how it stands there, the result."""
    found = []
    for name, right in givens:
        if right.isdigit():
            token = re.compile(rf"(?<![\d.]){right}(?![\d.])")
            found += [(name, right, token, expected) for expected in expects if token.search(expected)]
    return tuple(found)


def in_stem(content: str, rules: Rules) -> tuple[str, str] | None:
    """The given value and what a line has for it where the line is a formula of the stem but for one number or sign."""
    for formula in _STEM_FORMULA.findall(rules.stem):
        if len(sides(formula)) != 2:
            continue
        change = _one_change(_TOKEN.findall(flat(formula)), _TOKEN.findall(flat(content)))
        if change is None:
            continue
        named = [name for name, right in rules.givens.items() if right == change[0]]
        return (named[0], change[1]) if len(named) == 1 else None
    return None


def _one_change(right: list[str], written: list[str]) -> tuple[str, str] | None:
    """The number of the stem and what stands for it, its sign included, where that is the only difference."""
    if len(right) != len(written):
        return None
    places = [place for place, pair in enumerate(zip(right, written, strict=True)) if pair[0] != pair[1]]
    if len(places) != 1:
        return None
    place = places[0]
    one, other = right[place], written[place]
    if one.isdigit() and other.isdigit():
        return one, other
    following = right[place + 1] if place + 1 < len(right) else ""
    return (following, f"-{following}") if {one, other} == {"+", "-"} and following.isdigit() else None


def numbers_in(texts: Iterable[str]) -> frozenset[str]:
    """Whole numbers of the working, and those whose squares stand there: 36+25-49 shows the 6 that was squared."""
    return frozenset[str]().union(*(_numbers(text) for text in texts))


@remembered
def _numbers(text: str) -> frozenset[str]:
    numbers = frozenset(_NUMBER.findall(text))
    return numbers | {str(isqrt(int(one))) for one in numbers if isqrt(int(one)) ** 2 == int(one)}


def _stands(right: str, numbers: frozenset[str]) -> bool:
    return right in numbers or (right.isdigit() and str(int(right) ** 2) in numbers)


def _working_of(contents: Sequence[str], position: int) -> Iterator[str]:
    """What a stated value was worked out on: its line without the result, and the line before it."""
    if position:
        yield contents[position - 1]
    yield "=".join(sides(contents[position])[:-1])
