"""Which wrong values of the student's own a result rests on, beside the two-sided shadow of its formula."""

from __future__ import annotations

from dataclasses import dataclass

from grading.domain.copied import Copied
from grading.domain.oracle import Oracle
from grading.domain.proposals import proposable
from grading.domain.shadow import Shadow, ShadowComputation, argument_of, names_in
from grading.domain.stated import result_name
from grading.domain.student_values import StudentValues, Written
from itembank.algebra.results import Result
from itembank.domain.rules import Path, Rules, Step

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

    @property
    def is_carried(self) -> bool:
        """Whether the formula is right and the value rests on wrong ones of the student's own."""
        return bool(self.wrong) and self.follows and self.shadow.right_agrees.result is Result.PROVED


class OwnValues:
    """The student's values on one path: written last up to a line, else recomputed from what was written."""

    def __init__(self, rules: Rules, path: Path, answer: Answer, oracle: Oracle) -> None:
        self._rules = rules
        self._path = path
        self._answer = answer
        self._oracle = oracle
        self._written = StudentValues(answer.reading, oracle)
        self._cited: dict[tuple[str, str], tuple[str, ...]] = {}
        self._computation = ShadowComputation(rules, self._written, oracle, self._cited)

    def note(self, step: Step, positions: tuple[int, ...]) -> None:
        """Remember which lines stand for a step that was judged."""
        line_ids = tuple(self._answer.lines[position].line_id for position in positions)
        self._cited[self._path.path_id, step.step_id] = line_ids

    def carried(self, name: str, formula: str, positions: tuple[int, ...]) -> Carried:
        """The formula for `name` from both sides, for the value stated on those lines."""
        lines = tuple(self._answer.lines[position] for position in positions)
        shadow = self._computation.shadow(name, formula, self._path, lines, self._answer.reading)
        return Carried(shadow, self._wrong_inputs(formula, self._last(positions), frozenset({name})))

    def proposed(self, step: Step, positions: tuple[int, ...]) -> tuple[Carried, ...]:
        """For a step without formulas in the rules: every formula that may be proposed and is right for the right values."""
        lines = tuple(self._answer.lines[position] for position in positions)
        found = (
            self.carried(self.name_of(step), formula, positions)
            for formula in proposable(step, self._path, self._rules, self._computation, lines, self._oracle)
        )
        return tuple(one for one in found if one.shadow.right_agrees.result is Result.PROVED)

    def name_of(self, step: Step) -> str:
        """The name of the result of a step of this path."""
        return result_name(self._path, step)

    def right_result(self, step: Step) -> str | None:
        """The right result of a step where the form in which it is written can be looked for."""
        sought = self._computation.sought(self._path).get(self.name_of(step))
        return None if sought is None else sought.value

    def name_of_result(self, step: Step) -> str:
        """The quantity that a step yields alone, else the name of its result."""
        return next(iter(step.yields)) if len(step.yields) == 1 else self.name_of(step)

    def bare_result(self, step: Step) -> str | None:
        """The right result of a step that the rules write without a name; None for any other step."""
        sought = self._computation.sought(self._path).get(self.name_of(step))
        return sought.value if sought is not None and sought.shape == "bare" and not sought.unit else None

    def bare_on(self, step: Step, position: int) -> str | None:
        """What a line gives for such a step, if a line without a name does."""
        sought = self._computation.sought(self._path)[self.name_of(step)]
        return sought.on(self._answer.lines[position].content, self._oracle, cited=True)

    def copied_on(self, position: int) -> Copied | None:
        """The given value that a line has miscopied, or the formula of the question that it follows from had."""
        line = self._answer.lines[position]
        place = self._answer.reading.position[line.line_id]
        for found in self._computation.copied(self._path).values():
            source = self._answer.reading.by_id[found.line_id].content
            follows = found.position < place and self._oracle.fulfils(source, line.content).result is Result.PROVED
            if found.line_id == line.line_id or follows:
                return found
        return None

    def last(self, name: str) -> tuple[int, str] | None:
        """On which line of the answer and as what a name stands last."""
        found: Written | None = self._computation.last_written(name, self._path, len(self._answer.reading.lines))
        if found is None:
            return None
        position = next(place for place, line in enumerate(self._answer.lines) if line.line_id == found.line_id)
        return position, found.value

    def at(self, position: int) -> dict[str, str]:
        """Givens and the student's own values up to a line, for names that the rules know; unwritten ones are right."""
        last = self._last((position,))
        known = self._rules.known_values
        return {name: self._computation.written(name, self._path, last) or right for name, right in known.items()}

    def _last(self, positions: tuple[int, ...]) -> int:
        reading = self._answer.reading
        return max((reading.position[self._answer.lines[position].line_id] for position in positions), default=-1)

    def _wrong_inputs(self, formula: str, position: int, above: frozenset[str]) -> tuple[str, ...]:
        """Wrong inputs themselves, and behind an unwritten input what it is recomputed from."""
        known = self._computation.right_values(self._path)
        found: dict[str, None] = {}
        for name in names_in(formula, known):
            if name in above:
                continue
            own = self._computation.written(name, self._path, position)
            if own is not None:
                if self._oracle.compare(known[name], own).result is Result.REFUTED:
                    found[name] = None
                continue
            argument = argument_of(name)
            behind = self._computation.formula_of(name, self._path)
            if argument and self._computation.written(argument, self._path, position) is not None:
                found.update(dict.fromkeys(self._wrong_inputs(argument, position, above | {name})))
            elif behind is not None:
                found.update(dict.fromkeys(self._wrong_inputs(behind, position, above | {name})))
        return tuple(found)
