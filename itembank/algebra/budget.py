"""A meter of the work for one question, so that no text can keep a web worker busy.

Work in this process is counted in steps of the algorithms, not in seconds, so that the same question always ends the
same way. Waiting for the symbolic child is counted in seconds; a question that was hindered there may end otherwise
when it is asked again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from itembank.algebra.results import TooLarge

LIMIT = 120_000
"""A few tenths of a second; one unit is one product of two terms. School mathematics needs a tenth of it at most."""


class _Meter(threading.local):
    spent = 0
    depth = 0
    waited = 0.0
    hindrance = ""


_meter = _Meter()


def spend(units: int) -> None:
    """Counts work done; raises TooLarge when the question has had its share."""
    _meter.spent += units
    if _meter.spent > LIMIT and _meter.depth:
        raise TooLarge("the work for one question")


@contextmanager
def metered() -> Iterator[None]:
    """One question's worth of work; inside another one it shares that one's meter."""
    if _meter.depth == 0:
        _meter.spent = 0
        _meter.waited = 0.0
        _meter.hindrance = ""
    _meter.depth += 1
    try:
        yield
    finally:
        _meter.depth -= 1


def waited() -> float:
    """Seconds that the present question has waited for the child."""
    return _meter.waited if _meter.depth else 0.0


def wait_counted(seconds: float) -> None:
    """Counts time that the present question has waited."""
    _meter.waited += seconds


def hindered_by(why: str) -> str:
    """Notes that the question got no answer from the child, and gives the reason back."""
    _meter.hindrance = why
    return why


def hindrance() -> str:
    """Why the last question of this thread got no answer from the child; empty where it got all that it asked for."""
    return _meter.hindrance
