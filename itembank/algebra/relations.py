"""Equivalence of statements: equations up to a factor, systems, tuples, and solution sets exactly."""

from __future__ import annotations

from collections.abc import Callable

from itembank.algebra.equality import Ladder, point_text
from itembank.algebra.equations import same_equation
from itembank.algebra.nodes import Node, operators, symbols, walk
from itembank.algebra.points import points, truth_at
from itembank.algebra.progressions import has_parameter, same_progressions
from itembank.algebra.realsets import RealSets
from itembank.algebra.results import Comparison, Result, Undefined, Unsupported, proved, refuted, undecided
from itembank.algebra.solutions import base_name, is_solved

_COLLECTIONS = ("set", "union", "inter", "minus", "bracket", "none", "builder", "matrix")
_STATEMENTS = ("rel", "and", "or", "seq")
_NUMBER_SETS = ("Z", "N", "R", "Q", "set_Z", "set_N", "set_R")


def same_statement(
    left: Node, right: Node, ladder: Ladder, kind: str | None = None, domain: str | None = None
) -> Comparison:
    """Whether two statements or expressions mean the same. Solution sets are always compared strictly."""
    left, right = _unnamed(left, right), _unnamed(right, left)
    if left == right and not any(here.head in ("div", "call", "pow") for here in walk(left)):
        return proved("identical")
    for rung in _rungs(left, right):
        try:
            answer = rung(left, right, ladder, kind)
        except (Unsupported, Undefined):
            continue
        if answer is not None and answer.result is not Result.UNDECIDED:
            return answer
    if _is_expression(left) and _is_expression(right):
        return ladder.equal(left, right)
    return undecided("statements")


Rung = Callable[[Node, Node, Ladder, str | None], Comparison | None]


def _rungs(left: Node, right: Node) -> list[Rung]:
    if _is_expression(left) and _is_expression(right):
        return [_words] if "text" in (left.head, right.head) else []
    return [_words, _tuples, _progressions, _assignments, _equations, _sets, _systems, _differing_point]


def _is_expression(node: Node) -> bool:
    return node.head not in (*_STATEMENTS, *_COLLECTIONS) and node.name not in ("set_R", "set_Z")


def _unnamed(node: Node, other: Node) -> Node:
    """The value alone where only one side says its name: D = (0, 1), x = 12, S_n = n²."""
    if node.head != "rel" or node.name not in ("=", "in") or other.head in _STATEMENTS:
        return node
    name, value = node.args
    if name.head == "sym" or (name.head in ("call", "div") and not _is_expression(value)) or name.head == "div":
        return value
    if value.head == "sym" and node.name == "=":
        return name
    return node


def _words(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    if left.head == right.head == "text":
        return proved("text") if left.name == right.name else undecided("text")
    if {left.head, right.head} == {"text", "sym"} and left.name == right.name:
        return proved("text")
    return None


def _tuples(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    """Ordered lists and matrices, element by element."""
    if left.head == right.head == "matrix":
        return _matrices(left, right, ladder)
    if left.head != "bracket" or right.head != "bracket":
        return None
    if len(left.args) != len(right.args):
        return refuted("length", left=str(len(left.args)), right=str(len(right.args)))
    if any(arg.head in _STATEMENTS for node in (left, right) for arg in node.args) and kind != "tuple":
        return None
    if kind == "interval" or (len(left.args) == 2 and left.name != right.name):
        return None
    return _each([same_statement(a, b, ladder) for a, b in zip(left.args, right.args, strict=True)])


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
    for result in (Result.REFUTED, Result.UNDECIDED):
        worst = next((one for one in answers if one.result is result), None)
        if worst is not None:
            return worst
    return proved("element-wise")


def _progressions(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    if has_parameter(left) and has_parameter(right):
        return same_progressions(left, right)
    return None


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
            return same_progressions(left, right)
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


def _speaks(node: Node, names: set[str]) -> bool:
    """Whether a statement with a relation or set is about the variable."""
    return node.head in _STATEMENTS and bool(symbols(node))


def _systems(left: Node, right: Node, ladder: Ladder, kind: str | None) -> Comparison | None:
    """Several relations that hold together, matched one to one."""
    first, second = _joint(left), _joint(right)
    if first is None or second is None or len(first) != len(second):
        return None
    rest = list(second)
    for one in first:
        match = next((other for other in rest if same_statement(one, other, ladder).result is Result.PROVED), None)
        if match is None:
            return None
        rest.remove(match)
    return proved("system")


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
