"""Expressions into normal form, head by head. See kernels.py for what a normal form is."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, isqrt, perm

from itembank.algebra import budget, limits
from itembank.algebra import polynomials as p
from itembank.algebra.angles import AngleRules
from itembank.algebra.enclosures import closed_sign
from itembank.algebra.kernels import Quotient, Rule, whole
from itembank.algebra.nodes import Node, call, const, num, power, substituted, sym
from itembank.algebra.polynomials import Poly
from itembank.algebra.results import TooLarge, Undefined, Unsupported

_PRIMES = [n for n in range(2, 1000) if all(n % d for d in range(2, int(n**0.5) + 1))]


class Normaliser(AngleRules):
    """Normal forms of one comparison; `positive` are symbols that are positive on the common domain."""

    def __init__(self, positive: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.positive = positive

    def normal(self, node: Node) -> Quotient:
        budget.spend(5)
        head = node.head
        if head == "num":
            assert node.value is not None
            return whole(node.value)
        if head == "sym":
            return self.symbol(node.name)
        if head == "const":
            return self._constant(node.name)
        if head == "add":
            total = self.normal(node.args[0])
            for arg in node.args[1:]:
                total = self.table.add(total, self.normal(arg))
            return total
        if head == "mul":
            total = self.normal(node.args[0])
            for arg in node.args[1:]:
                total = self.table.mul(total, self.normal(arg))
            return total
        if head == "neg":
            return self.table.mul(whole(-1), self.normal(node.args[0]))
        if head == "div":
            return self.table.div(self.normal(node.args[0]), self.normal(node.args[1]))
        if head == "pow":
            return self._power(node.args[0], node.args[1])
        if head == "call":
            return self._call(node)
        raise Unsupported(head)

    def symbol(self, name: str) -> Quotient:
        self.meaning.setdefault(name, sym(name))
        return Quotient(p.generator(name), p.constant(1))

    def _constant(self, name: str) -> Quotient:
        if name == "oo":
            raise Unsupported("infinity")
        if name == "i":
            self.table.rules["imag i"] = Rule(2, p.constant(-1))
            return self.kernel("imag i", const("i"))
        return self.kernel(f"const {name}", const(name))

    # -- powers and roots -------------------------------------------------------------------------------------
    def _power(self, base: Node, exponent: Node) -> Quotient:
        raised = self.normal(exponent)
        value = self.number(raised)
        if value is not None:
            return self.rational_power(base, value)
        if base == const("e"):
            return self._exponential(raised)
        below = self.normal(base)
        number = self.number(below)
        if number is not None and number > 0:
            return self._prime_powers(number, raised)
        return self._symbolic_power(below, raised, base)

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
            return self._exponential(whole(exponent))
        root = self.root(base, exponent.denominator, real=False)
        return self.table.power(root, exponent.numerator)

    def root(self, base: Node, degree: int, *, real: bool) -> Quotient:
        """The principal root; with `real`, an odd root of a negative number is negative."""
        inner = self.normal(base)
        number = self.number(inner)
        if number is not None:
            if number < 0 and degree % 2 and real:
                return self.table.mul(whole(-1), self._number_root(-number, degree))
            if number < 0:
                return self._negative_root(number, degree)
            return self._number_root(number, degree)
        if degree == 2 and base.head == "pow" and base.args[1] == num(2):
            return self.absolute(base.args[0])
        return self._general_root(inner, degree)

    def _negative_root(self, number: Fraction, degree: int) -> Quotient:
        if degree == 2 and "imag i" in self.table.rules:
            return self.table.mul(self._constant("i"), self._number_root(-number, 2))
        raise Undefined("root of a negative number")

    def _number_root(self, number: Fraction, degree: int) -> Quotient:
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
            sign = self._known_sign(bottom)
            if sign != 1:
                return self._opaque_root(inner, degree)
        top = p.mul(inner.top, p.power(bottom, degree - 1))
        outside = p.content(top)
        taken = self._number_root(outside, degree)
        rest = p.scaled(top, 1 / outside)
        result = self.table.mul(taken, self._poly_root(self.table.reduced(rest), degree))
        return self.table.div(result, Quotient(bottom, p.constant(1)))

    def _poly_root(self, poly: Poly, degree: int) -> Quotient:
        result = whole(1)
        common = tuple((name, each) for name, each in p.monomial_content(poly) if name in self.positive)
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
        """|u| where the polynomial is u² in an evident way: a quadratic in one symbol with discriminant zero."""
        names = sorted(p.generators(poly))
        if len(names) != 1:
            return None
        row = p.univariate(poly, names[0])
        if row is None or len(row) != 3 or row[1] ** 2 != 4 * row[0] * row[2] or row[2] <= 0:
            return None
        shifted = p.add(p.generator(names[0]), p.constant(row[1] / (2 * row[2])))
        return self.table.mul(self._number_root(row[2], 2), self._absolute_of(Quotient(shifted, p.constant(1))))

    def _known_sign(self, poly: Poly) -> int | None:
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

    def _exponential(self, exponent: Quotient) -> Quotient:
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
            if name == "1" and below == 1:
                base = self._constant("e")
            else:
                base = self.kernel(key, written)
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
        return self.table.add(self.trigonometric("cos", quotient), self.table.mul(self._constant("i"), sine))

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

    # -- functions --------------------------------------------------------------------------------------------
    def _call(self, node: Node) -> Quotient:
        name, args = node.name, node.args
        if name in ("sin", "cos", "tan", "cot", "sec", "csc") and len(args) == 1:
            return self.trigonometric(name, self.normal(args[0]))
        if name == "sqrt" and len(args) == 1:
            return self.root(args[0], 2, real=True)
        if name == "root" and len(args) == 2:
            return self._root_call(args)
        if name in ("exp", "ln") and len(args) == 1:
            return self._exponential(self.normal(args[0])) if name == "exp" else self.logarithm(args[0])
        if name == "log" and len(args) == 2:
            return self.table.div(self.logarithm(args[0]), self.logarithm(args[1]))
        if name == "abs" and len(args) == 1:
            return self.absolute(args[0])
        if name == "percent" and len(args) == 1:
            return self.table.div(self.normal(args[0]), whole(100))
        if name == "degree" and len(args) == 1:
            return self.table.div(self.table.mul(self.normal(args[0]), self._constant("pi")), whole(180))
        if name in ("factorial", "binomial", "perm"):
            return self._counting(name, [self.normal(arg) for arg in args])
        if name in ("sum", "product"):
            return self._series(node)
        return self._other(node)

    def _root_call(self, args: tuple[Node, ...]) -> Quotient:
        degree = self.number(self.normal(args[1]))
        if degree is None or degree.denominator != 1 or not 2 <= degree <= 100:
            raise Unsupported("root")
        return self.root(args[0], int(degree), real=True)

    def logarithm(self, node: Node) -> Quotient:
        inner = self.normal(node)
        number = self.number(inner)
        if number is not None:
            return self._number_log(number)
        top, bottom = p.content(inner.top), p.content(inner.bottom)
        rest = Quotient(p.scaled(inner.top, 1 / top), p.scaled(inner.bottom, 1 / bottom))
        result = self._number_log(top / bottom)
        for poly, sign in ((rest.top, 1), (rest.bottom, -1)):
            result = self.table.add(result, self._poly_log(poly), sign)
        return result

    def _number_log(self, number: Fraction) -> Quotient:
        if number <= 0:
            raise Undefined("logarithm of what is not positive")
        result = whole(0)
        for value, sign in ((number.numerator, 1), (number.denominator, -1)):
            for prime, times in factored(value):
                part = self.kernel(f"ln {prime}", call("ln", num(prime)))
                result = self.table.add(result, self.table.mul(part, whole(times)), sign)
        return result

    def _poly_log(self, poly: Poly) -> Quotient:
        """ln|N|: on the domain of ln(N/D) it is ln|N| - ln|D|, so each factor may stand by itself."""
        result = whole(0)
        common = p.monomial_content(poly)
        for name, times in common:
            part = self._kernel_log(name)
            result = self.table.add(result, self.table.mul(part, whole(times)))
        rest = p.divided_by(poly, common)
        if rest[p.leading(rest)] < 0:
            rest = p.scaled(rest, Fraction(-1))
        number = p.as_constant(rest)
        if number is not None:
            return self.table.add(result, self._number_log(number))
        inner = self._absolute_of(Quotient(rest, p.constant(1)))
        key = f"ln {self.key(Quotient(rest, p.constant(1)))}"
        return self.table.add(result, self.kernel(key, call("ln", self.node_of(inner))))

    def _kernel_log(self, name: str) -> Quotient:
        meaning = self.meaning[name]
        if name == "const e":
            return whole(1)
        if name.startswith("exp ") and meaning.head == "pow":
            return self.normal(meaning.args[1])
        if name.startswith("root "):
            degree = self.table.rules[name].degree
            value = Quotient(self.table.rules[name].value, p.constant(1))
            return self.table.div(self.logarithm(self.node_of(value)), whole(degree))
        if name.startswith("pow ") and meaning.head == "pow":
            return self.table.mul(self.normal(meaning.args[1]), self.logarithm(meaning.args[0]))
        if name.startswith("abs "):
            return self.logarithm(meaning.args[0])
        positive = name in self.positive or closed_sign(meaning) == 1
        return self.kernel(f"ln {name}", call("ln", meaning if positive else call("abs", meaning)))

    def absolute(self, node: Node) -> Quotient:
        return self._absolute_of(self.normal(node))

    def _absolute_of(self, inner: Quotient) -> Quotient:
        number = self.number(inner)
        if number is not None:
            return whole(abs(number))
        sign = closed_sign(self.node_of(inner))
        if sign is not None:
            return inner if sign >= 0 else self.table.mul(whole(-1), inner)
        return self.table.div(self._absolute_poly(inner.top), self._absolute_poly(inner.bottom))

    def _absolute_poly(self, poly: Poly) -> Quotient:
        factor = p.content(poly)
        if poly[p.leading(poly)] < 0:
            factor = -factor
        poly = p.scaled(poly, 1 / factor)
        result = whole(abs(factor))
        common = p.monomial_content(poly)
        for name, times in common:
            known = name in self.positive or name.startswith(("const", "exp", "abs", "root 2"))
            part = self.symbol(name) if known and " " not in name else None
            part = part or (
                Quotient(p.generator(name), p.constant(1)) if known else self._absolute_kernel(p.generator(name))
            )
            result = self.table.mul(result, self.table.power(part, times))
        rest = p.divided_by(poly, common)
        if rest == p.constant(1):
            return result
        return self.table.mul(result, self._absolute_kernel(rest))

    def _absolute_kernel(self, poly: Poly) -> Quotient:
        if self._known_sign(poly) == 1:
            return Quotient(poly, p.constant(1))
        name = f"abs {self.key(Quotient(poly, p.constant(1)))}"
        self.table.rules[name] = Rule(2, p.mul(poly, poly))
        return self.kernel(name, call("abs", self.node_of_poly(poly)))

    def _counting(self, name: str, args: list[Quotient]) -> Quotient:
        values = [self.number(arg) for arg in args]
        if all(value is not None for value in values):
            known = [value for value in values if value is not None]
            if any(value.denominator != 1 or value < 0 for value in known):
                raise Undefined("factorial of what is no natural number")
            if max(known) > limits.MAX_FACTORIAL:
                raise TooLarge("factorial")
            result = {"factorial": factorial, "binomial": comb, "perm": perm}[name](*(int(value) for value in known))
            return whole(result)
        if name == "factorial" or len(args) != 2:
            return self._factorial(args[0])
        small = values[1]
        if small is not None and small.denominator == 1 and 0 <= small <= 20:
            return self._falling(args[0], int(small), name)
        top, low = self._factorial(args[0]), self._factorial(self.table.add(args[0], args[1], -1))
        result_ = self.table.div(top, low)
        return result_ if name == "perm" else self.table.div(result_, self._factorial(args[1]))

    def _falling(self, top: Quotient, count: int, name: str) -> Quotient:
        result = whole(1)
        for step in range(count):
            result = self.table.mul(result, self.table.add(top, whole(step), -1))
        return result if name == "perm" else self.table.div(result, whole(factorial(count)))

    def _factorial(self, arg: Quotient) -> Quotient:
        """(u + c)! as u! times the c factors between, so that n! and (n+1)! share one kernel."""
        if p.as_constant(arg.bottom) is None or not p.generators(arg.top):
            raise Unsupported("factorial")
        shift = (arg.top.get(p.ONE, Fraction(0))) / (p.as_constant(arg.bottom) or 1)
        if shift.denominator != 1 or abs(shift) > 20:
            raise Unsupported("factorial")
        base = self.table.add(arg, whole(shift), -1)
        result = self.kernel(f"factorial {self.key(base)}", call("factorial", self.node_of(base)))
        for step in range(1, abs(int(shift)) + 1):
            if shift > 0:
                result = self.table.mul(result, self.table.add(base, whole(step)))
            else:
                result = self.table.div(result, self.table.add(base, whole(1 - step)))
        return result

    def _series(self, node: Node) -> Quotient:
        body, index, low, high = node.args
        first, last = self.number(self.normal(low)), self.number(self.normal(high))
        if first is None or last is None or first.denominator != 1 or last.denominator != 1 or last - first > 60:
            raise Unsupported("sum")
        total = whole(0 if node.name == "sum" else 1)
        join = self.table.add if node.name == "sum" else self.table.mul
        for place in range(int(first), int(last) + 1):
            total = join(total, self.normal(substituted(body, {index.name: num(place)})))
        return total

    def _other(self, node: Node) -> Quotient:
        """Inverse functions, floors and unknown functions: one kernel for each name and normalised arguments."""
        if node.name in (
            "sum",
            "integral",
            "antiderivative",
            "derivative",
            "quantity",
            "mod",
            "max",
            "min",
            "transpose",
        ):
            return self._special(node)
        parts = [arg if arg.head == "text" else self.node_of(self.normal(arg)) for arg in node.args]
        if node.name in ("asin", "acos", "atan") and len(parts) == 1:
            return self.inverse(node.name, parts[0])
        keys = ", ".join(arg.name if arg.head == "text" else self.key(self.normal(arg)) for arg in node.args)
        return self.kernel(f"call {node.name}({keys})", call(node.name, *parts))

    def _special(self, node: Node) -> Quotient:
        if node.name == "mod":
            left, right = (self.number(self.normal(arg)) for arg in node.args)
            if left is not None and right and left.denominator == right.denominator == 1:
                return whole(left.numerator % right.numerator)
        raise Unsupported(node.name)


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
