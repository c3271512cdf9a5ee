"""The last rung: symbolic simplification in a child process that can be killed."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from typing import Any

from itembank.algebra import budget
from itembank.algebra.child import ChildFailed, ChildPool, ChildTimeout
from itembank.algebra.equality import implied_positive
from itembank.algebra.nodes import Node
from itembank.algebra.points import Domain
from itembank.algebra.results import Comparison, proved, undecided
from itembank.algebra.serial import node_data

_pool = ChildPool("itembank.algebra.worker")


def begin_warming() -> None:
    """Begins to start the child and returns at once: for servers, which have other things to do meanwhile."""
    with contextlib.suppress(ChildFailed):
        _pool.begin()


def warm() -> bool:
    """Waits until the child can be asked, for commands whose first question may need it; False where none starts."""
    try:
        _pool.warm()
    except ChildFailed:
        return False
    return True


def close() -> None:
    """Ends the child; the next hard question starts another."""
    _pool.close()


class SymbolicRung:
    """Asks the child; its "equal" is believed, its silence is UNDECIDED, and it never refutes."""

    def __init__(self, timeout_ms: int) -> None:
        self.timeout_ms = timeout_ms

    def __call__(self, left: Node, right: Node, domain: Domain) -> Comparison:
        positive = domain.positive | implied_positive(left) | implied_positive(right)
        return self._asked(
            {
                "op": "equal",
                "left": node_data(left),
                "right": node_data(right),
                "positive": sorted(positive),
                "integers": sorted(domain.integers),
            }
        )

    def same_ideal(self, left: Sequence[Node], right: Sequence[Node]) -> Comparison:
        """Whether two systems of equations, given as expressions that vanish, are the same."""
        systems = [[node_data(node) for node in system] for system in (left, right)]
        return self._asked({"op": "ideal", "left": systems[0], "right": systems[1]})

    def _asked(self, request: dict[str, Any]) -> Comparison:
        reply = self.reply(request)
        if isinstance(reply, Comparison):
            return reply
        return proved("symbolic") if reply.get("result") == "equal" else undecided("symbolic")

    def reply(self, request: dict[str, Any]) -> dict[str, Any] | Comparison:
        """The child's data, or why there is none. All that one question asks of the child shares one limit."""
        left = self.timeout_ms / 1000 - budget.waited()
        began = time.monotonic()
        try:
            if left <= 0:
                raise ChildTimeout
            return _pool.ask(request, left)
        except ChildTimeout:
            return undecided(budget.hindered_by("timeout"))
        except ChildFailed:
            return undecided(budget.hindered_by("child-failed"))
        finally:
            budget.wait_counted(time.monotonic() - began)
