"""A meter of the work for one question, so that no text can keep a web worker busy.

Work in this process is counted in steps of the algorithms, not in seconds, so that the same question always ends the
same way. Waiting for the symbolic child is counted in seconds; a question that was hindered there may end otherwise
when it is asked again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from itembank.algebra.results import Exhausted, TooLarge

LIMIT = 120_000
"""A few tenths of a second; one unit is one product of two terms. School mathematics needs a tenth of it at most."""


_PATIENCE = 4
"""After so many shares the question ends. Until then what is left of it may be answered by cheaper means than the one that
was too large; but a loop over many such things would each time begin again."""


class _Meter(threading.local):
    spent = 0
    depth = 0
    waited = 0.0
    hindrance = ""


_meter = _Meter()
_lock = threading.Lock()


def spend(units: int) -> None:
    """Counts work done; raises TooLarge when the question has had its share, and Exhausted when that was no end."""
    _meter.spent += units
    if _meter.spent > LIMIT and _meter.depth:
        if _meter.spent > _PATIENCE * LIMIT:
            raise Exhausted
        raise TooLarge("the work for one question")


def count(units: int) -> None:
    """Counts work that is small each time and may be done very often; it ends the question, but makes no rung give up."""
    _meter.spent += units
    if _meter.spent > _PATIENCE * LIMIT and _meter.depth:
        raise Exhausted


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


class Remembered[Key, Answer]:
    """Answers to what is asked again; each costs the question as much as it did the first time.

    So an answer that hangs on the limit is the same whatever was asked before. At most `size` are kept, the oldest go;
    what `keep` refuses, and what is raised, is not kept. Threads may share one.
    """

    def __init__(self, size: int, keep: Callable[[Answer], bool] = lambda answer: True) -> None:
        self._size = size
        self._keep = keep
        self._kept: dict[Key, tuple[Answer, int]] = {}

    def answer(self, key: Key, work: Callable[[], Answer]) -> Answer:
        """What `work` gives, or gave before."""
        found = self._kept.get(key)
        if found is not None and (_meter.spent + found[1] <= LIMIT or not _meter.depth):
            _meter.spent += found[1]
            return found[0]
        before = _meter.spent
        answer = work()
        if self._keep(answer):
            cost = _meter.spent - before
            with _lock:
                if len(self._kept) >= self._size:
                    del self._kept[next(iter(self._kept))]
                self._kept[key] = answer, cost
        return answer

    def clear(self) -> None:
        """Forgets everything, for measurements."""
        with _lock:
            self._kept.clear()


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
