"""Equations in any variables: the same up to a factor, or told apart by a point that solves only one of them."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from itembank.algebra import polynomials as p
from itembank.algebra.domains import border_points, conditions, is_defined, same_conditions
from itembank.algebra.enclosures import Unknown, closed_sign, value_at
from itembank.algebra.equality import Ladder, implied_positive, point_text, signed_pair
from itembank.algebra.kernels import Quotient
from itembank.algebra.lines import difference
from itembank.algebra.nodes import Node, call, equation, mul, neg, num, power, substituted, symbols, text_of, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.points import exact_sign, points, rational_at
from itembank.algebra.polynomials import Poly
from itembank.algebra.results import Comparison, Result, TooLarge, Undefined, Unsupported, proved, refuted
from itembank.algebra.roots import zeros

_ORDER = {"<": -1, "<=": -1, ">": 1, ">=": 1}


def same_equation(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """PROVED, REFUTED or None for two equations, alternatives of equations, or two inequalities."""
    first, second = _as_equation(left), _as_equation(right)
    if first is not None and second is not None:
        return _compare_equations(first, second, ladder)
    if left.head == right.head == "rel" and left.name in _ORDER and right.name in _ORDER:
        return _compare_inequalities(left, right)
    return None


def _as_equation(node: Node) -> Node | None:
    """The expression that has to vanish; a = 0 或 b = 0 is a·b = 0, and so is x = ±y."""
    if node.head == "rel" and node.name == "=" and any(here.head == "pm" for here in walk(node)):
        return _as_equation(Node("or", signed_pair(node)))
    if node.head == "rel" and node.name == "=" and not any(here.head in ("bracket", "set") for here in walk(node)):
        return difference(_in_plainer_form(node))
    if node.head == "or" and all(arg.head == "rel" and arg.name == "=" for arg in node.args):
        return mul(*(difference(arg) for arg in node.args))
    return None


def _in_plainer_form(node: Node) -> Node:
    """|a| = |b| is a² = b², and a power of 3 equal to one of 2 is an equation between the exponents."""
    left, right = node.args if len(node.args) == 2 else (node, node)
    if left.head == right.head == "call" and left.name == right.name == "abs":
        return equation(power(left.args[0], num(2)), power(right.args[0], num(2)))
    if left.head == right.head == "pow" and all(
        symbols(side.args[1]) and not symbols(side.args[0]) and closed_sign(side.args[0]) == 1 for side in (left, right)
    ):
        return equation(*(mul(side.args[1], call("ln", side.args[0])) for side in (left, right)))
    return node


def _compare_inequalities(left: Node, right: Node) -> Comparison | None:
    strict = {"<", ">"}
    if (left.name in strict) != (right.name in strict):
        return None
    first, second = (_upward(node) for node in (left, right))
    normaliser = Normaliser()
    a, b = normaliser.normal(first), normaliser.normal(second)
    if p.as_constant(a.bottom) is None or p.as_constant(b.bottom) is None:
        return None
    factor = _factor(a.top, b.top)
    ratio = None if factor is None else normaliser.node_of(factor)
    if ratio is not None and closed_sign(ratio) == 1 and same_conditions(first, second):
        return proved("factor")
    return None


def _upward(node: Node) -> Node:
    """The expression that has to be positive (or not negative)."""
    whole = difference(node)
    return whole if _ORDER[node.name] == 1 else neg(whole)


def rearranged(left: Node, right: Node, ladder: Ladder) -> bool:
    """Whether two equations between the same quantities are one formula, but for denominators that were multiplied out.

    v = s/t and s = vt: neither has more solutions where both make sense, and t = 0 makes sense in one of them alone.
    """
    if any(node.head != "rel" or node.name != "=" or len(node.args) != 2 for node in (left, right)):
        return False
    if symbols(left) != symbols(right) or len(symbols(left)) < 2:
        return False
    first, second = difference(left), difference(right)
    normaliser = Normaliser(ladder.domain.positive | (implied_positive(first) & implied_positive(second)))
    normaliser.prepare((first, second))
    a, b = normaliser.normal(first), normaliser.normal(second)
    if not a.top or not b.top:
        return False
    factor = _factor(a.top, b.top)
    return factor is not None and _is_a_number(factor, normaliser)


def _compare_equations(first: Node, second: Node, ladder: Ladder) -> Comparison | None:
    positive = ladder.domain.positive | (implied_positive(first) & implied_positive(second))
    normaliser = Normaliser(positive)
    normaliser.prepare((first, second))
    a, b = normaliser.normal(first), normaliser.normal(second)
    if not a.top or not b.top:
        return None
    factor = _factor(a.top, b.top)
    proportional = factor is not None and _is_a_number(factor, normaliser)
    if proportional and (
        same_conditions(first, second) or _radicals_cancel(first, second) or _poles_never_met(first, second)
    ):
        return proved("factor")
    for one, other in ((first, second), (second, first)):
        against = _point_against(one, other, ladder, swapped=one is second, borders_only=proportional)
        if against is not None:
            return against
    return None


def _poles_never_met(first: Node, second: Node) -> bool:
    """xy = 1 against y = 1/x: where only one side has no value, the other one cannot hold."""
    for one, other in ((first, second), (second, first)):
        own = conditions(other)
        for key, inner in conditions(one).items():
            if key not in own and not (key.startswith("div ") and _never_holds(other, inner)):
                return False
    return True


def _never_holds(expression: Node, vanishing: Node) -> bool:
    """Whether the expression is a number other than 0 wherever the other one, linear in a symbol, vanishes."""
    names = symbols(vanishing)
    if len(names) != 1:
        return False
    (name,) = names
    normaliser = Normaliser()
    for value in zeros(normaliser.normal(vanishing).top, name, normaliser):
        rest = normaliser.number(normaliser.normal(substituted(expression, {name: value})))
        if not rest:
            return False
    return True


def _is_a_number(factor: Quotient, normaliser: Normaliser) -> bool:
    """Whether the factor is known not to vanish."""
    return closed_sign(normaliser.node_of(factor)) in (1, -1) or "imag i" in p.generators(factor.top)


def _factor(a: Poly, b: Poly) -> Quotient | None:
    """The factor between two polynomials when it holds no symbol: a number, a root, i."""
    if not a or not b:
        return None
    for one, other, upside in ((a, b, False), (b, a, True)):
        quotient = p.exact_quotient(one, other)
        if quotient and all(" " in name for name in p.generators(quotient)):
            return Quotient(p.constant(1), quotient) if upside else Quotient(quotient, p.constant(1))
    return None


def _radicals_cancel(first: Node, second: Node) -> bool:
    """(x-√a)(x+√a) = 0 against x² = a: each solution makes the radicand a square, so nothing is lost."""
    for one, other in ((first, second), (second, first)):
        extra = [here.args[0] for here in walk(one) if here.head == "call" and here.name == "sqrt"]
        if (
            not extra
            or _has_conditions(other)
            or any(here.head == "div" and symbols(here.args[1]) for here in walk(one))
        ):
            continue
        normaliser = Normaliser()
        whole = normaliser.normal(other)
        for radicand in extra:
            form = normaliser.normal(radicand)
            for sign in (1, -1):
                square = normaliser.table.add(form, whole, sign)
                if _is_square(square.top) and p.as_constant(square.bottom):
                    return True
    return False


def _has_conditions(node: Node) -> bool:
    return bool(conditions(node))


def _is_square(poly: Poly) -> bool:
    """Whether the polynomial is the square of one term."""
    if len(poly) != 1:
        return False
    ((monomial, value),) = poly.items()
    return value > 0 and all(exponent % 2 == 0 for _, exponent in monomial)


def _point_against(
    first: Node, second: Node, ladder: Ladder, *, swapped: bool, borders_only: bool
) -> Comparison | None:
    """REFUTED with a point that makes the first expression vanish and the second not.

    `borders_only`: they vanish together wherever both have a value, so that only where one ends they can differ.
    """
    names = symbols(first)
    if not names or not symbols(second) <= names | symbols(first):
        names = names | symbols(second)
    for variable in sorted(symbols(first)):
        others = names - {variable}
        usual = () if borders_only else islice(points(frozenset(others), ladder.domain, first, second), 4)
        for point in (*usual, *_at_borders(frozenset(others), second, ladder)):
            found = _solution_not_shared(first, second, variable, point, ladder)
            if found is not None:
                told = ("holds", "does not hold")
                left, right = told[::-1] if swapped else told
                return refuted("solution", at=found, left=left, right=right)
    return None


def _at_borders(names: frozenset[str], second: Node, ladder: Ladder) -> list[dict[str, Fraction]]:
    """Points on the border of the other side's domain, where it may lose solutions."""
    found = []
    for border in border_points(second):
        if set(border) <= names:
            rest = next(points(names - set(border), ladder.domain, second), None)
            if rest is not None:
                found.append(rest | border)
    return found


