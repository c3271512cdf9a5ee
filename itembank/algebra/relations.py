"""Equivalence of statements: equations up to a factor, systems, tuples, and solution sets exactly."""

from __future__ import annotations

from collections.abc import Callable

from itembank.algebra.arrays import has_matrix, unit_vector_sum, worked_out_arrays
from itembank.algebra.branches import has_branches, same_by_branches
from itembank.algebra.complexroots import roots_of_polynomial
from itembank.algebra.domains import domain_difference
from itembank.algebra.equality import KNOWN_CALLS, Ladder, point_text, signed_pair
from itembank.algebra.equations import same_equation
from itembank.algebra.explicit import out_of_range, same_function
from itembank.algebra.kinds import different_kinds
from itembank.algebra.lines import difference, is_name
from itembank.algebra.nodes import Node, call, div, mul, neg, operators, rebuilt, symbols, text_of, walk
from itembank.algebra.periodic import is_wave, same_periodic
from itembank.algebra.points import points, truth_at
from itembank.algebra.primitives import same_antiderivative
from itembank.algebra.progressions import has_parameter, is_series, may_be_series
from itembank.algebra.quantities import has_quantity, quantity_of
from itembank.algebra.realsets import RealSets, signed_values
from itembank.algebra.results import (
    Comparison,
    Result,
    TooLarge,
    Undefined,
    Unsupported,
    proved,
    refuted,
    undecided,
    worst,
)
from itembank.algebra.shapes import same_shape
from itembank.algebra.solutions import base_name, is_solved
from itembank.algebra.symbolic_rung import SymbolicRung
from itembank.algebra.systems import is_polynomial, same_points
from itembank.algebra.unitnames import is_unit

_SETS = ("set", "union", "inter", "minus", "bracket", "none", "builder", "matrix")
_COLLECTIONS = (*_SETS, "piecewise", "congruence")
_STATEMENTS = ("rel", "and", "or", "seq")
_NUMBER_SETS = ("Z", "N", "R", "Q", "set_Z", "set_N", "set_R", "set_N+", "set_Z+", "set_R+")


def same_statement(
    left: Node, right: Node, ladder: Ladder, kind: str | None = None, domain: str | None = None
) -> Comparison:
    """Whether two statements or expressions mean the same. Solution sets are always compared strictly."""
    return ladder.statements.answer(
        (left, right, kind, domain), lambda: _same_statement(left, right, ladder, kind, domain)
    )


def _same_statement(left: Node, right: Node, ladder: Ladder, kind: str | None, domain: str | None) -> Comparison:
    left, right = _bases_cancelled(left), _bases_cancelled(right)
    left, right = _same_name_removed(left, right)
    if has_quantity(left) or has_quantity(right):
        return _quantities(left, right, ladder)
    free = _with_free_signs(left, right, ladder, kind, domain)
    if free is not None:
        return free
    left, right = _unnamed(left, right), _unnamed(right, left)
    left, right = _array(left, right), _array(right, left)
    left, right = _as_matrix(left, right), _as_matrix(right, left)
    if left == right and not any(here.head in ("div", "call", "pow") for here in walk(left)):
        return proved("identical")
    for rung in _rungs(left, right):
        try:
            answer = rung(left, right, ladder, kind)
        except (Unsupported, Undefined):
            continue
        if answer is not None and (answer.result is not Result.UNDECIDED or answer.method == "general-solution"):
            return answer
    kinds = _is_expression(left), _is_expression(right)
    if all(kinds):
        answer = _same_expression(left, right, ladder)
        if domain == "strict" and answer.result is Result.PROVED:
            return domain_difference(left, right) or answer
        return answer
    if kinds[0] and right.head == "rel":
        return different_kinds(left, right, ladder, swapped=False) or undecided("statements")
    if kinds[1] and left.head == "rel":
        return different_kinds(right, left, ladder, swapped=True) or undecided("statements")
    return undecided("statements")


def _same_expression(left: Node, right: Node, ladder: Ladder) -> Comparison:
    if any(here.name == "antiderivative" for side in (left, right) for here in walk(side)):
        return same_antiderivative(left, right, ladder)
    if (has_branches(left) or has_branches(right)) and not ladder.quickly_equal(left, right):
        answer = same_by_branches(left, right, ladder)
        if answer is not None:
            return answer
    return ladder.equal(left, right)


