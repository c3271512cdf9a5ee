"""Powers and roots in normal form: √12 is 2·√3, e^(2·ln 3) is 9, a^(b+c) is a^b·a^c."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from math import isqrt

from itembank.algebra import limits
from itembank.algebra import polynomials as p
from itembank.algebra.angles import AngleRules
from itembank.algebra.enclosures import closed_sign
from itembank.algebra.kernels import Quotient, Rule, whole
from itembank.algebra.nodes import Node, call, const, mul, num, power, sym, symbols
from itembank.algebra.polynomials import Monomial, Poly
from itembank.algebra.results import TooLarge, Undefined, Unsupported

INTEGER_LETTERS = frozenset("nkm")
_PRIMES = [n for n in range(2, 1000) if all(n % d for d in range(2, int(n**0.5) + 1))]


class PowerRules(AngleRules):
    """Rules for powers and roots; `positive` are symbols that are positive on the common domain."""

    def __init__(self, positive: frozenset[str] = frozenset(), integers: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.positive = positive
        self.integers = integers

    def symbol(self, name: str) -> Quotient:
        self.meaning.setdefault(name, sym(name))
        return Quotient(p.generator(name), p.constant(1))

    def constant(self, name: str) -> Quotient:
        if name == "oo":
            raise Unsupported("infinity")
        if name == "i":
            self.table.rules["imag i"] = Rule(2, p.constant(-1))
            return self.kernel("imag i", const("i"))
        return self.kernel(f"const {name}", const(name))

    @abstractmethod
    def absolute(self, node: Node) -> Quotient:
        """The normal form of |node|, which roots of squares come to."""

    @abstractmethod
    def absolute_of(self, inner: Quotient) -> Quotient:
        """The absolute value of something already in normal form."""

    @abstractmethod
    def logarithm(self, node: Node) -> Quotient:
        """ln of something, factor by factor."""

    def power(self, base: Node, exponent: Node) -> Quotient:
        raised = self.normal(exponent)
        value = self.number(raised)
        if value is not None:
            return self.rational_power(base, value)
        if base == const("e"):
            return self.exponential(raised)
        if base.head == "pow" and self._joins(base.args[1]):
            return self.power(base.args[0], Node("mul", (base.args[1], exponent)))
        below = self.normal(base)
        number = self.number(below)
        if number is not None and number > 0:
            return self._prime_powers(number, raised)
        if number == -1:
            return self._alternating(raised)
        return self._symbolic_power(below, raised, base)

    def _joins(self, inner: Node) -> bool:
        """Whether (u^a)^b is u^(ab): for odd whole a it is, wherever both exist; with a symbol in a, u is positive."""
        if symbols(inner):
            return True
        value = self.number(self.normal(inner))
        return value is not None and value.denominator == 1 and value.numerator % 2 == 1

    def _alternating(self, exponent: Quotient) -> Quotient:
        """(-1)^n by the parity of n, for whole n: (-1)^(2n) is 1."""
        divisor = p.as_constant(exponent.bottom)
        names = p.generators(exponent.top)
        if divisor is None or not all(self.is_whole(name) for name in names):
            return self._symbolic_power(whole(-1), exponent, num(-1))
        result = whole(1)
        for monomial, value in exponent.top.items():
            times = value / divisor
            if times.denominator != 1:
                raise Unsupported("power of -1")
            if times % 2:
                result = self.table.mul(result, self._sign_of_parity(monomial))
        return result

    def _sign_of_parity(self, monomial: Monomial) -> Quotient:
        """(-1)^(n²m) is (-1)^(nm): only the odd powers matter, and there each counts once."""
        names = sorted({name for name, _ in monomial})
        if not names:
            return whole(-1)
        key = "parity " + "·".join(names)
        self.table.rules[key] = Rule(2, p.constant(1))
        return self.kernel(key, power(num(-1), mul(*(self.meaning[name] for name in names))))

    def is_whole(self, name: str) -> bool:
        """Whether a symbol stands for whole numbers: declared, or by its letter."""
        return name in self.integers or name in INTEGER_LETTERS

    def rational_power(self, base: Node, exponent: Fraction) -> Quotient:
        if exponent.denominator == 1:
            below = self.normal(base)
            if exponent == 0 and not below.top:
                raise Undefined("0^0")
            number = self.number(below)
            if number is not None and abs(exponent) > limits.MAX_EXPONENT:
                raise TooLarge("exponent")
            return self.table.power(below, int(exponent))
        if exponent.denominator > 100:
            raise TooLarge("root")
        if base == const("e"):
            return self.exponential(whole(exponent))
        root = self.root(base, exponent.denominator, real=False)
        return self.table.power(root, exponent.numerator)

    def root(self, base: Node, degree: int, *, real: bool) -> Quotient:
        """The principal root; with `real`, an odd root of a negative number is negative."""
        inner = self.normal(base)
        number = self.number(inner)
        if number is not None:
            if number < 0 and degree % 2 and real:
                return self.table.mul(whole(-1), self.number_root(-number, degree))
            if number < 0:
                return self._negative_root(number, degree)
            return self.number_root(number, degree)
        if degree == 2 and base.head == "pow" and base.args[1] == num(2):
            return self.absolute(base.args[0])
        return self._general_root(inner, degree)

    def _negative_root(self, number: Fraction, degree: int) -> Quotient:
        if degree == 2 and "imag i" in self.table.rules:
            return self.table.mul(self.constant("i"), self.number_root(-number, 2))
        raise Undefined("root of a negative number")

    def number_root(self, number: Fraction, degree: int) -> Quotient:
        """Prime by prime: the root of 12 is 2·√3."""
        if number == 0:
            return whole(0)
        result = whole(1)
        radicand = number.numerator * number.denominator ** (degree - 1)
        for prime, exponent in factored(radicand):
            outside, inside = divmod(exponent, degree)
            result = self.table.mul(result, whole(prime**outside))
            if inside:
                result = self.table.mul(result, self.table.power(self._prime_root(prime, degree, inside), 1))
        return self.table.div(result, whole(number.denominator))

    def _prime_root(self, prime: int, degree: int, inside: int) -> Quotient:
        shared = next((d for d in range(min(inside, degree), 0, -1) if inside % d == 0 and degree % d == 0), 1)
        inside, degree = inside // shared, degree // shared
        name = f"root {degree} {prime}"
        self.table.rules[name] = Rule(degree, p.constant(prime))
        written = call("sqrt", num(prime)) if degree == 2 else call("root", num(prime), num(degree))
        return self.table.power(self.kernel(name, written), inside)

    def _general_root(self, inner: Quotient, degree: int) -> Quotient:
        """Root of a quotient N/D as the root of N·D^(n-1) over D, numbers and positive symbols taken out."""
        bottom = inner.bottom
        fraction = p.as_constant(bottom)
        if fraction is None:
            square = self._over_a_square(inner) if degree == 2 else None
            if square is not None:
                return square
            sign = self.known_sign(bottom)
            if sign != 1:
                return self._opaque_root(inner, degree)
        top = p.mul(inner.top, p.power(bottom, degree - 1))
        outside = p.content(top)
        taken = self.number_root(outside, degree)
        rest = p.scaled(top, 1 / outside)
        result = self.table.mul(taken, self._poly_root(self.table.reduced(rest), degree))
        return self.table.div(result, Quotient(bottom, p.constant(1)))

    def _over_a_square(self, inner: Quotient) -> Quotient | None:
        """√(N/r²) = √N / |r|."""
        below = self._square_root_of(inner.bottom)
        if below is None:
            return None
        return self.table.div(self._general_root(Quotient(inner.top, p.constant(1)), 2), below)

    def _poly_root(self, poly: Poly, degree: int) -> Quotient:
        result = whole(1)
        common = tuple(
            (name, each)
            for name, each in p.monomial_content(poly)
            if name in self.positive or (degree % 2 and " " not in name)  # odd roots of real numbers have one value
        )
        for name, each in common:
            outside, inside = divmod(each, degree)
            result = self.table.mul(result, self.table.power(self.symbol(name), outside))
            if inside:
                result = self.table.mul(result, self._named_root(p.generator(name, 1), degree, inside))
        rest = p.divided_by(poly, common)
        if rest == p.constant(1):
            return result
        square = self._square_root_of(rest) if degree == 2 else None
        if square is not None:
            return self.table.mul(result, square)
        return self.table.mul(result, self._named_root(rest, degree, 1))

    def _named_root(self, poly: Poly, degree: int, exponent: int) -> Quotient:
        name = f"root {degree} {self.key(Quotient(poly, p.constant(1)))}"
        self.table.rules[name] = Rule(degree, poly)
        inner = self.node_of_poly(poly)
        written = call("sqrt", inner) if degree == 2 else call("root", inner, num(degree))
        return self.table.power(self.kernel(name, written), exponent)

    def _opaque_root(self, inner: Quotient, degree: int) -> Quotient:
        written = call("root", self.node_of(inner), num(degree))
        return self.kernel(f"opaque {degree} {self.key(inner)}", written)

    def _square_root_of(self, poly: Poly) -> Quotient | None:
        """|u| where the polynomial is c·u²."""
        lead = poly[p.leading(poly)]
        if lead <= 0:
            return None
        root = p.square_root(p.scaled(poly, 1 / lead))
        if root is None or len(root) < 2:
            return None
        return self.table.mul(self.number_root(lead, 2), self.absolute_of(Quotient(root, p.constant(1))))

    def known_sign(self, poly: Poly) -> int | None:
        """1 where the polynomial is a positive multiple of a product of positive symbols and even powers."""
        if not p.generators(poly):
            return 1 if poly[p.ONE] > 0 else -1
        node = self.node_of_poly(poly)
        sign = closed_sign(node)
        if sign is not None:
            return sign
        if all(value > 0 for value in poly.values()) and all(
            name in self.positive or (exponent % 2 == 0 and " " not in name) for mono in poly for name, exponent in mono
        ):
            return 1
        return None

    def exponential(self, exponent: Quotient) -> Quotient:
        """e to a sum is a product of one kernel per monomial; e^(k·ln p) is p^k."""
        parts = self._exponent_parts(exponent)
        result = whole(1)
        for name, node, coefficient in parts:
            if "imag i" in name:
                result = self.table.mul(result, self._on_the_circle(exponent))
                continue
            if name.startswith("ln ") and coefficient.denominator == 1 and name in self.meaning:
                inner = self.meaning[name].args[0]
                result = self.table.mul(result, self.table.power(self.normal(inner), coefficient.numerator))
                continue
            below = coefficient.denominator
            key = f"exp {name}/{below}"
            written = power(const("e"), Node("div", (node, num(below))))
            base = self.constant("e") if name == "1" and below == 1 else self.kernel(key, written)
            result = self.table.mul(result, self.table.power(base, coefficient.numerator))
        return result

    def _on_the_circle(self, exponent: Quotient) -> Quotient:
        """e^(iθ) = cos θ + i·sin θ, for the imaginary part of the exponent, which is one term here."""
        parts = [(m, v) for m, v in exponent.top.items() if ("imag i", 1) in m]
        if len(parts) != 1:
            raise Unsupported("several imaginary terms")
        angle = {tuple(pair for pair in parts[0][0] if pair[0] != "imag i"): parts[0][1]}
        quotient = self.table.made(angle, exponent.bottom)
        sine = self.trigonometric("sin", quotient)
        return self.table.add(self.trigonometric("cos", quotient), self.table.mul(self.constant("i"), sine))

    def _prime_powers(self, number: Fraction, exponent: Quotient) -> Quotient:
        result = whole(1)
        if number == 1:
            return result
        for value, sign in ((number.numerator, 1), (number.denominator, -1)):
            for prime, times in factored(value):
                for name, node, coefficient in self._exponent_parts(exponent):
                    coefficient = coefficient * times * sign
                    if name == "1":
                        result = self.table.mul(result, self.rational_power(num(prime), coefficient))
                        continue
                    key = f"pow {prime} {name}/{coefficient.denominator}"
                    written = power(num(prime), Node("div", (node, num(coefficient.denominator))))
                    part = self.table.power(self.kernel(key, written), coefficient.numerator)
                    result = self.table.mul(result, part)
        return result

    def _symbolic_power(self, below: Quotient, exponent: Quotient, base: Node) -> Quotient:
        if any(name.startswith("ln ") for name in p.generators(exponent.bottom)):
            raised = self.table.mul(exponent, self.logarithm(base))
            if p.as_constant(raised.bottom) is not None:
                return self.exponential(raised)  # b^(ln a / ln b) = e^(ln a)
        result = whole(1)
        for name, node, coefficient in self._exponent_parts(exponent):
            if coefficient.denominator != 1:
                key = f"pow {self.key(below)} {name}*{coefficient}"
                written = power(base, Node("mul", (num(coefficient), node)))
                result = self.table.mul(result, self.kernel(key, written))
            elif name == "1":
                result = self.table.mul(result, self.table.power(below, coefficient.numerator))
            else:
                key = f"pow {self.key(below)} {name}"
                part = self.kernel(key, power(base, node))
                result = self.table.mul(result, self.table.power(part, coefficient.numerator))
        return result

    def _exponent_parts(self, exponent: Quotient) -> list[tuple[str, Node, Fraction]]:
        """The exponent as a sum of (key, node, coefficient)."""
        divisor = p.as_constant(exponent.bottom)
        if divisor is None:
            return [(self.key(exponent), self.node_of(exponent), Fraction(1))]
        parts = []
        for monomial, value in sorted(exponent.top.items()):
            piece = Quotient({monomial: Fraction(1)}, p.constant(1))
            parts.append((monomial[0][0] if len(monomial) == 1 and monomial[0][1] == 1 else self.key(piece),
                          self.node_of(piece), value / divisor))  # fmt: skip
        return parts


def factored(value: int) -> list[tuple[int, int]]:
    """Prime factors found by small trial division; a remaining factor counts as prime, which loses only simplicity."""
    found = []
    if value.bit_length() > limits.MAX_BITS:
        raise TooLarge("a number to factor")
    for prime in _PRIMES:
        times = 0
        while value % prime == 0:
            value //= prime
            times += 1
        if times:
            found.append((prime, times))
        if value == 1:
            break
    if value > 1:
        root = _whole_root(value)
        found.append((root[0], root[1]))
    return found


def _whole_root(value: int) -> tuple[int, int]:
    """(r, 2) when the value is r², else (value, 1): large squares under roots are common, large primes are not."""
    root = isqrt(value)
    return (root, 2) if root * root == value else (value, 1)
