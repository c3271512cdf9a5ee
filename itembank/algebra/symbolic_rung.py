"""The last rung: symbolic simplification in a child process that can be killed."""

from __future__ import annotations

from itembank.algebra.nodes import Node
from itembank.algebra.points import Domain
from itembank.algebra.results import Comparison, undecided


class SymbolicRung:
    """Asks the child whether two expressions are equal."""

    def __init__(self, timeout_ms: int) -> None:
        self.timeout_ms = timeout_ms

    def __call__(self, left: Node, right: Node, domain: Domain) -> Comparison:
        return undecided("normal-form")
