"""General solutions x = a + k·p (k ∈ Z), several of them together, compared as sets of real numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from itembank.algebra import polynomials as p
from itembank.algebra.nodes import Node, operators, symbols
from itembank.algebra.normal import Normaliser
from itembank.algebra.realsets import signed_values
from itembank.algebra.results import Comparison, Unsupported, proved, refuted, short
from itembank.algebra.solutions import base_name

_PARAMETERS = ("k", "n", "m", "l")
_MAX_RESIDUES = 5000


@dataclass(frozen=True, slots=True)
class Progression:
    """start + period·k in units of π (or of 1 where no π occurs); period 0 is a single value."""

    start: Fraction
    period: Fraction


def has_parameter(node: Node) -> bool:
    """Whether a statement gives values with a whole-number parameter."""
    if node.head in ("and", "or", "seq"):
        return any(has_parameter(arg) for arg in node.args)
    if node.head != "rel" or node.name != "=" or len(symbols(node)) < 2:
        return False  # k = ±1 says what k is
    return any(symbols(side) & set(_PARAMETERS) for side in node.args)


def same_progressions(left: Node, right: Node) -> Comparison:
    """Whether two general solutions hold the same numbers; raises Unsupported where they are not of this kind."""
    first, unit = _read(left)
    second, other = _read(right)
    if unit != other:
        raise Unsupported("units")
    periods = [one.period for one in (*first, *second)]
    if not all(periods):
        raise Unsupported("single values among series")
    common = _common(periods)
    if not common:
        raise Unsupported("no series")
    one, two = _residues(first, common), _residues(second, common)
    if one == two:
        return proved("general-solution")
    missing, extra = sorted(one - two), sorted(two - one)
    witness = {"missing": short(missing[0]) + unit} if missing else {}
    if extra:
        witness["extra"] = short(extra[0]) + unit
    where = next(iter(witness.values()))
    told = ("holds", "does not hold") if missing else ("does not hold", "holds")
    return refuted("general-solution", at=f"x = {where}", left=told[0], right=told[1], **witness)


def _common(periods: list[Fraction]) -> Fraction:
    bottom = lcm(*(period.denominator for period in periods))
    return Fraction(lcm(*(int(period * bottom) for period in periods)), bottom)


def _residues(progressions: list[Progression], common: Fraction) -> frozenset[Fraction]:
    found: set[Fraction] = set()
    for one in progressions:
        count = int(common / one.period)
        if len(found) + count > _MAX_RESIDUES:
            raise Unsupported("too many values")
        found |= {(one.start + one.period * step) % common for step in range(count)}
    return frozenset(found)


def _read(node: Node) -> tuple[list[Progression], str]:
    found: list[Progression] = []
    units: set[str] = set()
    names: set[str] = set()
    for part in _parts(node):
        if part.name == "in":
            if part.args[1].name not in ("Z", "set_Z"):
                raise Unsupported("parameter")
            continue
        if part.head != "rel" or operators(part) != ("=",) or part.args[0].head != "sym":
            raise Unsupported("not solved")
        names.add(base_name(part.args[0].name))
        for value in signed_values(part.args[1]):
            progression, unit = _progression(value)
            found.append(progression)
            units.add(unit)
    if len(units - {""}) > 1 or len(names) != 1:
        raise Unsupported("units")
    return found, (units - {""}).pop() if units - {""} else ""


def _parts(node: Node) -> list[Node]:
    if node.head in ("and", "or", "seq"):
        return [part for arg in node.args for part in _parts(arg)]
    return [node]


def _progression(value: Node) -> tuple[Progression, str]:
    names = symbols(value)
    if len(names) != 1 or not names <= set(_PARAMETERS):
        raise Unsupported("parameter")
    (name,) = names
    normaliser = Normaliser()
    form = normaliser.normal(value)
    bottom = p.as_constant(form.bottom)
    rows = p.coefficients(form.top, name)
    if bottom is None or not set(rows) <= {0, 1}:
        raise Unsupported("not linear")
    start, unit = _scalar(rows.get(0, {}), bottom)
    period, period_unit = _scalar(rows.get(1, {}), bottom)
    if start and unit != period_unit:
        raise Unsupported("units")
    return Progression(start, abs(period)), period_unit


def _scalar(poly: p.Poly, bottom: Fraction) -> tuple[Fraction, str]:
    """A rational number, or a rational multiple of π."""
    if not poly:
        return Fraction(0), ""
    if len(poly) != 1:
        raise Unsupported("value")
    ((monomial, value),) = poly.items()
    if monomial == ():
        return value / bottom, ""
    if monomial == (("const pi", 1),):
        return value / bottom, "π"
    raise Unsupported("value")
