"""Sets of real numbers that repeat: general solutions and trigonometric equations, compared over one common period.

All values where anything can change are found within one period and ordered; between two neighbours every statement is
constant. Two values are the same only by proof, and different only where enclosures say so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from math import floor, lcm

from mpmath import libmp  # type: ignore[import-untyped]

from itembank.algebra import polynomials as p
from itembank.algebra.enclosures import START_BITS, Unknown, value_at
from itembank.algebra.equality import Ladder
from itembank.algebra.identities import equal_numbers, share_of_pi
from itembank.algebra.nodes import (
    Node,
    add,
    call,
    const,
    div,
    mul,
    neg,
    num,
    operators,
    substituted,
    symbols,
    text_of,
    walk,
)
from itembank.algebra.normal import Normaliser
from itembank.algebra.points import truth_at
from itembank.algebra.progressions import Piece, multiple_of, pieces
from itembank.algebra.results import Comparison, Result, TooLarge, Undefined, Unsupported, proved, refuted, short
from itembank.algebra.roots import values_of_kernel

_MAX_VALUES = 400
_NEAR = Fraction(1, 10**15)
_WAVES = ("sin", "cos", "tan", "cot", "sec", "csc")


@dataclass(frozen=True, slots=True)
class Spot:
    """A value within the period: its share of the period in [0, 1), nearly, and itself."""

    share: Fraction
    value: Node
    exact: Fraction | None
    """The value in units of π, or of 1, where that is rational."""


@dataclass(slots=True)
class Circle:
    """One period, cut at the spots; slot 2i is spot i, slot 2i+1 the gap after it."""

    period: Fraction
    unit: str
    spots: list[Spot] = field(default_factory=list)

    size: Fraction = field(init=False)
    """Its length, nearly."""

    def __post_init__(self) -> None:
        self.size = middle(self.length)

    @property
    def length(self) -> Node:
        return self.many(1)

    def many(self, periods: int) -> Node:
        return multiple_of(self.unit, self.period * periods)

    def spot(self, value: Node) -> Spot:
        exact = _share(value, self.unit)
        share = middle(value) / self.size if exact is None else exact / self.period
        return Spot(share - floor(share), value, exact)

    def cut(self, values: list[Node]) -> None:
        """Adds spots in order, each once; raises Unsupported where two cannot be told apart."""
        for value in values:
            spot = self.spot(value)
            if self._found(spot) is None:
                self.spots.append(spot)
        if len(self.spots) > _MAX_VALUES:
            raise Unsupported("too many values")
        self.spots.sort(key=lambda one: one.share)

    def place(self, value: Node) -> int:
        found = self._found(self.spot(value))
        if found is None:
            raise Unsupported("value")
        return found

    def _found(self, spot: Spot) -> int | None:
        for index, other in enumerate(self.spots):
            gap = spot.share - other.share
            turns = round(gap)
            if abs(gap - turns) > _NEAR:
                continue
            if spot.exact is not None and other.exact is not None:
                return index
            apart = round((middle(spot.value) - middle(other.value)) / self.size)
            if equal_numbers(spot.value, add(other.value, self.many(apart)) if apart else other.value):
                return index
            raise Unsupported("values too near")
        return None

    def between(self, index: int) -> Fraction:
        """A rational number in the gap after a spot, within the first period."""
        low = self.spots[index].share
        high = self.spots[index + 1].share if index + 1 < len(self.spots) else self.spots[0].share + 1
        value = (low + high) / 2 * self.size
        return value.limit_denominator(10**6)

    def representative(self, index: int) -> Node:
        """The spot's value moved into [0, period)."""
        spot = self.spots[index]
        if spot.exact is not None:
            exact = spot.exact - self.period * floor(spot.exact / self.period)
            return multiple_of(self.unit, exact)
        turns = floor(middle(spot.value) / self.size)
        return add(spot.value, self.many(-turns)) if turns else spot.value


