"""The student's own values, and what the formulas of the rules give with them: the shadow of a step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from grading.domain.oracle import Oracle
from itembank.algebra.results import Result
from itembank.domain.formula_names import used_names
from itembank.domain.rules import Path, Rules

from .written import Answer


@dataclass(frozen=True)
class Shadow:
    """A formula with right inputs and with the student's. `wrong_inputs`: names in it that carry a wrong value."""

    formula: str
    right: str | None
    own: str | None
    wrong_inputs: tuple[str, ...]


class OwnValues:
    """Values as the student has them on one path: written last, else recomputed from what was written, else right."""

    def __init__(self, rules: Rules, path: Path, answer: Answer, oracle: Oracle) -> None:
        self._rules = rules
        self._path = path
        self._answer = answer
        self._oracle = oracle
        self._known = frozenset(rules.known_values)

    @cached_property
    def _formulas(self) -> dict[str, str]:
        """How each quantity comes about on this path, and before it in earlier parts."""
        found: dict[str, str] = {}
        for path in (self._path, *(other for other in self._rules.paths if other.part < self._path.part)):
            for step in path.steps:
                for name, formula in step.yields.items():
                    found.setdefault(name, formula)
        return found

    def is_wrong(self, name: str) -> bool:
        """Whether the value that the student wrote last for a name is refuted."""
        written = self._answer.last_value(name)
        return written is not None and self._differs(self._rules.known_values[name], written[1])

    def _differs(self, right: str, value: str) -> bool:
        return self._oracle.compare(right, value).result is Result.REFUTED

    def own(self, name: str, above: frozenset[str] = frozenset()) -> str | None:
        """The student's value of a name; None where a formula on the way cannot be computed."""
        written = self._answer.last_value(name)
        if written is not None:
            return written[1]
        formula = self._formulas.get(name)
        if formula is None or name in above:
            return self._rules.known_values[name]
        return self._with_own(formula, above | {name})

    def _with_own(self, formula: str, above: frozenset[str]) -> str | None:
        values: dict[str, str] = {}
        for name in used_names(formula, self._known):
            value = self.own(name, above)
            if value is None:
                return None
            values[name] = value
        return self._oracle.evaluate(formula, values)

    def carried(self, name: str, above: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """Names written wrong on which the student's value of `name` rests: itself, or what it is recomputed from."""
        if self._answer.last_value(name) is not None:
            return (name,) if self.is_wrong(name) else ()
        formula = self._formulas.get(name)
        if formula is None or name in above:
            return ()
        below = above | {name}
        return tuple(
            dict.fromkeys(one for used in used_names(formula, self._known) for one in self.carried(used, below))
        )

    def shadow(self, name: str, formula: str) -> Shadow:
        """The formula for `name` from both sides."""
        above = frozenset({name})
        inputs = used_names(formula, self._known)
        return Shadow(
            formula=formula,
            right=self._oracle.evaluate(formula, {used: self._rules.known_values[used] for used in inputs}),
            own=self._with_own(formula, above),
            wrong_inputs=tuple(dict.fromkeys(one for used in inputs for one in self.carried(used, above))),
        )
