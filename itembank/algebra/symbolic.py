"""Symbolic work with SymPy, only ever inside the child. Its objects are built from our own tree, never from text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy

from itembank.algebra import limits
from itembank.algebra.nodes import Node, text_of
from itembank.algebra.serial import node_from


class CannotBuild(Exception):
    """The tree holds something that this rung does not know."""


class Builder:
    """SymPy objects for one request."""

    def __init__(self, positive: frozenset[str], integers: frozenset[str]) -> None:
        self.positive = positive
        self.integers = integers
        self.names: dict[str, sympy.Symbol] = {}

    def build(self, node: Node) -> Any:
        head = node.head
        if head == "num":
            assert node.value is not None
            return sympy.Rational(node.value.numerator, node.value.denominator)
        if head == "sym":
            return self._symbol(node.name)
        if head == "const":
            return {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "oo": sympy.oo}[node.name]
        if head == "pow":
            return self._power(node)
        args = [self.build(arg) for arg in node.args] if head in ("add", "mul", "neg", "div") else []
        if head == "add":
            return sympy.Add(*args)
        if head == "mul":
            return sympy.Mul(*args)
        if head == "neg":
            return -args[0]
        if head == "div":
            if args[1] == 0:
                raise CannotBuild("division by zero")
            return args[0] / args[1]
        if head == "call":
            return self._call(node)
        raise CannotBuild(head)

    def _symbol(self, name: str) -> sympy.Symbol:
        if name not in self.names:
            known: dict[str, bool] = {"real": True}
            if name in self.positive:
                known["positive"] = True
            if name in self.integers:
                known["integer"] = True
            self.names[name] = sympy.Symbol(f"v{len(self.names)}", **known)
        return self.names[name]

    def _power(self, node: Node) -> Any:
        base, exponent = (self.build(arg) for arg in node.args)
        if exponent.is_number and abs(exponent) > limits.MAX_CONSTANT_EXPONENT:
            raise CannotBuild("exponent")
        return base**exponent

    def _call(self, node: Node) -> Any:
        name = node.name
        if name in ("sum", "product", "integral", "antiderivative", "derivative", "limit"):
            return self._calculus(node)
        if any(arg.head == "text" for arg in node.args):
            return self._symbol(text_of(node))
        args = [self.build(arg) for arg in node.args]
        known = _FUNCTIONS.get(name)
        if known is None:
            return sympy.Function(f"u_{len(name)}_{name.encode().hex()}")(*args)
        if name in ("factorial", "binomial", "perm") and any(
            a.is_number and abs(a) > limits.MAX_FACTORIAL for a in args
        ):
            raise CannotBuild("factorial")
        return known(*args)

    def _calculus(self, node: Node) -> Any:
        variable = self._symbol(node.args[1].name)
        body = self.build(node.args[0])
        if node.name == "limit":
            return self._limit(body, variable, node)
        bounds = [self.build(arg) for arg in node.args[2:]]
        if node.name == "derivative":
            return sympy.diff(body, variable)
        if node.name == "integral":
            return sympy.integrate(body, (variable, *bounds))
        if node.name == "sum":
            return sympy.summation(body, (variable, *bounds))
        if node.name == "product":
            return sympy.product(body, (variable, *bounds))
        raise CannotBuild(node.name)

    def _limit(self, body: Any, variable: sympy.Symbol, node: Node) -> Any:
        """The limit from the side that is written; from both sides, and unknown where they differ."""
        target = node.args[2]
        infinite = {"oo": sympy.oo}.get(target.name) or (
            -sympy.oo if target.head == "neg" and target.args[0].name == "oo" else None
        )
        if infinite is not None:
            return sympy.limit(body, variable, infinite)
        return sympy.limit(body, variable, self.build(target), {"±": "+-"}.get(node.args[3].name, node.args[3].name))


def _real_root(value: Any, degree: Any) -> Any:
    if degree.is_odd and not value.is_nonnegative:
        return sympy.sign(value) * sympy.Abs(value) ** (1 / degree)
    return value ** (1 / degree)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "cot": sympy.cot, "sec": sympy.sec, "csc": sympy.csc,
    "asin": sympy.asin, "acos": sympy.acos, "atan": sympy.atan, "sinh": sympy.sinh, "cosh": sympy.cosh,
    "tanh": sympy.tanh, "ln": sympy.log, "log": sympy.log, "exp": sympy.exp, "sqrt": sympy.sqrt, "abs": sympy.Abs,
    "floor": sympy.floor, "ceil": sympy.ceiling, "factorial": sympy.factorial, "binomial": sympy.binomial,
    "perm": lambda n, k: sympy.factorial(n) / sympy.factorial(n - k), "percent": lambda x: x / 100,
    "degree": lambda x: x * sympy.pi / 180, "root": _real_root, "max": sympy.Max, "min": sympy.Min,
}  # fmt: skip


def _attempts(difference: Any) -> Iterator[Any]:
    """Cheaper simplifications first."""
    yield difference
    yield sympy.expand(difference)
    yield sympy.cancel(sympy.together(difference))
    yield sympy.expand(sympy.powsimp(sympy.powdenest(sympy.expand_log(difference))))
    yield sympy.trigsimp(sympy.expand_trig(difference))
    yield sympy.simplify(difference)
    yield sympy.simplify(sympy.gammasimp(difference))
    yield sympy.logcombine(difference)


def _vanishes(difference: Any) -> bool:
    if any(form == 0 for form in _attempts(difference)):
        return True
    return not difference.free_symbols and difference.equals(0) is True


def _equal(request: dict[str, Any], builder: Builder) -> dict[str, str]:
    left, right = (builder.build(node_from(request[side])) for side in ("left", "right"))
    if left == right and left in (sympy.oo, -sympy.oo):
        return {"result": "equal"}
    if any(value.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo) for value in (left, right)):
        return {"result": "unknown", "why": "undefined"}
    return {"result": "equal" if _vanishes(left - right) else "unknown"}


def _same_ideal(request: dict[str, Any], builder: Builder) -> dict[str, str]:
    """Whether two systems of polynomial equations generate the same ideal."""
    systems = [[builder.build(node_from(item)) for item in request[side]] for side in ("left", "right")]
    names = sorted(set().union(*(item.free_symbols for system in systems for item in system)), key=str)
    bases = [sympy.groebner([sympy.numer(sympy.together(item)) for item in system], *names) for system in systems]
    return {"result": "equal" if bases[0].exprs == bases[1].exprs else "unknown"}


def _factors(request: dict[str, Any], builder: Builder) -> dict[str, Any]:
    """How many irreducible factors, counted with multiplicity, and the numeric factor, of a polynomial over Q."""
    content, parts = sympy.factor_list(builder.build(node_from(request["left"])))
    rational = Fraction(int(content.p), int(content.q)) if content.is_Rational else Fraction(1)
    return {"result": "known", "content": str(rational), "count": sum(power for _, power in parts)}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The reply to one request; anything that goes wrong is raised and leaves the question open."""
    builder = Builder(frozenset(request.get("positive", ())), frozenset(request.get("integers", ())))
    return {"equal": _equal, "ideal": _same_ideal, "factors": _factors}[request["op"]](request, builder)


def warmed_up() -> None:
    """Loads what the first request would otherwise load again in every fork."""
    x = sympy.Symbol("x", real=True)
    for form in _attempts(sympy.sin(x) ** 2 + sympy.cos(x) ** 2 - 1 + sympy.sqrt(x**2 + 1) * 0):
        form.equals(0)
    sympy.summation(x, (x, 1, 3))
    sympy.integrate(x, (x, 0, 1))
