"""Demanded forms: factored, one fraction, lowest terms, completed square, decimal places, the same tree."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd

from itembank.algebra import polynomials as p
from itembank.algebra.arrangement import arranged
from itembank.algebra.nodes import Node, symbols, text_of, walk
from itembank.algebra.normal import Normaliser
from itembank.algebra.results import Comparison, Result, TooLarge, Undefined, Unsupported, proved, refuted, undecided
from itembank.algebra.roots import has_rational_zero
from itembank.algebra.serial import node_data
from itembank.algebra.symbolic_rung import SymbolicRung


def same_form(gold: Node, student: Node, form: str) -> Comparison:
    """same_tree and same_up_to_order."""
    first, second = (gold, student) if form == "same_tree" else (arranged(gold), arranged(student))
    if first == second:
        return proved("form")
    return refuted("form", left=text_of(gold), right=text_of(student), demanded=form)


def meets(student: Node, form: str, symbolic: SymbolicRung) -> Comparison:
    """Whether an expression is in the demanded form; its value is not looked at."""
    try:
        readers: dict[str, Callable[[], bool | None]] = {
            "factored": lambda: _factored(student, symbolic),
            "single_fraction": lambda: _single_fraction(student),
            "lowest_terms": lambda: _lowest_terms(student),
            "completed_square": lambda: _completed_square(student),
        }
        verdict = readers[form]()
    except (Unsupported, Undefined, TooLarge):
        return undecided("form")
    if verdict is None:
        return undecided("form")
    return proved("form") if verdict else refuted("form", right=text_of(student), demanded=form)


def _unsigned(node: Node) -> Node:
    while node.head == "neg":
        node = node.args[0]
    return node


def _divides(node: Node) -> bool:
    """Whether a division by something other than a pure number, or any negative power, occurs."""
    return any(here.head == "div" or (here.head == "pow" and here.args[1].head == "neg") for here in walk(node))


def _single_fraction(student: Node) -> bool:
    node = _unsigned(student)
    if node.head == "div":
        return not any(_divides(arg) for arg in node.args)
    return not _divides(node)


def _lowest_terms(student: Node) -> bool | None:
    node = _unsigned(student)
    if any(here.places for here in walk(node)):
        return None
    if not _divides(node):
        return True
    if node.head != "div" or any(_divides(arg) for arg in node.args):
        return False
    normaliser = Normaliser()
    top, bottom = (normaliser.normal(_unsigned(arg)) for arg in node.args)
    divisor = p.as_constant(bottom.top)
    if divisor is None:
        if any(name.startswith(("root", "imag")) for name in p.generators(bottom.top)):
            return False
        raise Unsupported("fraction of polynomials")
    content = p.content(top.top)
    return divisor != 1 and gcd(content.numerator, int(divisor)) == 1


def _completed_square(student: Node) -> bool:
    """c·(x + p)² + q, or either part alone."""
    terms = student.args if student.head == "add" else (student,)
    squares = [term for term in terms if symbols(term)]
    return len(squares) == 1 and _is_square_term(squares[0])


def _is_square_term(term: Node) -> bool:
    node = _unsigned(term)
    if node.head == "div" and not symbols(node.args[1]):
        node = _unsigned(node.args[0])
    factors = [factor for factor in (node.args if node.head == "mul" else (node,)) if symbols(factor)]
    if len(factors) != 1 or factors[0].head != "pow" or factors[0].args[1].value != 2:
        return False
    inner = Normaliser().normal(factors[0].args[0])
    return all(sum(exponent for _, exponent in monomial) <= 1 for monomial in inner.top)


def _factored(student: Node, symbolic: SymbolicRung) -> bool | None:
    """Every factor primitive and irreducible over the rational numbers."""
    node = _unsigned(student)
    if node.head == "div" and not symbols(node.args[1]):
        node = _unsigned(node.args[0])
    whole_list = []
    for factor in node.args if node.head == "mul" else (node,):
        base = _unsigned(factor)
        if base.head == "pow" and base.args[1].head == "num":
            base = _unsigned(base.args[0])
        if symbols(base):
            whole_list.append(base)
    return _every([_irreducible(base, symbolic) for base in whole_list])


def _every(verdicts: list[bool | None]) -> bool | None:
    return False if False in verdicts else (None if None in verdicts else True)


def _irreducible(node: Node, symbolic: SymbolicRung) -> bool | None:
    form = Normaliser().normal(node)
    if p.as_constant(form.bottom) is None or any(" " in name for name in p.generators(form.top)):
        raise Unsupported("no polynomial")
    if len(form.top) > 1 and (p.content(form.top) != 1 or p.monomial_content(form.top)):
        return False
    if node.head == "mul":
        return False
    names = sorted(p.generators(form.top))
    degree = max(sum(exponent for _, exponent in monomial) for monomial in form.top)
    if degree <= 1:
        return True
    if len(form.top) == 1:
        return node.head == "sym"
    row = p.univariate(form.top, names[0]) if len(names) == 1 else None
    if row is not None and degree <= 3:
        return not has_rational_zero(row)
    reply = symbolic.reply({"op": "factors", "left": node_data(node)})
    if isinstance(reply, Comparison) or reply.get("result") != "known":
        return None
    return int(reply["count"]) == 1


def with_value(value: Comparison, form: Comparison) -> Comparison:
    """For `form`, PROVED means the demanded form and an equal value; a different value or form refutes."""
    if value.result is Result.REFUTED:
        return value
    if form.result is Result.REFUTED:
        return form
    return form if value.result is Result.PROVED else value
