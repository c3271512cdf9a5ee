"""The syntax tree: one small immutable node for expressions, relations and solution sets alike.

Heads of expressions: num sym const add mul div neg pow call pm text.
Heads of collections: bracket (name is its two brackets, "(]"), set, union, inter, minus, matrix, builder, none,
piecewise (rows of a value and its condition).
Heads of statements: rel (name holds the operators, one between each two sides), and, or, seq (separated by commas),
congruence (two sides and a modulus). dots stand for terms that are not written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from operator import is_
from typing import Final

from itembank.algebra import budget


class Node:
    """`value` belongs to num; `name` to sym, const, call, bracket, rel and text; `places` are written decimals.

    A node never changes, so that trees share their parts and each part keeps what is asked of it again and again: its
    hash, its free symbols, its text. (No frozen dataclass: making nodes is a tenth of all work, and that takes four times as long.)
    """

    __slots__ = ("_free", "_hash", "_text", "args", "head", "name", "places", "value")

    def __init__(
        self,
        head: str,
        args: tuple[Node, ...] = (),
        name: str = "",
        value: Fraction | None = None,
        places: int | None = None,
    ) -> None:
        self.head: Final = head
        self.args: Final = args
        self.name: Final = name
        self.value: Final = value
        self.places: Final = places
        self._hash: int | None = None
        self._free: frozenset[str] | None = None
        self._text: str | None = None

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Node):
            return NotImplemented
        return (
            self.head == other.head
            and self.name == other.name
            and self.places == other.places
            and self.value == other.value
            and self.args == other.args
        )

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.head, self.args, self.name, self.value, self.places))
        return self._hash

    def __repr__(self) -> str:
        rest = [f"{key}={getattr(self, key)!r}" for key in ("args", "name", "value", "places") if getattr(self, key)]
        return f"Node({', '.join([repr(self.head), *rest])})"

    @property
    def free(self) -> frozenset[str]:
        """Names of the free symbols; see `symbols`."""
        if self._free is None:
            self._free = _free_symbols(self)
        return self._free

    @property
    def text(self) -> str:
        """A plain-text writing; see `text_of`."""
        if self._text is None:
            self._text = _text(self, 0)
        return self._text


def exact(value: Fraction | int) -> Fraction:
    """The number as a Fraction; one that is one already is not made again, which costs more than a product of two."""
    return value if type(value) is Fraction else Fraction(value)


def num(value: Fraction | int, places: int | None = None) -> Node:
    return Node("num", value=exact(value), places=places)


def sym(name: str) -> Node:
    return Node("sym", name=name)


def const(name: str) -> Node:
    return Node("const", name=name)


def call(name: str, *args: Node) -> Node:
    return Node("call", args, name)


def add(*terms: Node) -> Node:
    return Node("add", terms) if len(terms) != 1 else terms[0]


def mul(*factors: Node) -> Node:
    return Node("mul", factors) if len(factors) != 1 else factors[0]


def neg(arg: Node) -> Node:
    return Node("neg", (arg,))


def div(top: Node, bottom: Node) -> Node:
    return Node("div", (top, bottom))


def power(base: Node, exponent: Node) -> Node:
    return Node("pow", (base, exponent))


def rel(operators: tuple[str, ...], sides: tuple[Node, ...]) -> Node:
    return Node("rel", sides, " ".join(operators))


def operators(node: Node) -> tuple[str, ...]:
    """The operators between the sides of a chain."""
    return tuple(node.name.split(" "))


def equation(left: Node, right: Node) -> Node:
    return rel(("=",), (left, right))


def within(value: Node, interval: Node) -> Node:
    """low <= value < high for [low, high), as its brackets say."""
    low, high = interval.args
    return rel(tuple("<=" if side in "[]" else "<" for side in interval.name), (low, value, high))


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, parents first; no recursion, so depth cannot hurt."""
    stack = [node]
    while stack:
        here = stack.pop()
        yield here
        stack.extend(reversed(here.args))


def rebuilt(node: Node, change: Callable[[Node], Node | None]) -> Node:
    """The tree in which each node for which `change` answers is replaced by its answer, from the top down.

    What holds nothing to replace is the same object afterwards.
    """
    budget.spend(1)
    swapped = change(node)
    if swapped is not None:
        return swapped
    if not node.args:
        return node
    args = tuple([rebuilt(arg, change) for arg in node.args])
    if all(map(is_, args, node.args)):
        return node
    return Node(node.head, args, node.name, node.value, node.places)


def bound_name(node: Node) -> str | None:
    """The variable that a sum, an integral or a derivative binds."""
    if node.head == "call" and node.name in ("sum", "product", "integral", "limit") and len(node.args) >= 2:
        return node.args[1].name
    return None


def symbols(node: Node) -> frozenset[str]:
    """Names of the free symbols; unknown functions are not symbols, indices bound by a sum are not free."""
    return node.free


_NONE: frozenset[str] = frozenset()


