"""Equivalence of statements: equations up to a factor, solution sets exactly."""

from __future__ import annotations

from itembank.algebra.equality import Ladder
from itembank.algebra.nodes import Node
from itembank.algebra.results import Comparison, undecided


def same_solutions(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """Whether two statements in solved form have the same solutions."""
    return undecided("sets")


def same_statement(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """Whether two statements or expressions mean the same."""
    if left.head not in ("rel", "and", "or", "seq", "set", "none", "bracket") and right.head not in (
        "rel",
        "and",
        "or",
        "seq",
        "set",
        "none",
        "bracket",
    ):
        return ladder.equal(left, right)
    return undecided("sets")
