"""The policy gate: a pure function of recorded facts that says ACCEPT or MANUAL_REVIEW, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .case import Answer, Case, Finding, GateInput, Outcome, RuleOutcome, not_evaluated
from .table import DECISIVE, RULES, RuleEntry

ACCEPT = "ACCEPT"
MANUAL_REVIEW = "MANUAL_REVIEW"
PASSING = frozenset({Outcome.HOLDS, Outcome.NOT_APPLICABLE})

__all__ = [
    "ACCEPT",
    "DECISIVE",
    "MANUAL_REVIEW",
    "RULES",
    "Case",
    "Finding",
    "GateInput",
    "GateResult",
    "Outcome",
    "RuleEntry",
    "RuleOutcome",
    "run_gate",
    "run_gate_on",
]


@dataclass(frozen=True)
class GateResult:
    """The decision with every rule's outcome, in the order of the table."""

    decision: str
    outcomes: tuple[RuleOutcome, ...]

    def document(self) -> list[dict[str, Any]]:
        """The outcomes as JSON."""
        return [outcome.document() for outcome in self.outcomes]

    @property
    def failed(self) -> tuple[str, ...]:
        """Names of the rules that keep the answer from passing, each once, in order."""
        return tuple(dict.fromkeys(item.rule for item in self.outcomes if item.outcome not in PASSING))


def run_gate(given: GateInput) -> GateResult:
    """Ask every rule. ACCEPT needs each of them to hold or not to apply."""
    return run_gate_on(Case(given))


def run_gate_on(case: Case) -> GateResult:
    """`run_gate` where the case is already laid out."""
    given = case.given
    outcomes = tuple(outcome for entry in RULES for outcome in _outcomes(entry, _answer(entry, case)))
    passed = all(outcome.outcome in PASSING for outcome in outcomes)
    return GateResult(ACCEPT if passed and given.scorecard.matched else MANUAL_REVIEW, outcomes)


def _answer(entry: RuleEntry, case: Case) -> Answer:
    given = case.given
    if entry.needs_statuses and not given.judged_at_all:
        return not_evaluated("没有可检查的判读步骤。", "There are no judged steps to examine.")
    if entry.rule == "recognised" and given.reading is None:
        return not_evaluated("没有可用的识读结果。", "There is no usable reading.")
    return entry.check(case)


def _outcomes(entry: RuleEntry, answer: Answer) -> list[RuleOutcome]:
    """One entry where a rule holds; where not, one for each reason, failures before what could not be evaluated."""
    if not answer.found:
        outcome = Outcome.HOLDS if answer.applicable else Outcome.NOT_APPLICABLE
        return [RuleOutcome(entry.rule, outcome, None, answer.zh, answer.en, answer.facts)]
    worst = [finding for finding in answer.found if finding.outcome is Outcome.FAILS] or list(answer.found)
    return [RuleOutcome(entry.rule, item.outcome, item.step_id, item.zh, item.en, item.facts) for item in worst]
