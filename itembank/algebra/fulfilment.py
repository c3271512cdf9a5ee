"""Does a written line state an expected result? Strict about what is named, lenient about how it is written.

`d = 8/4 = 2`, `d = 4/2` and `2 = d` state "d = 2"; `4d = 8`, `= 2` and `2` do not. A different last value for the same
left side refutes; a line about something else is UNDECIDED with the method "unrelated".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from itembank.algebra.closeness import within
from itembank.algebra.equality import Ladder
from itembank.algebra.equations import rearranged
from itembank.algebra.lines import closed, is_name, pairs, proved_or, runs, same_name, stated_value
from itembank.algebra.nodes import Node, call, num, operators, rel, substituted, symbols, text_of, walk
from itembank.algebra.quantities import has_quantity
from itembank.algebra.relations import same_solutions, same_statement
from itembank.algebra.results import Comparison, Result, proved, refuted, undecided, worst
from itembank.algebra.solutions import is_solved, solved_variable

UNRELATED = undecided("unrelated")


def fulfils(wanted: Node, written: Sequence[Node], givens: Mapping[str, Node], ladder: Ladder) -> Comparison:
    """The answer for a line of several statements: one of them fulfilling suffices."""
    if wanted.head == "rel" and len(wanted.args) > 2 and not is_solved(wanted):
        chain = _wanted_chain(wanted)
        return _all([fulfils(one, written, givens, ladder) for one in chain]) if len(chain) > 1 else fulfils(
            chain[0], written, givens, ladder
        )  # fmt: skip
    answers = [_one(wanted, statement, givens, ladder) for statement in _candidates(wanted, written, ladder)]
    answer = proved_or(answers, UNRELATED)
    if answer.result is Result.PROVED and _is_retracted(wanted, written, ladder):
        return undecided("several-values")
    if answer is UNRELATED and _is_left_open(wanted, written, givens, ladder):
        return undecided("alternatives")
    return answer


def _is_retracted(wanted: Node, written: Sequence[Node], ladder: Ladder) -> bool:
    """Whether the line goes on to another closed value for the same left side: d = 2; d = 3."""
    if wanted.head != "rel" or wanted.name != "=" or not closed(wanted.args[1]) or not is_name(wanted.args[0]):
        return False
    if _has_signs(wanted):
        return False
    name, value = wanted.args
    stated = (stated_value(one, name, ladder) for node in written for one in _parts_alone(node, ladder))
    return any(one is not None and closed(one) and ladder.equal(value, one).result is Result.REFUTED for one in stated)


def _is_left_open(wanted: Node, written: Sequence[Node], givens: Mapping[str, Node], ladder: Ladder) -> bool:
    """Whether one alternative of several would fulfil, so that the line neither states the result nor lacks it."""
    inside = [one for node in written if node not in (wanted,) for one in _all_parts(node)]
    return any(_one(wanted, one, givens, ladder).result is Result.PROVED for one in inside if one not in written)


def _all_parts(node: Node) -> list[Node]:
    return [one for arg in node.args for one in _all_parts(arg)] if node.head in ("and", "seq", "or") else [node]


def _wanted_chain(wanted: Node) -> list[Node]:
    """What a chain demands: of a run of equal sides the first and the last, and each inequality."""
    stretches = runs(wanted)
    found = [rel(("=",), (run[0], run[-1])) for run in stretches if len(run) > 1]
    signs = [sign for sign in operators(wanted) if sign != "="]
    for sign, left, right in zip(signs, stretches, stretches[1:], strict=False):
        found.append(rel((sign,), (left[-1], right[0])))
    return found


def _all(answers: list[Comparison]) -> Comparison:
    return worst(answers) or answers[0]


def _candidates(wanted: Node, written: Sequence[Node], ladder: Ladder) -> list[Node]:
    """The statements to try: single ones for a single result, and the line as a whole for a set of results."""
    single = [one for node in written for one in _parts_alone(node, ladder) if one.head != "text"]
    if wanted.head == "rel" and wanted.name == "=" and not is_solved(wanted):
        return [*written, *single]
    if wanted.head in ("rel", "and", "or", "seq", "set", "none", "union", "bracket"):
        whole = [Node("seq", tuple(written))] if len(written) > 1 else []
        return [*whole, *written, *(one for one in single if one not in written)]
    return [*written, *(one for one in single if one not in written)]


def _parts_alone(node: Node, ladder: Ladder) -> list[Node]:
    """The statements of a list that are each said to be so: not an alternative, nor one of several values of a name."""
    if node.head not in ("and", "seq"):
        return [node]
    found = [one for arg in node.args for one in _parts_alone(arg, ladder)]
    if node.head == "and":
        return found
    if any(one.head not in ("rel", "text", "none", "or") and closed(one) for one in found):
        return []  # x = 2, 3 gives two values
    return [one for one in found if not any(_differ(one, other, ladder) for other in found)]


def _differ(one: Node, other: Node, ladder: Ladder) -> bool:
    """Whether two relations say two things of one left side: two closed values, two ranges."""
    if one is other or one.head != "rel" or other.head != "rel" or one.args[0] != other.args[0]:
        return False
    if one.args[0].head == "num":
        return False
    equal = "=" in operators(one), "=" in operators(other)
    if not all(equal):
        return not any(equal) and one != other
    first, second = one.args[-1], other.args[-1]
    return first != second and closed(first) and closed(second) and not ladder.quickly_equal(first, second)


def _one(wanted: Node, statement: Node, givens: Mapping[str, Node], ladder: Ladder) -> Comparison:
    if wanted.head == "rel" and wanted.name == "=":
        return _equality(wanted, statement, givens, ladder)
    if wanted.head in ("and", "seq") and not is_solved(wanted):
        return _conjunction(wanted, statement, givens, ladder)
    if wanted.head in ("rel", "or", "and", "seq", "none", "set", "union") or (wanted.head == "bracket"):
        return _solution_set(wanted, statement, ladder)
    return _bare(wanted, statement, ladder)


def _bare(wanted: Node, statement: Node, ladder: Ladder) -> Comparison:
    """An expected expression without a left side: the last side of any statement, or the expression alone."""
    if statement.head == "rel":
        answers = [ladder.equal(wanted, run[-1]) for run in runs(statement)]
        return proved_or([one for one in answers if one.result is Result.PROVED], UNRELATED)
    if statement.head in ("and", "or", "seq", "text", "none"):
        return UNRELATED
    answer = same_statement(wanted, statement, ladder)
    return answer if answer.result is Result.PROVED or closed(statement) == closed(wanted) else UNRELATED


def _equality(wanted: Node, statement: Node, givens: Mapping[str, Node], ladder: Ladder) -> Comparison:
    left, right = wanted.args
    if is_name(right) and not is_name(left):
        left, right = right, left
    if statement.head != "rel":
        if is_solved(wanted) and is_solved(statement) and statement.head in ("or", "seq"):
            return _solution_set(wanted, statement, ladder)
        return _series_of(wanted, statement, ladder)
    if is_solved(wanted) and _has_signs(right) and is_solved(statement) and len(statement.args) == 2:
        return _solution_set(wanted, statement, ladder)
    defines = is_name(left) and not (symbols(left) & symbols(right) and left.head == "sym")
    if not defines:
        stated = _same_side(left, right, statement, ladder)
        return stated if stated is not None else _equation(wanted, statement, givens, ladder)
    value = stated_value(statement, left, ladder)
    if value is not None:
        if not closed(right):
            return _open_value(left, right, statement, givens, ladder)
        return _value(left, right, value, givens, ladder)
    if is_solved(wanted) and is_solved(statement) and symbols(statement) <= symbols(wanted) | _number_sets(statement):
        return _solution_set(wanted, statement, ladder)
    if closed(right):
        return UNRELATED
    if left.head == "sym" and symbols(right):
        return _equation(wanted, statement, givens, ladder)
    turned = any(rearranged(wanted, one, ladder) for one in pairs(statement))
    return undecided("rearranged") if turned else UNRELATED


def _has_signs(node: Node) -> bool:
    return any(here.head == "pm" for here in walk(node))


def _number_sets(node: Node) -> frozenset[str]:
    return symbols(node) & {"Z", "N", "R", "set_Z", "set_N", "set_R"}


def _same_side(left: Node, right: Node, statement: Node, ladder: Ladder) -> Comparison | None:
    """An expression that is no name, such as 4d or C_5^2: its value is stated, rightly or wrongly, or it is not."""
    if closed(right) and left.head != "num":
        value = stated_value(statement, left, ladder)
        if value is not None and closed(value):
            return _value(left, right, value, {}, ladder)
    return None


def _open_value(name: Node, wanted: Node, statement: Node, givens: Mapping[str, Node], ladder: Ladder) -> Comparison:
    """An expected expression with symbols: any side may state it, and f'(x) = 0 is a question, not another result."""
    answers = []
    for run in runs(statement):
        if len(run) > 1 and any(same_name(side, name, ladder) for side in run):
            for side in run:
                if not same_name(side, name, ladder):
                    one = _value(name, wanted, side, givens, ladder)
                    open_result = one.result is not Result.REFUTED or not closed(side)
                    answers.append(one if open_result else undecided("equation"))
    return proved_or(answers, UNRELATED)


