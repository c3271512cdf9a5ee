"""A meter of in-process work, so that no text can keep a web worker busy.

Counted in steps of the algorithms, not in seconds, so that the same question always ends the same way.
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
    _meter.depth += 1
    try:
        yield
    finally:
        _meter.depth -= 1
