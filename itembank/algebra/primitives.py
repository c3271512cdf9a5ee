"""Indefinite integrals: a family of functions, named by any one of them and an arbitrary constant."""

from __future__ import annotations

from itembank.algebra.calculus import derivative
from itembank.algebra.equality import Ladder
from itembank.algebra.nodes import Node, add, mul, neg, symbols, text_of, walk
from itembank.algebra.results import Comparison, Result, Unsupported, proved, refuted, undecided


def has_antiderivative(node: Node) -> bool:
    return any(here.head == "call" and here.name == "antiderivative" for here in walk(node))


def slope(node: Node, name: str) -> Node:
    """The derivative, in which that of an indefinite integral is what stands under the sign; raises Unsupported."""
    if node.head == "call" and node.name == "antiderivative":
        if node.args[1].name != name:
            raise Unsupported("another variable")
        return node.args[0]
    if not has_antiderivative(node):
        return derivative(node, name)
    if node.head == "add":
        return add(*(slope(arg, name) for arg in node.args))
    if node.head == "neg":
        return neg(slope(node.args[0], name))
    if node.head == "mul":
        inner = [arg for arg in node.args if has_antiderivative(arg)]
        rest = [arg for arg in node.args if not has_antiderivative(arg)]
        if len(inner) == 1 and not any(name in symbols(arg) for arg in rest):
            return mul(*rest, slope(inner[0], name))
    raise Unsupported("an integral inside an expression")


def same_antiderivative(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """Two sides of which at least one holds an indefinite integral: equal slopes, and an arbitrary constant on both."""
    name = next(here.args[1].name for side in (left, right) for here in walk(side) if here.name == "antiderivative")
    try:
        slopes = slope(left, name), slope(right, name)
    except Unsupported:
        return undecided("derivative")
    answer = ladder.equal(*slopes)
    if answer.result is Result.REFUTED:
        return answer
    for side in (left, right):
        if not has_antiderivative(side) and not symbols(side) & _CONSTANTS:
            return refuted("constant", missing="an arbitrary constant", function=text_of(side))
    return proved("antiderivative") if answer.result is Result.PROVED else answer


_CONSTANTS = frozenset(("C", "c", "C_0", "C_1", "C_2", "K", "const"))
