"""Points and systems: (2, 1), x = 2 and y = 1, a system of equations, several of them, compared as sets of points."""

from __future__ import annotations

from collections.abc import Iterator

from itembank.algebra import polynomials as p
from itembank.algebra.equality import Ladder
from itembank.algebra.kernels import Quotient
from itembank.algebra.lines import difference
from itembank.algebra.nodes import Node, num, substituted, symbols, text_of, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import Comparison, Result, TooLarge, Undefined, Unsupported, proved, refuted
from itembank.algebra.roots import zeros

Point = dict[str, Node]
_MAX_POINTS = 16


def same_points(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """PROVED or REFUTED where both name finitely many points in the same two or more variables; else None."""
    names = sorted(_names(left) | _names(right))
    if not 2 <= len(names) <= 4:
        return None
    try:
        first, second = (_solutions(node, names, ladder) for node in (left, right))
    except (Unsupported, Undefined, TooLarge):
        return None
    if first is None or second is None:
        return None
    for points, others, word in ((first, second, "missing"), (second, first, "extra")):
        for point in points:
            verdicts = [_same(point, other, names, ladder) for other in others]
            if True in verdicts:
                continue
            if None in verdicts:
                return None
            told = ("holds", "does not hold")
            one, two = told if word == "missing" else told[::-1]
            where = ", ".join(f"{name} = {text_of(point[name])}" for name in names)
            return refuted("points", at=where, left=one, right=two, **{word: where})
    return proved("points")


def _same(one: Point, other: Point, names: list[str], ladder: Ladder) -> bool | None:
    answers = [ladder.equal(one[name], other[name]).result for name in names]
    if Result.REFUTED in answers:
        return False
    return True if set(answers) == {Result.PROVED} else None


def _names(node: Node) -> frozenset[str]:
    return symbols(node) - {"Z", "R", "N", "set_Z", "set_R", "set_N"}


def _solutions(node: Node, names: list[str], ladder: Ladder) -> list[Point] | None:
    if node.head == "or" or (node.head in ("seq", "set") and all(arg.head == "bracket" for arg in node.args)):
        found = []
        for arg in node.args:
            points = _solutions(arg, names, ladder)
            if points is None:
                return None
            found += points
        return found
    if node.head == "bracket" and node.name == "()" and len(node.args) == len(names):
        return [dict(zip(names, node.args, strict=True))] if not symbols(node) else None
    if node.head == "rel" and node.name == "in" and node.args[0].head == "bracket":
        return _solutions(node.args[1], [arg.name for arg in node.args[0].args], ladder)
    relations = list(_relations(node))
    if not relations or any(one.head != "rel" or one.name != "=" for one in relations):
        return None
    return list(_solved([difference(one) for one in relations], names, ladder))


def _relations(node: Node) -> Iterator[Node]:
    """The equations that hold together; (x, y) = (2, 1) is two of them."""
    if node.head in ("and", "seq"):
        for arg in node.args:
            yield from _relations(arg)
    elif node.head == "rel" and node.name == "=" and {arg.head for arg in node.args} == {"bracket"}:
        one, two = node.args
        if len(one.args) != len(two.args):
            raise Unsupported("tuples")
        for a, b in zip(one.args, two.args, strict=True):
            yield Node("rel", (a, b), "=")
    else:
        yield node


def _solved(equations: list[Node], names: list[str], ladder: Ladder) -> Iterator[Point]:
    """All real points that make every expression vanish; raises Unsupported where they cannot all be found."""
    for count, point in enumerate(_eliminated(equations, names)):
        if count >= _MAX_POINTS:
            raise Unsupported("too many points")
        answers = [ladder.equal(substituted(one, point), num(0)).result for one in equations]
        if Result.REFUTED in answers:
            continue
        if set(answers) != {Result.PROVED}:
            raise Unsupported("a point that cannot be tested")
        yield point


def _eliminated(equations: list[Node], names: list[str]) -> Iterator[Point]:
    """Points among which all solutions are: a variable with a constant factor is expressed by the others and put in."""
    normaliser = Normaliser()
    forms = [normaliser.normal(one) for one in equations]
    if any(p.as_constant(form.bottom) is None for form in forms):
        raise Unsupported("denominators")
    polys = [form.top for form in forms if form.top]
    if len(equations) == 1 and len(names) > 1 and p.as_constant(forms[0].top) is None and is_polynomial(equations[0]):
        raise Unsupported("not determined")  # what is expressed from the one equation and put into it leaves 0 = 0
    if any(p.as_constant(poly) is not None for poly in polys):
        return
    if not names:
        yield {}
        return
    if len(names) == 1:
        if not polys:
            raise Unsupported("not determined")
        for value in zeros(polys[0], names[0], normaliser):
            yield {names[0]: value}
        return
    for poly in polys:
        for name in names:
            expressed = _expressed(poly, name, normaliser)
            if expressed is None:
                continue
            rest = [substituted(one, {name: expressed}) for one in equations]
            for point in _eliminated(rest, [other for other in names if other != name]):
                yield {name: _value(substituted(expressed, point)), **point}
            return
    raise Unsupported("no variable can be eliminated")


def is_polynomial(node: Node) -> bool:
    """Whether an expression is written as a polynomial of low degree, so that nothing in it can be undefined."""
    return all(
        here.head in ("num", "sym", "add", "mul", "neg")
        or (here.head == "div" and here.args[1].head == "num")
        or (here.head == "pow" and here.args[1].head == "num" and (here.args[1].value or 0) in range(1, 7))
        for here in walk(node)
    )


def _expressed(poly: p.Poly, name: str, normaliser: Normaliser) -> Node | None:
    """name = … where the polynomial is linear in it with a rational factor."""
    rows = p.coefficients(poly, name)
    factor = p.as_constant(rows.get(1, {}))
    if set(rows) > {0, 1} or not set(rows) <= {0, 1} or not factor:
        return None
    return normaliser.node_of(Quotient(p.scaled(rows.get(0, {}), -1 / factor), p.constant(1)))


def _value(node: Node) -> Node:
    normaliser = Normaliser()
    return normaliser.node_of(normaliser.normal(node))
