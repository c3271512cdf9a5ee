"""Which wrong values of the student's own a result rests on, beside the two-sided shadow of its formula."""

from __future__ import annotations

from dataclasses import dataclass

from grading.domain.oracle import Oracle
from grading.domain.shadow import Shadow, ShadowComputation, StudentValues, argument_of
from itembank.algebra.results import Result
from itembank.domain.formula_names import used_names
from itembank.domain.rules import Path, Rules

from .written import Answer


@dataclass(frozen=True)
class Carried:
    """A shadow and the names in or behind its formula that the student wrote with a wrong value."""

    shadow: Shadow
    wrong: tuple[str, ...]

    @property
    def follows(self) -> bool:
        """Whether the value written is exactly what the student's own inputs give."""
        return self.shadow.follows.result is Result.PROVED


class OwnValues:
    """The student's values on one path: written last up to a line, else recomputed from what was written."""

    def __init__(self, rules: Rules, path: Path, answer: Answer, oracle: Oracle) -> None:
        self._rules = rules
        self._path = path
        self._answer = answer
        self._oracle = oracle
        self._written = StudentValues(answer.reading, oracle)
        self._computation = ShadowComputation(rules, self._written, oracle)

    def carried(self, name: str, formula: str, positions: tuple[int, ...]) -> Carried:
        """The formula for `name` from both sides, for the value stated on those lines."""
        lines = tuple(self._answer.lines[position] for position in positions)
        shadow = self._computation.shadow(name, formula, self._path, lines, self._answer.reading)
        return Carried(shadow, self._wrong_inputs(formula, self._until(positions), frozenset({name})))

    def at(self, position: int) -> dict[str, str]:
        """Givens and the student's own values up to a line, for names that the rules know; unwritten ones are right."""
        known = self._rules.known_values
        written = self._until((position,))
        return {name: written.get(name, right) for name, right in known.items()}

    def _until(self, positions: tuple[int, ...]) -> dict[str, str]:
        reading = self._answer.reading
        last = max((reading.position[self._answer.lines[position].line_id] for position in positions), default=-1)
        return self._written.until(last)

    def _wrong_inputs(self, formula: str, written: dict[str, str], above: frozenset[str]) -> tuple[str, ...]:
        """Wrong inputs themselves, and behind an unwritten input what it is recomputed from."""
        known = self._rules.known_values
        found: dict[str, None] = {}
        for name in used_names(formula, frozenset(known)):
            if name in above:
                continue
            if name in written:
                if self._oracle.compare(known[name], written[name]).result is Result.REFUTED:
                    found[name] = None
                continue
            argument = argument_of(name)
            behind = self._computation.formula_of(name, self._path)
            if argument in written:
                found.update(dict.fromkeys(self._wrong_inputs(argument, written, above | {name})))
            elif behind is not None:
                found.update(dict.fromkeys(self._wrong_inputs(behind, written, above | {name})))
        return tuple(found)
