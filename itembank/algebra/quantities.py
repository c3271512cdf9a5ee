"""Quantities with units: 12.5 cm is 125 mm, 54 km/h is not 54 m/s."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from itembank.algebra.nodes import Node, add, mul, num, text_of
from itembank.algebra.results import Unreadable, Unsupported
from itembank.algebra.statements import parse
from itembank.algebra.unitnames import NO_DIMENSION, Dimension, measure

_LATEX_UNIT = re.compile(r"\\(?:text|mathrm|textrm|operatorname|rm)\s*\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value in SI units; `written` is the number as it stands before its unit, `size` the unit in SI."""

    value: Node
    dimension: Dimension
    written: Node
    size: Fraction
    has_unit: bool


def quantity_of(node: Node) -> Quantity:
    """The quantity that a tree holds; raises Unsupported where units are mixed wrongly."""
    if node.head == "call" and node.name == "quantity":
        found = measure(node.args[1].name)
        if found is None:
            raise Unsupported("unit")
        size, dimension = found
        return Quantity(mul(node.args[0], num(size)), dimension, node.args[0], size, True)
    if node.head == "add" and any(arg.name == "quantity" for arg in node.args):
        parts = [quantity_of(arg) for arg in node.args]
        if len({part.dimension for part in parts}) != 1:
            raise Unsupported("dimensions")
        return Quantity(add(*(part.value for part in parts)), parts[0].dimension, node, Fraction(1), True)
    if node.head == "neg" and node.args[0].name == "quantity":
        inner = quantity_of(node.args[0])
        return Quantity(Node("neg", (inner.value,)), inner.dimension, Node("neg", (inner.written,)), inner.size, True)
    if node.head in ("mul", "div") and has_quantity(node):
        return _combined(node)
    return Quantity(node, NO_DIMENSION, node, Fraction(1), False)


def _combined(node: Node) -> Quantity:
    """A product or quotient of quantities: 60 km/h × 2 h. Its number counts in the product of the units."""
    parts = [quantity_of(arg) for arg in node.args]
    sign = -1 if node.head == "div" else 1
    dimension, size = parts[0].dimension, parts[0].size
    for part in parts[1:]:
        size *= part.size**sign
        dimension = tuple(one + sign * other for one, other in zip(dimension, part.dimension, strict=True))
    value, written = (Node(node.head, tuple(args)) for args in zip(*((p.value, p.written) for p in parts), strict=True))
    return Quantity(value, dimension, written, size, True)


def has_quantity(node: Node) -> bool:
    """Whether the tree is a quantity at its top, or is reckoned from some."""
    if node.name == "quantity":
        return True
    return node.head in ("add", "neg", "mul", "div") and any(has_quantity(arg) for arg in node.args)


def read_quantity(text: str, functions: frozenset[str]) -> Quantity:
    """A quantity from text in which units may be plain letters: "1 kg", "-9.81*m/s^2". Raises Unreadable."""
    try:
        whole, doubts = parse(text, functions)
        if has_quantity(whole) and not doubts:
            return quantity_of(whole)
    except Unreadable:
        pass
    plain = _LATEX_UNIT.sub(lambda found: " " + found.group(1) + " ", text).replace("~", " ").strip(" $")
    for place in range(1, len(plain)):
        if not (plain[place].isalpha() or plain[place] in "μΩ") or plain[place - 1].isalpha():
            continue
        found = measure(plain[place:])
        head = plain[:place].rstrip(" *·")
        if found is None or not head or not any(char.isdigit() for char in head):
            continue
        if head[-1] in "^_/(+-\\":
            continue
        node, _ = parse(head, functions)
        return Quantity(mul(node, num(found[0])), found[1], node, found[0], True)
    node, ambiguous = parse(text, functions)
    if ambiguous:
        raise Unreadable("the quantity is ambiguous: " + text_of(node))
    return quantity_of(node)
