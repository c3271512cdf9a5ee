"""Real zeros in exact form: rational zeros, square roots, and what inverts to them through logarithms and powers."""

from __future__ import annotations

from fractions import Fraction
from math import gcd, isqrt, lcm

from itembank.algebra import polynomials as p
from itembank.algebra.enclosures import closed_sign
from itembank.algebra.identities import equal_numbers
from itembank.algebra.kernels import Quotient
from itembank.algebra.nodes import Node, add, call, const, div, mul, neg, num, power, symbols
from itembank.algebra.normal import Normaliser
from itembank.algebra.polynomials import Poly
from itembank.algebra.results import Unsupported
from itembank.algebra.sturm import evaluated, isolated, square_free

_MAX_TRIALS = 4000
_INNER = "inner value"


def zeros(poly: Poly, name: str, normaliser: Normaliser, depth: int = 0) -> list[Node]:
    """Closed expressions among which all real zeros in `name` are; further ones may be listed. Raises Unsupported."""
    if depth > 4:
        raise Unsupported("zeros")
    if not poly:
        return []
    dependent = sorted(
        kernel for kernel in p.generators(poly) if kernel != name and name in symbols(normaliser.meaning[kernel])
    )
    if dependent:
        return _through_kernels(poly, name, dependent, normaliser, depth)
    row = p.univariate(poly, name)
    if row is not None:
        return rational_polynomial_zeros(row)
    if any(symbols(normaliser.meaning[kernel]) for kernel in p.generators(poly) if kernel != name):
        raise Unsupported("other symbols")
    return _constant_coefficient_zeros(poly, name, normaliser)


def _through_kernels(poly: Poly, name: str, dependent: list[str], normaliser: Normaliser, depth: int) -> list[Node]:
    squares = [kernel for kernel in dependent if kernel.startswith(("root 2 ", "abs "))]
    if squares:
        kernel = squares[0]
        rule = normaliser.table.rules[kernel]
        sides = p.coefficients(normaliser.table.reduced(poly), kernel)
        even, odd = sides.get(0, {}), sides.get(1, {})
        norm = p.add(p.mul(even, even), p.mul(p.mul(odd, odd), rule.value), -1)
        inner = rule.value if kernel.startswith("root") else _abs_argument(normaliser, kernel)
        found = zeros(normaliser.table.reduced(norm), name, normaliser, depth + 1)
        return found + zeros(normaliser.table.reduced(inner), name, normaliser, depth + 1)
    found_together = _together(poly, name, dependent, normaliser, depth)
    if found_together is not None:
        return found_together
    if len(dependent) == 1 and p.degree(poly, name) == 0:
        kernel = dependent[0]
        values = values_of_kernel(poly, kernel, normaliser, depth + 1)
        return _inverted(kernel, values, name, normaliser, depth)
    raise Unsupported("zeros through functions")


def _together(poly: Poly, name: str, dependent: list[str], normaliser: Normaliser, depth: int) -> list[Node] | None:
    """Several logarithms that add up to a number, or two terms of powers that cancel; None for anything else."""
    if len(dependent) < 2 or p.degree(poly, name):
        return None
    if all(kernel.startswith("ln ") for kernel in p.generators(poly)):
        return _logarithms(poly, name, normaliser, depth)
    if len(poly) == 2 and all(normaliser.meaning[kernel].head == "pow" for kernel in dependent):
        return _two_powers(poly, name, normaliser, depth)
    return None


def _logarithms(poly: Poly, name: str, normaliser: Normaliser, depth: int) -> list[Node] | None:
    """Σ c·ln|u| = 0 where the product of the u^c is 1 or -1."""
    if any(len(monomial) != 1 or monomial[0][1] != 1 for monomial in poly):
        return None
    common = lcm(*(value.denominator for value in poly.values()))
    factors = []
    for ((kernel, _),), value in poly.items():
        if abs(value * common) > 12:
            raise Unsupported("exponent")
        inner = normaliser.meaning[kernel].args[0]
        inner = inner.args[0] if inner.name == "abs" else inner
        factors.append(power(inner, num(value * common)))
    return [one for sign in (1, -1) for one in _solved(mul(*factors), num(sign), name, normaliser, depth)]


