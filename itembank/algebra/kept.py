"""Bounded memory for answers that never change."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable


class Kept[Key: Hashable, Answer]:
    """At most ``size`` answers, shared by the threads of a process; the one not asked for longest goes first."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Answer] = OrderedDict()

    def get(self, key: Key) -> Answer | None:
        """What is kept; None where nothing is, so None is no answer to keep."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
            return found

    def put(self, key: Key, answer: Answer) -> None:
        """Keep an answer; what was kept longest unasked makes room."""
        with self._lock:
            self._kept[key] = answer
            while len(self._kept) > self._size:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        """Forget everything, for measurements."""
        with self._lock:
            self._kept.clear()
