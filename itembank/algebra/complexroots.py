"""A polynomial equation against a list of complex numbers: each is a root, and there are as many as there are roots."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from itembank.algebra import polynomials as p
from itembank.algebra.equality import Ladder
from itembank.algebra.nodes import Node, num, substituted, symbols, text_of
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import Comparison, Result, Unsupported, proved, refuted
from itembank.algebra.sturm import common_divisor, derived


def roots_of_polynomial(
    expression: Node, values: Sequence[Node], ladder: Ladder, *, listed_first: bool
) -> Comparison | None:
    """PROVED or REFUTED for distinct closed values; None where a value cannot be tested."""
    (name,) = symbols(expression)
    normaliser = Normaliser()
    form = normaliser.normal(expression)
    row = p.univariate(form.top, name)
    if row is None or p.as_constant(form.bottom) is None or len(row) < 2:
        raise Unsupported("no polynomial")
    for value in values:
        answer = ladder.equal(substituted(expression, {name: value}), num(0))
        if answer.result is Result.REFUTED:
            word = "missing" if listed_first else "extra"
            return refuted("roots", at=f"{name} = {text_of(value)}", **{word: text_of(value)})
        if answer.result is not Result.PROVED:
            return None
    for place, value in enumerate(values):
        for other in values[:place]:
            if ladder.equal(value, other).result is not Result.REFUTED:
                return None
    count = distinct_roots(row)
    if len(values) < count:
        word = "extra" if listed_first else "missing"
        return refuted("roots", **{word: f"{count - len(values)} of {count} roots"})
    return proved("roots")


def distinct_roots(row: list[Fraction]) -> int:
    """The number of different complex roots: the degree less that of the common divisor with the derivative."""
    return len(row) - len(common_divisor(row, derived(row)))