def _value(name: Node, wanted: Node, written: Node, givens: Mapping[str, Node], ladder: Ladder) -> Comparison:
    """The stated value against the expected one; an unfinished expression is neither right nor wrong yet."""
    answer = same_statement(wanted, written, ladder)
    if answer.result is Result.PROVED:
        return answer
    if closed(wanted) and not closed(written) and written.head != "none" and not has_quantity(written):
        return undecided("unfinished")
    known = {key: node for key, node in givens.items() if key not in symbols(name)}
    if not closed(wanted) and known:
        again = same_statement(substituted(wanted, known), substituted(written, known), ladder)
        if again.result is not Result.UNDECIDED:
            return again if again.result is Result.PROVED else _renamed(again, name, wanted, written)
    if symbols(wanted) != symbols(written) and not (symbols(written) <= symbols(wanted)):
        return undecided("other-names")
    if answer.result is Result.REFUTED:
        if _lacks_degree(wanted, written, ladder):
            return undecided("unit")
        if _is_rounded(wanted, written):
            return undecided("rounded")
        return _renamed(answer, name, wanted, written)
    return answer


def _lacks_degree(wanted: Node, written: Node, ladder: Ladder) -> bool:
    """Whether the value would be right if read in degrees: A = 60 for A = 60°."""
    bare = not any(here.name in ("degree", "pi") for here in walk(written))
    return bare and ladder.quickly_equal(wanted, call("degree", written))