def middle(value: Node) -> Fraction:
    """A rational number within 10^-25 or so of the value; raises Undefined, Unknown."""
    low, high = value_at(value, {}, START_BITS)
    halves = libmp.mpf_shift(libmp.mpf_add(low, high, START_BITS, "n"), -1)
    top, bottom = libmp.to_rational(halves)
    return Fraction(int(top), int(bottom))


def _share(value: Node, unit: str) -> Fraction | None:
    """The value in units of π, or of 1, where that is rational."""
    if unit:
        return share_of_pi(value)
    normaliser = Normaliser()
    return normaliser.number(normaliser.normal(value))


class Series:
    """A general solution as written."""

    def __init__(self, node: Node) -> None:
        found, self.variable = pieces(node)
        units = {one.unit for one in found if one.period}
        if len(units) > 1:
            raise Unsupported("no one unit")
        self.unit = units.pop() if units else None
        self.repeating = [one for one in found if one.period]
        self.single = [one for one in found if not one.period]
        if any(one.brackets != "[]" or one.low != one.high for one in self.single):
            raise Unsupported("an interval that does not repeat")
        self.period = common_multiple([one.period for one in self.repeating]) if self.repeating else None

    def values(self, circle: Circle) -> list[Node]:
        return [end for one in self._all(circle) for end in (one.low, one.high)]

    def _all(self, circle: Circle) -> list[Piece]:
        found = []
        for one in self.repeating:
            found += [one.moved(step) for step in range(int(circle.period / one.period))]
            if len(found) > _MAX_VALUES:
                raise Unsupported("too many values")
        return found

    def slots(self, circle: Circle) -> set[int]:
        count = 2 * len(circle.spots)
        found: set[int] = set()
        for one in self._all(circle):
            low, high = 2 * circle.place(one.low), 2 * circle.place(one.high)
            if one.low == one.high:
                found.add(low)
                continue
            length = middle(one.high) - middle(one.low)
            if length <= 0 or length > circle.size * (1 + _NEAR):
                raise Unsupported("an interval longer than the period")
            end = high if high > low else high + count
            found |= {slot % count for slot in range(low + 1, end)}
            found |= {low} if one.brackets[0] == "[" else set()
            found |= {high} if one.brackets[1] == "]" else set()
        return found

    def apart(self, circle: Circle, slots: set[int]) -> list[Node]:
        """Single values that the repeating pieces do not hold."""
        return [one.low for one in self.single if 2 * circle.place(one.low) not in slots]


