"""What a leader may choose when the rules of a question change, what is foreseen for an answer and what became of it."""

from __future__ import annotations

from enum import StrEnum


class Choice(StrEnum):
    """What becomes of the answers marked under the older version."""

    REQUEUE = "REQUEUE"
    RECOMPUTE = "RECOMPUTE"
    LEAVE = "LEAVE"


class Effect(StrEnum):
    """What is foreseen for one answer before the choice."""

    SAME = "SAME"  # provably the same mark
    CHANGES = "CHANGES"  # provably another mark
    UNPROVEN = "UNPROVEN"  # marked, and nothing proves what it would get
    OPEN = "OPEN"  # not marked yet
    APPEAL = "APPEAL"  # under appeal, which its own version decides


class Carried(StrEnum):
    """What became of one answer."""

    CURRENT = "CURRENT"  # under the newer version already
    TO_JUDGE = "TO_JUDGE"  # not judged yet; the machine judges it under the newer version
    RENEWED = "RENEWED"  # waiting or in hand; its proposal is made anew
    RESTARTED = "RESTARTED"  # a round under way begins again, its marks stand beside
    REQUEUED = "REQUEUED"  # as the leader chose
    RECOMPUTED = "RECOMPUTED"  # a new edition of the mark
    UNPROVEN = "UNPROVEN"  # to be recomputed, not provable, so it is marked again
    LEFT = "LEFT"  # as the leader chose
    RELEASED = "RELEASED"  # results are released: only an appeal changes it
    OVERTAKEN = "OVERTAKEN"  # a version chosen later came first, and its own choice holds
    APPEAL = "APPEAL"  # under appeal
