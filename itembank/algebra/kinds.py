"""What kind of thing a text is: an equation is no value, and a false equality states none."""

from __future__ import annotations

from itertools import pairwise

from itembank.algebra.equality import Ladder
from itembank.algebra.nodes import Node, operators, symbols, text_of
from itembank.algebra.results import Comparison, Result, proved, refuted

_RELATIONS = frozenset(("=", "!=", "<", ">", "<=", ">="))


def different_kinds(value: Node, statement: Node, ladder: Ladder, *, swapped: bool) -> Comparison | None:
    """A value against a relation. The value of a true chain 2+3 = 5 is 5; x + 1 = 0 is a condition and no value at all.

    None where the relation may name the value: 2a = 6, c² = 25.
    """
    signs = set(operators(statement))
    if not signs <= _RELATIONS:
        return None
    if not symbols(statement):
        return _closed(value, statement, ladder, signs)
    if any(symbols(side) and side.head != "add" for side in statement.args):
        return None
    told = ("a value", "a condition")
    left, right = told[::-1] if swapped else told
    return refuted("kind", left=left, right=right, condition=text_of(statement))


def _closed(value: Node, statement: Node, ladder: Ladder, signs: set[str]) -> Comparison | None:
    if signs != {"="}:
        return refuted("kind", statement=text_of(statement), value=text_of(value))
    answers = [ladder.equal(a, b) for a, b in pairwise(statement.args)]
    if all(answer.result is Result.PROVED for answer in answers):
        answer = ladder.equal(value, statement.args[-1])
        return proved("chain") if answer.result is Result.PROVED else answer
    return next((answer for answer in answers if answer.result is Result.REFUTED), None)