class Wave:
    """An equation or inequality in one variable that occurs in sines and cosines only."""

    def __init__(self, node: Node, ladder: Ladder) -> None:
        self.node = node
        self.ladder = Ladder(ladder.domain)
        names = symbols(node)
        if len(names) != 1 or not is_wave(node):
            raise Unsupported("no trigonometric relation")
        (self.variable,) = names
        self.unit = "π"
        self.single: list[Piece] = []
        normaliser = Normaliser()
        parts = _conditions(node)
        normaliser.prepare(parts)
        self.factor, self._critical = self._solved(parts, normaliser)
        self.period = Fraction(2) / self.factor

    def _solved(self, parts: list[Node], normaliser: Normaliser) -> tuple[Fraction, list[Node]]:
        """The factor a of the base angle a·x, and where any part vanishes or has no value, within one period."""
        angle: Node | None = None
        found: list[Node] = []
        forms = [normaliser.normal(part) for part in parts]
        for poly in (side for form in forms for side in (form.top, form.bottom)):
            kernels = {one for one in p.generators(poly) if symbols(normaliser.meaning[one])}
            for one in kernels:
                meaning = normaliser.meaning[one]
                if meaning.name not in ("sin", "cos") or angle not in (None, meaning.args[0]):
                    raise Unsupported("several angles")
                angle = meaning.args[0]
            if kernels:
                found += self._zeros(poly, kernels, normaliser)
        if angle is None:
            raise Unsupported("no angle")
        factor = _factor_of(angle, self.variable)
        return factor, [div(value, num(factor)) for value in found]

    def _zeros(self, poly: p.Poly, kernels: set[str], normaliser: Normaliser) -> list[Node]:
        """Angles among which all zeros are: from A + B·sin = 0 follows A² = B²·(1 - cos²)."""
        sine = next((one for one in kernels if one.startswith("sin ")), None)
        cosine = next((one for one in kernels if one.startswith("cos ")), None)
        if sine is not None and cosine is None:
            return [value for root in values_of_kernel(poly, sine, normaliser) for value in _arcsines(root)]
        assert cosine is not None
        rows = p.coefficients(poly, sine) if sine is not None else {0: poly}
        even, odd = rows.get(0, {}), rows.get(1, {})
        square = {p.ONE: Fraction(1), ((cosine, 2),): Fraction(-1)}
        norm = p.add(p.mul(even, even), p.mul(p.mul(odd, odd), square), -1) if odd else even
        if odd and not even:
            norm = p.mul(odd, square)
        norm = normaliser.table.reduced(norm)
        return [value for root in values_of_kernel(norm, cosine, normaliser) for value in _arccosines(root)]

    def values(self, circle: Circle) -> list[Node]:
        steps = range(int(circle.period / self.period))
        return [
            add(value, mul(num(self.period * step), const("pi"))) if step else value
            for value in self._critical
            for step in steps
        ]

    def slots(self, circle: Circle) -> set[int]:
        found = set()
        for index in range(len(circle.spots)):
            if self._holds_at(circle.representative(index)):
                found.add(2 * index)
            gap = truth_at(self.node, {self.variable: circle.between(index)})
            if gap is None:
                raise Unsupported("gap")
            if gap:
                found.add(2 * index + 1)
        return found

    def _holds_at(self, value: Node) -> bool:
        known = {self.variable: value}
        signs = operators(self.node)
        sides = [substituted(side, known) for side in self.node.args]
        return all(self._pair(sign, *pair) for sign, pair in zip(signs, pairwise(sides), strict=True))

    def _pair(self, sign: str, left: Node, right: Node) -> bool:
        try:
            answer = self.ladder.equal(left, right)
        except Undefined:
            return False
        if answer.result is Result.PROVED:
            return sign in ("=", "<=", ">=") and _has_value(left) and _has_value(right)
        if answer.result is Result.REFUTED:
            if sign in ("=", "!="):
                return sign == "!="
            truth = truth_at(Node("rel", (left, right), sign), {})
            if truth is not None:
                return truth
        if not _has_value(left) or not _has_value(right):
            return False
        raise Unsupported("sign")

    def apart(self, circle: Circle, slots: set[int]) -> list[Node]:
        return []


def _has_value(node: Node) -> bool:
    """Whether an expression without symbols is defined; raises Unsupported where that is open."""
    try:
        value_at(node, {})
    except Undefined:
        return False
    except (Unknown, TooLarge, ValueError, OverflowError) as error:
        try:
            normaliser = Normaliser()
            normaliser.prepare((node,))
            normaliser.normal(node)
        except Undefined:
            return False
        except (Unsupported, TooLarge):
            pass
        raise Unsupported("value") from error
    return True


def is_wave(node: Node) -> bool:
    """Whether a relation has its symbols in sines and cosines, at least somewhere."""
    if node.head != "rel" or not set(operators(node)) <= {"=", "!=", "<", "<=", ">", ">="}:
        return False
    return any(here.name in _WAVES and symbols(here) for here in walk(node) if here.head == "call") and not any(
        here.head in ("pm", "set", "bracket") for here in walk(node)
    )


def _conditions(node: Node) -> list[Node]:
    """The differences that decide the relation, and what stands below a line or in a function with poles."""
    found = [add(left, neg(right)) for left, right in pairwise(node.args)]
    for here in walk(node):
        if here.head == "div" and symbols(here.args[1]):
            found.append(here.args[1])
        elif here.head == "call" and here.name in ("tan", "sec", "cot", "csc") and symbols(here):
            found.append(call("cos" if here.name in ("tan", "sec") else "sin", here.args[0]))
        elif here.head == "call" and here.name in ("sqrt", "ln", "log", "abs", "root") and symbols(here):
            found.append(here.args[0])
        elif here.head == "call" and here.name not in (*_WAVES, "degree", "percent") and symbols(here):
            raise Unsupported(here.name)
    return found


