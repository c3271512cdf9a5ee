"""Where expressions are probed: rational points, the same for the same question, inside the assumed domain."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from itembank.algebra import budget
from itembank.algebra.enclosures import Unknown, sign_of, value_at
from itembank.algebra.nodes import Node, add, neg, operators, symbols, text_of
from itembank.algebra.results import TooLarge, Undefined

INTEGER_NAMES = frozenset("nkmN")
_TRIES = 40


@dataclass(frozen=True, slots=True)
class Domain:
    """Assumptions: relations that hold, symbols known positive, symbols known to be whole numbers."""

    relations: tuple[Node, ...] = ()
    positive: frozenset[str] = frozenset()
    integers: frozenset[str] = frozenset()

    def admits(self, point: dict[str, Fraction]) -> bool:
        """Whether no assumption is known to fail at the point."""
        return all(truth_at(node, point) is not False for node in self.relations)


def domain_of(assumptions: list[Node]) -> Domain:
    """Assumptions such as x>0, n ∈ Z, 0<A<π as a domain; what is not understood is left out."""
    relations: list[Node] = []
    positive: set[str] = set()
    integers: set[str] = set()
    for node in assumptions:
        for part in node.args if node.head in ("and", "seq") else (node,):
            if part.head != "rel":
                continue
            if part.name == "in" and part.args[1].name in ("Z", "N", "set_Z", "set_N", "set_N+", "set_Z+"):
                integers |= symbols(part.args[0])
            elif all(sign in ("<", ">", "<=", ">=", "!=", "=") for sign in operators(part)):
                relations.append(part)
                positive |= _positive_in(part)
    return Domain(tuple(relations), frozenset(positive), frozenset(integers))


def _positive_in(part: Node) -> set[str]:
    found = set()
    for sign, left, right in zip(operators(part), part.args, part.args[1:], strict=False):
        low, high = (left, right) if sign in ("<", "<=") else (right, left)
        if sign in ("<", ">", "<=", ">=") and high.head == "sym" and low.head == "num" and low.value is not None:
            strict = sign in ("<", ">")
            if low.value > 0 or (low.value == 0 and strict):
                found.add(high.name)
    return found


def truth_at(node: Node, point: dict[str, Fraction]) -> bool | None:
    """Whether a chain of = ≠ < > ≤ ≥ holds at a point; None where the enclosures do not tell or it is undefined."""
    if node.head in ("and", "seq", "or"):
        parts = [truth_at(arg, point) for arg in node.args]
        if node.head == "or":
            return True if True in parts else (None if None in parts else False)
        return False if False in parts else (None if None in parts else True)
    if node.head != "rel":
        return None
    verdicts = [
        _compare_at(sign, left, right, point)
        for sign, left, right in zip(operators(node), node.args, node.args[1:], strict=False)
    ]
    return False if False in verdicts else (None if None in verdicts else True)


def _compare_at(sign: str, left: Node, right: Node, point: dict[str, Fraction]) -> bool | None:
    difference = exact_sign(add(left, neg(right)), point)
    if difference is None:
        return None
    verdicts = {
        "=": difference == 0,
        "!=": difference != 0,
        "<": difference < 0,
        ">": difference > 0,
        "<=": difference <= 0,
        ">=": difference >= 0,
    }
    return verdicts.get(sign)


def exact_sign(node: Node, point: dict[str, Fraction]) -> int | None:
    """The sign at a point, from exact arithmetic where it is rational, else from an enclosure."""
    budget.count(7)
    try:
        exact = rational_at(node, point)
        if exact is not None:
            return (exact > 0) - (exact < 0)
        return sign_of(value_at(node, point))
    except (Undefined, Unknown, TooLarge, ValueError, OverflowError, ZeroDivisionError):
        return None


_RATIONAL = frozenset(("add", "mul", "neg", "div", "pow"))


def rational_at(node: Node, point: Mapping[str, Fraction]) -> Fraction | None:
    """The exact value of + - · / and small whole powers; None for anything else. Raises Undefined."""
    head = node.head
    if head == "num":
        return node.value
    if head == "sym":
        return point.get(node.name)
    if head not in _RATIONAL:
        return None
    values = []
    for arg in node.args:
        value = arg.value if arg.head == "num" else rational_at(arg, point)
        if value is None or value.numerator.bit_length() + value.denominator.bit_length() > 4000:
            return None
        values.append(value)
    if head == "neg":
        return -values[0]
    if head == "div":
        if not values[1]:
            raise Undefined("division by zero")
        return values[0] / values[1]
    if head == "pow":
        return _rational_power(*values)
    result = Fraction(1 if head == "mul" else 0)
    for value in values:
        result = result + value if head == "add" else result * value
    return result


def _rational_power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator != 1 or abs(exponent) > 64:
        return None
    if base == 0 and exponent <= 0:
        raise Undefined("division by zero")
    return base ** int(exponent)


def points(names: frozenset[str], domain: Domain, *seeds: Node) -> Iterator[dict[str, Fraction]]:
    """Points from a generator seeded by the expressions themselves, so that the same question meets the same points."""
    if not names:
        yield {}
        return
    text = "|".join(sorted(text_of(node) for node in seeds))
    chance = random.Random(hashlib.sha256(text.encode()).digest())  # noqa: S311 - repeatable on purpose
    ordered = sorted(names)
    for place in range(_TRIES):
        budget.count(10)
        point = {name: _coordinate(chance, name, domain, place) for name in ordered}
        if domain.admits(point):
            yield point


def _coordinate(chance: random.Random, name: str, domain: Domain, place: int) -> Fraction:
    if name == "n" or (name in domain.integers and name in domain.positive):
        return Fraction(chance.randint(1, 9) + (place > 3) * chance.randint(0, 9))
    negative = place % 4 != 0 and chance.random() < 0.5 and name not in domain.positive
    if name in domain.integers or name in INTEGER_NAMES:
        return Fraction(chance.randint(1, 9)) * (-1 if negative else 1)
    bottom = chance.choice((2, 3, 5, 7, 11))
    top = chance.randint(1, bottom - 1) if place % 3 == 2 else chance.randint(1, 6 * bottom)
    return Fraction(top, bottom) * (-1 if negative else 1)
