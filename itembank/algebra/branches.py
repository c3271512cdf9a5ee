"""Expressions that change their rule: absolute values, the larger of two, piecewise functions, stretch by stretch.

Between two neighbouring values where any of their conditions may change, each such part is one plain expression.
"""

from __future__ import annotations

from fractions import Fraction

from itembank.algebra.equality import Ladder
from itembank.algebra.nodes import Node, add, neg, num, rebuilt, substituted, symbols, text_of, walk
from itembank.algebra.points import exact_sign
from itembank.algebra.realsets import Place, RealSets, bounds
from itembank.algebra.results import Comparison, Result, TooLarge, Undefined, Unsupported, proved, refuted, undecided

_MAX_WHOLE = 40
_CHANGING = ("abs", "max", "min", "sign")


def has_branches(node: Node) -> bool:
    return any(here.head == "piecewise" or (here.head == "call" and here.name in _CHANGING) for here in walk(node))


def same_by_branches(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """Equality of two expressions in one variable, on every stretch and at every border; None where it stays open."""
    names = symbols(left) | symbols(right)
    if len(names) != 1 or not (has_branches(left) or has_branches(right)):
        return None
    (name,) = names
    plain = Ladder(ladder.domain)
    try:
        places = _places((left, right), name, plain)
        answers = [_at(place, left, right, name, plain) for place in places]
    except (Unsupported, Undefined, TooLarge):
        return None
    worst = next((one for one in answers if one.result is Result.REFUTED), None)
    if worst is not None:
        return worst
    return proved("branches") if all(one.result is Result.PROVED for one in answers) else None


def _places(sides: tuple[Node, ...], name: str, ladder: Ladder) -> list[Place]:
    relations: list[Node] = []
    for side in sides:
        for here in walk(side):
            if here.head == "piecewise":
                relations += [row.args[1] for row in here.args if row.args[1].head != "text"]
            elif here.head == "call" and here.name in ("abs", "sign") and symbols(here):
                relations.append(Node("rel", (here.args[0], num(0)), "="))
            elif here.head == "call" and here.name in ("max", "min") and symbols(here):
                first, *others = here.args
                if len(others) != 1:
                    raise Unsupported("more than two")
                relations.append(Node("rel", (first, others[0]), "="))
    places = RealSets(ladder, name).places(Node("or", tuple(relations)))
    return _whole_places(places) if name in ladder.domain.integers or name == "n" else places


def _whole_places(places: list[Place]) -> list[Place]:
    """For a variable that counts: the whole numbers from 1 up to just beyond the last border, and a far one."""
    last = max((bounds(place.value)[1] for place in places), default=Fraction(1))
    if last > _MAX_WHOLE:
        raise Unsupported("too many whole numbers")
    low = Fraction(1)
    found = [Place(num(low + step), gap=False) for step in range(int(last) + 1)]
    return [*found, Place(num(int(last) + 2), gap=True)]


def _at(place: Place, left: Node, right: Node, name: str, ladder: Ladder) -> Comparison:
    if not place.gap:
        at = {name: place.value}
        sides = [substituted(_chosen(side, name, place), at) for side in (left, right)]
    else:
        sides = [_chosen(side, name, place) for side in (left, right)]
        assert place.value.value is not None
        point = {name: place.value.value}
        if exact_sign(add(sides[0], neg(sides[1])), point) in (1, -1):
            known = {name: place.value}
            shown = [text_of(substituted(side, known)) for side in sides]
            return refuted("branches", at=f"{name} = {text_of(place.value)}", left=shown[0], right=shown[1])
    missing = [side.head == "none" for side in sides]
    if all(missing):
        return proved("branches")
    if any(missing):
        return undecided("domain")
    answer = ladder.equal(*sides)
    if answer.result is Result.REFUTED and place.gap:
        return undecided("branches")  # they differ somewhere, but perhaps not on this stretch
    if answer.result is Result.REFUTED:
        return refuted("branches", **{**(answer.witness or {}), "at": f"{name} = {text_of(place.value)}"})
    return answer


def _chosen(node: Node, name: str, place: Place) -> Node:
    """The plain expression that holds at a place; `none` where no piece does."""

    def change(here: Node) -> Node | None:
        if here.head == "piecewise":
            for row in here.args:
                truth = True if row.args[1].head == "text" else _truth(row.args[1], name, place)
                if truth:
                    return _chosen(row.args[0], name, place)
            return Node("none")
        if here.head == "call" and here.name in _CHANGING and symbols(here):
            inner = here.args[0] if here.name in ("abs", "sign") else add(here.args[0], neg(here.args[1]))
            sign = _sign(inner, name, place)
            if here.name == "sign":
                return num(sign)
            if here.name == "abs":
                return _chosen(inner if sign >= 0 else neg(inner), name, place)
            first = (sign >= 0) == (here.name == "max")
            return _chosen(here.args[0] if first else here.args[1], name, place)
        return None

    return rebuilt(node, change)


def _truth(condition: Node, name: str, place: Place) -> bool:
    return RealSets(Ladder(), name).holds(condition, place)


def _sign(node: Node, name: str, place: Place) -> int:
    zero = num(Fraction(0))
    if _truth(Node("rel", (node, zero), "="), name, place):
        return 0
    return 1 if _truth(Node("rel", (node, zero), ">"), name, place) else -1
