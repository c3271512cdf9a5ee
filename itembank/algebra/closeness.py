"""Numbers within a tolerance, with exact arithmetic at the limits: 1.05 is within 5 % of 1."""

from __future__ import annotations

import re
from fractions import Fraction

from itembank.algebra.enclosures import MORE_BITS, Unknown, fraction_of, sign_of, value_at
from itembank.algebra.equality import Ladder
from itembank.algebra.nodes import Node, add, call, mul, neg, num, text_of
from itembank.algebra.points import rational_at
from itembank.algebra.results import (
    Comparison,
    Options,
    Result,
    TooLarge,
    Undefined,
    Unsupported,
    proved,
    refuted,
    undecided,
    worst,
)


def close(gold: Node, student: Node, options: Options, ladder: Ladder) -> Comparison:
    """Whether the student's number is within the tolerance of the gold one."""
    if gold.head == "set" and student.head == "set":
        return _close_sets(gold, student, options, ladder)
    if gold.head in ("and", "seq", "bracket") and gold.head == student.head and len(gold.args) == len(student.args):
        return worst([close(a, b, options, ladder) for a, b in zip(gold.args, student.args, strict=True)]) or proved(
            "tolerance"
        )
    if gold.head == "rel" and student.head == "rel" and gold.name == student.name == "=":
        left = ladder.equal(gold.args[0], student.args[0])
        return worst([left, close(gold.args[1], student.args[1], options, ladder)]) or proved("tolerance")
    gold, student = (_value(node) for node in (gold, student))
    limit = allowance(gold, options)
    return within(gold, student, limit)


def within(gold: Node, student: Node, limit: Node) -> Comparison:
    """Whether |student - gold| ≤ limit."""
    gap = call("abs", add(student, neg(gold)))
    sign = _sign(add(gap, neg(limit)))
    if sign is None:
        return undecided("tolerance")
    if sign <= 0:
        return proved("tolerance")
    return refuted("tolerance", left=text_of(gold), right=text_of(student), allowed=text_of(limit))


def _value(node: Node) -> Node:
    return node.args[1] if node.head == "rel" and node.name == "=" and node.args[0].head == "sym" else node


def allowance(gold: Node, options: Options) -> Node:
    """The largest difference allowed; with several tolerances the widest."""
    limits: list[Node] = []
    if options.rtol is not None:
        limits.append(mul(num(_fraction(options.rtol)), call("abs", gold)))
    if options.atol is not None:
        limits.append(num(_fraction(options.atol)))
    if options.dp is not None:
        limits.append(num(Fraction(1, 2 * 10**options.dp)))
    if options.sf is not None:
        limits.append(num(half_unit(gold, options.sf)))
    if not limits:
        raise Unsupported("no tolerance")
    return limits[0] if len(limits) == 1 else call("max", *limits)


def half_unit(gold: Node, figures: int) -> Fraction:
    """Half a unit of the last of the significant figures of a number."""
    exact = rational_at(gold, {})
    size = abs(exact) if exact is not None else _approximate(gold)
    if not size:
        raise Unsupported("zero has no significant figures")
    exponent = 0
    while size >= 10:
        size, exponent = size / 10, exponent + 1
    while size < 1:
        size, exponent = size * 10, exponent - 1
    return Fraction(10) ** (exponent - figures + 1) / 2


def _approximate(node: Node) -> Fraction:

    low, _ = value_at(node, {}, MORE_BITS)
    found = fraction_of((low, low))
    if found is None:
        raise Unsupported("value")
    return abs(found)


def _fraction(text: str) -> Fraction:
    try:
        return Fraction(text)
    except ValueError as error:
        raise Unsupported("tolerance") from error


def _sign(node: Node) -> int | None:
    try:
        exact = _exact(node)
        if exact is not None:
            return (exact > 0) - (exact < 0)
        return sign_of(value_at(node, {}, MORE_BITS))
    except (Undefined, Unknown, TooLarge, ValueError, OverflowError):
        return None


def _exact(node: Node) -> Fraction | None:
    """Like rational_at, with absolute values and the larger of two."""
    if node.head == "call" and node.name in ("abs", "max"):
        values = [_exact(arg) for arg in node.args]
        if any(value is None for value in values):
            return None
        known = [value for value in values if value is not None]
        return abs(known[0]) if node.name == "abs" else max(known)
    if node.head in ("add", "mul", "neg"):
        parts = [_exact(arg) for arg in node.args]
        if any(part is None for part in parts):
            return None
        return rational_at(Node(node.head, tuple(num(part) for part in parts if part is not None)), {})
    return rational_at(node, {})


def _close_sets(gold: Node, student: Node, options: Options, ladder: Ladder) -> Comparison:
    if len(gold.args) != len(student.args):
        return refuted("length", left=str(len(gold.args)), right=str(len(student.args)))
    rest = list(student.args)
    for one in gold.args:
        match = next((other for other in rest if close(one, other, options, ladder).result is Result.PROVED), None)
        if match is None:
            answers = [close(one, other, options, ladder) for other in student.args]
            if all(answer.result is Result.REFUTED for answer in answers):
                return refuted("tolerance", missing=text_of(one))
            return undecided("tolerance")
        rest.remove(match)
    return proved("tolerance")


_LITERAL = re.compile(r"-?(\d+)(?:\.(\d+))?")


def significant_figures(node: Node, text: str) -> tuple[int, int] | None:
    """The least and the most figures that a written number may claim; None when it is no plain number."""
    if node.head == "neg":
        node = node.args[0]
    found = _LITERAL.search(text)
    if node.head != "num" or found is None:
        return None
    whole, decimals = found.group(1), found.group(2)
    digits = (whole + (decimals or "")).lstrip("0")
    most = max(1, len(digits))
    least = most if decimals is not None else max(1, len(digits.rstrip("0")))
    return least, most
