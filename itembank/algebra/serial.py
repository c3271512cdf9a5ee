"""Trees as JSON data and back, for the pipe to the child."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from itembank.algebra.nodes import Node


def node_data(node: Node) -> list[Any]:
    value = None if node.value is None else f"{node.value.numerator}/{node.value.denominator}"
    return [node.head, node.name, value, [node_data(arg) for arg in node.args]]


def node_from(data: list[Any]) -> Node:
    head, name, value, args = data
    return Node(head, tuple(node_from(arg) for arg in args), name, None if value is None else Fraction(value))
