"""Sets of real numbers given by statements in one variable, compared exactly.

All values where anything can change are found and sorted; between two neighbours every statement is constant. So it
suffices to look at each such value and at one rational number in each gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise

from mpmath import libmp  # type: ignore[import-untyped]

from itembank.algebra.enclosures import MORE_BITS, START_BITS, Unknown, disjoint, fraction_of, value_at
from itembank.algebra.equality import Ladder, signed_pair
from itembank.algebra.nodes import Node, add, neg, num, operators, substituted, symbols, text_of, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import Comparison, Result, TooLarge, Undefined, Unsupported, proved, refuted
from itembank.algebra.roots import zeros
from itembank.algebra.solutions import base_name

_INFINITIES = (Node("const", name="oo"), neg(Node("const", name="oo")))
_EVERYTHING = ("R", "set_R")
_WHOLE = {"Z": None, "set_Z": None, "N": 0, "set_N": 0, "N_+": 1, "set_N+": 1, "N*": 1, "Z_+": 1, "set_Z+": 1}
_MAX_LISTED = 200


@dataclass(frozen=True, slots=True)
class Place:
    """A value where something may change, or a rational number in a gap."""

    value: Node
    gap: bool


class RealSets:
    """Two statements about one variable (or bare sets), to be compared."""

    def __init__(self, ladder: Ladder, variable: str | None) -> None:
        self.ladder = ladder
        self.variable = variable

    def same(self, left: Node, right: Node) -> Comparison:
        """PROVED or REFUTED with a number that only one of them holds for; raises Unsupported."""
        values = self._sorted([*self._critical(left), *self._critical(right)])
        places = self._places(values)
        left, right = self._commas_read(left, places), self._commas_read(right, places)
        witness: dict[str, str] = {}
        for place in places:
            first, second = self._holds(left, place), self._holds(right, place)
            if first != second:
                where = text_of(place.value)
                told = {"at": f"{self.variable or 'x'} = {where}", "left": _told(first), "right": _told(second)}
                witness = {**told, **witness}
                witness.setdefault("extra" if second else "missing", where)
        if witness:
            return refuted("solution-set", **witness)
        return proved("solution-set")

    def stretches(self, node: Node) -> tuple[Node, ...]:
        """The numbers for which a statement holds, in order: intervals, and single numbers; raises Unsupported."""
        values = self._sorted(self._critical(node))
        gaps = sorted((place for place in self._places(values) if place.gap), key=lambda place: place.value.value or 0)
        inside = [self._holds(node, place) for place in gaps]
        at = [self._holds(node, Place(value, gap=False)) for value in values]
        ends: list[Node] = [_INFINITIES[1], *values, _INFINITIES[0]]
        found: list[Node] = []
        start: tuple[str, Node] | None = None
        for number, holds in enumerate(inside):
            if holds and start is None:
                start = ("[" if number and at[number - 1] else "(", ends[number])
            last = number == len(values)
            if start is not None and holds and (last or not (at[number] and inside[number + 1])):
                found.append(
                    Node("bracket", (start[1], ends[number + 1]), start[0] + ("]" if not last and at[number] else ")"))
                )
                start = None
            elif not holds and not last and at[number] and not inside[number + 1]:
                found.append(values[number])
        return tuple(found)

    def places(self, node: Node) -> list[Place]:
        """Every value where the statement may change, and a number in each gap; raises Unsupported."""
        return self._places(self._sorted(self._critical(node)))

    def holds(self, node: Node, place: Place) -> bool:
        """Whether the statement holds at a place; raises Unsupported."""
        return self._holds(self._commas_read(node, [place]), place)

    def _commas_read(self, node: Node, places: list[Place]) -> Node:
        """Equalities joined by commas are alternatives; inequalities hold together unless that is impossible."""
        if node.head in ("and", "or"):
            return Node(node.head, tuple(self._commas_read(arg, places) for arg in node.args))
        if node.head != "seq":
            return node
        ordered = [arg for arg in node.args if arg.head == "rel" and set(operators(arg)) & {"<", ">", "<=", ">=", "!="}]
        joint = Node("and", node.args)
        if ordered and any(self._holds(joint, place) for place in places):
            return joint
        return Node("or", node.args)

    # -- where something can change ---------------------------------------------------------------------------
    def _critical(self, node: Node) -> list[Node]:
        if node.head in ("and", "or", "seq", "union", "inter", "minus"):
            return [value for arg in node.args for value in self._critical(arg)]
        if node.head == "none" or node.name in _EVERYTHING:
            return []
        if node.head == "set":
            return [value for arg in node.args for value in self._critical(arg)]
        if node.head == "bracket":
            return [arg for arg in node.args if arg not in _INFINITIES]
        if node.head == "rel":
            return self._critical_relation(node)
        if node.head == "builder":
            return self._critical(self._condition(node))
        return [value for value in signed_values(node) if value not in _INFINITIES]

    def _condition(self, node: Node) -> Node:
        """What a number has to fulfil to be in {x ∈ A | …}; whole numbers are listed one by one."""
        member, condition = node.args
        if member.head == "sym":
            return condition
        if member.head != "rel" or member.name != "in" or member.args[0].head != "sym":
            raise Unsupported("builder")
        ground = member.args[1]
        if ground.name in _EVERYTHING:
            return condition
        if ground.name in _WHOLE:
            return self._listed(condition, _WHOLE[ground.name])
        if ground.head in ("bracket", "set", "union"):
            return Node("and", (member, condition))
        raise Unsupported("builder")

    def _listed(self, condition: Node, least: int | None) -> Node:
        """The whole numbers that fulfil a condition, where they are few."""
        places = self.places(condition)
        gaps = [place for place in places if place.gap]
        outer = sorted(gaps, key=lambda place: place.value.value or 0)[:: max(1, len(gaps) - 1)]
        if any(self.holds(condition, place) for place in (outer if least is None else outer[-1:])):
            raise Unsupported("infinitely many")
        low, high = (place.value.value or 0 for place in (outer[0], outer[-1]))
        first = int(low) - 1 if least is None else least
        if int(high) + 1 - first > _MAX_LISTED:
            raise Unsupported("too many")
        numbers = (Place(num(value), gap=False) for value in range(first, int(high) + 2))
        return Node("set", tuple(place.value for place in numbers if self.holds(condition, place)))

    def _critical_relation(self, node: Node) -> list[Node]:
        if node.name in ("in", "notin"):
            return self._critical(node.args[1])
        found: list[Node] = []
        for sign, (left, right) in zip(operators(node), pairwise(node.args), strict=True):
            if sign not in ("=", "!=", "<", ">", "<=", ">="):
                raise Unsupported(sign)
            for one, other in signed_sides(left, right):
                found += self._critical_pair(one, other)
        return found

    def _critical_pair(self, left: Node, right: Node) -> list[Node]:
        left, right = self._named(left), self._named(right)
        name = self.variable or ""
        if left == Node("sym", name=name) and not symbols(right):
            return [] if right in _INFINITIES else [right]
        if right == Node("sym", name=name) and not symbols(left):
            return [] if left in _INFINITIES else [left]
        normaliser = Normaliser()
        found: list[Node] = []
        for part in walk_conditions(add(left, neg(right))):
            form = normaliser.normal(part)
            found += zeros(form.top, name, normaliser) + zeros(form.bottom, name, normaliser)
        return found

    def _named(self, node: Node) -> Node:
        """x_1 and x_2 are values of x."""
        if self.variable is None:
            return node
        renaming = {name: Node("sym", name=self.variable) for name in symbols(node) if base_name(name) == self.variable}
        return substituted(node, renaming)

    def _sorted(self, values: list[Node]) -> list[Node]:
        kept: list[Node] = []
        defined = []
        for value in values:
            try:
                value_at(value, {}, START_BITS)
                defined.append(value)
            except Undefined:
                continue
            except (Unknown, TooLarge, ValueError, OverflowError) as error:
                raise Unsupported("value") from error
        for value in sorted(defined, key=cmp_to_key(self._order)):
            if not kept or self._order(kept[-1], value) != 0:
                kept.append(value)
        return kept

    def _order(self, left: Node, right: Node) -> int:
        if left == right:
            return 0
        for bits in (START_BITS, MORE_BITS):
            a, b = value_at(left, {}, bits), value_at(right, {}, bits)
            if disjoint(a, b):
                return -1 if libmp.mpf_lt(a[1], b[0]) else 1
            if bits == START_BITS and self.ladder.quickly_equal(left, right):
                return 0
        if self.ladder.equal(left, right).result is Result.PROVED:
            return 0
        raise Unsupported("order")

    def _places(self, values: list[Node]) -> list[Place]:
        places = [Place(value, gap=False) for value in values]
        if not values:
            return [Place(num(0), gap=True)]
        ends = [bounds(value) for value in values]
        places.append(Place(num(ends[0][0] - 1), gap=True))
        places.append(Place(num(ends[-1][1] + 1), gap=True))
        for (_, low), (high, _) in pairwise(ends):
            places.append(Place(num(simple_between(low, high)), gap=True))
        return places

    # -- whether a statement holds ----------------------------------------------------------------------------
    def _holds(self, node: Node, place: Place) -> bool:
        head = node.head
        if head in ("and", "inter"):
            return all(self._holds(arg, place) for arg in node.args)
        if head in ("or", "seq", "union", "set"):
            return any(self._holds(arg, place) for arg in node.args)
        if head == "minus":
            return self._holds(node.args[0], place) and not self._holds(node.args[1], place)
        if head == "none":
            return False
        if node.name in _EVERYTHING:
            return True
        if head == "bracket":
            return self._in_interval(node, place)
        if head == "builder":
            return self._holds(self._condition(node), place)
        if head == "rel":
            return self._relation_holds(node, place)
        return not place.gap and any(self._order(value, place.value) == 0 for value in signed_values(node))

    def _in_interval(self, node: Node, place: Place) -> bool:
        if len(node.args) != 2:
            raise Unsupported("tuple")
        low, high = node.args
        if low not in _INFINITIES:
            order = self._order(low, place.value)
            if order > 0 or (order == 0 and node.name[0] == "("):
                return False
        if high not in _INFINITIES:
            order = self._order(place.value, high)
            if order > 0 or (order == 0 and node.name[1] == ")"):
                return False
        return True

    def _relation_holds(self, node: Node, place: Place) -> bool:
        if node.name in ("in", "notin"):
            return self._holds(node.args[1], place) == (node.name == "in")
        for sign, (left, right) in zip(operators(node), pairwise(node.args), strict=True):
            if not any(self._pair_holds(sign, one, other, place) for one, other in signed_sides(left, right)):
                return False
        return True

    def _pair_holds(self, sign: str, left: Node, right: Node, place: Place) -> bool:
        known = {} if self.variable is None else {self.variable: place.value}
        a, b = substituted(self._named(left), known), substituted(self._named(right), known)
        infinite = {(node in _INFINITIES) for node in (a, b)}
        if True in infinite:
            return True
        try:
            order = self._order(a, b)
        except Undefined:
            return False
        except (Unknown, TooLarge, ValueError, OverflowError) as error:
            if any(here.head == "div" or here.name in ("sqrt", "log", "ln") for here in walk(a)) and not place.gap:
                return self._at_a_border(sign, a, b)
            raise Unsupported("value") from error
        return {"=": order == 0, "!=": order != 0, "<": order < 0, ">": order > 0,
                "<=": order <= 0, ">=": order >= 0}[sign]  # fmt: skip

    def _at_a_border(self, sign: str, left: Node, right: Node) -> bool:
        """At an irrational border of the domain the exact normal form decides."""
        normaliser = Normaliser()
        try:
            form = normaliser.normal(add(left, neg(right)))
        except Undefined:
            return False
        if not form.top:
            return sign in ("=", "<=", ">=")
        raise Unsupported("border")


def walk_conditions(node: Node) -> list[Node]:
    """The expression and all parts of it whose sign decides whether it is defined."""
    found = [node]
    for here in walk(node):
        if here.head == "div":
            found.append(here.args[1])
        elif here.head == "call" and here.name in ("sqrt", "ln", "log", "abs", "root"):
            found.append(here.args[0])
        elif here.head == "call" and here.name not in ("percent", "degree", "exp", "factorial", "binomial", "perm"):
            raise Unsupported(here.name)
        elif here.head == "pow" and here.args[1].head != "num":
            found.append(here.args[0])
    return [part for part in found if symbols(part)] or [node]


def signed_values(node: Node) -> list[Node]:
    """One value, or two where it holds ±."""
    if any(here.head == "pm" for here in walk(node)):
        return list(signed_pair(node))
    return [node]


def signed_sides(left: Node, right: Node) -> list[tuple[Node, Node]]:
    if any(here.head == "pm" for side in (left, right) for here in walk(side)):
        return list(zip(signed_pair(left), signed_pair(right), strict=True))
    return [(left, right)]


def bounds(value: Node) -> tuple[Fraction, Fraction]:
    """Rational numbers just below and above."""
    low, high = value_at(value, {}, START_BITS)
    first, second = fraction_of((low, low)), fraction_of((high, high))
    if first is None or second is None:
        raise Unsupported("bounds")
    return first, second


def simple_between(low: Fraction, high: Fraction) -> Fraction:
    """A number with a small denominator strictly between the two."""
    middle = (low + high) / 2
    for bottom in (1, 2, 4, 10, 100, 10_000, 10**8):
        candidate = Fraction(round(middle * bottom), bottom)
        if low < candidate < high:
            return candidate
    return middle


def _told(holds: bool) -> str:
    return "holds" if holds else "does not hold"
