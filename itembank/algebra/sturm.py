"""Real zeros of polynomials over the rational numbers that no formula gives: counted and kept apart by Sturm's theorem."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from itembank.algebra import budget
from itembank.algebra.results import TooLarge

Row = list[Fraction]
"""Coefficients from the constant term up, the last one not zero."""

_MAX_DEGREE = 24
_MAX_HALVINGS = 8000


def derived(row: Row) -> Row:
    return [value * place for place, value in enumerate(row)][1:]


def remainder(top: Row, bottom: Row) -> Row:
    """Of polynomial division; empty when there is none."""
    rest = list(top)
    while len(rest) >= len(bottom):
        factor, shift = rest[-1] / bottom[-1], len(rest) - len(bottom)
        for place, value in enumerate(bottom):
            rest[place + shift] -= factor * value
        rest.pop()
        while rest and not rest[-1]:
            rest.pop()
    budget.spend(len(top) * len(bottom))
    return rest


def common_divisor(left: Row, right: Row) -> Row:
    """Monic, by Euclid."""
    while right:
        left, right = right, remainder(left, right)
    return [value / left[-1] for value in left]


def quotient(top: Row, bottom: Row) -> Row:
    """Exact division."""
    rest, found = list(top), [Fraction(0)] * (len(top) - len(bottom) + 1)
    for shift in reversed(range(len(found))):
        found[shift] = rest[shift + len(bottom) - 1] / bottom[-1]
        for place, value in enumerate(bottom):
            rest[place + shift] -= found[shift] * value
    return found


def square_free(row: Row) -> Row:
    """The polynomial with each of its zeros once, whole coefficients not sought."""
    return quotient(row, common_divisor(row, derived(row)))


def evaluated(row: Sequence[Fraction | int], at: Fraction) -> Fraction:
    """Of the polynomial at a rational number."""
    total = Fraction(0)
    for coefficient in reversed(row):
        total = total * at + coefficient
    return total


def chain(row: Row) -> list[Row]:
    """Sturm's chain of a polynomial without multiple zeros."""
    if len(row) - 1 > _MAX_DEGREE:
        raise TooLarge("degree")
    found = [row, derived(row)]
    while len(found[-1]) > 1:
        rest = remainder(found[-2], found[-1])
        if not rest:
            break
        size = abs(rest[-1])
        found.append([-one / size for one in rest])
    return found


def changes(rows: list[Row], at: Fraction) -> int:
    signs = [sign for sign in ((one > 0) - (one < 0) for one in (evaluated(row, at) for row in rows)) if sign]
    return sum(1 for one, other in pairwise(signs) if one != other)


def isolated(row: Row) -> list[tuple[Fraction, Fraction]]:
    """Intervals (low, high] that hold one real zero each, in order; the polynomial has no multiple and no rational zeros."""
    rows = chain(row)
    bound = Fraction(2)
    while bound <= 1 + max(abs(one / row[-1]) for one in row):
        bound *= 2
    return list(_split(rows, -bound, bound, changes(rows, -bound), changes(rows, bound), 0))


def _split(
    rows: list[Row], low: Fraction, high: Fraction, at_low: int, at_high: int, depth: int
) -> list[tuple[Fraction, Fraction]]:
    count = at_low - at_high
    if count == 0:
        return []
    if count == 1:
        return [(low, high)]
    if depth > 200:
        raise TooLarge("zeros too near")
    middle = (low + high) / 2
    at_middle = changes(rows, middle)
    return _split(rows, low, middle, at_low, at_middle, depth + 1) + _split(
        rows, middle, high, at_middle, at_high, depth + 1
    )


def refined(row: Row, low: Fraction, high: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """A smaller interval about the one zero between the ends, at most 2^-bits wide."""
    numbers = _whole(row)
    below = _sign(numbers, low)
    width = Fraction(1, 2**bits)
    for _ in range(_MAX_HALVINGS):
        if high - low <= width:
            break
        middle = (low + high) / 2
        sign = _sign(numbers, middle)
        if sign == 0:
            return middle, middle
        if sign == below:
            low = middle
        else:
            high = middle
    budget.spend(bits)
    return low, high


def _whole(row: Row) -> list[int]:
    common = lcm(*(one.denominator for one in row))
    return [int(one * common) for one in row]


def _sign(row: list[int], at: Fraction) -> int:
    """Of the value at a rational number, in whole numbers."""
    top, bottom = at.numerator, at.denominator
    total, scale = 0, 1
    for coefficient in reversed(row):
        total = total * top + coefficient * scale
        scale *= bottom
    return (total > 0) - (total < 0)
