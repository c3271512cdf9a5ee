"""Sines and cosines in normal form: every angle is a whole multiple of base angles, expanded by the addition formulas.

With sin² replaced by 1 - cos², polynomial identities between sines and cosines of such angles are decided.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from math import cos, lcm, pi, sin, tan

from mpmath import libmp  # type: ignore[import-untyped]

from itembank.algebra import polynomials as p
from itembank.algebra.enclosures import START_BITS, Unknown, disjoint, value_at
from itembank.algebra.kernels import KernelTable, Quotient, Rule, whole
from itembank.algebra.nodes import Node, add, call, const, div, mul, neg, num, power, walk
from itembank.algebra.polynomials import Monomial, Poly
from itembank.algebra.results import TooLarge, Undefined, Unsupported, short

Pair = tuple[Quotient, Quotient]

_PI: Monomial = (("const pi", 1),)
_NUMERIC = {"sin": sin, "cos": cos, "tan": tan}
_TRIGONOMETRIC = ("sin", "cos", "tan", "cot", "sec", "csc")


class AngleRules(ABC):
    """Kernels, their names and meanings, and the rules for angles. What else has a normal form is said further up."""

    def __init__(self) -> None:
        self.table = KernelTable()
        self.meaning: dict[str, Node] = {}
        self.units: dict[Monomial, int] = {}

    @abstractmethod
    def normal(self, node: Node) -> Quotient:
        """The normal form of an expression; raises Unsupported, Undefined or TooLarge."""

    # -- names and writings -----------------------------------------------------------------------------------
    def kernel(self, name: str, meaning: Node) -> Quotient:
        self.meaning.setdefault(name, meaning)
        return Quotient(p.generator(name), p.constant(1))

    def number(self, value: Quotient) -> Fraction | None:
        top, bottom = p.as_constant(value.top), p.as_constant(value.bottom)
        return None if top is None or not bottom else top / bottom

    def key(self, value: Quotient) -> str:
        """A text that is the same for the same normal form."""
        parts = []
        for poly in (value.top, value.bottom):
            rows = sorted((monomial, short(coefficient)) for monomial, coefficient in poly.items())
            parts.append("+".join(f"{c}" + "".join(f"·[{n}]^{e}" for n, e in m) for m, c in rows))
        text = parts[0] if parts[1] == "1" else f"({parts[0]})/({parts[1]})"
        if len(text) > 2000:
            raise TooLarge("the name of a kernel")
        return text

    def node_of(self, value: Quotient) -> Node:
        top = self.node_of_poly(value.top)
        return top if value.bottom == p.constant(1) else div(top, self.node_of_poly(value.bottom))

    def node_of_poly(self, poly: Poly) -> Node:
        """The polynomial as an expression, highest terms first, numbers after the rest of a positive start."""
        if not poly:
            return num(0)
        order = sorted(poly.items(), key=lambda item: (-sum(e for _, e in item[0]), item[0]))
        terms = []
        for monomial, value in order:
            factors = _surds_joined(
                [self.meaning[n] if e == 1 else power(self.meaning[n], num(e)) for n, e in monomial]
            )
            size = abs(value)
            if size.numerator != 1 or not factors:
                factors.insert(0, num(size.numerator))
            term = mul(*factors)
            if size.denominator != 1:
                term = div(term, num(size.denominator))
            terms.append(neg(term) if value < 0 else term)
        return add(*terms)

    # -- angles -----------------------------------------------------------------------------------------------
    def prepare(self, nodes: Iterable[Node]) -> None:
        """Finds the base angles: the smallest parts of which all angles in these expressions are multiples."""
        for node in nodes:
            for here in walk(node):
                if here.head == "const" and here.name == "i":
                    self.table.rules["imag i"] = Rule(2, p.constant(-1))
                if here.head == "call" and here.name in _TRIGONOMETRIC and len(here.args) == 1:
                    with suppress(TooLarge, Undefined, Unsupported):
                        self._prepare_angle(self.normal(here.args[0]))

    def _prepare_angle(self, angle: Quotient) -> None:
        divisor = p.as_constant(angle.bottom)
        if divisor is None:
            return
        for monomial, value in angle.top.items():
            if monomial != _PI:
                unit = lcm(self.units.get(monomial, 1), (value / divisor).denominator)
                if unit <= 60:
                    self.units[monomial] = unit

    def trigonometric(self, name: str, angle: Quotient) -> Quotient:
        sine, cosine = self._pair(angle)
        if name == "sin":
            return sine
        if name == "cos":
            return cosine
        top, bottom = {
            "tan": (sine, cosine),
            "cot": (cosine, sine),
            "sec": (whole(1), cosine),
            "csc": (whole(1), sine),
        }[name]
        return self.table.div(top, bottom)

    def _pair(self, angle: Quotient) -> Pair:
        divisor = p.as_constant(angle.bottom)
        if divisor is None:
            return self._base_pair(self.key(angle), self.node_of(angle))
        total: Pair = (whole(0), whole(1))
        for monomial, value in sorted(angle.top.items()):
            total = self._sum(total, self._term_pair(monomial, value / divisor))
        return total

    @abstractmethod
    def is_whole(self, name: str) -> bool:
        """Whether a symbol stands for whole numbers."""

    def _sum(self, left: Pair, right: Pair) -> Pair:
        table = self.table
        sine = table.add(table.mul(left[0], right[1]), table.mul(left[1], right[0]))
        cosine = table.add(table.mul(left[1], right[1]), table.mul(left[0], right[0]), -1)
        return sine, cosine

    def _term_pair(self, monomial: Monomial, value: Fraction) -> Pair:
        half_turns = self._half_turns(monomial, value)
        if half_turns is not None:
            return whole(0), half_turns
        if monomial == _PI and 12 % value.denominator == 0:
            return self._exact_pair(int(value * 12) % 24)
        unit = self.units.get(monomial, value.denominator)
        if monomial == _PI or unit % value.denominator:
            unit = value.denominator
        count = int(value * unit)
        if abs(count) > 16:
            unit, count = 1, 1
            base = p.scaled({monomial: Fraction(1)}, value)
        else:
            base = {monomial: Fraction(1, unit)}
        quotient = Quotient(base, p.constant(1))
        pair = self._base_pair(self.key(quotient), self.node_of(quotient))
        return self._multiple(pair, count)

    def _half_turns(self, monomial: Monomial, value: Fraction) -> Quotient | None:
        """cos(nπ) = (-1)^n for whole n, where the sine vanishes; None for other angles."""
        rest = tuple(pair for pair in monomial if pair[0] != "const pi")
        if len(rest) + 1 != len(monomial) or not rest or value.denominator != 1 or ("const pi", 1) not in monomial:
            return None
        if not all(self.is_whole(name) for name, _ in rest):
            return None
        return self.normal(power(num(-1), mul(num(value), *(power(self.meaning[n], num(e)) for n, e in rest))))

    def _multiple(self, pair: Pair, count: int) -> Pair:
        if count < 0:
            sine, cosine = self._multiple(pair, -count)
            return self.table.mul(whole(-1), sine), cosine
        total: Pair = (whole(0), whole(1))
        for _ in range(count):
            total = self._sum(total, pair)
        return total

    def _base_pair(self, key: str, angle: Node) -> Pair:
        if angle.head == "call" and angle.name in ("asin", "acos", "atan"):
            return self._arc_pair(angle)
        cosine = self.kernel(f"cos {key}", call("cos", angle))
        self.table.rules[f"sin {key}"] = Rule(2, {p.ONE: Fraction(1), ((f"cos {key}", 2),): Fraction(-1)})
        return self.kernel(f"sin {key}", call("sin", angle)), cosine

    def _arc_pair(self, arc: Node) -> Pair:
        """Sine and cosine of an arc, from its argument."""
        inner = self.normal(arc.args[0])
        square = self.table.mul(inner, inner)
        sign = 1 if arc.name == "atan" else -1
        rest = self.normal(call("sqrt", self.node_of(self.table.add(whole(1), square, sign))))
        if arc.name == "atan":
            return self.table.div(inner, rest), self.table.div(whole(1), rest)
        return (inner, rest) if arc.name == "asin" else (rest, inner)

    def _exact_pair(self, twelfths: int) -> Pair:
        """Sine and cosine of a multiple of π/12, as that of a quarter and a sixth of π together."""
        quarter: Pair = (self._surd(2, 2), self._surd(2, 2))
        sixth: Pair = (whole(Fraction(1, 2)), self._surd(3, 2))
        if twelfths % 2:
            return self._sum(self._multiple(sixth, ((twelfths - 3) // 2) % 12), quarter)
        return self._multiple(sixth, twelfths // 2)

    def _surd(self, radicand: int, divisor: int) -> Quotient:
        return self.table.div(self.normal(call("sqrt", num(radicand))), whole(divisor))

    def inverse(self, name: str, argument: Node) -> Quotient:
        """The angle where it is a multiple of π/12; otherwise a kernel."""
        low, high = {"asin": (-6, 6), "acos": (0, 12), "atan": (-5, 5)}[name]
        forward = {"asin": "sin", "acos": "cos", "atan": "tan"}[name]
        try:
            value = value_at(argument, {}, START_BITS)
        except (Unknown, Undefined, TooLarge, ValueError, OverflowError):
            return self._arc(name, self.normal(argument), argument)
        target = self.normal(argument)
        near = float(libmp.to_float(value[0]))
        for twelfths in range(low, high + 1):
            if abs(_NUMERIC[forward](pi * twelfths / 12) - near) > 1e-6 * (1 + abs(near)):
                continue  # the exact comparison below is dear, and only one angle can pass it
            angle = Quotient({_PI: Fraction(twelfths, 12)} if twelfths else {}, p.constant(1))
            candidate = self.trigonometric(forward, angle)
            if not disjoint(value_at(self.node_of(candidate), {}, START_BITS), value) and self.table.same(
                candidate, target
            ):
                self.normal(Node("const", name="pi"))
                return self.table.made(angle.top, angle.bottom)
        return self._arc(name, target, argument)

    def _arc(self, name: str, target: Quotient, argument: Node) -> Quotient:
        """Arcs by few kernels: arccos u = π/2 - arcsin u, and arcsin and arctan are odd."""
        if name == "acos":
            quarter = self.table.div(self.normal(const("pi")), whole(2))
            return self.table.add(quarter, self._arc("asin", target, argument), -1)
        if target.top and target.top[p.leading(target.top)] < 0:
            target = self.table.mul(whole(-1), target)
            part = self.kernel(f"call {name}({self.key(target)})", call(name, self.node_of(target)))
            return self.table.mul(whole(-1), part)
        return self.kernel(f"call {name}({self.key(target)})", call(name, argument))


def _surds_joined(factors: list[Node]) -> list[Node]:
    """√2·√17 is written √34."""
    surds = [here for here in factors if here.name == "sqrt" and here.args[0].head == "num"]
    if len(surds) < 2:
        return factors
    product = Fraction(1)
    for here in surds:
        product *= here.args[0].value or 1
    return [call("sqrt", num(product)), *(here for here in factors if here not in surds)]
