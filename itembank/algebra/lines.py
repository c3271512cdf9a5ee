"""What a written line states: chains of equalities, the names they define, and whether they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from itembank.algebra.arrangement import arranged
from itembank.algebra.equality import KNOWN_CALLS, Ladder
from itembank.algebra.nodes import Node, add, neg, operators, rel, substituted, symbols, text_of, walk
from itembank.algebra.quantities import has_quantity, quantity_of
from itembank.algebra.results import Comparison, Result, Unsupported, refuted, undecided

_NAMING_CALLS = ("sin", "cos", "tan", "abs", "cot")
EQUAL = "="


@dataclass(frozen=True, slots=True)
class Statement:
    """A name (any left side) and the value last written for it."""

    name: Node
    value: Node


def parts(node: Node) -> Iterator[Node]:
    """The single statements of and, seq and or."""
    if node.head in ("and", "seq", "or"):
        for arg in node.args:
            yield from parts(arg)
    else:
        yield node


def runs(node: Node) -> list[tuple[Node, ...]]:
    """The stretches of a chain that are joined by equality signs: Δ = m²-4 > 0 gives (Δ, m²-4), (0)."""
    found: list[list[Node]] = [[node.args[0]]]
    for sign, side in zip(operators(node), node.args[1:], strict=True):
        if sign == EQUAL:
            found[-1].append(side)
        else:
            found.append([side])
    return [tuple(run) for run in found]


def is_name(node: Node) -> bool:
    """Whether a side names a quantity: S_10, cos A, f(x), P(A), |a|, c²."""
    if node.head == "sym":
        return True
    if node.head == "call" and node.name not in _NAMING_CALLS:
        stem = node.name.removesuffix("^-1").rstrip("'").partition("_")[0]
        return stem.isalpha() and node.name not in KNOWN_CALLS
    if node.head == "call":
        return all(arg.head in ("sym", "text") or is_angle(arg) for arg in node.args)
    return node.head == "pow" and is_name(node.args[0]) and node.args[1].head in ("num", "neg")


def is_angle(node: Node) -> bool:
    return node.head in ("mul", "div", "add") and bool(symbols(node)) and len(list(walk(node))) <= 5


def closed(node: Node) -> bool:
    """Whether nothing in the expression is unknown."""
    return all(here.head not in ("sym", "text", "rel", "none") and not _unknown_call(here) for here in walk(node))


def _unknown_call(node: Node) -> bool:
    return node.head == "call" and is_name(node) and node.name not in _NAMING_CALLS


def same_name(left: Node, right: Node, ladder: Ladder) -> bool:
    """Whether two sides are the same expression but for order and writing."""
    if left == right or text_of(left) == text_of(right):
        return True
    if not symbols(left) and left.head != "num" and arranged(left) == arranged(right):
        return True
    if symbols(left) != symbols(right) or not symbols(left) or left.head == "sym" or right.head == "sym":
        return False
    return ladder.quickly_equal(left, right)


def pairs(node: Node) -> Iterator[Node]:
    """The simple relations of a chain, also those that follow through equal sides: a = b > 0 gives a > 0 too."""
    signs = operators(node)
    for start in range(len(signs)):
        for end in range(start, len(signs)):
            between = signs[start : end + 1]
            others = {sign for sign in between if sign != EQUAL}
            if len(others) > 1:
                break
            sign = others.pop() if others else EQUAL
            if sign in ("!=", "~", "in") and len(between) > 1:
                continue
            yield rel((sign,), (node.args[start], node.args[end + 1]))


def stated_value(node: Node, name: Node, ladder: Ladder) -> Node | None:
    """The value that a chain states last for a name; None when the name is not a side of it."""
    if node.head != "rel":
        return None
    for run in runs(node):
        places = [place for place, side in enumerate(run) if same_name(side, name, ladder)]
        if not places or len(run) < 2:
            continue
        return run[-1] if places[-1] != len(run) - 1 else run[places[-1] - 1]
    return None


def sound_statement(node: Node, values: Mapping[str, Node], ladder: Ladder) -> Comparison | None:
    """Whether the equalities of one statement hold; None where it claims nothing that can be checked."""
    if node.head != "rel":
        return None
    answer: Comparison | None = None
    for run in runs(node):
        for place, (left, right) in enumerate(pairwise(run)):
            one = _sound_pair(left, right, values, ladder, later=place > 0)
            if one is not None and one.result is not Result.PROVED:
                return one
            answer = one or answer
    return answer


def _sound_pair(
    left: Node, right: Node, values: Mapping[str, Node], ladder: Ladder, *, later: bool
) -> Comparison | None:
    if has_quantity(left) or has_quantity(right):
        named = is_name(left) or is_name(right)
        return (
            None if named else quantity_sides(substituted(left, dict(values)), substituted(right, dict(values)), ladder)
        )
    if left.head in ("bracket", "set", "matrix") or right.head in ("bracket", "set", "matrix"):
        return None
    known = dict(values)
    a, b = substituted(left, known), substituted(right, known)
    if closed(a) and closed(b):
        answer = ladder.equal(a, b)
        if answer.result is Result.REFUTED and (_letter_constant(left) or _letter_constant(right)):
            return undecided("the letter e or i")
        if answer.result is Result.REFUTED:
            return refuted(answer.method, left=text_of(left), right=text_of(right), **_numbers(answer))
        return answer
    if is_name(left) or is_name(right):
        return None
    if symbols(a) != symbols(b) or not symbols(a):
        return None
    answer = ladder.equal(a, b)
    if answer.result is Result.PROVED:
        return answer
    if contradictory(a, b, ladder):
        return refuted("contradiction", left=text_of(left), right=text_of(right), **_numbers(answer))
    return undecided("identity-or-equation") if later or looks_like_identity(a, b, ladder) else None


def _letter_constant(node: Node) -> bool:
    """Whether e or i stands where it may as well be the name of a quantity: in a·e, but not in e^x."""
    for here in walk(node):
        exponential = here.head == "pow" and here.args[0].name == "e"
        if any(arg.head == "const" and arg.name in "ei" for arg in here.args) and not exponential:
            return True
    return node.head == "const" and node.name in "ei"


def quantity_sides(left: Node, right: Node, ladder: Ladder) -> Comparison | None:
    """An equality with a unit on a side: exact, or left open, since a rounded value is commonly written with =."""
    try:
        first, second = quantity_of(left), quantity_of(right)
    except Unsupported:
        return undecided("unit")
    if first.has_unit != second.has_unit:
        answer = ladder.equal(first.written, second.written)
    elif first.dimension != second.dimension:
        return undecided("unit")
    else:
        answer = ladder.equal(first.value, second.value)
    return answer if answer.result is Result.PROVED else undecided("rounded-or-unit")


def _numbers(answer: Comparison) -> dict[str, str]:
    witness = answer.witness or {}
    return {f"{key}_value": witness[key] for key in ("left", "right") if key in witness} | {"at": witness.get("at", "")}


def contradictory(left: Node, right: Node, ladder: Ladder) -> bool:
    """Whether the two sides differ by a number that is not zero, so that no values make them equal."""
    value = ladder.constant_difference(left, right)
    return value is not None and value != 0


def looks_like_identity(left: Node, right: Node, ladder: Ladder) -> bool:
    """Whether an equation is more likely a transformation gone wrong: same symbols, same highest power."""
    return symbols(left) == symbols(right) and ladder.same_leading_term(left, right)


def asserted(node: Node) -> Iterator[Statement]:
    """(name, last value) for each equality stretch whose first or last side is a name."""
    if node.head != "rel":
        return
    for run in runs(node):
        wordy = run[0].head == "sym" and run[0].name.isalpha() and len(run[0].name) > 2
        if len(run) < 2 or (wordy and len(runs(node)) > 1):
            continue
        if is_name(run[0]) and closed(_bare(run[-1])):
            yield Statement(run[0], _bare(run[-1]))
        elif is_name(run[-1]) and closed(_bare(run[-2])):
            yield Statement(run[-1], _bare(run[-2]))


def _bare(node: Node) -> Node:
    """The number before a unit."""
    return node.args[0] if node.head == "call" and node.name == "quantity" else node


def operands(node: Node) -> Iterator[Node]:
    """All sub-expressions, and the partial sums and products of flat ones are left out on purpose."""
    for here in walk(node):
        if here.head in ("num", "add", "mul", "neg", "div", "pow", "call", "const", "sym"):
            yield here


def negated(node: Node) -> Node:
    return node.args[0] if node.head == "neg" else neg(node)


def difference(node: Node) -> Node:
    """left - right of a simple relation."""
    return add(node.args[0], neg(node.args[1]))


def proved_or(answers: list[Comparison], fallback: Comparison) -> Comparison:
    """The strongest of several alternatives: PROVED, then REFUTED, then a reasoned UNDECIDED."""
    for result in (Result.PROVED, Result.REFUTED):
        for answer in answers:
            if answer.result is result:
                return answer
    rest = [answer for answer in answers if answer.method != "unrelated"]
    return rest[0] if rest else fallback
