"""When an item is released, and how a release stands later."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from .gates import COMPUTATION, NOVELTY, OTHER_MIND, PEOPLE, STRUCTURE, Outcome

MACHINE_GATES = (STRUCTURE, NOVELTY, COMPUTATION, OTHER_MIND)


class Standing(StrEnum):
    """How an item, or a use of it, stands."""

    CERTIFIED = "CERTIFIED"
    FALLEN = "FALLEN"
    """An earlier version was certified; the content has changed since."""
    NEVER = "NEVER"
    CHANGED_SINCE = "CHANGED_SINCE"
    """Of a use: the version was certified then, and the item says something else now."""


def missing_gates(outcomes: Mapping[int, Outcome]) -> tuple[int, ...]:
    """The gates that stand between a version and its release, given the newest outcome of each gate that was asked.

    Structure must pass: no person can certify what cannot be shown. What a machine's gate did not pass, or was not asked,
    people may pass, and a person's refusal outweighs every machine.

    >>> missing_gates({1: Outcome.PASSED, 2: Outcome.UNDECIDED, 5: Outcome.PASSED})
    ()
    >>> missing_gates({1: Outcome.PASSED, 2: Outcome.PASSED, 3: Outcome.NOT_COMPUTABLE, 4: Outcome.CORRECT})
    (3,)
    """
    good = (Outcome.PASSED, Outcome.CORRECT)
    lacking = tuple(gate for gate in MACHINE_GATES if outcomes.get(gate) not in good)
    structure = outcomes.get(STRUCTURE)
    if structure is None or structure is Outcome.FAILED:
        return lacking
    people = outcomes.get(PEOPLE)
    if people is None:
        return lacking
    return () if people is Outcome.PASSED else (*lacking, PEOPLE)


def standing(current: int, certified: Iterable[int]) -> Standing:
    """How an item stands, from its current version and those that were ever certified."""
    versions = set(certified)
    if current in versions:
        return Standing.CERTIFIED
    return Standing.FALLEN if versions else Standing.NEVER


def use_standing(used: int, used_at: datetime, certified_at: datetime | None, current: int) -> Standing:
    """How a use stands: certified when it was used, and the item the same since?"""
    if certified_at is None or certified_at > used_at:
        return Standing.NEVER
    return Standing.CERTIFIED if used == current else Standing.CHANGED_SINCE
