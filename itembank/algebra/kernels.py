"""Normal forms: an expression becomes a quotient of polynomials in symbols and kernels (roots, sines, logarithms …).

Kernels obey rules that are applied while computing: (√3)² = 3, i² = -1, sin² = 1 - cos², |u|² = u². Two expressions
whose difference vanishes are equal wherever both are defined; the converse need not hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from itembank.algebra import limits
from itembank.algebra import polynomials as p
from itembank.algebra.polynomials import Poly
from itembank.algebra.results import TooLarge, Undefined


class Quotient(NamedTuple):
    """top / bottom; bottom is never the zero polynomial."""

    top: Poly
    bottom: Poly


@dataclass(slots=True)
class Rule:
    """generator ** degree may be replaced by `value`."""

    degree: int
    value: Poly


def whole(value: Fraction | int) -> Quotient:
    return Quotient(p.constant(value), _UNIT)


_UNIT = p.constant(1)


@dataclass(slots=True)
class KernelTable:
    """The kernels of one comparison and their rules."""

    rules: dict[str, Rule] = field(default_factory=dict)
    steps: int = 0

    def reduced(self, poly: Poly) -> Poly:
        """The polynomial with all rules applied."""
        if not self.rules:
            return poly
        for _ in range(60):
            target = next((m for m in poly if any(n in self.rules and e >= self.rules[n].degree for n, e in m)), None)
            if target is None:
                return poly
            poly = self._pass(poly)
        raise TooLarge("rules of roots")

    def _pass(self, poly: Poly) -> Poly:
        result: Poly = {}
        for monomial, value in poly.items():
            self.steps += 1
            if self.steps > 20_000:
                raise TooLarge("rules of roots")
            pair = next(((n, e) for n, e in monomial if n in self.rules and e >= self.rules[n].degree), None)
            if pair is None:
                result = p.add(result, {monomial: value})
                continue
            name, exponent = pair
            rule = self.rules[name]
            times, left = divmod(exponent, rule.degree)
            rest = tuple((n, e) for n, e in monomial if n != name)
            if left:
                rest = p.times(rest, ((name, left),))
            result = p.add(result, p.mul({rest: value}, p.power(rule.value, times)))
        return result

    def made(self, top: Poly, bottom: Poly) -> Quotient:
        """A quotient in lowest monomials; raises Undefined where the denominator vanishes."""
        top, bottom = self.reduced(top), self.reduced(bottom)
        if not bottom:
            raise Undefined("division by zero")
        if not top:
            return whole(0)
        if p.is_one(bottom):
            return Quotient(top, bottom)
        if len(bottom) > 1 or next(iter(bottom)) != p.ONE:
            top, bottom = _cancelled(top, bottom)
        factor = p.content(bottom)
        if bottom[p.leading(bottom)] < 0:
            factor = -factor
        factor = 1 / factor
        return Quotient(p.scaled(top, factor), p.scaled(bottom, factor))

    def add(self, left: Quotient, right: Quotient, sign: int = 1) -> Quotient:
        if left.bottom is right.bottom or left.bottom == right.bottom:
            return self.made(p.add(left.top, right.top, sign), left.bottom)
        top = p.add(p.mul(left.top, right.bottom), p.mul(right.top, left.bottom), sign)
        return self.made(top, p.mul(left.bottom, right.bottom))

    def mul(self, left: Quotient, right: Quotient) -> Quotient:
        return self.made(p.mul(left.top, right.top), p.mul(left.bottom, right.bottom))

    def div(self, left: Quotient, right: Quotient) -> Quotient:
        if not self.reduced(right.top):
            raise Undefined("division by zero")
        return self.made(p.mul(left.top, right.bottom), p.mul(left.bottom, right.top))

    def power(self, base: Quotient, exponent: int) -> Quotient:
        if abs(exponent) > limits.MAX_EXPONENT:
            raise TooLarge("exponent")
        if exponent < 0:
            if not base.top:
                raise Undefined("division by zero")
            base, exponent = self.made(base.bottom, base.top), -exponent
        return self.made(p.power(base.top, exponent), p.power(base.bottom, exponent))

    def same(self, left: Quotient, right: Quotient) -> bool:
        """Whether the difference vanishes identically."""
        return not self.reduced(p.add(p.mul(left.top, right.bottom), p.mul(right.top, left.bottom), -1))

    def rationalised(self, value: Quotient) -> Quotient:
        """The quotient without square roots in its denominator, as far as a few conjugates go."""
        for _ in range(4):
            name = next((n for n in sorted(p.generators(value.bottom)) if self._is_square_root(n)), None)
            if name is None:
                break
            parts = p.coefficients(value.bottom, name)
            conjugate = p.add(parts.get(0, {}), p.mul(parts.get(1, {}), p.generator(name)), -1)
            value = self.made(p.mul(value.top, conjugate), p.mul(value.bottom, conjugate))
        return value

    def _is_square_root(self, name: str) -> bool:
        return name in self.rules and self.rules[name].degree == 2 and name[:4] in ("root", "imag")


def _cancelled(top: Poly, bottom: Poly) -> tuple[Poly, Poly]:
    """Common monomials removed, and the denominator where it divides the numerator."""
    common = dict(p.monomial_content(bottom))
    shared = tuple((n, min(e, common[n])) for n, e in p.monomial_content(top) if n in common)
    if shared:
        top, bottom = p.divided_by(top, shared), p.divided_by(bottom, shared)
    if len(bottom) > 1 and len(top) >= 1 and len(top) * len(bottom) < 400:
        quotient = p.exact_quotient(top, bottom)
        if quotient is not None:
            return quotient, p.constant(1)
    return top, bottom
