"""Sums and products up to a symbol, proved by induction: the first value and the step from one term to the next."""

from __future__ import annotations

from itembank.algebra.nodes import Node, add, div, neg, num, substituted, symbols
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import TooLarge, Undefined, Unsupported


def by_induction(left: Node, right: Node) -> bool:
    """Whether one side is a sum or product up to n (or n + c) whose formula the other side gives. Proof or nothing."""
    for series, formula in ((left, right), (right, left)):
        if series.head == "call" and series.name in ("sum", "product") and not _has_series(formula):
            try:
                return _is_formula(series, formula)
            except (Undefined, Unsupported, TooLarge):
                return False
    return False


def _has_series(node: Node) -> bool:
    return (node.head == "call" and node.name in ("sum", "product")) or any(_has_series(arg) for arg in node.args)


def _is_formula(series: Node, formula: Node) -> bool:
    body, index, low, high = series.args
    names = symbols(high)
    if len(names) != 1 or index.head != "sym" or symbols(low) or _has_series(body):
        return False
    (name,) = names
    if name in symbols(body) or index.name in names:
        return False  # the terms themselves change with n
    shift = Normaliser()
    gap = shift.number(shift.normal(add(high, neg(Node("sym", name=name)))))
    if gap is None or gap.denominator != 1:
        return False
    at_start = {name: add(low, num(-gap))}
    before = substituted(formula, {name: add(Node("sym", name=name), num(-1))})
    step = add(formula, neg(before)) if series.name == "sum" else div(formula, before)
    first, next_term = substituted(body, {index.name: low}), substituted(body, {index.name: high})
    return _same(substituted(formula, at_start), first) and _same(step, next_term)


def _same(left: Node, right: Node) -> bool:
    normaliser = Normaliser()
    normaliser.prepare((left, right))
    return normaliser.table.same(normaliser.normal(left), normaliser.normal(right))
