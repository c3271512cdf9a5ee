"""Rigorous numerical values: every expression is enclosed in an interval with outward rounding (mpmath's libmpi).

Two disjoint enclosures prove that two values differ. Nothing here ever proves that two values are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, factorial, perm

from mpmath import libmp  # type: ignore[import-untyped]
from mpmath.libmp import libmpi  # type: ignore[import-untyped]

from itembank.algebra import budget, limits
from itembank.algebra.nodes import Node, num, substituted, symbols
from itembank.algebra.results import TooLarge, Undefined
from itembank.algebra.sturm import refined

Interval = tuple[tuple[int, int, int, int], tuple[int, int, int, int]]

COUNTING: dict[str, Callable[..., int]] = {"factorial": factorial, "binomial": comb, "perm": perm}
START_BITS = 120
MORE_BITS = 400


class Unknown(Exception):
    """The value exists or not, but this precision or this method cannot tell."""


def enclosed(value: Fraction | int, bits: int) -> Interval:
    value = Fraction(value)
    low = libmp.from_rational(value.numerator, value.denominator, bits, libmp.round_floor)
    high = libmp.from_rational(value.numerator, value.denominator, bits, libmp.round_ceiling)
    return low, high


def sign_of(value: Interval) -> int | None:
    """-1, 0 or 1 where the enclosure decides it."""
    low, high = value
    if libmp.mpf_sign(low) > 0:
        return 1
    if libmp.mpf_sign(high) < 0:
        return -1
    return 0 if low == high == libmp.fzero else None


def disjoint(left: Interval, right: Interval) -> bool:
    return bool(libmp.mpf_lt(left[1], right[0]) or libmp.mpf_lt(right[1], left[0]))


def decimal(value: Interval, digits: int = 12) -> str:
    """The middle of an enclosure for people to read."""
    middle = libmp.mpf_shift(libmp.mpf_add(value[0], value[1], START_BITS, "n"), -1)
    return str(libmp.to_str(middle, digits))


def fraction_of(value: Interval) -> Fraction | None:
    """The exact value of an enclosure that is one point."""
    if value[0] != value[1] or value[0] in (libmp.finf, libmp.fninf, libmp.fnan):
        return None
    sign, mantissa, exponent, _ = value[0]
    if abs(exponent) > limits.MAX_BITS:
        return None
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** exponent


def whole_of(value: Interval) -> int | None:
    exact = fraction_of(value)
    return exact.numerator if exact is not None and exact.denominator == 1 else None


class Evaluator:
    """The value of expressions at one point; `point` gives symbols their rational values."""

    def __init__(self, point: Mapping[str, Fraction], bits: int = START_BITS) -> None:
        self.bits = bits
        self.point = {name: enclosed(value, bits) for name, value in point.items()}

    def value(self, node: Node) -> Interval:
        budget.spend(15)
        head, args = node.head, node.args
        if head == "num":
            assert node.value is not None
            return enclosed(node.value, self.bits)
        if head == "sym":
            return self._symbol(node.name)
        if head == "const":
            return self._constant(node.name)
        if head == "add":
            total = self.value(args[0])
            for arg in args[1:]:
                total = libmpi.mpi_add(total, self.value(arg), self.bits)
            return total
        if head == "mul":
            return self._product(args)
        if head == "neg":
            result: Interval = libmpi.mpi_neg(self.value(args[0]), self.bits)
            return result
        if head == "div":
            return self.divided(self.value(args[0]), self.value(args[1]))
        if head == "pow":
            return self._power(*args)
        if head == "call":
            return self._call(node)
        raise Unknown(head)

    def _product(self, args: tuple[Node, ...]) -> Interval:
        total = self.value(args[0])
        for arg in args[1:]:
            total = libmpi.mpi_mul(total, self.value(arg), self.bits)
        return total

    def _symbol(self, name: str) -> Interval:
        if name not in self.point:
            raise Unknown(name)
        return self.point[name]

    def _constant(self, name: str) -> Interval:
        if name == "pi":
            return libmp.mpf_pi(self.bits, "f"), libmp.mpf_pi(self.bits, "c")
        if name == "e":
            return libmp.mpf_e(self.bits, "f"), libmp.mpf_e(self.bits, "c")
        raise Unknown(name)

    def divided(self, top: Interval, bottom: Interval) -> Interval:
        sign = sign_of(bottom)
        if sign == 0:
            raise Undefined("division by zero")
        if sign is None:
            raise Unknown("division by what may be zero")
        result: Interval = libmpi.mpi_div(top, bottom, self.bits)
        return result

    def _power(self, base: Node, exponent: Node) -> Interval:
        raised = self.value(exponent)
        whole = whole_of(raised)
        if base == Node("const", name="e"):
            return self.exponential(raised)
        value = self.value(base)
        if whole is not None:
            return self._whole_power(value, whole)
        sign = sign_of(value)
        if sign == 0 and sign_of(raised) == 1:
            return enclosed(0, self.bits)
        if sign != 1:
            raise Unknown("power of what is not positive")
        return self.exponential(libmpi.mpi_mul(libmpi.mpi_log(value, self.bits), raised, self.bits))

    def _whole_power(self, value: Interval, exponent: int) -> Interval:
        if abs(exponent) > 10**9:
            raise TooLarge("exponent")
        if exponent < 0:
            return self.divided(enclosed(1, self.bits), self._whole_power(value, -exponent))
        if exponent == 0 and sign_of(value) is None:
            raise Unknown("0^0")
        if exponent == 0 and sign_of(value) == 0:
            raise Undefined("0^0")
        result: Interval = libmpi.mpi_pow_int(value, exponent, self.bits)
        return result

    def exponential(self, value: Interval) -> Interval:
        for end in value:
            if end in (libmp.finf, libmp.fninf, libmp.fnan) or end[2] + end[3] > 40:
                raise TooLarge("exponential")
        result: Interval = libmpi.mpi_exp(value, self.bits)
        return result

    # -- functions --------------------------------------------------------------------------------------------
    def _call(self, node: Node) -> Interval:
        simple: Callable[[Evaluator, Interval], Interval] | None = _FUNCTIONS.get(node.name)
        if simple is not None and len(node.args) == 1:
            return simple(self, self.value(node.args[0]))
        special = {"log": self._log, "root": self._root, "quantity": self._plain_quantity, "mod": self._mod,
                   "factorial": self._counting, "binomial": self._counting, "perm": self._counting,
                   "sum": self._series, "product": self._series, "max": self._extreme, "min": self._extreme,
                   "zero_of": self._zero}.get(node.name)  # fmt: skip
        if special is None:
            raise Unknown(node.name)
        result: Interval = special(node)
        return result

    def sqrt(self, value: Interval) -> Interval:
        sign = sign_of(value)
        if sign == -1:
            raise Undefined("root of a negative number")
        if sign is None:
            raise Unknown("root of what may be negative")
        result: Interval = libmpi.mpi_sqrt(value, self.bits)
        return result

    def log_of(self, value: Interval) -> Interval:
        sign = sign_of(value)
        if sign in (0, -1):
            raise Undefined("logarithm of what is not positive")
        if sign is None:
            raise Unknown("logarithm of what may not be positive")
        result: Interval = libmpi.mpi_log(value, self.bits)
        return result

    def _log(self, node: Node) -> Interval:
        top = self.log_of(self.value(node.args[0]))
        if len(node.args) == 1:
            raise Unknown("logarithm without a base")
        return self.divided(top, self.log_of(self.value(node.args[1])))

    def _root(self, node: Node) -> Interval:
        degree = whole_of(self.value(node.args[1]))
        value = self.value(node.args[0])
        if degree is None or not 2 <= degree <= 200:
            raise Unknown("root")
        if degree == 2:
            return self.sqrt(value)
        sign = sign_of(value)
        if sign == 0:
            return value
        if sign == -1 and degree % 2 == 0:
            raise Undefined("root of a negative number")
        if sign is None:
            raise Unknown("root of what may be negative")
        size = value if sign == 1 else libmpi.mpi_neg(value, self.bits)
        size = self.exponential(libmpi.mpi_div(libmpi.mpi_log(size, self.bits), enclosed(degree, self.bits), self.bits))
        return size if sign == 1 else libmpi.mpi_neg(size, self.bits)

    def _plain_quantity(self, node: Node) -> Interval:
        raise Unknown("unit")

    def _mod(self, node: Node) -> Interval:
        left, right = (whole_of(self.value(arg)) for arg in node.args)
        if left is None or not right:
            raise Unknown("mod")
        return enclosed(left % right, self.bits)

    def _counting(self, node: Node) -> Interval:
        values = [whole_of(self.value(arg)) for arg in node.args]
        if any(value is None or abs(value) > 2 * limits.MAX_FACTORIAL for value in values):
            raise Unknown("factorial")
        known = [value for value in values if value is not None]
        if min(known) < 0:
            raise Undefined("factorial of a negative number")
        return enclosed(COUNTING[node.name](*known), self.bits)

    def _series(self, node: Node) -> Interval:
        body, index, low, high = node.args
        first, last = whole_of(self.value(low)), whole_of(self.value(high))
        if first is None or last is None or last - first > 200:
            raise Unknown("sum")
        total = enclosed(0 if node.name == "sum" else 1, self.bits)
        join = libmpi.mpi_add if node.name == "sum" else libmpi.mpi_mul
        for place in range(first, last + 1):
            total = join(total, self.value(substituted(body, {index.name: num(place)})), self.bits)
        return total

    def _zero(self, node: Node) -> Interval:
        """The one zero of a polynomial between two rational numbers; see `sturm`."""
        *row, low, high = (arg.value or Fraction(0) for arg in node.args)
        ends = refined(row, low, high, self.bits)
        return enclosed(ends[0], self.bits)[0], enclosed(ends[1], self.bits)[1]

    def _extreme(self, node: Node) -> Interval:
        values = [self.value(arg) for arg in node.args]
        pick = libmpi.mpi_sub
        best = values[0]
        for value in values[1:]:
            sign = sign_of(pick(value, best, self.bits))
            if sign is None:
                raise Unknown("max or min")
            best = value if (sign > 0) == (node.name == "max") else best
        return best

    def floor(self, value: Interval) -> Interval:
        low, high = (libmp.mpf_floor(end, self.bits, "f") for end in value)
        if low != high:
            raise Unknown("floor")
        return low, high

    def asin(self, value: Interval) -> Interval:
        one = enclosed(1, self.bits)
        rest = libmpi.mpi_sub(one, libmpi.mpi_mul(value, value, self.bits), self.bits)
        sign = sign_of(rest)
        if sign == -1:
            raise Undefined("arcsine outside -1 … 1")
        if sign is None or sign == 0:
            if value == one or value == libmpi.mpi_neg(one, self.bits):
                half = self.divided(self._constant("pi"), enclosed(2, self.bits))
                return half if value == one else self.times(half, enclosed(-1, self.bits))
            raise Unknown("arcsine at its end")
        result: Interval = libmpi.mpi_atan(
            libmpi.mpi_div(value, libmpi.mpi_sqrt(rest, self.bits), self.bits), self.bits
        )
        return result

    def sin_cos(self, value: Interval) -> tuple[Interval, Interval]:
        for end in value:
            if end[2] + end[3] > 400:
                raise TooLarge("angle")
        cosine, sine = libmpi.mpi_cos_sin(value, self.bits)
        return sine, cosine

    def ratio(self, value: Interval, name: str) -> Interval:
        sine, cosine = self.sin_cos(value)
        one = enclosed(1, self.bits)
        top, bottom = {"tan": (sine, cosine), "cot": (cosine, sine), "sec": (one, cosine), "csc": (one, sine)}[name]
        return self.divided(top, bottom)

    def times(self, value: Interval, factor: Interval) -> Interval:
        result: Interval = libmpi.mpi_mul(value, factor, self.bits)
        return result

    def degree(self, value: Interval) -> Interval:
        return self.divided(self.times(value, self._constant("pi")), enclosed(180, self.bits))

    def arccos(self, value: Interval) -> Interval:
        half = self.divided(self._constant("pi"), enclosed(2, self.bits))
        result: Interval = libmpi.mpi_sub(half, self.asin(value), self.bits)
        return result

    def hyperbolic(self, value: Interval, name: str) -> Interval:
        up, down = self.exponential(value), self.exponential(libmpi.mpi_neg(value, self.bits))
        odd, even = libmpi.mpi_sub(up, down, self.bits), libmpi.mpi_add(up, down, self.bits)
        if name == "tanh":
            return self.divided(odd, even)
        return self.divided(odd if name == "sinh" else even, enclosed(2, self.bits))

    def magnitude(self, value: Interval) -> Interval:
        result: Interval = libmpi.mpi_abs(value, self.bits)
        return result


_FUNCTIONS: dict[str, Callable[[Evaluator, Interval], Interval]] = {
    "sqrt": Evaluator.sqrt,
    "ln": Evaluator.log_of,
    "exp": Evaluator.exponential,
    "abs": Evaluator.magnitude,
    "sin": lambda self, value: self.sin_cos(value)[0],
    "cos": lambda self, value: self.sin_cos(value)[1],
    "tan": lambda self, value: self.ratio(value, "tan"),
    "cot": lambda self, value: self.ratio(value, "cot"),
    "sec": lambda self, value: self.ratio(value, "sec"),
    "csc": lambda self, value: self.ratio(value, "csc"),
    "asin": Evaluator.asin,
    "acos": Evaluator.arccos,
    "atan": lambda self, value: libmpi.mpi_atan(value, self.bits),
    "sinh": lambda self, value: self.hyperbolic(value, "sinh"),
    "cosh": lambda self, value: self.hyperbolic(value, "cosh"),
    "tanh": lambda self, value: self.hyperbolic(value, "tanh"),
    "floor": Evaluator.floor,
    "ceil": lambda self, value: libmpi.mpi_neg(self.floor(libmpi.mpi_neg(value, self.bits)), self.bits),
    "percent": lambda self, value: self.divided(value, enclosed(100, self.bits)),
    "degree": Evaluator.degree,
}


def value_at(node: Node, point: Mapping[str, Fraction], bits: int = START_BITS) -> Interval:
    """Enclosure of the expression at a point; raises Undefined, Unknown or TooLarge."""
    return Evaluator(point, bits).value(node)


def closed_sign(node: Node) -> int | None:
    """The sign of an expression without symbols, where an enclosure decides it."""
    if symbols(node):
        return None
    for bits in (START_BITS, MORE_BITS):
        try:
            sign = sign_of(value_at(node, {}, bits))
        except (Unknown, Undefined, TooLarge, ValueError, OverflowError, ZeroDivisionError):
            return None
        if sign is not None:
            return sign
    return None
