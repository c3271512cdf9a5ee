"""The facts a gate decision rests on, and how one rule answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

from itembank.domain.rules import Rules

from ..observation import Observation, StepProposal
from ..oracle import Oracle
from ..policy import Policy
from ..proofs import Judged, Proofs
from ..reading import Line, Reading
from ..scoring import Scorecard
from ..sentences import line_en, line_zh
from ..statuses import Status


class Outcome(StrEnum):
    """What a rule says. Only `holds` and `not_applicable` let an answer pass."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_EVALUATED = "not_evaluated"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True)
class Finding:
    """One thing that keeps a rule from holding, as a sentence with facts."""

    zh: str
    en: str
    step_id: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    outcome: Outcome = Outcome.FAILS


@dataclass(frozen=True)
class RuleOutcome:
    """One entry of the gate's answer."""

    rule: str
    outcome: Outcome
    step_id: str | None
    zh: str
    en: str
    facts: Mapping[str, Any]

    def document(self) -> dict[str, Any]:
        """The entry as JSON."""
        return {
            "rule": self.rule,
            "outcome": self.outcome.value,
            "step_id": self.step_id,
            "message": {"zh": self.zh, "en": self.en},
            "facts": dict(self.facts),
        }


@dataclass(frozen=True)
class Answer:
    """What a rule found: nothing to look at, or what keeps it from holding (nothing: it holds)."""

    found: Sequence[Finding]
    zh: str = ""
    en: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    applicable: bool = True


def holds(zh: str, en: str, **facts: Any) -> Answer:
    """The rule holds."""
    return Answer((), zh, en, facts)


def idle(zh: str, en: str) -> Answer:
    """There is nothing the rule applies to."""
    return Answer((), zh, en, {}, applicable=False)


def fails(zh: str, en: str, step_id: str | None = None, **facts: Any) -> Answer:
    """The rule fails for one reason."""
    return Answer((Finding(zh, en, step_id, facts),))


def not_evaluated(zh: str, en: str, **facts: Any) -> Answer:
    """What the rule needs is not there; said honestly, and enough to call a person."""
    return Answer((Finding(zh, en, None, facts, Outcome.NOT_EVALUATED),))


@dataclass(frozen=True)
class GateInput:
    """Recorded facts. `reading_fault` and `observation_fault` are (zh, en) where a document could not be used."""

    rules: Rules
    reading: Reading | None
    observation: Observation | None
    policy: Policy
    ink: Mapping[str, Any] | None
    oracle: Oracle
    scorecard: Scorecard
    identity: Mapping[str, Any] | None = None
    images: tuple[Mapping[str, str], ...] = ()
    current: Mapping[str, Any] | None = None
    second_observation: Observation | None = None
    certificate: Mapping[str, Any] | None = None
    reading_fault: tuple[str, str] | None = None
    observation_fault: tuple[str, str] | None = None

    @property
    def judged_at_all(self) -> bool:
        """Whether there are statuses to examine."""
        return self.reading is not None and self.observation is not None and bool(self.scorecard.steps)


class Case:
    """A gate input with what several rules derive from it."""

    def __init__(self, given: GateInput) -> None:
        self.given = given
        self.rules = given.rules
        self.policy = given.policy
        self.scorecard = given.scorecard
        self.ink = given.ink

    @property
    def reading(self) -> Reading:
        """The reading; rules that need one run only where it is there."""
        if self.given.reading is None:
            raise LookupError("no reading")
        return self.given.reading

    @property
    def observation(self) -> Observation:
        """The observation; rules that need one run only where it is there."""
        if self.given.observation is None:
            raise LookupError("no observation")
        return self.given.observation

    @cached_property
    def proofs(self) -> Proofs:
        """Algebra about this answer."""
        return Proofs(self.rules, self.reading, self.observation, self.given.oracle)

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """Each step that may count: of the credited path of each part and of every path that earns as much.

        Paths of equal worth are all examined, so that no doubt on one of them can be avoided by choosing the other.
        """
        found = [
            Judged(item.path, item.step, item.status, item.proposal, item.bare_answer) for item in self.scorecard.steps
        ]
        if not self.scorecard.matched:
            return tuple(found)
        for part, path_ids in self.scorecard.tied.items():
            for path_id in path_ids:
                if path_id != self.scorecard.chosen.get(part):
                    path = self.rules.path(path_id)
                    found.extend(self.proofs.judged(path, step) for step in path.steps)
        return tuple(found)

    @cached_property
    def credited(self) -> tuple[Judged, ...]:
        """Judged steps whose status carries credit."""
        return tuple(judged for judged in self.judged if judged.credited)

    def of_status(self, *statuses: Status) -> tuple[Judged, ...]:
        """Judged steps of the given statuses."""
        return tuple(judged for judged in self.judged if judged.status in statuses)

    @cached_property
    def proposals(self) -> tuple[StepProposal, ...]:
        """Every proposal on every path."""
        return tuple(step for steps in self.observation.paths.values() for step in steps)

    @cached_property
    def cited(self) -> tuple[Line, ...]:
        """Every line that a judged step cites, in the order of writing."""
        ids = {line_id for judged in self.judged for line_id in judged.line_ids}
        return tuple(line for line in self.reading.lines if line.line_id in ids)

    def zh(self, line: Line) -> str:
        """The line in a Chinese sentence."""
        return line_zh(line, self.reading)

    def en(self, line: Line) -> str:
        """The line in an English sentence."""
        return line_en(line, self.reading)

    def begin(self, line: Line) -> str:
        """The line at the beginning of an English sentence; what the student wrote keeps its capitals."""
        text = self.en(line)
        return text[:1].upper() + text[1:]

    def with_scorecard(self, scorecard: Scorecard) -> Case:
        """The same answer with its scores; what algebra has said of it stays known."""
        case = Case(replace(self.given, scorecard=scorecard))
        if self.given.reading is not None and self.given.observation is not None:
            case.__dict__["proofs"] = self.proofs
        return case

    def with_reading(self, reading: Reading) -> Case:
        """The same case, had the page been read otherwise; statuses and scores stay."""
        case = Case(replace(self.given, reading=reading))
        case.__dict__["judged"] = self.judged  # made of rules, observation and scores alone
        case.__dict__["proofs"] = Proofs(self.rules, reading, self.observation, self.given.oracle, self.proofs)
        return case


Rule = Callable[[Case], Answer]
