"""General solutions as written: x = a + k·p, x = (-1)^k·a + k·p, intervals that repeat, several of them, single values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from itembank.algebra import polynomials as p
from itembank.algebra.kernels import Quotient
from itembank.algebra.nodes import Node, add, const, mul, num, operators, rebuilt, substituted, sym, symbols, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.realsets import signed_values
from itembank.algebra.results import Unsupported
from itembank.algebra.solutions import base_name

PARAMETERS = ("k", "n", "m", "l")
_INTEGERS = ("Z", "set_Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """A value, or an interval (with its brackets), repeated with a period in units of π or of 1; 0 says once only."""

    low: Node
    high: Node
    brackets: str
    period: Fraction
    unit: str

    def moved(self, steps: int) -> Piece:
        """The piece so many periods further on."""
        if not steps:
            return self
        shift = multiple_of(self.unit, self.period * steps)
        low = add(self.low, shift)
        high = low if self.low == self.high else add(self.high, shift)
        return Piece(low, high, self.brackets, self.period, self.unit)


def multiple_of(unit: str, times: Fraction) -> Node:
    """So many π, or simply the number."""
    if not unit:
        return num(times)
    return const("pi") if times == 1 else mul(num(times), const("pi"))


def has_parameter(node: Node) -> bool:
    """Whether a statement gives values with a whole-number parameter."""
    if node.head in ("and", "or", "seq", "set", "builder"):
        return any(has_parameter(arg) for arg in node.args)
    if node.head == "bracket":
        return len(node.args) == 2 and len(symbols(node)) == 1 and bool(symbols(node) & set(PARAMETERS))
    if node.head != "rel" or len(symbols(node)) < 2 or node.name == "notin":
        return False  # k = ±1 says what k is
    if node.name == "in":
        return node.args[1].head in ("bracket", "union", "set") and has_parameter(node.args[1])
    if not set(operators(node)) <= {"=", "<", "<="}:
        return False
    return any(symbols(side) & set(PARAMETERS) for side in node.args)


def is_series(node: Node, other: Node) -> bool:
    """Whether a letter of the statement is a whole-number parameter rather than a coefficient.

    In x = kπ it counts the solutions, and in x = 2k + 1 where k ∈ Z is written or the other statement does not know k.
    In y = kx + 1, or in x = k + 1 against x - k - 1 = 0, it is a coefficient.
    """
    if not has_parameter(node) or not any(_counts(part) for part in _parts(node)):
        return False
    if any(here.name in ("pi", "degree") for here in walk(node)):
        return True
    declared = any(
        part.name == "in" and part.args[1].name in _INTEGERS for one in (node, other) for part in _parts(one)
    )
    return declared or not symbols(node) & set(PARAMETERS) & symbols(other)


def may_be_series(node: Node) -> bool:
    """Whether it would be a series if its letter were a whole number."""
    return has_parameter(node) and all(_counts(part) for part in _parts(node))


def _counts(part: Node) -> bool:
    """Whether one part has the outer form of a series: nothing but parameters in its values."""
    if part.head == "rel" and part.name == "in" and part.args[1].name in _INTEGERS:
        return True
    try:
        _, low, high, _ = _stated(part)
    except Unsupported:
        return False
    return all(symbols(end) <= set(PARAMETERS) for end in (low, high) if end is not None)


def pieces(node: Node) -> tuple[list[Piece], str | None]:
    """The pieces of a general solution and the variable it names, if any; raises Unsupported for anything else."""
    found: list[Piece] = []
    names: set[str] = set()
    for part in _parts(node):
        if part.head == "rel" and part.name == "in" and part.args[1].name in _INTEGERS:
            continue
        name, low, high, brackets = _stated(part)
        if name is not None:
            names.add(name)
        found += _pieces(low, high, brackets)
    if len(names) > 1 or not found:
        raise Unsupported("several names")
    return found, names.pop() if names else None


def _parts(node: Node) -> list[Node]:
    if node.head in ("and", "or", "seq", "set", "union"):
        return [part for arg in node.args for part in _parts(arg)]
    if node.head == "builder":
        if node.args[0].head != "sym":
            raise Unsupported("builder")
        return _parts(node.args[1])
    if node.head == "rel" and node.name == "in" and node.args[1].head in ("union", "set"):
        return _parts(node.args[1])
    return [node]


def _stated(part: Node) -> tuple[str | None, Node, Node | None, str]:
    if part.head == "bracket" and len(part.args) == 2:
        return None, part.args[0], part.args[1], part.name
    if part.head != "rel":
        if part.head in ("and", "or", "matrix", "none", "text"):
            raise Unsupported(part.head)
        return None, part, None, "[]"
    if part.name == "in" and part.args[1].head == "bracket" and part.args[0].head == "sym":
        return base_name(part.args[0].name), part.args[1].args[0], part.args[1].args[1], part.args[1].name
    if operators(part) == ("=",):
        name, value = part.args if part.args[0].head == "sym" else part.args[::-1]
        if name.head == "sym":
            return base_name(name.name), value, None, "[]"
    if len(part.args) == 3 and set(operators(part)) <= {"<", "<="} and part.args[1].head == "sym":
        ends = operators(part)
        brackets = ("(" if ends[0] == "<" else "[") + (")" if ends[1] == "<" else "]")
        return base_name(part.args[1].name), part.args[0], part.args[2], brackets
    raise Unsupported("not solved")


def _pieces(low: Node, high: Node | None, brackets: str) -> list[Piece]:
    if high is not None:
        return [_interval(low, high, brackets)]
    return [_single(one) for value in signed_values(low) for one in _by_parity(value)]


def _by_parity(value: Node) -> list[Node]:
    """(-1)^k is 1 for the even k and -1 for the odd ones: two series."""
    names = {
        name
        for here in walk(value)
        if here.head == "pow" and symbols(here.args[1])
        for name in symbols(here.args[1]) & set(PARAMETERS)
    }
    if not names:
        return [value]
    if len(names) > 1:
        raise Unsupported("several parameters")
    (name,) = names
    doubled = mul(num(2), sym(name))
    return [substituted(value, {name: one}) for one in (doubled, add(doubled, num(1)))]


def _whole_powers(node: Node, name: str) -> Node:
    """Powers of -1 whose exponent is 2k + c, worked out."""

    def change(here: Node) -> Node | None:
        if here.head != "pow" or name not in symbols(here.args[1]):
            return None
        normaliser = Normaliser()
        base = normaliser.number(normaliser.normal(here.args[0]))
        exponent = normaliser.normal(here.args[1])
        rows = p.coefficients(exponent.top, name)
        if base not in (1, -1) or p.as_constant(exponent.bottom) != 1 or not set(rows) <= {0, 1}:
            raise Unsupported("power of a parameter")
        step, start = p.as_constant(rows.get(1, {})), p.as_constant(rows.get(0, {}))
        if step is None or start is None or step % 2 or start.denominator != 1:
            raise Unsupported("power of a parameter")
        return num(-1 if base == -1 and start % 2 else 1)

    return rebuilt(node, change)


def _single(value: Node) -> Piece:
    start, period, unit = _linear(value)
    return Piece(start, start, "[]", period, unit)


def _interval(low: Node, high: Node, brackets: str) -> Piece:
    start, period, unit = _linear(low)
    end, other, other_unit = _linear(high)
    if period != other or unit != other_unit:
        raise Unsupported("ends with different periods")
    return Piece(start, end, brackets, period, unit)


def _linear(value: Node) -> tuple[Node, Fraction, str]:
    """start and period of a value that is linear in its parameter."""
    names = symbols(value)
    if not names:
        return value, Fraction(0), ""
    if len(names) != 1 or not names <= set(PARAMETERS):
        raise Unsupported("parameter")
    (name,) = names
    normaliser = Normaliser()
    form = normaliser.normal(_whole_powers(value, name))
    bottom = p.as_constant(form.bottom)
    rows = p.coefficients(form.top, name)
    if (
        bottom is None
        or not set(rows) <= {0, 1}
        or any(symbols(normaliser.meaning[one]) for row in rows.values() for one in p.generators(row))
    ):
        raise Unsupported("not linear")
    period, unit = _scalar(rows.get(1, {}), bottom)
    start = normaliser.node_of(Quotient(rows.get(0, {}), p.constant(bottom)))
    return start, abs(period), unit


def _scalar(poly: p.Poly, bottom: Fraction) -> tuple[Fraction, str]:
    """A rational number, or a rational multiple of π."""
    if not poly:
        return Fraction(0), ""
    if len(poly) == 1:
        ((monomial, value),) = poly.items()
        if monomial == ():
            return value / bottom, ""
        if monomial == (("const pi", 1),):
            return value / bottom, "π"
    raise Unsupported("period")