def _two_powers(poly: Poly, name: str, normaliser: Normaliser, depth: int) -> list[Node]:
    """a·b^u = c·d^v where ln a + u·ln b = ln c + v·ln d."""
    (one, first), (other, second) = poly.items()
    if first * second > 0:
        return []
    sides = []
    for monomial, value in ((one, first), (other, second)):
        terms = [call("ln", num(abs(value)))]
        for kernel, exponent in monomial:
            meaning = normaliser.meaning[kernel]
            base, raised = meaning.args if meaning.head == "pow" else (meaning, num(1))
            if closed_sign(base) != 1:
                raise Unsupported("base")
            terms.append(mul(num(exponent), raised, call("ln", base)))
        sides.append(add(*terms))
    return _solved(sides[0], sides[1], name, normaliser, depth)


def _abs_argument(normaliser: Normaliser, kernel: str) -> Poly:
    return normaliser.normal(normaliser.meaning[kernel].args[0]).top


def values_of_kernel(poly: Poly, kernel: str, normaliser: Normaliser, depth: int = 0) -> list[Node]:
    """Values among which are all that the kernel takes where the polynomial vanishes; what else is in it must be numbers."""
    normaliser.meaning.setdefault(_INNER, Node("sym", name=_INNER))
    renamed = {
        tuple(sorted((_INNER if name == kernel else name, exponent) for name, exponent in monomial)): value
        for monomial, value in poly.items()
    }
    return zeros(renamed, _INNER, normaliser, depth)


def _inverted(kernel: str, values: list[Node], name: str, normaliser: Normaliser, depth: int) -> list[Node]:
    """Where the kernel takes one of the values: 2^x = v at log_2 v, ln u = v where u = e^v."""
    meaning = normaliser.meaning[kernel]
    found: list[Node] = []
    if meaning.head == "pow" and not symbols(meaning.args[0]):
        for value in values:
            sign = closed_sign(value)
            if sign is None:
                raise Unsupported("sign")
            if sign > 0:
                found += _solved(meaning.args[1], call("log", value, meaning.args[0]), name, normaliser, depth)
        return found
    if meaning.head == "call" and meaning.name == "ln":
        for target in (num(0), *(power(const("e"), value) for value in values)):
            found += _solved(meaning.args[0], target, name, normaliser, depth)
        return found
    raise Unsupported("zeros through functions")


def _solved(left: Node, right: Node, name: str, normaliser: Normaliser, depth: int) -> list[Node]:
    form = normaliser.normal(add(left, neg(right)))
    return zeros(form.top, name, normaliser, depth + 1)


def _constant_coefficient_zeros(poly: Poly, name: str, normaliser: Normaliser) -> list[Node]:
    """Degree one and two with coefficients such as √3 or π."""
    rows = p.coefficients(poly, name)
    nodes = {exponent: normaliser.node_of(Quotient(row, p.constant(1))) for exponent, row in rows.items()}
    top = max(rows)
    if closed_sign(nodes[top]) in (0, None):
        raise Unsupported("leading coefficient")
    if top == 0:
        return []
    zero = num(0)
    if top == 1:
        return [div(neg(nodes.get(0, zero)), nodes[1])]
    if top == 2:
        return quadratic_zeros(nodes[2], nodes.get(1, zero), nodes.get(0, zero))
    raise Unsupported("degree")


def quadratic_zeros(a: Node, b: Node, c: Node) -> list[Node]:
    """Both zeros of a·x² + b·x + c; none where the discriminant is negative."""
    discriminant = add(power(b, num(2)), neg(mul(num(4), a, c)))
    sign = closed_sign(discriminant)
    if sign == -1:
        return []
    if sign in (None, 0):
        if not equal_numbers(discriminant, num(0)):
            raise Unsupported("discriminant")
        return [div(neg(b), mul(num(2), a))]
    root = call("sqrt", discriminant)
    half = mul(num(2), a)
    return [div(add(neg(b), root), half), div(add(neg(b), neg(root)), half)]


