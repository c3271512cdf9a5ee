"""Polynomials with rational coefficients in any number of generators, and quotients of them.

A generator is named by a string: a symbol, or a kernel such as "sqrt 3" or "sin x" whose meaning is kept elsewhere.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd

from itembank.algebra import budget, limits
from itembank.algebra.nodes import exact
from itembank.algebra.results import TooLarge

Monomial = tuple[tuple[str, int], ...]
Poly = dict[Monomial, Fraction]

ONE: Monomial = ()
_FIRST = Fraction(1)
_ZERO = Fraction(0)


def constant(value: Fraction | int) -> Poly:
    return {ONE: exact(value)} if value else {}


def generator(name: str, exponent: int = 1) -> Poly:
    return {((name, exponent),): _FIRST}


def is_one(poly: Poly) -> bool:
    """Whether the polynomial is the number 1. (To compare it with another one compares fractions, which costs more.)"""
    if len(poly) != 1:
        return False
    value = poly.get(ONE)
    return value is _FIRST or (value is not None and value.numerator == 1 and value.denominator == 1)


def add(left: Poly, right: Poly, factor: int = 1) -> Poly:
    """left + factor·right."""
    budget.spend(1 + len(right) // 2)
    total = dict(left)
    for monomial, coefficient in right.items():
        known = total.get(monomial)
        more = coefficient if factor == 1 else -coefficient if factor == -1 else coefficient * factor
        value = more if known is None else known + more
        if value.numerator:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return _checked(total)


def _checked(poly: Poly) -> Poly:
    if len(poly) > limits.MAX_TERMS:
        raise TooLarge("too many terms")
    return poly


def times(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    powers = dict(left)
    for name, exponent in right:
        powers[name] = powers.get(name, 0) + exponent
    return tuple(sorted((name, exponent) for name, exponent in powers.items() if exponent))


def mul(left: Poly, right: Poly) -> Poly:
    if len(left) * len(right) > limits.MAX_TERMS * 20:
        raise TooLarge("too many products")
    budget.spend(len(left) * len(right))
    if is_one(left):
        return dict(right)
    if is_one(right):
        return dict(left)
    total: Poly = {}
    for first, a in left.items():
        for second, b in right.items():
            monomial = times(first, second)
            value = a * b
            known = total.get(monomial)
            total[monomial] = value if known is None else known + value
    found = {}
    for monomial, value in total.items():
        if value.numerator.bit_length() > limits.MAX_BITS or value.denominator.bit_length() > limits.MAX_BITS:
            raise TooLarge("a coefficient is too long")
        if value.numerator:
            found[monomial] = value
    return _checked(found)


def scaled(poly: Poly, factor: Fraction) -> Poly:
    if factor == 1:
        return poly
    return {monomial: value * factor for monomial, value in poly.items()} if factor else {}


def power(poly: Poly, exponent: int) -> Poly:
    """A power with a whole exponent that is not negative."""
    if exponent < 0 or exponent > limits.MAX_EXPONENT:
        raise TooLarge("exponent")
    if len(poly) == 1:
        return _monomial_power(poly, exponent)
    if exponent > 60:
        raise TooLarge("exponent of a sum")
    result = constant(1)
    base = poly
    while exponent:
        if exponent & 1:
            result = mul(result, base)
        exponent >>= 1
        if exponent:
            base = mul(base, base)
    return result


def _monomial_power(poly: Poly, exponent: int) -> Poly:
    ((monomial, value),) = poly.items()
    if (
        max(value.numerator.bit_length(), value.denominator.bit_length()) * exponent > limits.MAX_BITS
        and abs(value) != 1
    ):
        raise TooLarge("power of a number")
    if exponent == 0:
        return constant(1)
    return {tuple((name, each * exponent) for name, each in monomial): value**exponent}


def as_constant(poly: Poly) -> Fraction | None:
    """The value of a polynomial without generators."""
    if not poly:
        return _ZERO
    return poly[ONE] if len(poly) == 1 and ONE in poly else None


def generators(poly: Poly) -> set[str]:
    return {name for monomial in poly for name, _ in monomial}


def degree(poly: Poly, name: str) -> int:
    return max((exponent for monomial in poly for each, exponent in monomial if each == name), default=0)


def coefficients(poly: Poly, name: str) -> dict[int, Poly]:
    """The polynomial by powers of one generator."""
    found: dict[int, Poly] = {}
    for monomial, value in poly.items():
        exponent = next((each for one, each in monomial if one == name), 0)
        rest = tuple(pair for pair in monomial if pair[0] != name)
        found.setdefault(exponent, {})[rest] = value
    return found


def univariate(poly: Poly, name: str) -> list[Fraction] | None:
    """Coefficients from the constant term up, when no other generator occurs."""
    if generators(poly) - {name}:
        return None
    top = degree(poly, name)
    if top > 200:
        return None
    row = [Fraction(0)] * (top + 1)
    for monomial, value in poly.items():
        row[monomial[0][1] if monomial else 0] = value
    return row


def content(poly: Poly) -> Fraction:
    """The positive rational number that leaves whole coefficients without a common factor."""
    top, bottom = 0, 1
    for value in poly.values():
        top = gcd(top, value.numerator)
        bottom = bottom * value.denominator // gcd(bottom, value.denominator)
    return Fraction(top, bottom) if top else Fraction(1)


def leading(poly: Poly) -> Monomial:
    """The highest monomial: by total degree, then by the last name. Products keep the order, so that division works."""
    return max(poly, key=lambda monomial: (sum(exponent for _, exponent in monomial), monomial[::-1]))


def monomial_content(poly: Poly) -> Monomial:
    """The largest monomial that divides every term."""
    common: dict[str, int] | None = None
    for monomial in poly:
        powers = dict(monomial)
        common = powers if common is None else {n: min(e, powers[n]) for n, e in common.items() if n in powers}
    return tuple(sorted((common or {}).items()))


def divided_by(poly: Poly, monomial: Monomial) -> Poly:
    """Exact division by a monomial."""
    inverse = tuple((name, -exponent) for name, exponent in monomial)
    return {times(each, inverse): value for each, value in poly.items()}


def exact_quotient(left: Poly, right: Poly) -> Poly | None:
    """left / right when it is a polynomial, by division in the graded order; None otherwise."""
    if not right:
        return None
    lead = leading(right)
    rest: Poly = dict(left)
    result: Poly = {}
    for _ in range(limits.MAX_TERMS):
        if not rest:
            return result
        top = leading(rest)
        step = times(top, tuple((name, -exponent) for name, exponent in lead))
        if any(exponent < 0 for _, exponent in step):
            return None
        value = rest[top] / right[lead]
        result[step] = value
        rest = add(rest, mul({step: value}, right), -1)
    return None


def square_root(poly: Poly) -> Poly | None:
    """r where the polynomial is r² and the leading coefficient is 1; None otherwise."""
    first = leading(poly)
    if any(exponent % 2 for _, exponent in first) or poly[first] != 1:
        return None
    root: Poly = {tuple((name, exponent // 2) for name, exponent in first): Fraction(1)}
    top = leading(root)
    for _ in range(20):
        rest = add(poly, mul(root, root), -1)
        if not rest:
            return root
        lead = leading(rest)
        step = times(lead, tuple((name, -exponent) for name, exponent in top))
        if any(exponent < 0 for _, exponent in step) or step in root:
            return None
        root[step] = rest[lead] / 2
    return None
