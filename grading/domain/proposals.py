r"""Formulas for steps for which the rules give none: a closed list, so that a proposed formula cannot be made to measure.

A judge may propose one of these and nothing else; the gate makes the same list from the same facts. They come from three
sources: formulas in letters that the rules or the student wrote for the step, the student's own arithmetic with the names of
the numbers put back, and what one result does to the next by its kind: the roots of an equation, the derivative of a
function, its value at a place, a list of values, the same value again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from itembank.algebra.results import Result
from itembank.domain.formula_names import FUNCTIONS, unknown_names
from itembank.domain.rules import Path, Rules, Step

from .expressions import flat, has_symbols, is_worked, sides
from .oracle import Oracle
from .reading import Line
from .shadow import ShadowComputation
from .stated import Sought, pieces, result_name, without_commands

MOST = 40
_LETTER = re.compile(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z(])")
_ARGUMENT = re.compile(r"^\\?[A-Za-z]+(?:\^\{?-1\}?|')*\\?(?:left)?\(([^()]+?)\\?(?:right)?\)$")
_NUMBER = re.compile(r"\\frac\{-?\d+\}\{\d+\}|(?<![\d.A-Za-z_{^])\d+(?:\.\d+|/\d+)?(?![\d.])")


def proposable(
    step: Step, path: Path, rules: Rules, computation: ShadowComputation, lines: Iterable[Line], oracle: Oracle
) -> tuple[str, ...]:
    """Formulas that may be proposed for the result of a step, the most telling first."""
    name = result_name(path, step)
    sought = computation.sought(path)
    if step.yields or name not in sought:
        return ()
    target = sought[name]
    right = {one: value for one, value in computation.right_values(path).items() if one != name}
    before = _before(step, path, sought)
    texts = (*step.working, *step.expects, *(line.content for line in lines))
    found: dict[str, None] = {}
    for formula in (
        *_in_letters(target, right, texts, rules.functions),
        *_numbers_named(target, right, computation, path, lines, oracle),
        *_by_kind(target, before, rules),
    ):
        found.setdefault(formula)
    return tuple(found)[:MOST]


def _before(step: Step, path: Path, sought: Mapping[str, Sought]) -> dict[str, Sought]:
    """Results that the step builds on: those it names, else all earlier ones of its path."""
    place = path.steps.index(step)
    named = [number for number, one in enumerate(path.steps[:place], 1) if one.step_id in step.depends_on]
    numbers = named or range(1, place + 1)
    return {f"step_{number}": sought[f"step_{number}"] for number in numbers if f"step_{number}" in sought}


def _in_letters(
    target: Sought, right: Mapping[str, str], texts: Iterable[str], functions: tuple[str, ...]
) -> Iterator[str]:
    """What the rules or the student write in letters for the same left side: S_10 = 10a_1+45d = …"""
    for piece in (piece for text in texts for piece in pieces(text)):
        first, *others = sides(piece)
        if flat(first) in target.lefts:
            yield from (side for side in others if _is_formula(side, right, functions))


def _is_formula(side: str, right: Mapping[str, str], functions: tuple[str, ...]) -> bool:
    return has_symbols(side) and not unknown_names(side, frozenset(right), frozenset(functions) | FUNCTIONS)


def _numbers_named(
    target: Sought,
    right: Mapping[str, str],
    computation: ShadowComputation,
    path: Path,
    lines: Iterable[Line],
    oracle: Oracle,
) -> Iterator[str]:
    """The student's own arithmetic, each number that is a wrong value of theirs replaced by its name.

    BC = 5·6/4 after a ratio of 4/6 says nothing of the ratio; S = 10·4+45·3/2 after a_1 = 4 and d = 3/2 says 10·a_1+45·d.
    """
    for line in lines:
        position = computation.position_of(line)
        own = {
            name: value
            for name in right
            if (value := computation.written(name, path, position)) is not None
            and oracle.compare(right[name], value).result is Result.REFUTED
        }
        for piece in pieces(line.content):
            first, *others = sides(piece)
            if flat(first) not in target.lefts:
                continue
            for side in others:
                if is_worked(side) and not has_symbols(side):
                    formula = _with_names(side, own, oracle)
                    if formula != side:
                        yield formula


def _with_names(side: str, own: Mapping[str, str], oracle: Oracle) -> str:
    names = {name: value for name, value in own.items() if not name.startswith("step_")} or own

    def named(found: re.Match[str]) -> str:
        text = found.group()
        for name, value in names.items():
            if oracle.compare(value, text).result is Result.PROVED:
                return f"({name})"
        return text

    return _NUMBER.sub(named, side)


def _by_kind(target: Sought, before: Mapping[str, Sought], rules: Rules) -> Iterator[str]:
    """What the kinds of two results say about how one comes from the other."""
    for name, one in before.items():
        letter = _letter_of(one)
        if one.shape in ("equation", "relation") and letter:
            yield f"solve({name}, {letter})"
        elif letter and one.shape == "value" and has_symbols(one.value):
            yield from _of_function(target, name, letter, before)
        elif one.shape == "set" and target.shape == "set":
            yield name
        if _is_square_of(one, target):
            yield from (f"sqrt({name})", f"-sqrt({name})")
        inverse = _is_ratio_of(one, target)
        if inverse:
            yield f"a{inverse}({name})"
        if one.shape == target.shape == "value":
            yield name
    if target.shape == "set" or target.value.startswith(("(", r"\{", "{", r"\left(")):
        for size in (2, 3):
            for group in combinations(before, size):
                listed = ", ".join(group)
                yield f"({listed})" if target.value.startswith(("(", r"\left(")) else f"{{{listed}}}"


def _of_function(target: Sought, name: str, letter: str, before: Mapping[str, Sought]) -> Iterator[str]:
    if has_symbols(target.value) and target.shape == "value":
        yield f"diff({name}, {letter})"
    if target.shape == "set" or (target.shape == "value" and _letter_left(target, letter)):
        yield f"solve({name}, {letter})"
    place = next((found.group(1) for left in target.lefts if (found := _ARGUMENT.match(left))), None)
    if place is not None and not has_symbols(place):
        yield f"replace({name}, {letter}, {place})"
    yield from (f"replace({name}, {letter}, {other})" for other in before if other != name)


def _letter_left(target: Sought, letter: str) -> bool:
    return any(re.fullmatch(rf"{letter}(?:_\w+)?", left) for left in target.lefts)


def _letter_of(sought: Sought) -> str:
    """The one letter of an equation or a function; "" where there are several or none."""
    found = set(_LETTER.findall(without_commands(sought.value))) - {"e", "i"}
    return found.pop() if len(found) == 1 else ""


def _is_square_of(one: Sought, target: Sought) -> bool:
    return any(left == f"{other}^2" for left in one.lefts for other in target.lefts)


def _is_ratio_of(one: Sought, target: Sought) -> str:
    """sin, cos or tan where the earlier result is that of the angle that the later one gives."""
    for name in ("sin", "cos", "tan"):
        if any(left in (rf"\{name}{other}", f"{name}{other}") for left in one.lefts for other in target.lefts):
            return name
    return ""