def rational_polynomial_zeros(row: list[Fraction]) -> list[Node]:
    """All real zeros of a polynomial with rational coefficients, from the constant term up; raises Unsupported."""
    lowest = next((place for place, value in enumerate(row) if value), len(row))
    highest = max((place for place, value in enumerate(row) if value), default=-1)
    found = [num(0)] if 0 < lowest < len(row) else []
    row = row[lowest : highest + 1]
    if len(row) <= 1:
        return found
    step = gcd(*(place for place, value in enumerate(row) if value))
    if step > 1:
        return found + _powers(rational_polynomial_zeros(row[::step]), step)
    rest = _without_rational_zeros(_whole(row), found)
    if len(rest) == 2:
        return [*found, num(Fraction(-rest[0], rest[1]))]
    if len(rest) == 3:
        return found + _quadratic(rest)
    if len(rest) > 3 and _has_real_zero_possible(rest):
        return found + _without_formula(rest)
    return found


def _without_formula(row: list[int]) -> list[Node]:
    """Zeros named by the polynomial and an interval that holds no other: roots of x³ - 3x + 1."""
    single = square_free([Fraction(value) for value in row])
    coefficients = [num(value) for value in _whole(single)]
    return [call("zero_of", *coefficients, num(low), num(high)) for low, high in isolated(single)]


def _without_rational_zeros(rest: list[int], found: list[Node]) -> list[int]:
    """What is left after division by the rational zeros, which are added to `found`; quadratics stay whole."""
    for candidate in _candidates(rest) if len(rest) > 3 else []:
        while len(rest) > 2 and evaluated(rest, candidate) == 0:
            if num(candidate) not in found:
                found.append(num(candidate))
            rest = _whole(_deflated(rest, candidate))
    return rest


def has_rational_zero(row: list[Fraction]) -> bool:
    """Whether a polynomial with rational coefficients vanishes at a rational number; raises Unsupported."""
    whole = _whole(row)
    return not whole[0] or any(evaluated(whole, candidate) == 0 for candidate in _candidates(whole))


def _has_real_zero_possible(row: list[int]) -> bool:
    """False for an even polynomial with positive coefficients only."""
    return not (all(value >= 0 for value in row) and all(not value for value in row[1::2]))


def _powers(values: list[Node], step: int) -> list[Node]:
    """Real x with x^step among the values."""
    found: list[Node] = []
    for value in values:
        sign = closed_sign(value)
        if sign is None:
            raise Unsupported("sign")
        root = call("sqrt", value) if step == 2 else call("root", value, num(step))
        if sign == 0:
            found.append(num(0))
        elif step % 2:
            found.append(root)
        elif sign > 0:
            found += [root, neg(root)]
    return found


def _whole(row: list[Fraction] | list[int]) -> list[int]:
    fractions = [Fraction(value) for value in row]
    common = lcm(*(value.denominator for value in fractions))
    numbers = [int(value * common) for value in fractions]
    divisor = gcd(*numbers)
    return [value // divisor for value in numbers]


def _candidates(row: list[int]) -> list[Fraction]:
    tops, bottoms = _divisors(abs(row[0])), _divisors(abs(row[-1]))
    if len(tops) * len(bottoms) > _MAX_TRIALS:
        raise Unsupported("too many candidates")
    sizes = sorted({Fraction(top, bottom) for top in tops for bottom in bottoms})
    return [sign * size for size in sizes for sign in (1, -1)]


def _divisors(value: int) -> list[int]:
    if value > 10**9:
        raise Unsupported("coefficient")
    small = [d for d in range(1, int(value**0.5) + 1) if value % d == 0]
    return sorted({*small, *(value // d for d in small)})


def _deflated(row: list[int], at: Fraction) -> list[Fraction]:
    """Division by (x - at), whose remainder is zero."""
    result: list[Fraction] = []
    carry = Fraction(0)
    for coefficient in reversed(row):
        carry = carry * at + coefficient
        result.append(carry)
    return list(reversed(result[:-1]))


def _quadratic(row: list[int]) -> list[Node]:
    c, b, a = row
    discriminant = b * b - 4 * a * c
    if discriminant < 0:
        return []
    whole = isqrt(discriminant)
    if whole * whole == discriminant:
        return [num(Fraction(-b + sign * whole, 2 * a)) for sign in ((1, -1) if whole else (1,))]
    root = call("sqrt", num(discriminant))
    return [div(add(num(-b), root), num(2 * a)), div(add(num(-b), neg(root)), num(2 * a))]
