"""Derivatives of expressions, and definite integrals of polynomials. Exact, rule by rule."""

from __future__ import annotations

from fractions import Fraction

from itembank.algebra import budget
from itembank.algebra import polynomials as p
from itembank.algebra.infinite import geometric_sum, limit_of_quotient
from itembank.algebra.kernels import Quotient
from itembank.algebra.nodes import (
    Node,
    add,
    call,
    const,
    div,
    mul,
    neg,
    num,
    power,
    rebuilt,
    substituted,
    sym,
    symbols,
    walk,
)
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import TooLarge, Undefined, Unsupported

_TWO = num(2)


def derivative(node: Node, name: str) -> Node:
    """d/d name of the expression; raises Unsupported for functions without a rule."""
    budget.spend(20)  # looking for the name costs a walk over all that is below
    if name not in symbols(node):
        return num(0)
    args = node.args
    if node.head == "sym":
        return num(1)
    if node.head == "add":
        return add(*(derivative(arg, name) for arg in args))
    if node.head == "neg":
        return neg(derivative(args[0], name))
    if node.head == "mul":
        terms = [
            mul(derivative(arg, name), *args[:i], *args[i + 1 :]) for i, arg in enumerate(args) if name in symbols(arg)
        ]
        return add(*terms)
    if node.head == "div":
        top, bottom = args
        upper = add(mul(derivative(top, name), bottom), neg(mul(top, derivative(bottom, name))))
        return div(upper, power(bottom, _TWO))
    if node.head == "pow":
        return _power(args[0], args[1], name)
    if node.head == "call":
        return _call(node, name)
    raise Unsupported(node.head)


def _power(base: Node, exponent: Node, name: str) -> Node:
    if name not in symbols(exponent):
        return mul(exponent, power(base, add(exponent, num(-1))), derivative(base, name))
    if name not in symbols(base):
        return mul(power(base, exponent), call("ln", base), derivative(exponent, name))
    inner = mul(exponent, call("ln", base))
    return mul(power(base, exponent), derivative(inner, name))


def _call(node: Node, name: str) -> Node:
    inner = node.args[0]
    if node.name == "antiderivative" and node.args[1] == sym(name):
        return inner
    if node.name == "log" and len(node.args) == 2 and name not in symbols(node.args[1]):
        return div(derivative(inner, name), mul(inner, call("ln", node.args[1])))
    if node.name == "root" and node.args[1].head == "num":
        degree = node.args[1]
        return div(mul(node, derivative(inner, name)), mul(degree, inner))
    outer = _OUTER.get(node.name)
    if outer is None or len(node.args) != 1:
        raise Unsupported(node.name)
    return mul(outer(inner), derivative(inner, name))


_OUTER = {
    "sin": lambda u: call("cos", u),
    "cos": lambda u: neg(call("sin", u)),
    "tan": lambda u: div(num(1), power(call("cos", u), _TWO)),
    "cot": lambda u: neg(div(num(1), power(call("sin", u), _TWO))),
    "sec": lambda u: div(call("sin", u), power(call("cos", u), _TWO)),
    "csc": lambda u: neg(div(call("cos", u), power(call("sin", u), _TWO))),
    "sinh": lambda u: call("cosh", u),
    "cosh": lambda u: call("sinh", u),
    "tanh": lambda u: div(num(1), power(call("cosh", u), _TWO)),
    "asinh": lambda u: div(num(1), call("sqrt", add(power(u, _TWO), num(1)))),
    "acosh": lambda u: div(num(1), call("sqrt", add(power(u, _TWO), num(-1)))),
    "atanh": lambda u: div(num(1), add(num(1), neg(power(u, _TWO)))),
    "ln": lambda u: div(num(1), u),
    "exp": lambda u: power(const("e"), u),
    "sqrt": lambda u: div(num(1), mul(_TWO, call("sqrt", u))),
    "abs": lambda u: div(call("abs", u), u),
    "asin": lambda u: div(num(1), call("sqrt", add(num(1), neg(power(u, _TWO))))),
    "acos": lambda u: neg(div(num(1), call("sqrt", add(num(1), neg(power(u, _TWO)))))),
    "atan": lambda u: div(num(1), add(num(1), power(u, _TWO))),
}


_WORKED_OUT = frozenset(("derivative", "integral", "limit", "sum"))


def worked_out(node: Node) -> Node:
    """The expression with the derivatives, simple definite integrals, limits and infinite sums in it carried out."""
    if not any(here.head == "call" and here.name in _WORKED_OUT for here in walk(node)):
        return node

    def change(here: Node) -> Node | None:
        if here.head != "call" or here.name not in _WORKED_OUT or here.args[1].head != "sym":
            return None
        body = worked_out(here.args[0])
        try:
            if here.name == "derivative":
                return derivative(body, here.args[1].name)
            if here.name in ("limit", "sum"):
                changed = Node("call", (body, *here.args[1:]), here.name)
                return limit_of_quotient(changed) if here.name == "limit" else geometric_sum(changed)
            return _integral(body, here.args[1].name, here.args[2], here.args[3])
        except (Unsupported, Undefined, TooLarge):
            return None

    return rebuilt(node, change)


def _integral(body: Node, name: str, low: Node, high: Node) -> Node:
    """The definite integral of a polynomial by its antiderivative."""
    normaliser = Normaliser()
    form = normaliser.normal(body)
    if name in symbols(normaliser.node_of(Quotient(form.bottom, p.constant(1)))):
        raise Unsupported("integral")
    rows = p.coefficients(form.top, name)
    terms = []
    for exponent, row in rows.items():
        rest = normaliser.node_of(Quotient(row, form.bottom))
        if name in symbols(rest):
            raise Unsupported("integral")
        terms.append(mul(num(Fraction(1, exponent + 1)), rest, power(sym(name), num(exponent + 1))))
    primitive = add(*terms) if terms else num(0)
    return add(substituted(primitive, {name: high}), neg(substituted(primitive, {name: low})))
