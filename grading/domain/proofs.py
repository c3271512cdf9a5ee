"""What algebra proves about the steps of one answer: results stated, jumps supported, errors carried, points denied."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from itembank.algebra.results import Comparison, Options, Result
from itembank.domain.rules import Path, Rules, Step

from .expressions import flat, is_several, remembered, shape_fault, sides, statements
from .observation import Observation, StepProposal
from .oracle import Oracle, unrelated
from .proposals import proposable
from .reading import Line, Reading
from .shadow import Shadow, ShadowComputation, names_in
from .stated import result_name
from .statuses import CREDITED, WRITTEN, Status
from .student_values import StudentValues

NOTHING_CITED = Comparison(Result.UNDECIDED, "nothing-cited")
NOTHING_EXPECTED = Comparison(Result.UNDECIDED, "in-words")

# Words, punctuation and numbering without any sign that a result could be stated.
_MATHEMATICAL = re.compile(r"[A-Za-z0-9=<>≤≥≠+\-×÷/*^\\√∑∫π\u0370-\u03ff\u2070-\u209f²³¹]")


@dataclass(frozen=True)
class Proof:
    """The most telling answer of algebra about one step, and what it was about."""

    answer: Comparison
    expected: str = ""
    line: Line | None = None

    @property
    def proved(self) -> bool:
        """Whether the result is proved."""
        return self.answer.result is Result.PROVED


@dataclass(frozen=True)
class Judged:
    """A step as judged on a path that may count. `status` is final (a bare answer has no jumps)."""

    path: Path
    step: Step
    status: Status
    proposal: StepProposal | None
    bare_answer: bool = field(default=False)

    @property
    def credited(self) -> bool:
        """Whether the status carries credit."""
        return self.status in CREDITED

    @property
    def step_id(self) -> str:
        """Id of the step."""
        return self.step.step_id

    @property
    def line_ids(self) -> tuple[str, ...]:
        """Ids of the cited lines, also of such that the reading does not have."""
        return self.proposal.line_ids if self.proposal else ()

    @property
    def neighbours(self) -> tuple[Step | None, Step | None]:
        """The steps before and after it on its path."""
        steps = self.path.steps
        place = steps.index(self.step)
        return (steps[place - 1] if place else None, steps[place + 1] if place + 1 < len(steps) else None)


# A value where a formula is expected, and a formula where a value is: neither states the result.
_STATES_ANOTHER_THING = frozenset({"bare-value", "unfinished"})

_RANK = {Result.PROVED: 0, Result.REFUTED: 1, Result.UNDECIDED: 2, Result.UNREADABLE: 3}


def is_wordy(line: Line) -> bool:
    """Whether a line holds nothing mathematical, so that it cannot state a result."""
    return _is_wordy(line.content)


@remembered
def _is_wordy(content: str) -> bool:
    plain = unicodedata.normalize("NFKC", content)
    return not _MATHEMATICAL.search(re.sub(r"^\s*[(（]?\d+[)）.、]|\\(text|mathrm)", "", plain))


class Proofs:
    """Questions to algebra about one answer; every answer is cached here and recorded by the oracle."""

    def __init__(
        self, rules: Rules, reading: Reading, observation: Observation, oracle: Oracle, known: Proofs | None = None
    ) -> None:
        """`known`: proofs about another reading under the same rules, observation and oracle.

        What single lines state is the same, and on which steps a step builds.
        """
        self.rules = rules
        self.reading = reading
        self.observation = observation
        self.oracle = oracle
        self._wrong: dict[tuple[str, str], tuple[Judged, ...]] = known._wrong if known else {}
        self._fulfilled: dict[tuple[str, str, tuple[tuple[str, str], ...]], Proof] = known._fulfilled if known else {}
        self._known = known
        self._lines: dict[tuple[str, ...], tuple[Line, ...]] = {}
        self._standing: dict[tuple[str, ...], tuple[Line, ...]] = {}
        self._known_at: dict[str, Mapping[str, str]] = {}
        self._sound: dict[tuple[str, tuple[tuple[str, str], ...]], Comparison] = known._sound if known else {}
        self._states: dict[tuple[str, str, tuple[str, ...]], Comparison] = known._states if known else {}
        self._shadows: dict[tuple[str, str, str, tuple[str, ...]], Shadow] = {}

    @cached_property
    def values(self) -> StudentValues:
        """What the student wrote."""
        return StudentValues(self.reading, self.oracle, self._known.values if self._known else None)

    @cached_property
    def _alike_until(self) -> int:
        """The place of the first line that the other reading, whose proofs are known, has otherwise."""
        others = self._known.reading.lines if self._known else ()
        pairs = enumerate(zip(self.reading.lines, others, strict=False))
        return next((place for place, (line, other) in pairs if line is not other), len(others))

    @cached_property
    def shadows(self) -> ShadowComputation:
        """Shadow computations for this answer."""
        cited = {
            (path_id, step.step_id): step.line_ids
            for path_id, steps in self.observation.paths.items()
            for step in steps
        }
        return ShadowComputation(self.rules, self.values, self.oracle, cited)

    def judged(self, path: Path, step: Step) -> Judged:
        """The step with the judge's own status."""
        proposal = self.observation.proposal(path.path_id, step.step_id)
        return Judged(path, step, proposal.status if proposal else Status.MISSING, proposal)

    def lines(self, judged: Judged) -> tuple[Line, ...]:
        """The cited lines that the reading has, in the order of writing."""
        cited = judged.line_ids
        found = self._lines.get(cited)
        if found is None:
            wanted = frozenset(cited)
            found = self._lines[cited] = tuple([line for line in self.reading.lines if line.line_id in wanted])
        return found

    def standing(self, judged: Judged) -> tuple[Line, ...]:
        """The cited lines that are not struck out."""
        cited = judged.line_ids
        found = self._standing.get(cited)
        if found is None:
            found = self._standing[cited] = tuple([line for line in self.lines(judged) if not line.struck_out])
        return found

    def fulfils(self, expected: str, content: str) -> Comparison:
        """Whether the text states something of the expected value, in whatever shape."""
        return self.oracle.fulfils(expected, content, givens=self.rules.givens)

    def states(self, step: Step, expected: str, content: str) -> Comparison:
        """Whether the text states the expected result as the step wants it: shown, finished, in a demanded form."""
        key = (expected, content, step.demands)
        if key not in self._states:
            self._states[key] = self._stated(step, expected, content)
        return self._states[key]

    def _stated(self, step: Step, expected: str, content: str) -> Comparison:
        answer = self.fulfils(expected, content)
        if answer.result is not Result.PROVED or is_several(expected):
            return answer if "form" not in step.demands else self._formed(answer, expected, (content,))
        pieces = statements(content)
        carrying = [
            piece for piece in pieces if len(pieces) == 1 or self.fulfils(expected, piece).result is Result.PROVED
        ]
        faults = [shape_fault(expected, piece) for piece in carrying]
        fitting = tuple(piece for piece, fault in zip(carrying, faults, strict=True) if fault is None)
        if carrying and not fitting:
            return Comparison(Result.UNDECIDED, faults[0] or "")
        return self._formed(answer, expected, fitting or (content,), step.demands) if step.demands else answer

    def _formed(
        self, answer: Comparison, expected: str, texts: tuple[str, ...], demands: tuple[str, ...] = ("form",)
    ) -> Comparison:
        """The answer where a text meets everything that is demanded of it; else UNDECIDED, for a teacher."""
        if answer.result is not Result.PROVED or any(flat(text) == flat(expected) for text in texts):
            return answer
        for text in texts:
            if all(self._meets(demand, sides(expected), sides(text)) for demand in demands):
                return answer
        return Comparison(Result.UNDECIDED, "demanded-form")

    def _meets(self, demand: str, wanted: tuple[str, ...], written: tuple[str, ...]) -> bool:
        """Whether a chain meets a demand: its unit, rounding and form are those of its last side, its name is its first."""
        if demand == "left_side":
            return len(wanted) < 2 or flat(wanted[0]) == flat(written[0])
        if demand == "sf":
            return flat(written[-1]) == flat(wanted[-1])
        ends = "=".join((written[0], written[-1])) if len(written) > 1 else written[0]
        texts = ("=".join(wanted), ends) if demand == "form" else (wanted[-1], written[-1])
        options = Options(form="same_up_to_order") if demand == "form" else Options()
        return self.oracle.compare(*texts, relation=demand, options=options).result is Result.PROVED

    def fulfilment(self, judged: Judged) -> Proof:
        """Whether a cited, standing line states a result that the step expects."""
        if not judged.step.expects:
            return Proof(NOTHING_EXPECTED)
        lines = self.standing(judged)
        key = judged.path.path_id, judged.step_id, tuple([(line.line_id, line.content) for line in lines])
        if key not in self._fulfilled:
            self._fulfilled[key] = self._fulfilment(judged, lines)
        return self._fulfilled[key]

    def _fulfilment(self, judged: Judged, lines: tuple[Line, ...]) -> Proof:
        proof = self._best(judged.step, lines)
        if not proof.proved and len(lines) > 1:
            together = "；".join(line.content for line in lines)
            for expected in judged.step.expects:
                answer = self.states(judged.step, expected, together)
                if answer.result is Result.PROVED:
                    return Proof(answer, expected, lines[-1])
        return proof

    def _best(self, step: Step, lines: Iterable[Line]) -> Proof:
        best = Proof(NOTHING_CITED)
        rank = 9
        for line in lines:
            for expected in step.expects:
                answer = self.states(step, expected, line.content)
                place = _RANK[answer.result] + (2 if unrelated(answer) else 0)
                if place < rank:
                    best, rank = Proof(answer, expected, line), place
                if answer.result is Result.PROVED:
                    return best
        return best

    def may_state(self, step: Step, line: Line) -> Comparison | None:
        """An answer that leaves open (or proves) that the line states the step's result; None where it surely does not."""
        if is_wordy(line):
            return None
        for expected in step.expects:
            answer = self.states(step, expected, line.content)
            surely_not = answer.result is Result.REFUTED or unrelated(answer) or answer.method in _STATES_ANOTHER_THING
            if not surely_not:
                return answer
        return None

    def stated_elsewhere(self, step: Step, *, besides: tuple[Line, ...] = ()) -> tuple[Line, Comparison] | None:
        """A standing line, apart from `besides`, that states the step's result or may do so."""
        for line in self.reading.standing:
            if line in besides:
                continue
            answer = self.may_state(step, line)
            if answer is not None:
                return line, answer
        return None

    def known_at(self, line: Line) -> Mapping[str, str]:
        """Givens and the student's own values before a line, for names that the rules know.

        What the line itself states is left out: `a_1=7-4=4` breaks at 7-4=4 and not at its name.
        """
        found = self._known_at.get(line.line_id)
        if found is None and self._known is not None and self.reading.position[line.line_id] <= self._alike_until:
            found = self._known.known_at(line)
        if found is None:
            known = dict(self.rules.givens)
            for name, value in self.values.until(self.reading.position[line.line_id] - 1).items():
                if name in known or name in self.rules.quantities:
                    known[name] = value
            found = self._known_at[line.line_id] = known
        return found

    def soundness(self, line: Line) -> Comparison:
        """Whether every equality inside the line is true for the student's own values."""
        values = self.known_at(line)
        key = line.content, tuple(values.items())
        if key not in self._sound:
            self._sound[key] = self.oracle.sound(line.content, values)
        return self._sound[key]

    def shadows_of(self, judged: Judged) -> tuple[Shadow, ...]:
        """Shadows of the quantities that the step yields; where rules have no formula, of the one that the judge proposes.

        A proposed formula counts only where everybody would make it from the same facts (`proposals`).
        """
        lines = self.standing(judged)
        return tuple(
            self._shadow(quantity, formula, judged.path, lines)
            for quantity, formula in (judged.step.yields or self._proposed(judged, lines)).items()
        )

    def _shadow(self, quantity: str, formula: str, path: Path, lines: tuple[Line, ...]) -> Shadow:
        key = (quantity, formula, path.path_id, tuple(line.line_id for line in lines))
        if key not in self._shadows:
            self._shadows[key] = self.shadows.shadow(quantity, formula, path, lines, self.reading)
        return self._shadows[key]

    def _proposed(self, judged: Judged, lines: tuple[Line, ...]) -> dict[str, str]:
        formula = judged.proposal.formula if judged.proposal else None
        if formula is None or formula not in self.proposable(judged, lines):
            return {}
        return {result_name(judged.path, judged.step): formula}

    def proposable(self, judged: Judged, lines: tuple[Line, ...]) -> tuple[str, ...]:
        """Every formula that may be proposed for the step."""
        return proposable(judged.step, judged.path, self.rules, self.shadows, lines, self.oracle)

    def stated_shadows(self, judged: Judged) -> tuple[Shadow, ...]:
        """Shadows of every known quantity that the cited lines state, whichever step of the path yields it."""
        lines = self.standing(judged)
        names = dict.fromkeys(name for line in lines for name in self.values.on_line(line.line_id))
        found: list[Shadow] = []
        for name in (*judged.step.yields, *(name for name in names if name not in judged.step.yields)):
            formula = judged.step.yields.get(name) or self.shadows.formula_of(name, judged.path)
            if formula is not None and name in self.rules.quantities:
                found.append(self._shadow(name, formula, judged.path, lines))
        return tuple(found)

    def carried(self, judged: Judged) -> Comparison:
        """Whether the step's wrong values are exactly what its formulas make of the student's own earlier values."""
        shadows = [shadow for shadow in self.shadows_of(judged) if shadow.student_value is not None]
        if not shadows:
            return NOTHING_CITED
        for shadow in shadows:
            for answer in (shadow.right_agrees, shadow.follows):
                if answer.result is not Result.PROVED:
                    return answer
        if not judged.step.yields and self._is_ambiguous(judged):
            return Comparison(Result.UNDECIDED, "several-formulas")
        if not any(shadow.is_right.result is Result.REFUTED for shadow in shadows):
            is_right = all(shadow.is_right.result is Result.PROVED for shadow in shadows)
            return Comparison(Result.UNDECIDED, "nothing-wrong" if is_right else "right-or-wrong")
        return Comparison(Result.PROVED, "shadow")

    def _is_ambiguous(self, judged: Judged) -> bool:
        """Whether another formula that may be proposed is as right, but gives something else from the student's values."""
        lines = self.standing(judged)
        name = result_name(judged.path, judged.step)
        for formula in self.proposable(judged, lines):
            shadow = self._shadow(name, formula, judged.path, lines)
            if shadow.right_agrees.result is Result.PROVED and shadow.follows.result is Result.REFUTED:
                return True
        return False

    def wrong_before(self, judged: Judged) -> tuple[Judged, ...]:
        """Steps judged wrong or carried on which this one builds, directly or through others."""
        key = (judged.path.path_id, judged.step_id)
        if key not in self._wrong:
            found: dict[tuple[str, str], Judged] = {}
            self._collect(judged, found, set())
            self._wrong[key] = tuple(found.values())
        return self._wrong[key]

    def _collect(self, judged: Judged, found: dict[tuple[str, str], Judged], seen: set[tuple[str, str]]) -> None:
        for step_id in judged.step.depends_on:
            for other in self._named(step_id, judged):
                key = (other.path.path_id, step_id)
                if key in seen:
                    continue
                seen.add(key)
                if other.status in (Status.INVALID, Status.ECF_GRANTED):
                    found[key] = other
                self._collect(other, found, seen)

    def _named(self, step_id: str, judged: Judged) -> list[Judged]:
        """The earlier step of the same path, else the steps of that id on every path of earlier parts."""
        before = judged.path.steps[: judged.path.steps.index(judged.step)]
        own = [self.judged(judged.path, step) for step in before if step.step_id == step_id]
        return own or [
            self.judged(path, step)
            for path in self.rules.paths
            if path.part < judged.path.part
            for step in path.steps
            if step.step_id == step_id
        ]

    def jump_support(self, judged: Judged) -> Comparison:
        """Whether the next step's written working contains the skipped step's value or operation."""
        _, following = judged.neighbours
        if following is None:
            return NOTHING_CITED
        next_judged = self.judged(judged.path, following)
        if next_judged.status not in WRITTEN or not self._builds_on(following, judged.step):
            return NOTHING_CITED
        best = NOTHING_CITED
        rank = 9
        for line in self.working_lines(next_judged):
            for answer in self._support_on(judged, line):
                place = 9 if unrelated(answer) else _RANK[answer.result]
                if place < rank or best is NOTHING_CITED:
                    best, rank = answer, place
        return best

    def working_lines(self, judged: Judged) -> tuple[Line, ...]:
        """The written working of a step: its cited lines, and lines that state something its rules call working."""
        cited = self.standing(judged)
        return cited + tuple(
            line
            for line in self.reading.standing
            if line not in cited
            and any(self.fulfils(working, line.content).result is Result.PROVED for working in judged.step.working)
        )

    def _support_on(self, judged: Judged, line: Line) -> Iterable[Comparison]:
        for value in self._signs_of(judged, line):
            yield self.oracle.mentions(line.content, value)
        for working in judged.step.working:
            answer = self.fulfils(working, line.content)
            if answer.result is Result.PROVED:
                yield answer

    def _signs_of(self, judged: Judged, line: Line) -> tuple[str, ...]:
        """Values and operations that show the skipped step in a later line; 0, 1 and -1 stand anywhere and show nothing."""
        position = self.reading.position[line.line_id]
        values: list[str] = []
        for quantity in judged.step.yields:
            own = self.shadows.own_value(quantity, judged.path, position)
            values.append(own if own is not None else self.rules.quantities.get(quantity, ""))
        for expected in judged.step.expects:
            values.extend(value for _, value in self.oracle.asserts(expected))
            values.extend(side.strip() for side in expected.split("=")[1:])
        return tuple(dict.fromkeys(value for value in values if value and value not in {"0", "1", "-1"}))

    def _builds_on(self, following: Step, step: Step) -> bool:
        if step.step_id in following.depends_on:
            return True
        known = self.rules.known_values
        return any(set(names_in(formula, known)) & set(step.yields) for formula in following.yields.values())

    def proved(self, path: Path, step: Step) -> bool:
        """Whether the credit that the judge proposes for a step is proved by algebra."""
        judged = self.judged(path, step)
        if judged.status in (Status.VALID, Status.GAP_DEDUCTION):
            return self.fulfilment(judged).proved
        if judged.status is Status.JUMP_VALID:
            return self.jump_support(judged).result is Result.PROVED
        if judged.status is Status.ECF_GRANTED:
            return self.carried(judged).result is Result.PROVED
        return False
