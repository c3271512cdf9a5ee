"""Exact intervals for shares and the exact test of two shares: no normal approximation, no binary floats."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

# Bounds are given to a hundredth of a per cent, rounded outward.
GRID = 10_000


@dataclass(frozen=True)
class Share:
    """``hits`` of ``of``, with the bounds of its Clopper–Pearson interval. All three are None for nothing counted."""

    hits: int
    of: int
    value: Decimal | None
    lower: Decimal | None
    upper: Decimal | None


def _at_least(hits: int, of: int, share: Decimal) -> Decimal:
    """The probability of ``hits`` or more of ``of`` at a true share, to the precision of the context."""
    term = share**hits * (1 - share) ** (of - hits) * math.comb(of, hits)
    total = term
    for count in range(hits, of):
        term = term * (of - count) / (count + 1) * share / (1 - share)
        total += term
    return total


def _first(holds: Callable[[Decimal], bool]) -> int:
    """The smallest grid point between the ends at which a monotone condition holds."""
    low, high = 0, GRID
    while low < high:
        middle = (low + high) // 2
        if holds(Decimal(middle) / GRID):
            high = middle
        else:
            low = middle + 1
    return low


def clopper_pearson(hits: int, of: int, *, error: Decimal = Decimal("0.05")) -> Share:
    """The exact two-sided interval at level 1 − ``error`` (C. J. Clopper, E. S. Pearson, Biometrika 26, 1934).

    >>> clopper_pearson(0, 10).upper
    Decimal('0.3085')
    """
    if of == 0:
        return Share(hits, of, None, None, None)
    tail = error / 2
    with localcontext() as context:
        context.prec = 50
        # The upper bound is the lower bound of the misses, seen from the other end.
        lower = _first(lambda share: share > 0 and _at_least(hits, of, share) > tail) - 1 if hits else 0
        misses = of - hits
        upper = _first(lambda share: share > 0 and _at_least(misses, of, share) > tail) - 1 if misses else 0
    return Share(
        hits, of, (Decimal(hits) / of).quantize(Decimal("0.0001")), Decimal(lower) / GRID, 1 - Decimal(upper) / GRID
    )


def fisher(one: tuple[int, int], other: tuple[int, int]) -> Fraction | None:
    """Two-sided exact probability of shares as unlike as ``hits, of`` of two groups, were there no difference.

    Sums all tables with the same margins that are no more probable than the one seen (R. A. Fisher). None where a group
    is empty.
    """
    (hits, of), (hits2, of2) = one, other
    if not of or not of2:
        return None
    all_hits, everything = hits + hits2, of + of2
    whole = math.comb(everything, all_hits)

    def ways(count: int) -> int:
        return math.comb(of, count) * math.comb(of2, all_hits - count)

    seen = ways(hits)
    possible = range(max(0, all_hits - of2), min(of, all_hits) + 1)
    return Fraction(sum(each for each in map(ways, possible) if each <= seen), whole)
