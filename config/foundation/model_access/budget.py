"""Money that calls may spend. A call reserves its worst case first, so that many at once cannot overshoot."""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Protocol


class Budget(Protocol):
    """Reserve before a call, settle after it; both must be safe from several threads and processes."""

    def reserve(self, amount: Decimal) -> bool:
        """Set the amount aside; False, with nothing changed, where that much is no longer there."""
        ...

    def settle(self, reserved: Decimal, actual: Decimal) -> None:
        """Replace one reservation by what was really spent (which may be more than was reserved)."""
        ...


class UnlimitedBudget:
    """Counts nothing and refuses nothing: for models that cost nothing by the token."""

    def reserve(self, amount: Decimal) -> bool:
        return True

    def settle(self, reserved: Decimal, actual: Decimal) -> None:
        return None


class MemoryBudget:
    """A limit for one process: commands and tests. A batch that spans workers keeps its budget in the database."""

    def __init__(self, limit: Decimal) -> None:
        self.limit = limit
        self.spent = Decimal(0)
        self.reserved = Decimal(0)
        self._lock = threading.Lock()

    def reserve(self, amount: Decimal) -> bool:
        with self._lock:
            committed = self.spent + self.reserved
            if committed >= self.limit or committed + amount > self.limit:
                return False
            self.reserved += amount
            return True

    def settle(self, reserved: Decimal, actual: Decimal) -> None:
        with self._lock:
            self.reserved -= reserved
            self.spent += actual