def _solution_not_shared(
    first: Node, second: Node, variable: str, point: dict[str, Fraction], ladder: Ladder
) -> str | None:
    known: dict[str, Node] = {name: num(value) for name, value in point.items()}
    normaliser = Normaliser()
    try:
        form = normaliser.normal(substituted(first, known))
        values = zeros(form.top, variable, normaliser)
    except (Unsupported, Undefined, TooLarge):
        return None
    for value in values[:4]:
        at = known | {variable: value}
        if not _vanishes(substituted(first, at), ladder):
            continue
        rest = substituted(second, at)
        if symbols(rest):
            return None
        different = is_defined(rest, {}) is False or ladder.equal(rest, num(0)).result is Result.REFUTED
        if different:
            where = {name: rational_at(node, {}) for name, node in at.items()}
            exact = {name: fraction for name, fraction in where.items() if fraction is not None}
            if len(exact) == len(at):
                return point_text(exact)
            return ", ".join(f"{name} = {_written(node)}" for name, node in sorted(at.items()))
    return None


def _written(node: Node) -> str:
    return text_of(node)


def _vanishes(node: Node, ladder: Ladder) -> bool:
    if symbols(node):
        return False
    if exact_sign(node, {}) == 0:
        return True
    return ladder.quickly_equal(node, num(0)) and _defined(node)


def _defined(node: Node) -> bool:

    try:
        value_at(node, {})
    except (Undefined, Unknown, TooLarge, ValueError, OverflowError):
        return False
    return True
