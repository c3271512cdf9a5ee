"""Functions given by a rule and a domain: `f(x) = x², x ≥ 0`, `y = x + 1 (x ≠ 1)`, `y = (x² - 1)/(x - 1)`.

Two of them are the same where their domains are the same set and their rules agree on it. Where no domain is written
it is all that the rule allows.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from itembank.algebra.equality import Ladder, point_text
from itembank.algebra.lines import is_name
from itembank.algebra.nodes import Node, call, neg, num, operators, rel, symbols, text_of, walk, within
from itembank.algebra.points import points, rational_at, truth_at
from itembank.algebra.realsets import RealSets
from itembank.algebra.results import Comparison, Result, Undefined, Unsupported, proved, refuted, short, undecided

_ORDER = frozenset(("<", ">", "<=", ">=", "!="))
_COUNTING = frozenset(("k", "n", "m", "l"))
_ZERO = num(0)
_TOTAL = frozenset(("sin", "cos", "exp", "abs", "atan", "percent", "degree", "sinh", "cosh", "tanh", "sign"))


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    rule: Node
    conditions: tuple[Node, ...]


def same_function(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """The answer where a domain is written on at least one side; None for anything else."""
    name = _argument(left) or _argument(right)
    if name is None:
        return None
    first, second = _function(left, name), _function(right, name)
    if first is None or second is None or not (first.conditions or second.conditions):
        return None
    if first.name and second.name and first.name != second.name:
        return None
    rules = _same_rule(first, second, name, ladder)
    if rules.result is Result.REFUTED:
        return rules
    try:
        domains = RealSets(Ladder(ladder.domain), name).same(_domain(first), _domain(second))
    except (Unsupported, Undefined):
        return undecided("domain")
    if domains.result is Result.REFUTED:
        if "'" in first.name + second.name:
            return undecided("domain")  # a derivative is defined where the function is, and that is written elsewhere
        return _told_of_domains(domains)
    return proved("function") if rules.result is Result.PROVED else rules


def _argument(node: Node) -> str | None:
    """The letter of the function, where the node is a rule together with conditions on that letter alone."""
    if node.head not in ("seq", "and") or node.args[0].head in ("seq", "and"):
        return None
    names: frozenset[str] = frozenset().union(*(symbols(part) for part in node.args[1:]))
    if len(names - {"R", "set_R"}) != 1 or names & _COUNTING:
        return None
    (name,) = names - {"R", "set_R"}
    return name


def _function(node: Node, name: str) -> _Function | None:
    parts = node.args if node.head in ("seq", "and") else (node,)
    rule, *conditions = parts
    if not all(_is_condition(part, name) for part in conditions):
        return None
    title = ""
    if rule.head == "rel":
        if rule.name != "=" or len(rule.args) != 2:
            return None
        written, rule = rule.args
        if not (_is_value_of(written, name) or (written.head == "sym" and written.name != name)):
            return None
        title = text_of(written)
    if symbols(rule) != {name} or rule.head in ("rel", "and", "or", "seq", "set", "bracket", "piecewise", "builder"):
        return None
    return _Function(title, rule, tuple(conditions))


def _is_value_of(node: Node, name: str) -> bool:
    return node.head == "call" and is_name(node) and node.args == (Node("sym", name=name),)


def _is_condition(node: Node, name: str) -> bool:
    if node.head == "or":
        return all(_is_condition(part, name) for part in node.args)
    if node.head != "rel":
        return False
    if node.name == "in":
        inside = node.args[1]
        if inside.head == "bracket" and len(inside.args) != 2:
            return False
        return node.args[0] == Node("sym", name=name) and (
            (inside.head in ("bracket", "union") and not symbols(inside)) or inside.name in ("R", "set_R")
        )
    return set(operators(node)) <= _ORDER and symbols(node) == {name}


def _same_rule(first: _Function, second: _Function, name: str, ladder: Ladder) -> Comparison:
    """Whether the rules agree; a point where they do not must lie in both domains."""
    answer = ladder.equal(first.rule, second.rule)
    if answer.result is not Result.REFUTED:
        return answer
    for point in points(frozenset((name,)), ladder.domain, first.rule, second.rule):
        if not all(_met(one, point) for one in (*first.conditions, *second.conditions)):
            continue
        try:
            a, b = rational_at(first.rule, point), rational_at(second.rule, point)
        except Undefined:
            continue
        if a is not None and b is not None and a != b:
            return refuted("function", at=point_text(point), left=short(a), right=short(b))
    return undecided("function")


def _met(condition: Node, point: dict[str, Fraction]) -> bool:
    if condition.name == "in":
        inside = condition.args[1]
        if inside.name in ("R", "set_R"):
            return True
        if inside.head != "bracket":
            return False
        condition = within(condition.args[0], inside)
    return truth_at(condition, point) is True


def _domain(function: _Function) -> Node:
    """All that is written and all that the rule demands, as one statement; raises Unsupported."""
    demands = [*function.conditions, *_demands(function.rule)]
    return Node("and", tuple(demands)) if demands else Node("sym", name="set_R")


def _demands(rule: Node) -> list[Node]:
    found: list[Node] = []
    for here in walk(rule):
        if here.head == "div" and symbols(here.args[1]):
            found.append(rel(("!=",), (here.args[1], _ZERO)))
        elif here.head == "pow":
            found += _demands_of_power(*here.args)
        elif here.head == "call" and symbols(here) and here.name not in _TOTAL:
            found += _demands_of_call(here)
        elif here.head not in ("num", "sym", "const", "add", "mul", "neg", "div", "pow", "call"):
            raise Unsupported(here.head)
    return found


def _demands_of_power(base: Node, exponent: Node) -> list[Node]:
    if not symbols(base):
        if base == Node("const", name="e") or (base.value or 0) > 0:
            return []
        raise Unsupported("base")
    value = exponent.value if exponent.head == "num" else None
    if exponent.head == "neg" and exponent.args[0].value is not None:
        value = -exponent.args[0].value
    if value is None or value.denominator != 1:
        raise Unsupported("exponent")
    return [] if value > 0 else [rel(("!=",), (base, _ZERO))]


def _demands_of_call(here: Node) -> list[Node]:
    inner, *rest = here.args
    if here.name == "sqrt":
        return [rel((">=",), (inner, _ZERO))]
    if here.name in ("ln", "log") and not any(symbols(one) for one in rest):
        return [rel((">",), (inner, _ZERO))]
    if here.name == "root" and rest[0].value is not None and rest[0].value.denominator == 1:
        return [] if rest[0].value % 2 else [rel((">=",), (inner, _ZERO))]
    if here.name in ("asin", "acos"):
        return [rel(("<=", "<="), (num(-1), inner, num(1)))]
    raise Unsupported(here.name)


def _told_of_domains(found: Comparison) -> Comparison:
    told = {"holds": "defined", "does not hold": "undefined"}
    witness = found.witness or {}
    return refuted(
        "domain",
        at=witness.get("at", ""),
        left=told.get(witness.get("left", ""), ""),
        right=told.get(witness.get("right", ""), ""),
    )


def out_of_range(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """sin or cos of something real, said to be a number outside [-1, 1], against the empty set."""
    if (left.head == "none") == (right.head == "none"):
        return None
    statement = right if left.head == "none" else left
    if statement.head != "rel" or statement.name != "=" or len(statement.args) != 2:
        return None
    for side, value in (statement.args, statement.args[::-1]):
        if side.head == "call" and side.name in ("sin", "cos") and symbols(side) and not symbols(value):
            for bound in (value, neg(value)):
                if truth_at(rel((">",), (bound, num(1))), {}):
                    return proved("range")
            inner = side.args[0]
            if inner.head == "sym" and truth_at(rel(("<=", "<="), (num(-1), value, num(1))), {}):
                where = text_of(call(f"a{side.name}", value))
                told = ("no solution", "a solution") if left.head == "none" else ("a solution", "no solution")
                return refuted("range", at=f"{inner.name} = {where}", left=told[0], right=told[1])
    return None
