"""What somebody who saw the stem alone claims: readings of the question with what each comes to, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from itembank.domain.gates import Detail, Outcome
from itembank.domain.instructions import addresses_checker

from .stem import Stem


@dataclass(frozen=True)
class Why:
    """A reason in both languages; words that a model wrote are quoted in the language it chose."""

    zh: str
    en: str


NO_REASON = Why("", "")


@dataclass(frozen=True)
class Reading:
    """One sensible way to understand the question and what it comes to: values as LaTeX, or labels of options."""

    values: tuple[str, ...]
    choices: tuple[str, ...] = ()
    meaning: str = ""

    def document(self) -> dict[str, Any]:
        """The reading as JSON; its meaning only where one was stated."""
        said = {"meaning": self.meaning} if self.meaning else {}
        return {**said, "values": list(self.values), "choices": list(self.choices)}


@dataclass(frozen=True)
class Claim:
    """What is claimed of one stem; no reading at all means that there is no answer, and `why` says so."""

    readings: tuple[Reading, ...]
    why: Why = NO_REASON
    instructions_seen: tuple[str, ...] = ()
    artefacts: dict[str, Any] = field(default_factory=dict)


def instructions(stem: Stem, claim: Claim) -> tuple[str, ...]:
    """Words to the checker that were reported, and those that plain code finds whatever was reported."""
    found = addresses_checker(stem.text)
    return tuple(dict.fromkeys([*claim.instructions_seen, *([found] if found else [])]))


def record(
    claim: Claim, *, part: int | None, seen: tuple[str, ...], comparisons: list[dict[str, Any]], outcome: Outcome
) -> dict[str, Any]:
    """The artefacts of one part: what was claimed, what was made of it, and words to the checker."""
    return {
        **claim.artefacts,
        "part": part,
        "readings": [one.document() for one in claim.readings],
        "instructions_seen": list(seen),
        "comparisons": comparisons,
        "outcome": str(outcome),
    }


def ignored(seen: tuple[str, ...], where: str) -> tuple[Detail, ...]:
    """The record that such words changed nothing."""
    if not seen:
        return ()
    quoted = "；".join(seen)[:200]
    return (
        Detail(
            "instruction-ignored",
            f"题面里有对审题者说的话，未予理会：{quoted}",
            f"The stem addresses its checker; this was ignored: {quoted}",
            where,
        ),
    )