def _with_free_signs(
    left: Node, right: Node, ladder: Ladder, kind: str | None, domain: str | None
) -> Comparison | None:
    """x = ±√2 ± √3 may mean two numbers or four; it is decided where both meanings say the same, or four fit."""
    if not (_free_signs(left) or _free_signs(right)):
        return None
    free = same_statement(_all_signs(left), _all_signs(right), ladder, kind, domain)
    if free.result is Result.PROVED:
        return free
    tied = same_statement(_tied_signs(left), _tied_signs(right), ladder, kind, domain)
    return free if tied.result is free.result else undecided("signs")


def _free_signs(node: Node) -> bool:
    """Whether an equation holds several ± and no ∓, which would say that they go together."""
    if node.head in ("or", "seq", "and"):
        return any(_free_signs(arg) for arg in node.args)
    if node.head != "rel" or node.name != "=":
        return False
    signs = [here for here in walk(node) if here.head == "pm"]
    return 2 <= len(signs) <= 3 and not any(here.args[0].head == "neg" for here in signs)


def _all_signs(node: Node) -> Node:
    """Each ± replaced by both signs, in all combinations."""
    if node.head in ("or", "seq", "and"):
        return Node(node.head, tuple(_all_signs(arg) for arg in node.args))
    first = next((here for here in walk(node) if here.head == "pm"), None)
    if first is None:
        return node
    choices = (first.args[0], neg(first.args[0]))
    found = [_all_signs(rebuilt(node, lambda here, one=one: one if here is first else None)) for one in choices]  # type: ignore[misc]
    return Node("or", tuple(part for one in found for part in (one.args if one.head == "or" else (one,))))


def _tied_signs(node: Node) -> Node:
    if node.head in ("or", "seq", "and"):
        return Node(node.head, tuple(_tied_signs(arg) for arg in node.args))
    return Node("or", signed_pair(node)) if any(here.head == "pm" for here in walk(node)) else node


def _array(node: Node, other: Node) -> Node:
    """A matrix that is written as a sum, a multiple or a product, or by the unit vectors i, j and k."""
    try:
        if has_matrix(node) and node.head not in ("matrix", "rel", *_STATEMENTS):
            return worked_out_arrays(node)
        if other.head == "matrix" and len(other.args[0].args) == 1 and _is_expression(node):
            return unit_vector_sum(node, len(other.args)) or node
    except (Unsupported, Undefined, TooLarge):
        pass
    return node


