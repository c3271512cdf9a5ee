"""Comparison of things with a shape of their own: vectors, branches of a function, sequences with dots, congruences."""

from __future__ import annotations

from fractions import Fraction

from itembank.algebra.ellipses import DOTS, filled
from itembank.algebra.equality import Ladder, point_text
from itembank.algebra.nodes import Node, add, neg, num, substituted, symbols, text_of, walk
from itembank.algebra.points import points, rational_at, truth_at
from itembank.algebra.results import Comparison, Result, TooLarge, Undefined, proved, refuted, short, undecided, worst
from itembank.algebra.vectors import components

_OTHERWISE = Node("text", name="otherwise")
_MOST_RESIDUES = 2000


def same_shape(left: Node, right: Node, ladder: Ladder, kind: str | None = None) -> Comparison | None:
    """The answer for two things of one of these shapes; None where they have none of them."""
    heads = {left.head, right.head}
    if heads == {"piecewise"}:
        return _branches(left, right, ladder)
    if heads == {"congruence"}:
        return _congruences(left, right, ladder)
    if DOTS in left.args and DOTS in right.args:
        return _sequences(left, right, ladder)
    if "clock" in (left.name, right.name):
        return _times(left, right)
    return _vectors(left, right, ladder) if kind not in ("interval", "set") else None


# -- vectors ------------------------------------------------------------------------------------------------------
def _vectors(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """A column beside a tuple, or either beside 2i - 3j; two columns or two tuples are compared elsewhere.

    Sums of unit vectors come with three entries, of which the plane has no third; it is then zero.
    """
    heads = (left.head, right.head)
    if heads in (("matrix", "matrix"), ("bracket", "bracket")):
        return None
    first, second = components(left), components(right)
    if first is None or second is None:
        return None
    size = max(len(first), len(second))
    if size > 3 or ("matrix" in heads and "bracket" in heads and len(first) != len(second)):
        return None
    first, second = (entries + (num(0),) * (size - len(entries)) for entries in (first, second))
    return worst([ladder.equal(one, other) for one, other in zip(first, second, strict=True)]) or proved("element-wise")


# -- times of day -------------------------------------------------------------------------------------------------
def _times(left: Node, right: Node) -> Comparison:
    """8:34 p.m. beside 20:34. Hours up to twelve without a.m. or p.m. may mean either half of the day."""
    first, second = _minutes(left), _minutes(right)
    if first is None or second is None:
        return undecided("time")
    if first == second:
        return proved("time")
    return refuted("time", left=_shown(first), right=_shown(second))


def _minutes(node: Node) -> Fraction | None:
    if node.name == "clock":
        return node.args[0].value
    if node.head != "div" or any(arg.head != "num" or arg.places for arg in node.args):
        return None
    hours, minutes = (arg.value or Fraction(0) for arg in node.args)
    return hours * 60 + minutes if 13 <= hours < 24 and minutes < 60 else None


def _shown(minutes: Fraction) -> str:
    return f"{int(minutes) // 60}:{int(minutes) % 60:02}"


# -- branches -----------------------------------------------------------------------------------------------------
def _branches(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """Branch by branch where the conditions are the same; else at points where exactly one value is given."""
    witness = _differing_value(left, right, ladder)
    if witness is not None:
        return witness
    if len(left.args) != len(right.args):
        return undecided("branches")
    rest = list(right.args)
    for value, condition in (row.args for row in left.args):
        partner = next((row for row in rest if _same_condition(condition, row.args[1])), None)
        if partner is None or not _equal_under(value, partner.args[0], ladder):
            return undecided("branches")
        rest.remove(partner)
    return proved("branches")


def _same_condition(left: Node, right: Node) -> bool:
    if left == right or text_of(left) == text_of(right):
        return True
    mirrored = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
    if left.head != "rel" or right.head != "rel":
        return False
    turned = " ".join(mirrored.get(sign, sign) for sign in reversed(right.name.split(" ")))
    return left.name == turned and left.args == right.args[::-1]


def _equal_under(left: Node, right: Node, ladder: Ladder) -> bool:
    return ladder.equal(left, right).result is Result.PROVED


def _differing_value(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    names = symbols(left) | symbols(right)
    if not names:
        return None
    for point in points(names, ladder.domain, left, right):
        one, other = _value_at(left, point), _value_at(right, point)
        if one is not None and other is not None and one != other:
            return refuted("probe", at=point_text(point), left=short(one), right=short(other))
    return None


def _value_at(node: Node, point: dict[str, Fraction]) -> Fraction | None:
    """The rational value of the branch that holds; None where that is not known."""
    for value, condition in (row.args for row in node.args):
        holds = True if condition == _OTHERWISE else truth_at(condition, point)
        if holds is None:
            return None
        if holds:
            try:
                return rational_at(value, point)
            except (Undefined, TooLarge):
                return None
    return None


# -- sequences ----------------------------------------------------------------------------------------------------
def _sequences(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """1, 3, 5, …, 2n - 1: the written terms one by one; equal only where the rule is certain or all terms are the same."""
    if left.head != right.head or left.head not in ("seq", "set"):
        return None
    one, other = (node.args[: node.args.index(DOTS)] for node in (left, right))
    for place, (first, second) in enumerate(zip(one, other, strict=False), start=1):
        answer = ladder.equal(first, second)
        if answer.result is Result.REFUTED:
            return refuted("sequence", at=f"term {place}", left=text_of(first), right=text_of(second))
        if answer.result is not Result.PROVED:
            return undecided("sequence")
    rules = [filled(node.args, "sum") for node in (left, right)]
    if rules[0] is not None and rules[1] is not None:
        pairs = zip((rules[0].args[0], *rules[0].args[2:]), (rules[1].args[0], *rules[1].args[2:]), strict=True)
        return worst([ladder.equal(first, second) for first, second in pairs]) or proved("sequence")
    return proved("sequence") if left == right else undecided("sequence")


# -- congruences --------------------------------------------------------------------------------------------------
def _congruences(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """The same modulus, and differences that vanish together: checked for every residue of one unknown."""
    modulus = rational_at(left.args[2], {})
    if modulus is None or modulus.denominator != 1 or not 0 < modulus <= _MOST_RESIDUES:
        return undecided("modulus")
    if ladder.equal(left.args[2], right.args[2]).result is not Result.PROVED:
        return undecided("modulus")
    differences = [add(node.args[0], neg(node.args[1])) for node in (left, right)]
    names = symbols(differences[0]) | symbols(differences[1])
    if len(names) > 1 or not all(_is_whole_polynomial(node) for node in differences):
        return undecided("congruence")
    name = next(iter(names), "x")
    for residue in range(int(modulus) if names else 1):
        values = [rational_at(substituted(node, {name: num(residue)}), {}) for node in differences]
        hold = [value is not None and value % modulus == 0 for value in values]
        if hold[0] != hold[1]:
            told = ["holds" if one else "does not hold" for one in hold]
            return refuted("residue", at=f"{name} = {residue}", left=told[0], right=told[1])
    return proved("residues")


def _is_whole_polynomial(node: Node) -> bool:
    """Whether the value only depends on the residue: whole numbers, sums, products and whole powers."""
    return all(
        here.head in ("sym", "add", "mul", "neg")
        or (here.head == "num" and here.value is not None and here.value.denominator == 1)
        or (here.head == "pow" and here.args[1].value in range(1, 101))
        for here in walk(node)
    )
