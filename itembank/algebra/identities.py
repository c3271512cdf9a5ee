"""Equalities between numbers, proved: algebraic numbers by a separation bound, logarithms and arcs by reducing to those.

An expression of whole numbers, + - · / and roots is U/L with algebraic integers U and L. If all conjugates of U are at most u
and its degree at most D, then U is zero or |U| ≥ u^(1-D), because the product of the conjugates is a whole number. So an
enclosure narrower than that bound proves that the number is zero (the bound of Burnikel, Funke, Mehlhorn, Schirra, Schmitt).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm, log2, prod

from mpmath import libmp  # type: ignore[import-untyped]

from itembank.algebra import budget
from itembank.algebra import polynomials as p
from itembank.algebra.enclosures import START_BITS, Unknown, enclosed, value_at
from itembank.algebra.kernels import Quotient
from itembank.algebra.nodes import Node, add, call, const, div, mul, neg, num, power, symbols
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import TooLarge, Undefined, Unsupported

_MAX_PRECISION = 6000
_MARGIN = 1e-6
_TRIGONOMETRIC = ("sin", "cos", "tan", "cot", "sec", "csc")
_ARCS = ("asin", "acos", "atan")
_NO_VALUE = (Undefined, Unknown, TooLarge, Unsupported, ValueError, OverflowError, ZeroDivisionError)


@dataclass(frozen=True, slots=True)
class Size:
    """Binary logarithms of bounds for the conjugates of U and L; at least 0."""

    top: float
    bottom: float


@dataclass(slots=True)
class Field:
    """What generates the field that the number lies in: roots by their writing, and one root of unity."""

    roots: dict[Node, int] = field(default_factory=dict)
    unity: int = 1

    def degree(self) -> int:
        return prod(self.roots.values()) * totient(self.unity)

    def size(self, node: Node) -> Size:
        """Raises Unsupported for what is not algebraic."""
        head, args = node.head, node.args
        if head == "num":
            assert node.value is not None
            return Size(_log(abs(node.value.numerator)), _log(node.value.denominator))
        if head == "neg":
            return self.size(args[0])
        if head == "add":
            total = self.size(args[0])
            for arg in args[1:]:
                total = _sum(total, self.size(arg))
            return total
        if head == "mul":
            sizes = [self.size(arg) for arg in args]
            return Size(sum(one.top for one in sizes), sum(one.bottom for one in sizes))
        if head == "div":
            return _ratio(self.size(args[0]), self.size(args[1]))
        if head == "pow":
            return self._power(node)
        if head == "call":
            return self._call(node)
        raise Unsupported(head)

    def _power(self, node: Node) -> Size:
        base, exponent = node.args
        raised = rational(exponent)
        if raised is None or abs(raised.numerator) > 400:
            raise Unsupported("exponent")
        inner = self.size(base)
        if raised.denominator > 1:
            inner = self._root(call("root", base, num(raised.denominator)), inner, raised.denominator)
        if raised < 0:
            inner = Size(inner.bottom, inner.top)
        return Size(inner.top * abs(raised.numerator), inner.bottom * abs(raised.numerator))

    def _root(self, node: Node, inner: Size, degree: int) -> Size:
        self.roots[node] = degree
        return Size((inner.top + (degree - 1) * inner.bottom) / degree + _MARGIN, inner.bottom)

    def _call(self, node: Node) -> Size:
        name, args = node.name, node.args
        if name == "sqrt":
            return self._root(call("root", args[0], num(2)), self.size(args[0]), 2)
        if name == "root":
            degree = rational(args[1])
            if degree is None or degree.denominator != 1 or not 2 <= degree <= 60:
                raise Unsupported("root")
            return self._root(call("root", args[0], num(degree)), self.size(args[0]), int(degree))
        if name in ("percent", "abs"):
            inner = self.size(args[0])
            return inner if name == "abs" else _ratio(inner, Size(_log(100), 0.0))
        if name in _TRIGONOMETRIC:
            self._turn(args[0])
            double = Size(1.0, 1.0)  # 2·sin and 2·cos are algebraic integers, their conjugates at most 2
            return {"sin": double, "cos": double}.get(name, Size(2.0, 2.0))
        raise Unsupported(name)

    def _turn(self, angle: Node) -> None:
        share = share_of_pi(angle)
        if share is None:
            raise Unsupported("angle")
        self.unity = lcm(self.unity, 4, 2 * share.denominator)


def _log(value: int) -> float:
    return log2(value) + _MARGIN if value > 1 else 0.0


def _sum(left: Size, right: Size) -> Size:
    one, two = left.top + right.bottom, left.bottom + right.top
    high, low = max(one, two), min(one, two)
    return Size(high + log2(1 + 2.0 ** max(low - high, -1000.0)) + _MARGIN, left.bottom + right.bottom)


def _ratio(left: Size, right: Size) -> Size:
    return Size(left.top + right.bottom, left.bottom + right.top)


def totient(value: int) -> int:
    return sum(1 for k in range(1, value + 1) if gcd(k, value) == 1)


def rational(node: Node) -> Fraction | None:
    """The value of a small closed expression that is a rational number."""
    if node.head == "num":
        return node.value
    try:
        normaliser = Normaliser()
        return normaliser.number(normaliser.normal(node))
    except _NO_VALUE:
        return None


def share_of_pi(angle: Node) -> Fraction | None:
    """r where the angle is r·π."""
    try:
        normaliser = Normaliser()
        form = normaliser.normal(angle)
    except _NO_VALUE:
        return None
    bottom = p.as_constant(form.bottom)
    if not form.top:
        return Fraction(0)
    if bottom is None or set(form.top) != {(("const pi", 1),)}:
        return None
    return form.top[(("const pi", 1),)] / bottom


def is_zero(node: Node) -> bool:
    """True where an algebraic number is proved to be zero; False says nothing."""
    try:
        found = Field()
        size = found.size(node)
        needed = int((found.degree() - 1) * size.top + size.bottom) + 8
        if needed > _MAX_PRECISION:
            return False
        return _within(node, needed)
    except _NO_VALUE:
        return False


def _within(node: Node, needed: int) -> bool:
    """Whether the value is nearer to zero than 2^-needed."""
    budget.spend(needed)
    edge = enclosed(Fraction(1, 2**needed), START_BITS)[0]
    for extra in (40, 200):
        low, high = value_at(node, {}, needed + extra)
        if libmp.mpf_lt(high, edge) and libmp.mpf_lt(libmp.mpf_neg(edge), low):
            return True
        if not libmp.mpf_le(low, libmp.fzero) or not libmp.mpf_ge(high, libmp.fzero):
            return False
    return False


def equal_numbers(left: Node, right: Node) -> bool:
    """True where two closed expressions are proved to have the same value; False says nothing."""
    gap = add(left, neg(right))
    if symbols(gap):
        return False
    return is_zero(gap) or _reduced_is_zero(gap)


def _reduced_is_zero(gap: Node) -> bool:
    """Sums of logarithms, or of arcs and multiples of π, with rational coefficients."""
    normaliser = Normaliser()
    try:
        form = normaliser.normal(gap)
        if not form.top:
            return True
        if p.as_constant(form.bottom) is None:
            return False
        terms = _linear(form, normaliser)
    except _NO_VALUE:
        return False
    names = {meaning.name for meaning, _ in terms}
    try:
        if names <= {"ln"}:
            return is_zero(add(mul(*(power(meaning.args[0], num(times)) for meaning, times in _whole(terms))), num(-1)))
        if names <= {*_ARCS, "pi"}:
            return _arcs_vanish(terms)
    except _NO_VALUE:
        return False
    return False


def _linear(form: Quotient, normaliser: Normaliser) -> list[tuple[Node, Fraction]]:
    """The meaning of each kernel with its coefficient; raises Unsupported where the form is not linear."""
    found = []
    for monomial, value in form.top.items():
        if len(monomial) != 1 or monomial[0][1] != 1:
            raise Unsupported("not linear")
        found.append((normaliser.meaning[monomial[0][0]], value))
    return found


def _whole(terms: list[tuple[Node, Fraction]]) -> list[tuple[Node, int]]:
    common = lcm(*(value.denominator for _, value in terms))
    found = [(meaning, int(value * common)) for meaning, value in terms]
    if any(abs(times) > 60 for _, times in found):
        raise TooLarge("coefficient")
    return found


def _arcs_vanish(terms: list[tuple[Node, Fraction]]) -> bool:
    """A sum of arcs is zero where it lies between -π and π and its sine is zero."""
    common = lcm(*(value.denominator for meaning, value in terms if meaning.name in _ARCS))
    angle = add(*(mul(num(value * common), meaning) for meaning, value in terms))
    low, high = value_at(angle, {}, START_BITS)
    pi = value_at(const("pi"), {}, START_BITS)
    if not (libmp.mpf_lt(high, pi[0]) and libmp.mpf_lt(libmp.mpf_neg(pi[0]), low)):
        return False
    sine, cosine = num(0), num(1)
    for meaning, value in terms:
        times = value * common
        if meaning.name == "pi":
            turn = mul(num(times), const("pi"))
            sine, cosine = _turned(sine, cosine, call("sin", turn), call("cos", turn))
            continue
        one, other = arc_pair(meaning)
        if abs(times) > 6:
            raise TooLarge("multiple of an arc")
        for _ in range(abs(int(times))):
            sine, cosine = _turned(sine, cosine, one if times > 0 else neg(one), other)
    return is_zero(sine)


def _turned(sine: Node, cosine: Node, by_sine: Node, by_cosine: Node) -> tuple[Node, Node]:
    return (
        add(mul(sine, by_cosine), mul(cosine, by_sine)),
        add(mul(cosine, by_cosine), neg(mul(sine, by_sine))),
    )


def arc_pair(arc: Node) -> tuple[Node, Node]:
    """Sine and cosine of an arc as algebraic expressions of its argument."""
    inner = arc.args[0]
    rest = call("sqrt", add(num(1), neg(power(inner, num(2)))))
    if arc.name == "asin":
        return inner, rest
    if arc.name == "acos":
        return rest, inner
    below = call("sqrt", add(num(1), power(inner, num(2))))
    return div(inner, below), div(num(1), below)
