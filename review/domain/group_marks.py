"""What can become of an answer that stood in a group when the group was marked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class MemberOutcome(StrEnum):
    """The fate of one member."""

    MARKED = "MARKED"
    EXCLUDED = "EXCLUDED"  # by the person, on the screen
    LEFT_OUT = "LEFT_OUT"  # by a rule: it changed meanwhile, or must be looked at by itself
    TAKEN_BACK = "TAKEN_BACK"
    KEPT = "KEPT"  # marked, and not taken back with the rest


@dataclass(frozen=True)
class Shown:
    """One member as it stood on the screen: its case, the version of that, and the pages that were to be seen."""

    case: str
    version: int
    pages: str
