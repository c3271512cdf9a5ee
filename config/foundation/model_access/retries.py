"""When to ask again and how long to wait first."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from .failures import FailureCode

REPEATABLE = frozenset(
    {FailureCode.TIMEOUT, FailureCode.CONNECTION_FAILED, FailureCode.RATE_LIMITED, FailureCode.SERVER_ERROR}
)
"""Failures that may pass by themselves. A refused key, a wrong address or a bad request will not."""


def asked_pause(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds the service asked to wait (``Retry-After``, in seconds or as a date); None without a usable wish."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())


def pause_before(repeat: int, *, base: float, cap: float, asked: float | None, rng: random.Random) -> float | None:
    """Seconds to wait before repeat number 1, 2, …; None means do not repeat.

    Full jitter: anything between 0 and ``base·2^(repeat-1)``, so that many callers do not come back together. A wish
    of the service is a lower bound. A wish above ``cap`` ends the call: coming back earlier than asked would only
    prolong the block, and a worker should not sleep that long.
    """
    if asked is not None and asked > cap:
        return None
    jitter = rng.uniform(0, min(cap, base * 2 ** (repeat - 1)))
    return jitter if asked is None else min(cap, asked + jitter)
