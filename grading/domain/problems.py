"""Problem papers (问题卷): what a marker may find wrong with an answer beyond its mathematics, and who looks at it.

A problem never makes a mark. Most put the answer aside until somebody has looked; an answer suspected of copying or that
addresses the marker is reported and still marked, on its content alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .roles import Right


class ProblemKind(StrEnum):
    """What is wrong."""

    UNREADABLE = "UNREADABLE"
    WRONG_QUESTION = "WRONG_QUESTION"
    OFF_PAGE = "OFF_PAGE"
    BLANK = "BLANK"
    COPYING = "COPYING"
    INSTRUCTION = "INSTRUCTION"


class Finding(StrEnum):
    """What the person found who looked at it."""

    CONFIRMED = "CONFIRMED"
    UNFOUNDED = "UNFOUNDED"


@dataclass(frozen=True)
class Handling:
    """Whose desk a kind of problem goes to, and whether the answer waits meanwhile."""

    desk: Right
    puts_aside: bool


HANDLING: dict[ProblemKind, Handling] = {
    ProblemKind.UNREADABLE: Handling(Right.ADMINISTER, puts_aside=True),
    ProblemKind.WRONG_QUESTION: Handling(Right.LEAD, puts_aside=True),
    ProblemKind.OFF_PAGE: Handling(Right.ADMINISTER, puts_aside=True),
    ProblemKind.BLANK: Handling(Right.LEAD, puts_aside=True),
    ProblemKind.COPYING: Handling(Right.LEAD, puts_aside=False),
    ProblemKind.INSTRUCTION: Handling(Right.LEAD, puts_aside=False),
}
LONGEST_NOTE = 300


def desks(rights: frozenset[Right]) -> list[ProblemKind]:
    """The kinds that somebody with these rights looks at; a marking leader may also settle what lies with the staff."""
    return [kind for kind, handling in HANDLING.items() if handling.desk in rights or Right.LEAD in rights]
