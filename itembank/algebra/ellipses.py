"""1 + 2 + … + n: what the dots stand for, where the terms written around them leave no choice."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from itembank.algebra.nodes import Node, call, num, substituted, sym, symbols
from itembank.algebra.points import rational_at
from itembank.algebra.results import TooLarge, Undefined

DOTS = Node("dots")
_STARTS = (1, 0, 2, 3)
_MOST_STEPS = 10_000


def filled(terms: Sequence[Node], kind: str) -> Node | None:
    """The sum or product (`kind` "sum" or "product") that terms with dots stand for; None where it is not certain.

    The last term is taken for the rule if it holds one name and gives the first terms for 1, 2, …. Where all terms are
    numbers they must go on evenly or by one factor, and not by both.
    """
    places = [place for place, term in enumerate(terms) if term == DOTS]
    if len(places) != 1 or places[0] < 2 or places[0] != len(terms) - 2:
        return None
    first, last = list(terms[: places[0]]), terms[-1]
    names = symbols(last)
    if len(names) == 1 and not any(symbols(term) for term in first):
        return _by_rule(first, last, next(iter(names)), kind)
    return _by_numbers(first, last, kind) if not names else None


def _by_rule(first: list[Node], last: Node, name: str, kind: str) -> Node | None:
    """The last term as a function of its own number, counted from where the first terms fit."""
    fitting = [start for start in _STARTS if all(
        _value(substituted(last, {name: num(start + step)})) == _value(term) is not None for step, term in enumerate(first)
    )]  # fmt: skip
    if len(fitting) != 1:
        return None
    index = sym("k" if name != "k" else "j")
    return call(kind, substituted(last, {name: index}), index, num(fitting[0]), sym(name))


def _by_numbers(first: list[Node], last: Node, kind: str) -> Node | None:
    values = [_value(term) for term in (*first, last)]
    known = [value for value in values if value is not None]
    if len(known) != len(values):
        return None
    start, end = known[0], known[-1]
    steps = {later - earlier for earlier, later in pairwise(known[:-1])}
    step = steps.pop() if len(steps) == 1 else Fraction(0)
    even = (end - start) / step + 1 if step else Fraction(0)
    is_even = even.denominator == 1 and even > len(first)
    if is_even == _is_geometric(known) or not is_even or even > _MOST_STEPS:
        return None
    index = sym("k")
    term = Node("add", (num(start - step), Node("mul", (num(step), index))))
    return call(kind, term, index, num(1), num(even))


def _is_geometric(values: list[Fraction]) -> bool:
    if not all(values):
        return False
    ratios = {later / earlier for earlier, later in pairwise(values[:-1])}
    if len(ratios) != 1:
        return False
    ratio, value, end = ratios.pop(), values[-2], values[-1]
    for _ in range(60):
        value *= ratio
        if value == end:
            return True
    return False


def _value(node: Node) -> Fraction | None:
    try:
        return rational_at(node, {})
    except (Undefined, TooLarge, OverflowError):
        return None