def _quantities(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """Values with units; a missing unit is no difference here, a unit of another kind is."""
    try:
        first, second = quantity_of(left), quantity_of(right)
    except Unsupported:
        return undecided("unit")
    if first.has_unit != second.has_unit:
        bare = second if first.has_unit else first
        if symbols(bare.written):
            return _unit_in_letters(left, right, ladder)
        answer = ladder.equal(first.written, second.written)
        return proved("unit-missing") if answer.result is Result.PROVED else answer
    if first.dimension != second.dimension:
        return refuted("unit", left=text_of(left), right=text_of(right))
    return ladder.equal(first.value, second.value)


def _unit_in_letters(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """A unit written like a product of names: 10m or 50m² beside 10 m; whatever else it may be stays open."""
    read = [_with_unit(node) for node in (left, right)]
    if read[0] is None or read[1] is None:
        return undecided("unit")
    first, second = quantity_of(read[0]), quantity_of(read[1])
    if first.dimension != second.dimension:
        return undecided("unit")
    answer = ladder.equal(first.value, second.value)
    return proved("unit") if answer.result is Result.PROVED else answer


def _with_unit(node: Node) -> Node | None:
    if node.head != "mul" or node.args[-1].name == "quantity":
        return node if has_quantity(node) else None
    *factors, last = node.args
    letters = [here.name for here in factors if here.head == "sym"]
    numbers = [here for here in factors if here.head != "sym"]
    if last.head == "pow" and last.args[0].head == "sym" and last.args[1].head == "num":
        unit = "".join(letters) + f"{last.args[0].name}^{last.args[1].value}"
    elif last.head == "sym":
        unit = "".join(letters) + last.name
    else:
        return None
    if not is_unit(unit) or any(symbols(here) for here in numbers):
        return None
    return call("quantity", mul(*numbers), Node("text", name=unit))


def _finite(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    """Sets of complex numbers or other things that have no order."""
    first, second = _listed(left), _listed(right)
    if first is None or second is None:
        return _complex_roots(left, first, right, second, ladder)
    return _unordered(first, second, ladder)


def _listed(node: Node) -> Node | None:
    """The values of {…}, or of a list of solutions x = …; None for anything else."""
    if node.head == "set":
        return node
    parts = node.args if node.head in ("or", "seq") else (node,)
    if not parts or any(part.head != "rel" or part.name != "=" or part.args[0].head != "sym" for part in parts):
        return None
    names = {base_name(part.args[0].name) for part in parts}
    values = tuple(value for part in parts for value in signed_values(part.args[1]))
    return Node("set", values) if len(names) == 1 and not any(symbols(value) for value in values) else None


def _complex_roots(
    left: Node, first: Node | None, right: Node, second: Node | None, ladder: Ladder
) -> Comparison | None:
    """A polynomial equation against its list of complex solutions."""
    listed, other = (first, right) if first is not None else (second, left)
    if listed is None or other.head != "rel" or other.name != "=" or len(symbols(other)) != 1:
        return None
    if not any(here == Node("const", name="i") for here in walk(listed)):
        return None
    return roots_of_polynomial(difference(other), listed.args, ladder, listed_first=first is not None)


def _by_branches(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    """A piecewise function against another one or against an expression."""
    if "piecewise" not in (left.head, right.head) or {left.head, right.head} & {*_STATEMENTS, *_SETS}:
        return None
    return same_by_branches(left, right, ladder)


Rung = Callable[[Node, Node, Ladder, str | None], Comparison | None]


def _rungs(left: Node, right: Node) -> list[Rung]:
    if _is_expression(left) and _is_expression(right):
        return [_words] if "text" in (left.head, right.head) else [same_shape]
    return [
        _words,
        _by_branches,
        _functions,
        same_shape,
        _tuples,
        _progressions,
        _points,
        _assignments,
        _equations,
        _sets,
        _finite,
        _systems,
        _differing_point,
    ]


def _is_expression(node: Node) -> bool:
    return node.head not in (*_STATEMENTS, *_COLLECTIONS) and node.name not in ("set_R", "set_Z")


def _same_name_removed(left: Node, right: Node) -> tuple[Node, Node]:
    """D = (0, 1) against D = (0, 2): the collections alone."""
    if left.head == right.head == "rel" and left.name == right.name == "=" and left.args[0] == right.args[0]:
        values = left.args[1], right.args[1]
        alone = all(value.head in _COLLECTIONS or has_quantity(value) for value in values)
        return values if alone or "piecewise" in (values[0].head, values[1].head) else (left, right)
    return left, right


def _as_matrix(node: Node, other: Node) -> Node:
    """[[1, 2], [3, 4]] is a matrix beside another one."""
    rows = node.args
    if node.name == "[]" and other.head == "matrix" and all(len(row.args) == 1 for row in other.args):
        return _as_column(rows) or node
    if other.head != "matrix" and not (other.head == "bracket" and all(row.head == "bracket" for row in other.args)):
        return node
    listed = node.head == "bracket" and bool(rows) and all(row.head == "bracket" and row.name == "[]" for row in rows)
    if listed and len({len(row.args) for row in rows}) == 1:
        return Node("matrix", tuple(Node("row", row.args) for row in rows))
    return node


def _as_column(rows: tuple[Node, ...]) -> Node | None:
    """[[1], [2]], of which the grammar takes some inner brackets for groups."""
    alone = [row.args[0] if row.head == "bracket" and len(row.args) == 1 else row for row in rows]
    if all(row.head == "bracket" for row in rows) or any(row.head == "bracket" for row in alone):
        return None
    if not any(row.head == "bracket" and row.name == "[]" for row in rows):
        return None
    return Node("matrix", tuple(Node("row", (row,)) for row in alone))


def _bases_cancelled(node: Node) -> Node:
    """log 7 / log 3 is one number whatever the base."""

    def change(here: Node) -> Node | None:
        if here.head == "div" and all(arg.name == "log" and len(arg.args) == 1 for arg in here.args):
            return div(*(call("ln", *arg.args) for arg in here.args))
        return None

    return rebuilt(node, change) if any(here.name == "log" for here in walk(node)) else node


def _unnamed(node: Node, other: Node) -> Node:
    """The value alone where only one side says its name: D = (0, 1), x = 12, S_n = n²."""
    if node.head != "rel" or node.name not in ("=", "in") or other.head in _STATEMENTS or has_parameter(other):
        return node
    name, value = node.args
    if name.head == "sym" or (name.head in ("call", "div") and not _is_expression(value)) or name.head == "div":
        return value
    if value.head == "sym" and node.name == "=":
        return name
    return node


def _words(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    if left.head == right.head == "text":
        return proved("text") if left.name.casefold() == right.name.casefold() else undecided("text")
    if {left.head, right.head} == {"text", "sym"} and left.name == right.name:
        return proved("text")
    return None


def _functions(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    return same_function(left, right, ladder) or out_of_range(left, right, ladder)


def _tuples(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    """Ordered lists and matrices, element by element."""
    if left.head == right.head == "matrix":
        return _matrices(left, right, ladder)
    if _is_tuple_list(left) and _is_tuple_list(right):
        return _unordered(left, right, ladder)
    if left.head != "bracket" or right.head != "bracket":
        return None
    if len(left.args) != len(right.args):
        return refuted("length", left=str(len(left.args)), right=str(len(right.args)))
    if any(arg.head in _STATEMENTS for node in (left, right) for arg in node.args) and kind != "tuple":
        return None
    if kind == "interval" or (len(left.args) == 2 and left.name != right.name):
        return None
    return _each([same_statement(a, b, ladder) for a, b in zip(left.args, right.args, strict=True)])


def _is_tuple_list(node: Node) -> bool:
    return node.head in ("seq", "set", "or") and all(arg.head == "bracket" for arg in node.args)


def _unordered(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """Sets of points: each must have its like in the other."""
    for one, other, told in ((left, right, "missing"), (right, left, "extra")):
        for item in one.args:
            answers = [same_statement(item, against, ladder, "tuple") for against in other.args]
            if all(answer.result is Result.REFUTED for answer in answers):
                return refuted("set-of-points", **{told: text_of(item)})
            if not any(answer.result is Result.PROVED for answer in answers):
                return None
    return proved("set-of-points")


def _matrices(left: Node, right: Node, ladder: Ladder) -> Comparison:
    shape = [(len(node.args), len(node.args[0].args)) for node in (left, right)]
    if shape[0] != shape[1]:
        return refuted("shape", left=str(shape[0]), right=str(shape[1]))
    cells = [
        same_statement(a, b, ladder)
        for first, second in zip(left.args, right.args, strict=True)
        for a, b in zip(first.args, second.args, strict=True)
    ]
    return _each(cells)


def _each(answers: list[Comparison]) -> Comparison:
    return worst(answers) or proved("element-wise")


def _progressions(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    series = [is_series(node, other) for node, other in ((left, right), (right, left))]
    if not any(series) and not all(is_wave(node) for node in (left, right)):
        return _letters(left, right, ladder) if may_be_series(left) and may_be_series(right) else None
    try:
        return same_periodic(left, right, ladder)
    except (Unsupported, Undefined):
        if series[0] != series[1]:
            return undecided("general-solution")
        raise


def _letters(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """x = 2k + 1 against x = 2k + 3: the same odd numbers, if k is a whole number, but nobody says so."""
    as_series = same_periodic(left, right, ladder)
    if as_series.result is not Result.PROVED:
        return None
    as_equations = same_equation(left, right, ladder)
    proved_so = as_equations is not None and as_equations.result is Result.PROVED
    return as_equations if proved_so else undecided("general-solution")


def _points(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    return same_points(left, right, ladder)


def _assigned(node: Node) -> dict[str, Node] | None:
    """name = closed value for several different names."""
    found: dict[str, Node] = {}
    for part in node.args if node.head in ("seq", "and", "set") else (node,):
        if part.head != "rel" or part.name != "=":
            return None
        name, value = part.args if part.args[0].head == "sym" else part.args[::-1]
        if name.head != "sym" or symbols(value) or name.name in found:
            return None
        found[name.name] = value
    return found


def _assignments(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    """x = 3, y = -2 against the same, or against the point (3, -2)."""
    first, second = _assigned(left), _assigned(right)
    if first is not None and second is None and right.head == "bracket" and len(first) == len(right.args) > 1:
        second = dict(zip(sorted(first), right.args, strict=True))
    if second is not None and first is None and left.head == "bracket" and len(second) == len(left.args) > 1:
        first = dict(zip(sorted(second), left.args, strict=True))
    if first is None or second is None or (len(first) < 2 and len(second) < 2):
        return None
    if len({base_name(name) for name in (*first, *second)}) == 1 or "or" in (left.head, right.head):
        return None
    if set(first) != set(second):
        return None
    return _each([ladder.equal(first[name], second[name]) for name in sorted(first)])


def _equations(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    if is_solved(left) and is_solved(right):
        return None
    return same_equation(left, right, ladder)


def _sets(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    return same_solutions(left, right, ladder)


def same_solutions(left: Node, right: Node, ladder: Ladder) -> Comparison:
    """Whether two statements in one variable, or bare sets, have the same real solutions."""
    try:
        if has_parameter(left) or has_parameter(right):
            return _progressions(left, right, ladder, None) or undecided("general-solution")
        left, right = _calls_as_names(left, right)
        names = {base_name(name) for name in (symbols(left) | symbols(right)) - set(_NUMBER_SETS)}
        if len(names) > 1 or (not names and _is_expression(left) and _is_expression(right)):
            return undecided("several-variables")
        for node in (left, right):
            if node.head == "bracket" and len(node.args) != 2:
                return undecided("tuple")
        if names and not _speaks(left, names) and not _speaks(right, names):
            return undecided("expressions")
        return RealSets(ladder, names.pop() if names else None).same(left, right)
    except (Unsupported, Undefined):
        return undecided("solution-set")


def _calls_as_names(left: Node, right: Node) -> tuple[Node, Node]:
    """In 0 < f(x) < 1 the value f(x) is the variable."""
    found = {
        here
        for node in (left, right)
        for here in walk(node)
        if here.head == "call" and is_name(here) and here.name not in KNOWN_CALLS
    }
    if len(found) != 1:
        return left, right
    (name,) = found

    def change(here: Node) -> Node | None:
        return Node("sym", name="y") if here == name else None

    changed = rebuilt(left, change), rebuilt(right, change)
    return changed if not any((symbols(node) - {"y"}) for node in changed) else (left, right)


def _speaks(node: Node, names: set[str]) -> bool:
    """Whether a statement with a relation or set is about the variable."""
    if node.head == "set" and any(arg.head == "builder" for arg in node.args):
        return True
    return (node.head in _STATEMENTS or node.head == "builder") and bool(symbols(node))


def _systems(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    """Several relations that hold together, matched one to one."""
    first, second = _joint(left), _joint(right)
    if first is None or second is None:
        return None
    rest = list(second)
    for one in first if len(first) == len(second) else ():
        match = next((other for other in rest if same_statement(one, other, ladder).result is Result.PROVED), None)
        if match is None:
            break
        rest.remove(match)
    if not rest:
        return proved("system")
    rung = ladder.symbolic
    equations = [
        [difference(one) for one in system] for system in (first, second) if all(one.name == "=" for one in system)
    ]
    if (
        len(equations) == 2
        and isinstance(rung, SymbolicRung)
        and all(is_polynomial(one) for two in equations for one in two)
    ):
        return rung.same_ideal(*equations)
    return None


def _joint(node: Node) -> list[Node] | None:
    if node.head in ("seq", "and", "bracket") and len(node.args) > 1 and all(arg.head == "rel" for arg in node.args):
        return list(node.args)
    return None


def _differing_point(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    """REFUTED at a point where one statement holds and the other does not."""
    inequality = {"<", ">", "<=", ">=", "!="}
    for node in (left, right):
        if node.head == "rel" and not set(operators(node)) <= inequality | {"="}:
            return None
        if node.head not in _STATEMENTS or has_parameter(node):
            return None
    if symbols(left) != symbols(right) or "seq" in (left.head, right.head):
        return None
    for point in points(symbols(left), ladder.domain, left, right):
        first, second = truth_at(left, point), truth_at(right, point)
        if first is not None and second is not None and first != second:
            told = {True: "holds", False: "does not hold"}
            return refuted("probe", at=point_text(point), left=told[first], right=told[second])
    return None