def _is_rounded(wanted: Node, written: Node) -> bool:
    """Whether a decimal number is the expected value to its own last place."""
    number = written.args[0] if written.head == "neg" else written
    if number.head != "num" or not number.places or not closed(wanted):
        return False
    margin = num(Fraction(1, 2 * 10**number.places))
    return within(wanted, written, margin).result is Result.PROVED


def _renamed(answer: Comparison, name: Node, wanted: Node, written: Node) -> Comparison:
    """A refutation told in the terms of the line."""
    witness = dict(answer.witness or {})
    at = witness.get("at", "")
    return refuted(answer.method, name=text_of(name), at=at, left=text_of(wanted), right=text_of(written))


def _equation(wanted: Node, statement: Node, givens: Mapping[str, Node], ladder: Ladder) -> Comparison:
    """An expected equation or relation by an equivalent one; being something else is no refutation.

    The same formula on other conditions (`v=s/t` for `s=vt`) is neither: whether it will do is for a person to say.
    """
    known = dict(givens)
    open_answer = UNRELATED
    for one in pairs(statement) if statement.head == "rel" else (statement,):
        for first, second in ((wanted, one), (substituted(wanted, known), substituted(one, known))):
            if not symbols(first) or not symbols(second):
                continue
            if same_statement(first, second, ladder).result is Result.PROVED and _same_sides(wanted, one):
                return proved("equation")
        if _shares_side(wanted, one, known, ladder):
            return proved("sides")
        if rearranged(wanted, one, ladder):
            open_answer = undecided("rearranged")
    return open_answer


def _same_sides(wanted: Node, one: Node) -> bool:
    """A solved form never stands for an unsolved equation, nor the other way round."""
    return is_solved(wanted) == is_solved(one)


def _shares_side(wanted: Node, one: Node, known: dict[str, Node], ladder: Ladder) -> bool:
    """4d = a_7 - a_3 by 4d = 8: one side the same expression, the other of the same value."""
    if one.head != "rel" or one.name != "=" or wanted.head != "rel" or len(wanted.args) != 2:
        return False
    for a, b in (wanted.args, wanted.args[::-1]):
        for c, d in (one.args, one.args[::-1]):
            if same_name(a, c, ladder) and symbols(a):
                first, second = substituted(b, known), substituted(d, known)
                if ladder.equal(first, second).result is Result.PROVED:
                    return True
    return False


def _conjunction(wanted: Node, statement: Node, givens: Mapping[str, Node], ladder: Ladder) -> Comparison:
    """Several results that are all expected: each must be stated in the line."""
    written = list(statement.args) if statement.head in ("and", "seq") else [statement]
    annotations = [one for one in wanted.args if one.head == "rel" and one.name == "in"]
    if annotations:
        return _series_of(wanted, statement, ladder)
    return _all([fulfils(one, written, givens, ladder) for one in wanted.args])


def _series_of(wanted: Node, statement: Node, ladder: Ladder) -> Comparison:
    if solved_variable(wanted) is None or solved_variable(wanted) != solved_variable(statement):
        return UNRELATED
    return same_solutions(wanted, statement, ladder)


def _solution_set(wanted: Node, statement: Node, ladder: Ladder) -> Comparison:
    """An expected set of solutions by the same set in solved form; a part of it is not yet a refutation."""
    if statement.head == "rel" and wanted.head == "rel":
        for one in pairs(statement):
            if one == wanted:
                return proved("identical")
    if not is_solved(wanted):
        return _equation(wanted, statement, {}, ladder)
    if statement.head == "rel" and len(statement.args) > 2:
        options = [_solution_set(wanted, one, ladder) for one in pairs(statement) if is_solved(one)]
        whole = [same_solutions(wanted, statement, ladder)] if is_solved(statement) else []
        return proved_or([*whole, *(one for one in options if one.result is Result.PROVED)], UNRELATED)
    if not is_solved(statement):
        return UNRELATED
    first, second = solved_variable(wanted), solved_variable(statement)
    if first is not None and second is not None and first != second:
        return UNRELATED
    if first is not None and second is None and statement.head != "none":
        return UNRELATED
    answer = same_solutions(wanted, statement, ladder)
    listed = wanted.head in ("or", "seq", "set") or (
        wanted.head == "rel" and (wanted.name != "=" or _has_signs(wanted))
    )
    if answer.result is Result.REFUTED and listed and statement.head == "rel":
        return answer if (answer.witness or {}).get("extra") else undecided("partial")
    return answer
