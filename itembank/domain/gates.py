"""What every gate of an item says, in one form: which gate, its outcome, why in both languages, and what it kept.

A gate never raises because an item is bad, and never passes one for want of an answer: what it cannot decide has an
outcome of its own, and such an item goes to people.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

STRUCTURE, NOVELTY, COMPUTATION, OTHER_MIND, PEOPLE = range(1, 6)
"""The gates by number, in the order in which an item meets them."""


class Outcome(StrEnum):
    """What a gate can say. See `GateOutcome.passes` for which of it lets an item on."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    UNDECIDED = "UNDECIDED"
    # independent computation, and another mind after it has compared
    CORRECT = "CORRECT"
    INCORRECT = "INCORRECT"
    AMBIGUOUS = "AMBIGUOUS"
    NOT_COMPUTABLE = "NOT_COMPUTABLE"


_CHECKED = frozenset({Outcome.PASSED, Outcome.FAILED, Outcome.UNDECIDED})
_COMPUTED = frozenset({Outcome.CORRECT, Outcome.INCORRECT, Outcome.AMBIGUOUS, Outcome.NOT_COMPUTABLE})

POSSIBLE: Mapping[int, frozenset[Outcome]] = {
    STRUCTURE: _CHECKED,
    NOVELTY: _CHECKED,
    COMPUTATION: _COMPUTED,
    OTHER_MIND: _COMPUTED,
    PEOPLE: _CHECKED,
}
"""The outcomes that each gate may have."""


@dataclass(frozen=True)
class Detail:
    """One reason. `where` names the place in the item (`stem`, `options[1]`, `explanation[2]`), "" for all of it."""

    code: str
    zh: str
    en: str
    where: str = ""

    def document(self) -> dict[str, str]:
        """The reason as JSON."""
        return {"code": self.code, "where": self.where, "zh": self.zh, "en": self.en}


@dataclass(frozen=True)
class GateOutcome:
    """One gate's answer about one version of an item.

    `artefacts` is plain JSON: everything that a reviewer needs to see, and that is needed to repeat the answer.
    Raises ValueError for an outcome that the gate does not have.
    """

    gate: int
    outcome: Outcome
    detail: tuple[Detail, ...] = ()
    artefacts: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.outcome not in POSSIBLE.get(self.gate, ()):
            raise ValueError(f"gate {self.gate} has no outcome {self.outcome}")

    @property
    def passes(self) -> bool:
        """Whether the item may go on without a person."""
        return self.outcome in {Outcome.PASSED, Outcome.CORRECT}

    def document(self) -> dict[str, Any]:
        """The answer as JSON: `{"gate", "outcome", "detail", "artefacts"}`."""
        return {
            "gate": self.gate,
            "outcome": str(self.outcome),
            "detail": [each.document() for each in self.detail],
            "artefacts": dict(self.artefacts),
        }
