"""What can be said of one step, and the codes of what went wrong."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """Status of a judged step (design: what a judge is)."""

    VALID = "VALID"
    JUMP_VALID = "JUMP_VALID"
    GAP_DEDUCTION = "GAP_DEDUCTION"
    ECF_GRANTED = "ECF_GRANTED"
    INVALID = "INVALID"
    MISSING = "MISSING"


CREDITED = frozenset({Status.VALID, Status.JUMP_VALID, Status.GAP_DEDUCTION, Status.ECF_GRANTED})
WRITTEN = frozenset({Status.VALID, Status.GAP_DEDUCTION, Status.ECF_GRANTED, Status.INVALID})


class ErrorCode(StrEnum):
    """Kind of error, for diagnosis; never the ground of a score."""

    ERR_CALC = "ERR_CALC"
    ERR_CONCEPT = "ERR_CONCEPT"
    ERR_FORMULA = "ERR_FORMULA"
    ERR_LOGIC_GAP = "ERR_LOGIC_GAP"
    ERR_SIGN = "ERR_SIGN"
    ERR_DOMAIN = "ERR_DOMAIN"
    ERR_COPY = "ERR_COPY"
    ERR_READING = "ERR_READING"
    ERR_ANSWER_ONLY = "ERR_ANSWER_ONLY"
    ERR_BLANK = "ERR_BLANK"
