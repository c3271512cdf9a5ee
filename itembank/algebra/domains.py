"""Where expressions are defined: whether two equal ones also have the same domain."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from itembank.algebra.enclosures import Unknown, value_at
from itembank.algebra.equality import point_text
from itembank.algebra.nodes import Node, num, substituted, symbols, text_of, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import Comparison, TooLarge, Undefined, Unsupported, refuted, undecided
from itembank.algebra.roots import zeros

_RESTRICTING = ("sqrt", "ln", "log", "root", "tan", "cot", "sec", "csc", "asin", "acos", "factorial")


def conditions(node: Node) -> dict[str, Node]:
    """What restricts the domain, by normal form: denominators, radicands, arguments of logarithms."""
    normaliser = Normaliser()
    found: dict[str, Node] = {}
    for here in walk(node):
        inner = _restriction(here)
        if inner is not None and symbols(inner):
            form = normaliser.normal(inner)
            found[f"{here.head} {here.name} {normaliser.key(form)}"] = inner
    return found


def _restriction(node: Node) -> Node | None:
    if node.head == "div":
        return node.args[1]
    if node.head == "call" and node.name in _RESTRICTING:
        return node.args[0]
    if node.head == "pow" and (node.args[1].head != "num" or (node.args[1].value or 0) < 0):
        return node.args[0]
    return None


def same_conditions(first: Node, second: Node) -> bool:
    """Whether the same things restrict both."""
    try:
        return set(conditions(first)) == set(conditions(second))
    except (Unsupported, Undefined, TooLarge):
        return False


def border_points(*nodes: Node) -> Iterator[dict[str, Fraction]]:
    """Rational values at which a denominator or radicand in one symbol vanishes."""
    for node in nodes:
        try:
            restricting = conditions(node).values()
        except (Unsupported, Undefined, TooLarge):
            continue
        for inner in restricting:
            names = symbols(inner)
            if len(names) != 1:
                continue
            (name,) = names
            normaliser = Normaliser()
            try:
                found = zeros(normaliser.normal(inner).top, name, normaliser)
            except (Unsupported, Undefined, TooLarge):
                continue
            for value in found:
                if value.head == "num" and value.value is not None:
                    yield {name: value.value}


def is_defined(node: Node, point: dict[str, Fraction]) -> bool | None:
    """Whether the expression has a real value at the point, where that can be told."""
    try:
        value_at(node, point)
    except Undefined:
        return False
    except (Unknown, TooLarge, ValueError, OverflowError):
        try:
            Normaliser().normal(substituted(node, {name: num(value) for name, value in point.items()}))
        except Undefined:
            return False
        except (Unsupported, TooLarge):
            return None
        return None
    return True


def domain_difference(left: Node, right: Node) -> Comparison | None:
    """None where both are restricted alike; REFUTED with a value where only one is defined; else UNDECIDED."""
    if same_conditions(left, right):
        return None
    names = symbols(left) | symbols(right)
    for point in border_points(left, right):
        full = {name: Fraction(7, 3) for name in names} | point
        first, second = is_defined(left, full), is_defined(right, full)
        if first is not None and second is not None and first != second:
            told = {True: "defined", False: "undefined"}
            return refuted(
                "domain", at=point_text(full), left=told[first], right=told[second], expression=text_of(left)
            )
    return undecided("domain")
