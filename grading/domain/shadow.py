"""Two-sided shadow computation: what a formula gives with the right inputs and with the student's own.

A student's own value of a quantity is the one asserted last, not struck out, up to the line in question. A quantity that
was never written is recomputed from the rules' formulas with the student's own values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from itembank.algebra.results import Comparison, Result
from itembank.domain.formula_names import used_names
from itembank.domain.rules import Path, Rules

from .chains import chain
from .copied import Copied, miscopied
from .expressions import remembered
from .oracle import Oracle
from .reading import Line, Reading
from .stated import Sought, sought_on
from .student_values import StudentValues, Written

NO_VALUE = Comparison(Result.UNDECIDED, "no-value")
NO_FORMULA = Comparison(Result.UNDECIDED, "no-formula")


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
        """The shadow as JSON for evidence and facts; `words` says the chain where it is one and holds."""
        document: dict[str, Any] = {
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
        if self.wrong_inputs and self.follows.result is Result.PROVED and self.student_value is not None:
            zh, en = chain(self.quantity, self.formula, self.own_inputs, self.wrong_inputs, self.student_value)
            document["words"] = {"zh": zh, "en": en}
        return document


def names_in(formula: str, names: Mapping[str, str]) -> tuple[str, ...]:
    """Which of the known names a formula uses, apart from letters that it binds; S_{10} and S_10 are one name."""
    return _used(formula, frozenset(names))


@remembered
def _used(formula: str, names: frozenset[str]) -> tuple[str, ...]:
    return tuple(used_names(formula, names))


def decimal_places(value: str) -> int | None:
    """Places of a number that a decimal of two to four places writes exactly; None for any other value.

    >>> decimal_places("3913/50"), decimal_places("9/7"), decimal_places("5")
    (2, None, None)
    """
    found = re.fullmatch(r"-?\d+/(\d+)", value)
    if found is None:
        return None
    return next((places for places in range(2, 5) if 10**places % int(found.group(1)) == 0), None)


def argument_of(name: str) -> str:
    """A for sin(A), cos(A) and tan(A); "" for any other name.

    >>> argument_of("sin(A)"), argument_of("f(1)")
    ('A', '')
    """
    found = re.fullmatch(r"(?:sin|cos|tan)\((\w+)\)", name)
    return found.group(1) if found and found.group(1)[0].isalpha() else ""


class ShadowComputation:
    """Shadows of the quantities of one answer. The result of the n-th step of a path has the name step_n."""

    def __init__(
        self,
        rules: Rules,
        values: StudentValues,
        oracle: Oracle,
        cited: Mapping[tuple[str, str], tuple[str, ...]] | None = None,
    ) -> None:
        """`cited`: line ids by path and step, for results without a name, which nothing else tells apart."""
        self._cited = {} if cited is None else cited
        self._rules = rules
        self._values = values
        self._oracle = oracle
        self._sought: dict[str, dict[str, Sought]] = {}
        self._copied: dict[str, dict[str, Copied]] = {}
        self._right: dict[str, Mapping[str, str]] = {}

    def copied(self, path: Path) -> dict[str, Copied]:
        """Given values that the answer has miscopied without naming them, by what it made of them on this path."""
        if path.path_id not in self._copied:
            self._copied[path.path_id] = miscopied(path, self._rules, self._values, self._oracle)
        return self._copied[path.path_id]

    def sought(self, path: Path) -> dict[str, Sought]:
        """What formulas on the path may name beside the givens, and how it is written."""
        if path.path_id not in self._sought:
            self._sought[path.path_id] = sought_on(path, self._rules, self._oracle)
        return self._sought[path.path_id]

    def right_values(self, path: Path) -> Mapping[str, str]:
        """Givens, quantities and results of steps with their right values."""
        if path.path_id not in self._right:
            results = {name: sought.value for name, sought in self.sought(path).items()}
            self._right[path.path_id] = {**results, **self._rules.known_values}
        return self._right[path.path_id]

    def formula_of(self, quantity: str, path: Path) -> str | None:
        """The formula that the path, or else a path of an earlier part, gives for a quantity."""
        number = re.fullmatch(r"step_(\d+)", quantity)
        if number and quantity in self.sought(path):
            step = path.steps[int(number.group(1)) - 1]
            return next(iter(step.yields.values()), None) if len(step.yields) == 1 else None
        earlier = [other for other in self._rules.paths if other.part < path.part]
        for candidate in (path, *earlier):
            for step in candidate.steps:
                if quantity in step.yields:
                    return step.yields[quantity]
        return None

    def own_inputs(self, formula: str, path: Path, position: int, *, without: frozenset[str]) -> dict[str, str] | None:
        """The student's value of each input of a formula; None where one can be neither read nor recomputed."""
        own: dict[str, str] = {}
        for name in names_in(formula, self.right_values(path)):
            value = None if name in without else self.written(name, path, position)
            if value is None:
                value = self._rules.givens.get(name)
            if value is None:
                value = self._recomputed(name, path, position, without)
            if value is None:
                value = self._of_argument(name, self._values.until(position))
            if value is None:
                return None
            own[name] = value
        return own

    def written(self, name: str, path: Path, position: int) -> str | None:
        """The value that the student wrote last for a name, up to and including a line."""
        found = self.last_written(name, path, position)
        return None if found is None else found.value

    def last_written(self, name: str, path: Path, position: int) -> Written | None:
        """Where and as what the student wrote a name last, up to and including a line."""
        sought = self.sought(path).get(name)
        plain = [item for item in self._values.written if item.name == name and item.position <= position]
        if sought is None:
            return plain[-1] if plain else self._copied_given(name, path, position)
        stated = self._values.stated(sought, position)
        if stated is None and sought.shape == "bare":
            cited = self._cited.get((path.path_id, sought.step_id), ())
            stated = self._values.stated(sought, position, cited=frozenset(cited)) if cited else None
        is_plain = bool(plain) and sought.shape == "value" and sought.alike == 1
        if is_plain and (stated is None or plain[-1].position >= stated.position):
            return plain[-1]
        return None if stated is None else replace(stated, value=self._plain(stated.value))

    def _copied_given(self, name: str, path: Path, position: int) -> Written | None:
        found = self.copied(path).get(name) if name in self._rules.givens else None
        if found is None or found.position > position:
            return None
        return Written(found.position, found.line_id, name, found.value)

    def position_of(self, line: Line) -> int:
        """The place of a line in the order of writing."""
        return self._values.position_of(line)

    def _plain(self, value: str) -> str:
        """A value in plain writing where it is a number or a collection of numbers; else as written."""
        if re.fullmatch(r"-?\d+(?:/\d+)?", value) or re.search(r"[=<>]", value):
            return value
        return self._oracle.evaluate(value, {}) or value

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
        right = self.right_values(path)
        right_inputs = {name: self._plain(right[name]) for name in names_in(formula, right) if name != quantity}
        position = max((reading.position[line.line_id] for line in lines), default=-1)
        own = self.own_inputs(formula, path, position, without=frozenset({quantity}))
        right_value = self._oracle.evaluate(formula, right_inputs)
        own_value = None if own is None else self._oracle.evaluate(formula, own)
        student = self.stated(quantity, path, lines)
        stated_right = right.get(quantity)
        return Shadow(
            quantity=quantity,
            formula=formula,
            right_inputs=right_inputs,
            own_inputs=own or {},
            right_value=right_value,
            own_value=own_value,
            student_value=student,
            right_agrees=self._compare(stated_right, right_value),
            follows=self._follows(own_value, student),
            is_right=self._compare(stated_right, student),
        )

    def stated(self, quantity: str, path: Path, lines: tuple[Line, ...]) -> str | None:
        """The value that the given lines state last for a quantity."""
        sought = self.sought(path).get(quantity)
        value = None
        for line in lines:
            written = self._values.on_line(line.line_id).get(quantity)
            if written and (sought is None or sought.shape == "value"):
                value = written[-1]
            elif sought is not None:
                found = sought.on(line.content, self._oracle, cited=True)
                value = value if found is None else self._plain(found)
        return value

    def _follows(self, own: str | None, student: str | None) -> Comparison:
        """As `_compare`; a decimal that the student's own inputs give when rounded to its places follows too."""
        answer = self._compare(own, student)
        if answer.result is not Result.REFUTED or own is None or student is None:
            return answer
        places = decimal_places(student)
        if places is None or decimal_places(own) is not None:
            return answer
        rounded = self._oracle.evaluate(f"round({own}, {places})", {})
        return Comparison(Result.PROVED, "rounded") if rounded == student else answer

    def _compare(self, gold: str | None, student: str | None) -> Comparison:
        if gold is None or student is None:
            return NO_VALUE
        return self._oracle.compare(gold, student)
