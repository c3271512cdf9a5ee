"""The last rung: symbolic simplification in a child process that can be killed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from itembank.algebra.child import ChildFailed, ChildPool, ChildTimeout
from itembank.algebra.equality import implied_positive
from itembank.algebra.nodes import Node
from itembank.algebra.points import Domain
from itembank.algebra.results import Comparison, proved, undecided
from itembank.algebra.serial import node_data

_pool = ChildPool("itembank.algebra.worker")


def warm() -> None:
    """Starts the child, so that the first hard question does not wait for it."""
    _pool.warm()


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
        """The child's data, or why there is none."""
        try:
            return _pool.ask(request, self.timeout_ms / 1000)
        except ChildTimeout:
            return undecided("timeout")
        except ChildFailed:
            return undecided("child-failed")
