"""Two-sided shadow computation: what a formula gives with the right inputs and with the student's own.

A student's own value of a quantity is the one asserted last, not struck out, up to the line in question. A quantity that
was never written is recomputed from the rules' formulas with the student's own values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from itembank.algebra.results import Comparison, Result
from itembank.domain.rules import Path, Rules

from .oracle import Oracle
from .reading import Line, Reading

NO_VALUE = Comparison(Result.UNDECIDED, "no-value")
NO_FORMULA = Comparison(Result.UNDECIDED, "no-formula")


@dataclass(frozen=True)
class Written:
    """A value that stands on the page."""

    position: int
    line_id: str
    name: str
    value: str


class StudentValues:
    """Every named closed value that standing lines assert, in the order of writing."""

    def __init__(self, reading: Reading, oracle: Oracle) -> None:
        self.written: tuple[Written, ...] = tuple(
            Written(reading.position[line.line_id], line.line_id, name, value)
            for line in reading.standing
            if not line.scratch
            for name, value in oracle.asserts(line.content)
        )

    def until(self, position: int) -> dict[str, str]:
        """The last value of each name written on lines up to and including `position`."""
        return {item.name: item.value for item in self.written if item.position <= position}

    def on_line(self, line_id: str) -> dict[str, tuple[str, ...]]:
        """All values that one line asserts, by name."""
        found: dict[str, tuple[str, ...]] = {}
        for item in self.written:
            if item.line_id == line_id:
                found[item.name] = (*found.get(item.name, ()), item.value)
        return found


@dataclass(frozen=True)
class Shadow:
    """One quantity computed twice, beside what the student wrote."""

    quantity: str
    formula: str
    right_inputs: Mapping[str, str]
    own_inputs: Mapping[str, str]
    right_value: str | None
    own_value: str | None
    student_value: str | None
    right_agrees: Comparison
    follows: Comparison
    is_right: Comparison

    @property
    def wrong_inputs(self) -> dict[str, tuple[str, str]]:
        """Inputs whose own text differs from the right one: name → (right, own). Equality of value is not decided here."""
        return {
            name: (self.right_inputs[name], own)
            for name, own in self.own_inputs.items()
            if self.right_inputs.get(name) not in (None, own)
        }

    def document(self) -> dict[str, Any]:
        """The shadow as JSON for evidence and facts."""
        return {
            "quantity": self.quantity,
            "formula": self.formula,
            "right_inputs": dict(self.right_inputs),
            "own_inputs": dict(self.own_inputs),
            "right_value": self.right_value,
            "own_value": self.own_value,
            "student_value": self.student_value,
            "right_agrees": self.right_agrees.result.value,
            "follows": self.follows.result.value,
        }


def names_in(formula: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """Which of the known names a formula uses; S_{10} and S_10 are one name."""
    plain = re.sub(r"_\{(\w+)\}", r"_\1", formula)
    return tuple(
        name
        for name in names
        if ("(" in name and name.split("(")[0] in plain)
        or re.search(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_'(])", plain)
    )


def argument_of(name: str) -> str:
    """A for sin(A), cos(A) and tan(A); "" for any other name.

    >>> argument_of("sin(A)"), argument_of("f(1)")
    ('A', '')
    """
    found = re.fullmatch(r"(?:sin|cos|tan)\((\w+)\)", name)
    return found.group(1) if found and found.group(1)[0].isalpha() else ""


class ShadowComputation:
    """Shadows of the quantities of one answer."""

    def __init__(self, rules: Rules, values: StudentValues, oracle: Oracle) -> None:
        self._rules = rules
        self._values = values
        self._oracle = oracle

    def formula_of(self, quantity: str, path: Path) -> str | None:
        """The formula that the path, or else a path of an earlier part, gives for a quantity."""
        earlier = [other for other in self._rules.paths if other.part < path.part]
        for candidate in (path, *earlier):
            for step in candidate.steps:
                if quantity in step.yields:
                    return step.yields[quantity]
        return None

    def own_inputs(self, formula: str, path: Path, position: int, *, without: frozenset[str]) -> dict[str, str] | None:
        """The student's value of each input of a formula; None where one can be neither read nor recomputed."""
        known = {**self._rules.givens, **self._rules.quantities}
        written = self._values.until(position)
        own: dict[str, str] = {}
        for name in names_in(formula, known):
            value = None if name in without else written.get(name)
            if value is None:
                value = self._rules.givens.get(name)
            if value is None:
                value = self._recomputed(name, path, position, without)
            if value is None:
                value = self._of_argument(name, written)
            if value is None:
                return None
            own[name] = value
        return own

    def _of_argument(self, name: str, written: Mapping[str, str]) -> str | None:
        """sin(A) from the A that the student wrote, where neither it nor a formula for it stands anywhere."""
        argument = argument_of(name)
        value = written.get(argument) if argument else None
        return None if value is None else self._oracle.evaluate(name, {argument: value})

    def _recomputed(self, name: str, path: Path, position: int, without: frozenset[str]) -> str | None:
        formula = None if name in without else self.formula_of(name, path)
        if formula is None:
            return None
        inputs = self.own_inputs(formula, path, position, without=without | {name})
        return None if inputs is None else self._oracle.evaluate(formula, inputs)

    def own_value(self, quantity: str, path: Path, position: int) -> str | None:
        """What the rules' formula gives for a quantity from the student's own values."""
        formula = self.formula_of(quantity, path)
        if formula is None:
            return None
        inputs = self.own_inputs(formula, path, position, without=frozenset({quantity}))
        return None if inputs is None else self._oracle.evaluate(formula, inputs)

    def shadow(self, quantity: str, formula: str, path: Path, lines: tuple[Line, ...], reading: Reading) -> Shadow:
        """The shadow of a quantity that the cited lines state."""
        right = {**self._rules.givens, **self._rules.quantities}
        right_inputs = {name: right[name] for name in names_in(formula, right) if name != quantity}
        position = max((reading.position[line.line_id] for line in lines), default=-1)
        own = self.own_inputs(formula, path, position, without=frozenset({quantity}))
        right_value = self._oracle.evaluate(formula, right_inputs)
        own_value = None if own is None else self._oracle.evaluate(formula, own)
        student = self._stated(quantity, lines)
        stated_right = self._rules.quantities.get(quantity)
        return Shadow(
            quantity=quantity,
            formula=formula,
            right_inputs=right_inputs,
            own_inputs=own or {},
            right_value=right_value,
            own_value=own_value,
            student_value=student,
            right_agrees=self._compare(stated_right, right_value),
            follows=self._compare(own_value, student),
            is_right=self._compare(stated_right, student),
        )

    def _stated(self, quantity: str, lines: tuple[Line, ...]) -> str | None:
        value = None
        for line in lines:
            value = self._values.on_line(line.line_id).get(quantity, (value,))[-1]
        return value

    def _compare(self, gold: str | None, student: str | None) -> Comparison:
        if gold is None or student is None:
            return NO_VALUE
        return self._oracle.compare(gold, student)