def _factor_of(angle: Node, variable: str) -> Fraction:
    normaliser = Normaliser()
    form = normaliser.normal(angle)
    bottom = p.as_constant(form.bottom)
    if bottom is None or set(form.top) != {((variable, 1),)}:
        raise Unsupported("angle")
    return abs(form.top[((variable, 1),)] / bottom)


def _within_one(root: Node) -> bool:
    """False where sine and cosine cannot take the value."""
    return truth_at(Node("rel", (num(-1), root, num(1)), "<= <="), {}) is not False


def _arccosines(root: Node) -> list[Node]:
    if not _within_one(root):
        return []
    arc = _arc("acos", root)
    return [arc, neg(arc)]


def _arcsines(root: Node) -> list[Node]:
    if not _within_one(root):
        return []
    arc = _arc("asin", root)
    return [arc, add(const("pi"), neg(arc))]


def _arc(name: str, root: Node) -> Node:
    """The arc, as a multiple of π where it is one."""
    normaliser = Normaliser()
    return normaliser.node_of(normaliser.normal(call(name, root)))


def common_multiple(periods: list[Fraction]) -> Fraction:
    bottom = lcm(*(period.denominator for period in periods))
    found = Fraction(lcm(*(int(period * bottom) for period in periods)), bottom)
    if any(found / period > _MAX_VALUES for period in periods):
        raise Unsupported("periods")
    return found


def same_periodic(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """Whether two statements hold for the same numbers, at least one of them being a general solution or a wave."""
    try:
        first, second = (Wave(node, ladder) if is_wave(node) else Series(node) for node in (left, right))
        return _compared(first, second)
    except (Undefined, Unknown, TooLarge) as error:
        raise Unsupported("value") from error


def _compared(first: Series | Wave, second: Series | Wave) -> Comparison:
    units = {side.unit for side in (first, second) if side.unit is not None}
    if len(units) != 1 or len({first.variable, second.variable} - {None}) > 1:
        raise Unsupported("units")
    circle = Circle(common_multiple([side.period for side in (first, second) if side.period]), units.pop())
    circle.cut([*first.values(circle), *second.values(circle)])
    circle.cut([one.low for side in (first, second) for one in side.single])
    if not circle.spots:
        circle.cut([num(0)])
    one, two = first.slots(circle), second.slots(circle)
    if one != two:
        return _told(circle, one, two, first.variable or second.variable)
    alone = [side.apart(circle, one) for side in (first, second)]
    for kept, other, word in ((alone[0], alone[1], "missing"), (alone[1], alone[0], "extra")):
        for value in kept:
            if not any(equal_numbers(value, against) for against in other):
                if any(abs(middle(value) - middle(against)) < _NEAR for against in other):
                    raise Unsupported("values too near")
                return refuted("general-solution", at=f"x = {text_of(value)}", **{word: text_of(value)})
    return proved("general-solution")


def _told(circle: Circle, one: set[int], two: set[int], variable: str | None) -> Comparison:
    witness: dict[str, str] = {}
    for slot in sorted(one ^ two):
        index = slot // 2
        where = short(circle.between(index)) if slot % 2 else _written(circle.representative(index))
        word = "missing" if slot in one else "extra"
        if not witness:
            told = ("holds", "does not hold")
            left, right = told if slot in one else told[::-1]
            witness = {"at": f"{variable or 'x'} = {where}", "left": left, "right": right}
        witness.setdefault(word, where)
    return refuted("general-solution", **witness)


def _written(value: Node) -> str:
    """π/3 rather than (1/3)*pi."""
    share = share_of_pi(value)
    if share is None:
        return text_of(value)
    if not share:
        return "0"
    top = "pi" if abs(share.numerator) == 1 else f"{abs(share.numerator)}*pi"
    sign = "-" if share < 0 else ""
    return sign + (top if share.denominator == 1 else f"{top}/{share.denominator}")