def _free_symbols(node: Node) -> frozenset[str]:
    if node.head == "sym":
        return frozenset((node.name,))
    args, bound = node.args, bound_name(node)
    if bound is not None:
        return (args[0].free - {bound}).union(*(arg.free for arg in args[2:]))
    if len(args) <= 1:
        return args[0].free if args else _NONE
    found = args[0].free
    for arg in args[1:]:
        more = arg.free
        if more and not more <= found:
            found |= more
    return found


def substituted(node: Node, values: dict[str, Node]) -> Node:
    """The node with names replaced; variables bound by a sum or integral are left alone.

    A name may be a symbol or, by its text, a value such as cos(A), f(-1), P(A) or c^2.
    """
    if not values:
        return node
    compound = any(not (name[-1].isalnum() and name.replace("_", "").isalnum()) for name in values)

    def change(here: Node) -> Node | None:
        if here.head == "sym":
            return values.get(here.name)
        if compound and here.head in ("call", "pow"):
            found = values.get(text_of(here))
            if found is not None:
                return found
        bound = bound_name(here)
        if bound is not None and bound in values:
            return substituted(here, {name: value for name, value in values.items() if name != bound})
        return None

    return rebuilt(node, change)


def text_of(node: Node) -> str:
    """A plain-text writing that the grammar reads back, full brackets, for keys and witnesses."""
    return node.text


def _text(node: Node, level: int) -> str:
    """`level` 0 statement, 1 sum, 2 product, 3 power base; brackets where the node binds looser than that."""
    args = node.args
    if node.head == "num":
        assert node.value is not None
        top, bottom = node.value.numerator, node.value.denominator
        plain = str(top) if bottom == 1 else f"{top}/{bottom}"
        return f"({plain})" if (bottom != 1 and level >= 2) or (top < 0 and level >= 1) else plain
    if node.head in ("sym", "const", "text"):
        return node.name
    if node.head == "add":
        inner = " + ".join(_text(arg, 1) for arg in args).replace("+ -", "- ")
        return f"({inner})" if level >= 2 else inner
    if node.head in ("neg", "pm"):
        tight = 1 if args[0].head == "div" or (args[0].value or 0) > 0 else 2
        inner = ("-" if node.head == "neg" else "±") + _text(args[0], tight)
        return f"({inner})" if level >= 2 else inner
    if node.head == "mul":
        inner = "*".join(_text(arg, 2) for arg in args)
        return f"({inner})" if level >= 3 else inner
    if node.head == "div":
        inner = f"{_text(args[0], 2)}/{_text(args[1], 3)}"
        return f"({inner})" if level >= 2 else inner
    if node.head == "pow":
        exponent = "(1)" if args[1] == num(1) else _text(args[1], 4)  # a^1/2 might be taken for a root
        inner = f"{_text(args[0], 4)}^{exponent}"
        return f"({inner})" if level >= 4 else inner
    return _structure_text(node)


def _branch(condition: Node) -> str:
    return "\\text{otherwise}" if condition.head == "text" else _text(condition, 0)


def _structure_text(node: Node) -> str:
    if node.head == "piecewise":
        return "\\begin{cases}" + "\\\\".join(f"{_text(row.args[0], 0)} & {_branch(row.args[1])}" for row in node.args) + (
            "\\end{cases}"
        )  # fmt: skip
    if node.head == "call" and node.name in ("degree", "percent"):
        return _text(node.args[0], 4) + ("°" if node.name == "degree" else "%")
    if node.head == "call" and node.name == "zero_of":
        return _zero_text(node)
    if node.head == "call" and node.name == "quantity":
        return f"{_text(node.args[0], 2)} \\text{{{node.args[1].name}}}"
    inner = [_text(arg, 0) for arg in node.args]
    if node.head == "rel":
        signs = operators(node)
        return inner[0] + "".join(f" {sign} {side}" for sign, side in zip(signs, inner[1:], strict=True))
    if node.head == "bracket":
        return node.name[0] + ", ".join(inner) + node.name[1]
    if node.head in ("matrix", "row"):
        return "[" + ", ".join(inner) + "]"
    if node.head in ("none", "dots"):
        return "∅" if node.head == "none" else "…"
    if node.head == "congruence":
        return f"{inner[0]} ≡ {inner[1]} (mod {inner[2]})"
    joiner = {"set": ", ", "and": " and ", "or": " or ", "seq": ", ", "union": " ∪ ", "inter": " ∩ ", "minus": " \\ "}
    if node.head == "set":
        return "{" + ", ".join(inner) + "}"
    if node.head in joiner:
        return joiner[node.head].join(inner)
    return f"{node.name or node.head}({', '.join(inner)})"


def _zero_text(node: Node) -> str:
    """A number that only a polynomial names, so that it can be found again: the root of x^3 - 3*x + 1 between 1 and 2."""
    *row, low, high = node.args
    terms = [
        mul(*(([factor] if factor != num(1) or not place else []) + ([power(sym("x"), num(place))] if place > 1 else [])
              + ([sym("x")] if place == 1 else [])))
        for place, factor in reversed(list(enumerate(row)))
        if factor.value
    ]  # fmt: skip
    return f"the root of {_text(add(*terms), 0)} = 0 between {_text(low, 0)} and {_text(high, 0)}"
