"""Limits of rational functions and sums of geometric series, exactly; what needs more is left to the symbolic child."""

from __future__ import annotations

from itembank.algebra import polynomials as p
from itembank.algebra.enclosures import closed_sign
from itembank.algebra.nodes import Node, add, const, div, neg, num, rebuilt, substituted, symbols, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import Unsupported
from itembank.algebra.sturm import evaluated

_INFINITY = const("oo")
_ENDS = (_INFINITY, neg(_INFINITY))


def limit_of_quotient(node: Node) -> Node:
    """The limit of a quotient of polynomials with rational coefficients; raises Unsupported for any other, and for poles."""
    body, variable, target = node.args[:3]
    if not all(_is_rational_step(here) for here in walk(body)) or symbols(body) != {variable.name}:
        raise Unsupported("limit")
    form = Normaliser().normal(body)
    top, bottom = p.univariate(form.top, variable.name), p.univariate(form.bottom, variable.name)
    if top is None or bottom is None:
        raise Unsupported("limit")
    if target in _ENDS:
        if len(top) > len(bottom):
            raise Unsupported("limit")
        return num(top[-1] / bottom[-1] if len(top) == len(bottom) else 0)
    at = Normaliser()
    where = None if symbols(target) else at.number(at.normal(target))
    below = None if where is None else evaluated(bottom, where)
    if where is None or not below:
        raise Unsupported("limit")
    return num(evaluated(top, where) / below)


def _is_rational_step(node: Node) -> bool:
    if node.head == "pow":
        return node.args[1].head == "num" and (node.args[1].value or 0).denominator == 1
    return node.head in ("num", "sym", "add", "mul", "neg", "div")


def geometric_sum(node: Node) -> Node:
    """The sum to infinity of terms in a constant ratio between -1 and 1: first / (1 - ratio); raises Unsupported."""
    body, index, low, high = node.args
    if high != _INFINITY or low.head != "num" or symbols(body) != {index.name} or not _only_raised(body, index.name):
        raise Unsupported("sum")
    following = substituted(body, {index.name: add(index, num(1))})
    normaliser = Normaliser()
    normaliser.prepare((body, following))
    ratio = normaliser.node_of(normaliser.normal(div(following, body)))
    if symbols(ratio) or closed_sign(add(num(1), neg(ratio))) != 1 or closed_sign(add(num(1), ratio)) != 1:
        raise Unsupported("sum")
    return div(substituted(body, {index.name: low}), add(num(1), neg(ratio)))


def _only_raised(body: Node, name: str) -> bool:
    """Whether the index stands in exponents of numbers alone, so that no term is undefined."""

    def change(here: Node) -> Node | None:
        return num(1) if here.head == "pow" and not symbols(here.args[0]) else None

    whole = all(here.head in ("num", "sym", "const", "add", "mul", "neg", "div", "pow") for here in walk(body))
    return whole and name not in symbols(rebuilt(body, change))
