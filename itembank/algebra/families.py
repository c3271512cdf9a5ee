"""Equal up to something: an arbitrary constant of integration, a renaming of variables."""

from __future__ import annotations

from itertools import permutations

from itembank.algebra.calculus import derivative
from itembank.algebra.equality import Ladder
from itembank.algebra.nodes import Node, num, substituted, sym, symbols, text_of, walk
from itembank.algebra.relations import same_statement
from itembank.algebra.results import Comparison, Options, Result, Unsupported, proved, refuted, undecided

_MAX_RENAMED = 5


def up_to_constant(gold: Node, student: Node, variable: str | None, ladder: Ladder) -> Comparison:
    """Antiderivatives: equal derivatives, and the student adds an arbitrary constant."""
    name = variable or _only_variable(gold)
    if name is None:
        return undecided("variable")
    try:
        first, second = derivative(gold, name), derivative(student, name)
    except Unsupported:
        return undecided("derivative")
    answer = ladder.equal(first, second)
    if answer.result is Result.REFUTED:
        return answer
    constants = [one for one in sorted(symbols(student) - {name}) if _is_arbitrary(one, student, second, ladder)]
    if not constants and not any(here.name == "antiderivative" for here in walk(student)):
        return refuted("constant", missing="an arbitrary constant", right=text_of(student))
    return proved("antiderivative") if answer.result is Result.PROVED else answer


def _only_variable(node: Node) -> str | None:
    names = symbols(node) - {"c", "C"}
    return next(iter(names)) if len(names) == 1 else ("x" if "x" in names else None)


def _is_arbitrary(name: str, node: Node, slope: Node, ladder: Ladder) -> bool:
    """Whether a symbol shifts the function without changing its slope."""
    try:
        flat = ladder.equal(derivative(slope, name), num(0))
        moves = ladder.equal(derivative(node, name), num(0))
    except Unsupported:
        return False
    return flat.result is Result.PROVED and moves.result is Result.REFUTED


def up_to_renaming(gold: Node, student: Node, options: Options, ladder: Ladder) -> Comparison:
    """Equal after renaming the student's variables one to one."""
    fixed = set(options.fixed)
    wanted, given = sorted(symbols(gold) - fixed), sorted(symbols(student) - fixed)
    if len(wanted) != len(given):
        return refuted("names", left=", ".join(wanted), right=", ".join(given))
    if len(wanted) > _MAX_RENAMED:
        return undecided("limit")
    answers = []
    for order in permutations(wanted):
        renamed = substituted(student, {old: sym(new) for old, new in zip(given, order, strict=True)})
        answer = same_statement(gold, renamed, ladder)
        if answer.result is Result.PROVED:
            return proved("renaming")
        answers.append(answer)
    if all(answer.result is Result.REFUTED for answer in answers):
        return answers[0]
    return undecided("renaming")
