"""Expressions into normal form, head by head. See kernels.py for what a normal form is."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import factorial

from itembank.algebra import budget, limits
from itembank.algebra import polynomials as p
from itembank.algebra.enclosures import COUNTING, closed_sign
from itembank.algebra.kernels import Quotient, Rule, whole
from itembank.algebra.nodes import Node, add, call, const, div, neg, num, power, substituted, symbols, text_of
from itembank.algebra.points import rational_at
from itembank.algebra.polynomials import Poly
from itembank.algebra.powers import PowerRules, factored
from itembank.algebra.results import TooLarge, Undefined, Unsupported


def _halved(up: Node, sign: int) -> Node:
    down = power(const("e"), neg(up))
    return div(add(power(const("e"), up), down if sign > 0 else neg(down)), num(2))


_BY_EXPONENTIALS: dict[str, Callable[[Node], Node]] = {
    "sinh": lambda u: _halved(u, -1),
    "cosh": lambda u: _halved(u, 1),
    "tanh": lambda u: div(_halved(u, -1), _halved(u, 1)),
    "asinh": lambda u: call("ln", add(u, call("sqrt", add(power(u, num(2)), num(1))))),
    "acosh": lambda u: call("ln", add(u, call("sqrt", add(power(u, num(2)), num(-1))))),
    "atanh": lambda u: div(call("ln", div(add(num(1), u), add(num(1), neg(u)))), num(2)),
}


class Normaliser(PowerRules):
    """Normal forms of one comparison."""

    def normal(self, node: Node) -> Quotient:
        budget.spend(5)
        head = node.head
        if head == "num":
            assert node.value is not None
            return whole(node.value)
        if head == "sym":
            return self.symbol(node.name)
        if head == "const":
            return self.constant(node.name)
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
            return self.power(node.args[0], node.args[1])
        if head == "call":
            return self._call(node)
        raise Unsupported(head)

    def _call(self, node: Node) -> Quotient:
        name, args = node.name, node.args
        if name in ("sin", "cos", "tan", "cot", "sec", "csc") and len(args) == 1:
            return self.trigonometric(name, self.normal(args[0]))
        if name == "sqrt" and len(args) == 1:
            return self.root(args[0], 2, real=True)
        if name == "root" and len(args) == 2:
            return self._root_call(args)
        if name in _BY_EXPONENTIALS and len(args) == 1:
            return self.normal(_BY_EXPONENTIALS[name](args[0]))
        if name in ("max", "min") and len(args) == 2:
            return self._larger(args[0], args[1], 1 if name == "max" else -1)
        if name in ("exp", "ln") and len(args) == 1:
            return self.exponential(self.normal(args[0])) if name == "exp" else self.logarithm(args[0])
        if name == "log" and len(args) == 2:
            return self.table.div(self.logarithm(args[0]), self.logarithm(args[1]))
        if name == "abs" and len(args) == 1:
            return self.absolute(args[0])
        if name == "percent" and len(args) == 1:
            return self.table.div(self.normal(args[0]), whole(100))
        if name == "degree" and len(args) == 1:
            return self.table.div(self.table.mul(self.normal(args[0]), self.constant("pi")), whole(180))
        return self._counted(node)

    def _counted(self, node: Node) -> Quotient:
        if node.name in ("factorial", "binomial", "perm"):
            return self._counting(node.name, [self.normal(arg) for arg in node.args])
        if node.name in ("sum", "product"):
            return self._series(node)
        return self._other(node)

    def _larger(self, left: Node, right: Node, sign: int) -> Quotient:
        """The larger of two is half their sum and half their distance."""
        gap = self.absolute(add(left, neg(right)))
        total = self.table.add(self.normal(left), self.normal(right))
        return self.table.div(self.table.add(total, gap, sign), whole(2))

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
        inner = self.absolute_of(Quotient(rest, p.constant(1)))
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
        return self.absolute_of(self.normal(node))

    def absolute_of(self, inner: Quotient) -> Quotient:
        number = self.number(inner)
        if number is not None:
            return whole(abs(number))
        if "imag i" in p.generators(inner.top):
            return self._modulus(inner)
        sign = closed_sign(self.node_of(inner))
        if sign is not None:
            return inner if sign >= 0 else self.table.mul(whole(-1), inner)
        return self.table.div(self._absolute_poly(inner.top), self._absolute_poly(inner.bottom))

    def _modulus(self, inner: Quotient) -> Quotient:
        """|a + bi| = √(a² + b²) for real numbers a and b."""
        inner = self.table.rationalised(inner)
        if p.as_constant(inner.bottom) is None or symbols(self.node_of(inner)):
            raise Unsupported("modulus")
        rows = p.coefficients(inner.top, "imag i")
        squares = p.add(p.power(rows.get(0, {}), 2), p.power(rows.get(1, {}), 2))
        size = self.root(self.node_of_poly(squares), 2, real=True)
        return self.table.div(size, Quotient(inner.bottom, p.constant(1)))

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
        if self.known_sign(poly) == 1:
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
            result = COUNTING[name](*(int(value) for value in known))
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
        if first is None or last is None or first.denominator != 1 or last.denominator != 1 or last - first > 2000:
            raise Unsupported("sum")
        if symbols(body) <= {index.name}:
            number = self._rational_series(node.name, body, index.name, range(int(first), int(last) + 1))
            if number is not None:
                return whole(number)
        if last - first > 60:
            raise Unsupported("sum")
        total = whole(0 if node.name == "sum" else 1)
        join = self.table.add if node.name == "sum" else self.table.mul
        for place in range(int(first), int(last) + 1):
            total = join(total, self.normal(substituted(body, {index.name: num(place)})))
        return total

    def _rational_series(self, kind: str, body: Node, name: str, places: range) -> Fraction | None:
        """The sum or product where every term is a rational number."""
        total = Fraction(0 if kind == "sum" else 1)
        for place in places:
            budget.spend(10)
            value = rational_at(body, {name: Fraction(place)})
            if value is None or total.denominator.bit_length() + total.numerator.bit_length() > limits.MAX_BITS:
                return None
            total = total + value if kind == "sum" else total * value
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
        if node.name == "zero_of":
            return self._zero(node)
        forms = [None if arg.head == "text" else self.normal(arg) for arg in node.args]
        parts = [arg if form is None else self.node_of(form) for arg, form in zip(node.args, forms, strict=True)]
        if node.name in ("asin", "acos", "atan") and len(parts) == 1:
            return self.inverse(node.name, parts[0])
        keys = ", ".join(
            arg.name if form is None else self.key(form) for arg, form in zip(node.args, forms, strict=True)
        )
        return self.kernel(f"call {node.name}({keys})", call(node.name, *parts))

    def _zero(self, node: Node) -> Quotient:
        """A zero of a polynomial of degree n, whose n-th power is a combination of the lower ones."""
        *row, _, _ = (arg.value or Fraction(0) for arg in node.args)
        key = "zero " + text_of(node)
        lower = {((key, place),) if place else p.ONE: -value / row[-1] for place, value in enumerate(row[:-1]) if value}
        self.table.rules[key] = Rule(len(row) - 1, lower)
        return self.kernel(key, node)

    def _special(self, node: Node) -> Quotient:
        if node.name == "mod":
            left, right = (self.number(self.normal(arg)) for arg in node.args)
            if left is not None and right and left.denominator == right.denominator == 1:
                return whole(left.numerator % right.numerator)
        raise Unsupported(node.name)
