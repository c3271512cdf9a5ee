"""Whether two expressions are equal: the ladder of normal form, rigorous probes and symbolic work, in that order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from itembank.algebra import budget
from itembank.algebra import polynomials as p
from itembank.algebra.budget import Remembered
from itembank.algebra.calculus import worked_out
from itembank.algebra.enclosures import MORE_BITS, Interval, Unknown, decimal, disjoint, value_at
from itembank.algebra.identities import equal_numbers
from itembank.algebra.induction import by_induction
from itembank.algebra.kernels import Quotient
from itembank.algebra.nodes import Node, neg, num, rebuilt, symbols, text_of, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.points import Domain, points, rational_at
from itembank.algebra.results import (
    Comparison,
    Result,
    TooLarge,
    Undefined,
    Unsupported,
    proved,
    refuted,
    short,
    undecided,
)

Symbolic = Callable[[Node, Node, Domain], Comparison]

_ENOUGH = 5
_STATEMENTS_KEPT = 200
_NUMERIC_ERRORS = (Undefined, Unknown, TooLarge, ValueError, OverflowError, ZeroDivisionError)


def no_symbolic(left: Node, right: Node, domain: Domain) -> Comparison:
    """The ladder without its last rung."""
    return undecided("normal-form")


@dataclass(frozen=True, slots=True)
class Ladder:
    """What comparisons of expressions share: the domain and the last rung."""

    domain: Domain = field(default_factory=Domain)
    symbolic: Symbolic = no_symbolic
    statements: Remembered[tuple[Node, Node, str | None, str | None], Comparison] = field(
        default_factory=lambda: Remembered(_STATEMENTS_KEPT), compare=False, repr=False
    )
    """What `relations.same_statement` said in this question: a chain asks the same of one pair by several ways."""

    def equal(self, left: Node, right: Node) -> Comparison:
        """Equality wherever both sides are defined."""
        left, right = worked_out(left), worked_out(right)
        if any(node.head == "pm" for node in walk(left)) or any(node.head == "pm" for node in walk(right)):
            return self._equal_with_signs(left, right)
        return self._equal(left, right)

    def quickly_equal(self, left: Node, right: Node) -> bool:
        """Whether the normal forms agree; never slow."""
        form = self._by_form(left, right)
        return form is not None and form.result is Result.PROVED

    def constant_difference(self, left: Node, right: Node) -> Fraction | None:
        """left - right where that is a rational number whatever the symbols are."""
        normaliser = Normaliser(self.domain.positive, self.domain.integers)
        try:
            normaliser.prepare((left, right))
            value = normaliser.table.add(normaliser.normal(left), normaliser.normal(right), -1)
        except (Undefined, TooLarge, Unsupported, RecursionError):
            return None
        return normaliser.number(value)

    def same_leading_term(self, left: Node, right: Node) -> bool:
        """Whether two polynomials begin with the same highest term."""
        normaliser = Normaliser(self.domain.positive, self.domain.integers)
        try:
            first, second = normaliser.normal(left), normaliser.normal(right)
        except (Undefined, TooLarge, Unsupported, RecursionError):
            return True
        if not first.top or not second.top or first.bottom != second.bottom:
            return bool(first.top) and bool(second.top)
        a, b = p.leading(first.top), p.leading(second.top)
        return a == b and first.top[a] == second.top[b]

    def _equal_with_signs(self, left: Node, right: Node) -> Comparison:
        first, second = signed_pair(left), signed_pair(right)
        straight = [self._equal(a, b) for a, b in zip(first, second, strict=True)]
        if all(one.result is Result.PROVED for one in straight):
            return proved(straight[0].method)
        crossed = [self._equal(a, b) for a, b in zip(first, reversed(second), strict=True)]
        if all(one.result is Result.PROVED for one in crossed):
            return proved(crossed[0].method)
        for one, other in zip(straight, crossed, strict=True):
            if one.result is Result.REFUTED and other.result is Result.REFUTED:
                return one
        return undecided("signs")

    def _equal(self, left: Node, right: Node) -> Comparison:
        names = symbols(left) | symbols(right)
        form = self._by_form(left, right)
        if form is not None and (form.result is Result.REFUTED or not names):
            return form
        probe = self._by_probes(left, right, names)
        if probe.result is Result.REFUTED:
            return probe
        if form is not None and (probe.method == "probes-agree" or _is_entire(left, right)):
            return form
        if form is not None or (probe.method == "no-probe" and not _has_calculus(left, right)):
            return undecided("nowhere-defined")
        if not names and equal_numbers(left, right):
            return proved("exact")
        if by_induction(left, right):
            return proved("induction")
        unknown = self._without_unknown_functions(left, right)
        if unknown is not None:
            return unknown
        return self.symbolic(left, right, self.domain)

    def _without_unknown_functions(self, left: Node, right: Node) -> Comparison | None:
        """Where f(x) cancels from the difference, what is left can be probed."""
        if not any(
            here.head == "call" and here.name not in KNOWN_CALLS for side in (left, right) for here in walk(side)
        ):
            return None
        normaliser = Normaliser(self.domain.positive, self.domain.integers)
        try:
            normaliser.prepare((left, right))
            gap = normaliser.table.add(normaliser.normal(left), normaliser.normal(right), -1)
        except (Undefined, TooLarge, Unsupported, RecursionError):
            return None
        rest = normaliser.node_of(gap)
        unknown = _unknown_calls(rest)
        if unknown and not (unknown <= _unknown_calls(left) and unknown <= _unknown_calls(right)):
            return None
        names = {text_of(call_): Node("sym", name=text_of(call_)) for call_ in unknown}
        rest = rebuilt(rest, lambda here: names.get(text_of(here)) if here in unknown else None)
        probe = self._by_probes(rest, num(0), symbols(rest))
        if probe.result is Result.REFUTED and probe.witness:
            return refuted(
                "probe",
                at=probe.witness["at"],
                left=text_of(left),
                right=text_of(right),
                difference=probe.witness["left"],
            )
        return None

    def _by_form(self, left: Node, right: Node) -> Comparison | None:
        """PROVED, REFUTED where the normal form is decisive, or None."""
        by_number = _by_rational_numbers(left, right)
        if by_number is not None:
            return by_number
        normaliser = Normaliser(
            self.domain.positive | implied_positive(left) | implied_positive(right), self.domain.integers
        )
        try:
            normaliser.prepare((left, right))
            first, second = normaliser.normal(left), normaliser.normal(right)
            if normaliser.table.same(first, second):
                return proved("normal-form")
        except (Undefined, TooLarge, Unsupported, RecursionError):
            return None
        kinds = {name for form in (first, second) for poly in (form.top, form.bottom) for name in p.generators(poly)}
        if any(" " in name and name != "imag i" for name in kinds):
            return None
        return self._different(normaliser, first, second, left, right)

    def _different(
        self, normaliser: Normaliser, first: Quotient, second: Quotient, left: Node, right: Node
    ) -> Comparison | None:
        """Two different rational functions: a point where they differ exists and is found exactly."""
        if "imag i" not in normaliser.table.rules:
            names = symbols(left) | symbols(right)
            for point in points(names, self.domain, left, right):
                try:
                    a, b = rational_at(left, point), rational_at(right, point)
                except Undefined:
                    continue
                if a is not None and b is not None and a != b:
                    return refuted("probe", at=point_text(point), left=short(a), right=short(b))
            return None
        if symbols(left) | symbols(right):
            return None
        return refuted(
            "exact", at="", left=text_of(normaliser.node_of(first)), right=text_of(normaliser.node_of(second))
        )

    def _by_probes(self, left: Node, right: Node, names: frozenset[str]) -> Comparison:
        """REFUTED at a point where both are defined and differ; else whether any point was met."""
        met = 0
        for point in points(names, self.domain, left, right):
            try:
                a, b = value_at(left, point), value_at(right, point)
                if disjoint(a, b):
                    return refuted(
                        "probe",
                        at=point_text(point),
                        left=_value_text(left, point, a),
                        right=_value_text(right, point, b),
                    )
                met += 1
            except _NUMERIC_ERRORS:
                continue
            if met >= _ENOUGH + 4 * (len(names) > 1) or not names:
                break
        if met and not names:
            return self._closer(left, right)
        return undecided("probes-agree" if met else "no-probe")

    def _closer(self, left: Node, right: Node) -> Comparison:
        """Numbers that agree to the first precision, once more with a higher one."""
        try:
            a, b = value_at(left, {}, MORE_BITS), value_at(right, {}, MORE_BITS)
            if disjoint(a, b):
                return refuted("probe", at="", left=decimal(a, 40), right=decimal(b, 40))
        except _NUMERIC_ERRORS:
            pass
        return undecided("probes-agree")


def _by_rational_numbers(left: Node, right: Node) -> Comparison | None:
    """What the normal form says of two rational numbers, without making one; None for anything else."""
    if symbols(left) or symbols(right):
        return None
    budget.count(5)
    try:
        a, b = rational_at(left, {}), rational_at(right, {})
    except Undefined:
        return None
    if a is None or b is None:
        return None
    return proved("normal-form") if a == b else refuted("probe", at="", left=short(a), right=short(b))


KNOWN_CALLS = frozenset(
    ("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "sinh", "cosh", "tanh", "ln", "log", "exp", "sqrt",
     "root", "abs", "floor", "ceil", "factorial", "binomial", "perm", "percent", "degree", "mod", "max", "min", "sum",
     "product", "integral", "derivative", "antiderivative", "quantity", "sign", "transpose", "gcd", "lcm")
)  # fmt: skip


def _unknown_calls(node: Node) -> set[Node]:
    """The outermost values of functions of which nothing is known: f(n) in 2 + sin(f(n))."""
    if node.head == "call" and node.name not in KNOWN_CALLS:
        return {node}
    return {found for arg in node.args for found in _unknown_calls(arg)}


def is_unknown_call(node: Node) -> bool:
    """Whether nothing is known about a function but its name: f(x), or log without a base."""
    return node.head == "call" and (node.name not in KNOWN_CALLS or (node.name == "log" and len(node.args) == 1))


def _has_calculus(left: Node, right: Node) -> bool:
    """Whether there are parts that cannot be probed although they have values."""
    names = ("integral", "derivative", "sum", "product", "factorial", "binomial")
    return any(
        here.head == "call" and (here.name in names or is_unknown_call(here))
        for side in (left, right)
        for here in walk(side)
    )


def _is_entire(left: Node, right: Node) -> bool:
    """Whether neither side can be undefined: no division but by numbers, no root, no logarithm; e to a power may be."""
    return all(_is_harmless(here) for node in (left, right) for here in walk(node))


def _is_harmless(node: Node) -> bool:
    if node.head == "call":
        return node.name in ("sin", "cos", "exp", "abs", "degree", "percent") or is_unknown_call(node)
    if node.head == "div":
        return node.args[1].head == "num" and bool(node.args[1].value)
    return node.head in ("num", "sym", "add", "mul", "neg", "const", "text") or (
        node.head == "pow" and (node.args[0] == Node("const", name="e") or _whole_power(node))
    )


def _whole_power(node: Node) -> bool:
    return node.head == "pow" and node.args[1].head == "num" and (node.args[1].value or 0) >= 1


def signed_pair(node: Node) -> tuple[Node, Node]:
    """The two readings of ±, all signs taken together: the upper ones, then the lower ones."""
    upper = rebuilt(node, lambda here: signed_pair(here.args[0])[0] if here.head == "pm" else None)
    lower = rebuilt(node, lambda here: neg(signed_pair(here.args[0])[1]) if here.head == "pm" else None)
    return upper, lower


def implied_positive(node: Node) -> frozenset[str]:
    """Symbols that are positive wherever the expression is defined: x in √x and ln x. (At x = 0 the forms agree by continuity.)"""
    found = set()
    for here in walk(node):
        inner: Node | None = None
        if (here.head == "call" and here.name in ("sqrt", "ln", "log") and here.args) or (
            here.head == "pow" and _fractional(here.args[1])
        ):
            inner = here.args[0]
        if inner is not None:
            while inner.head == "div" and inner.args[0].head == "num" and (inner.args[0].value or 0) > 0:
                inner = inner.args[1]
            if inner.head == "mul":
                inner = _only_signed_factor(inner)
            if inner.head == "pow" and inner.args[1].head == "num" and (inner.args[1].value or 0) % 2 == 1:
                inner = inner.args[0]
            if inner.head == "sym":
                found.add(inner.name)
    return frozenset(found)


def _only_signed_factor(product: Node) -> Node:
    """The one factor that decides the sign, beside positive numbers; else the product."""
    rest = [arg for arg in product.args if arg.head != "num" or (arg.value or 0) <= 0]
    return rest[0] if len(rest) == 1 else product


def _fractional(exponent: Node) -> bool:
    try:
        value = rational_at(exponent, {})
    except Undefined:
        return False
    return value is not None and value.denominator % 2 == 0


def point_text(point: dict[str, Fraction]) -> str:
    """x = 2, y = 1/3."""
    return ", ".join(f"{name} = {short(value)}" for name, value in sorted(point.items()))


def _value_text(node: Node, point: dict[str, Fraction], enclosure: Interval) -> str:
    try:
        exact = rational_at(node, point)
    except Undefined:
        exact = None
    return short(exact) if exact is not None and len(short(exact)) < 30 else decimal(enclosure)
