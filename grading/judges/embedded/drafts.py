"""What the judge holds of one step before it is written down: a draft, and a wrong value that it is about."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from grading.domain.statuses import ErrorCode, Status
from itembank.domain.rules import Step

# How sure a judgement is before the reading of its lines is taken into account. Below 0.7 it always goes to a teacher.
REFUTED = Decimal("0.95")
FOLLOWED = Decimal("0.95")
ABSENT = Decimal("0.95")
UNSURE = Decimal("0.6")
WORDS = Decimal("0.5")
KEY_WORDS = Decimal("0.3")  # share of the neighbouring characters of a description that a line must repeat

Cause = Literal["", "arithmetic", "principle", "unknown"]


@dataclass(frozen=True)
class Draft:
    """A proposal in the making. `cause`: whether the error of a wrong step is shown to be of arithmetic or principle."""

    step: Step
    status: Status
    positions: tuple[int, ...] = ()
    confidence: Decimal = ABSENT
    codes: tuple[ErrorCode, ...] = ()
    formula: str | None = None
    reason: str | None = None
    cause: Cause = ""
    paid: str = ""

    @property
    def is_wrong(self) -> bool:
        """Whether a wrong result stands for the step."""
        return self.status in (Status.ECF_GRANTED, Status.INVALID)


@dataclass(frozen=True)
class Wrong:
    """A wrong value written for a step. `is_one_of_several`: the line states others for the same name beside it."""

    position: int
    name: str
    value: str
    is_one_of_several: bool
