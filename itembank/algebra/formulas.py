r"""Values of formulas in scoring rules: numbers, and also sets, points, matrices and functions of a letter.

Beside arithmetic (on sets and points element by element) a formula may use the operations below. Their letter is bound:
it stands for itself there, whatever value the rules give to that name.

`solve(E, x)`, `solve(E, x, C)`  the real x with E = 0 (or with the equation or inequality E), those that meet C
`roots(E, x)`                    all roots of a linear or quadratic equation, also those that are not real
`keep(S, x, C)`                  the members of a set that meet the condition or lie in the interval C
`diff(E, x)`                     the derivative
`replace(E, x, V)`               E with V for x; for a set or point V the values at its members, in order
`inverse(E, x)`                  the inverse of a linear or linear fractional function
`factors(S, x)`                  the product of x - s over the members of a set
`round(E, n)`                    rounded to n decimal places, halves away from zero
`nature(T)`                      min or max for second derivatives T at stationary points, one after another
`spread(S)`                      the largest member less the smallest
`times(A, B)`                    the product of matrices
`x \mapsto E`                    E as a function of the free letter x
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import pairwise

from itembank.algebra import polynomials as p
from itembank.algebra.calculus import derivative, worked_out
from itembank.algebra.enclosures import closed_sign
from itembank.algebra.equality import Ladder
from itembank.algebra.kernels import Quotient
from itembank.algebra.lexicon import FUNCTIONS
from itembank.algebra.lines import closed
from itembank.algebra.nodes import (
    Node,
    add,
    call,
    const,
    div,
    mul,
    neg,
    num,
    operators,
    rel,
    substituted,
    sym,
    symbols,
    text_of,
    walk,
    within,
)
from itembank.algebra.normal import Normaliser
from itembank.algebra.realsets import RealSets
from itembank.algebra.results import Result, Undefined, Unsupported
from itembank.algebra.roots import zeros
from itembank.algebra.statements import parse
from itembank.algebra.vectors import products

OPERATIONS = frozenset(
    {"solve", "roots", "keep", "diff", "replace", "inverse", "spread", "times", "factors", "round", "nature"}
)
_FUNCTION_OF = re.compile(r"\s*([A-Za-z])\s*(?:\\mapsto(?![A-Za-z])|↦)(.*)", re.DOTALL)
_WORD_NAME = re.compile(r"([A-Za-z]{2,}|[A-Za-z](?=_[A-Za-z]{2}))(?:_[A-Za-z0-9]+)?'*(?:\(.+\))?")
_COLLECTIONS = ("set", "bracket", "matrix", "row")
_ARITHMETIC = ("add", "mul", "neg", "div", "pow", "call")
_PERIODS = {"sin": 2, "cos": 2, "tan": 1}
_TURNS = range(-4, 5)
_MAX_MEMBERS = 40
_MAX_PLACES = 12


def is_wide(formula: str, values: Mapping[str, Node]) -> bool:
    """Whether a formula may give more than a number: it uses an operation, or a value put in is no number."""
    if _FUNCTION_OF.match(formula) or may_be_slow(formula):
        return True
    if re.match(r"\s*(?:\\\{|\{|\(.*,|\[|\\begin|\\left)", formula, re.DOTALL):
        return True
    return any(value.head in (*_COLLECTIONS, "none", "rel") or not closed(value) for value in values.values())


def may_be_slow(formula: str) -> bool:
    """Whether a formula uses an operation, which may have to check roots by the symbolic child."""
    return bool(re.search(rf"(?<![A-Za-z])(?:{'|'.join(OPERATIONS)})\s*\(", formula))


def worded(formula: str, values: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Formula and values with names that are words (gap, AB, Var(X)) as single letters, so that no word is read apart.

    >>> worded("gap/2+AB", {"gap": "3", "AB": "1", "d": "2"})
    ('Q_901/2+Q_902', {'Q_901': '3', 'Q_902': '1', 'd': '2'})
    """
    renamed: dict[str, str] = {}
    for name, value in values.items():
        found = _WORD_NAME.fullmatch(name)
        if found is None or found.group(1) in FUNCTIONS or name.replace("_", "").isdigit():
            renamed[name] = value
            continue
        letter = f"Q_{901 + len(renamed)}"
        formula, count = re.subn(rf"(?<![A-Za-z_\\]){re.escape(name)}(?![A-Za-z0-9_'(])", letter, formula)
        renamed[letter if count else name] = value
    return formula, renamed


def formula_value(formula: str, values: Mapping[str, Node], functions: frozenset[str], ladder: Ladder) -> Node:
    """The value of a formula; raises Unsupported, Undefined, TooLarge or Unreadable where it has none."""
    found = _FUNCTION_OF.match(formula)
    letter, body = (found.group(1), found.group(2)) if found else ("", formula)
    reader = _Formula(functions | OPERATIONS, ladder)
    node = reader.read(body, frozenset(values))
    if node.head == "rel" and node.name == "=" and closed(substituted(node.args[-1], dict(values))):
        node = node.args[-1]
    known = {name: value for name, value in values.items() if name != letter}
    result = reader.value(node, known)
    free = {letter} if letter else set()
    for value in values.values():
        free |= symbols(value)
    free |= reader.bound
    if not symbols(result) <= free:
        raise Unsupported("unknown names")
    return result


class _Formula:
    """One evaluation; `bound` gathers the letters that operations bind."""

    def __init__(self, functions: frozenset[str], ladder: Ladder) -> None:
        self._functions = functions
        self._ladder = ladder
        self.bound: set[str] = set()
        self._operations: dict[str, Callable[[list[Node], dict[str, Node]], Node]] = {
            "solve": self._solve,
            "roots": self._all_roots,
            "keep": self._keep,
            "diff": self._diff,
            "replace": self._replace,
            "inverse": self._inverse,
            "spread": self._spread_of,
            "times": self._times,
            "factors": self._factors,
            "round": self._rounded,
            "nature": self._nature,
        }

    def read(self, text: str, names: frozenset[str]) -> Node:
        return parse(text, self._functions, names)[0]

    def value(self, node: Node, values: dict[str, Node]) -> Node:
        """The node with operations carried out, values put in, and every expression in it in normal form."""
        if node.head == "call" and node.name in OPERATIONS:
            return self._operations[node.name](self._arguments(node), values)
        if any(here.head == "call" and here.name in OPERATIONS for here in walk(node)):
            args = tuple(self.value(arg, values) for arg in node.args)
            return self._reduced(Node(node.head, args, node.name, node.value, node.places))
        return self._reduced(substituted(node, values))

    def _arguments(self, node: Node) -> list[Node]:
        """The arguments of an operation; with an equation among them the grammar leaves the text as it stands."""
        if len(node.args) == 1 and node.args[0].head == "text":
            return [self.read(piece, frozenset()) for piece in _pieces(node.args[0].name)]
        return list(node.args)

    def _reduced(self, node: Node) -> Node:
        if node.head in _COLLECTIONS:
            members = tuple(self._reduced(arg) for arg in node.args)
            return self._distinct(members) if node.head == "set" else Node(node.head, members, node.name)
        if node.head in ("rel", "and", "or", "seq", "union"):
            return Node(node.head, tuple(self._reduced(arg) for arg in node.args), node.name)
        if node.head in ("none", "text") or (node.head == "const" and node.name == "oo"):
            return node
        if node.head in _ARITHMETIC and any(here.head in (*_COLLECTIONS, "none") for here in walk(node)):
            return self._spread(Node(node.head, tuple(self._reduced(arg) for arg in node.args), node.name))
        node = worked_out(node)
        normaliser = Normaliser(self._ladder.domain.positive)
        normaliser.prepare((node,))
        value = normaliser.table.rationalised(normaliser.normal(node))
        return normaliser.node_of(value)

    def _spread(self, node: Node) -> Node:
        """Arithmetic element by element: on one collection, or on points of one length."""
        args = [_plain(arg) for arg in node.args]
        several = [arg for arg in args if arg.head in _COLLECTIONS]
        if any(arg.head == "none" for arg in args):
            return Node("none")
        if not several:
            raise Unsupported("a collection inside a function")
        first = several[0]
        if len(several) > 1 and (first.head == "set" or len({len(arg.args) for arg in several}) > 1):
            raise Unsupported("arithmetic of sets")
        if len(several) > 1 and node.head not in ("add", "neg"):
            raise Unsupported("products of collections")
        members = [
            self._reduced(
                Node(node.head, tuple(arg.args[place] if arg.head in _COLLECTIONS else arg for arg in args), node.name)
            )
            for place in range(len(first.args))
        ]
        return self._distinct(members) if first.head == "set" else Node(first.head, tuple(members), first.name)

    def _distinct(self, members: list[Node] | tuple[Node, ...]) -> Node:
        kept: list[Node] = []
        for member in members[:_MAX_MEMBERS]:
            if not any(self._ladder.quickly_equal(member, other) for other in kept):
                kept.append(member)
        return Node("set", tuple(kept)) if kept else Node("none")

    # -- operations -------------------------------------------------------------------------------------------
    def _variable(self, node: Node) -> str:
        if node.head != "sym":
            raise Unsupported("a letter is expected")
        self.bound.add(node.name)
        return node.name

    def _body(self, node: Node, name: str, values: dict[str, Node]) -> Node:
        """The first argument with all values put in but that of the bound letter."""
        return self.value(node, {key: value for key, value in values.items() if key != name})

    def _solve(self, args: list[Node], values: dict[str, Node]) -> Node:
        if len(args) not in (2, 3):
            raise Unsupported("solve")
        name = self._variable(args[1])
        body = self._body(args[0], name, values)
        condition = self._body(args[2], name, values) if len(args) == 3 else None
        if body.head == "rel" and set(operators(body)) & {"<", ">", "<=", ">="}:
            return self._where(body if condition is None else Node("and", (body, condition)), name)
        left, right = body.args if body.head == "rel" and body.name == "=" else (body, num(0))
        found: list[Node] = []
        for one in right.args if right.head == "set" else (right,):
            found += self._roots(left, one, name, condition)
        return self._filtered(self._distinct(found), name, condition)

    def _all_roots(self, args: list[Node], values: dict[str, Node]) -> Node:
        """Real roots where there are some; else the two of a quadratic equation by its formula."""
        real = self._solve(args[:2], values)
        if real.head != "none":
            return real
        name = self._variable(args[1])
        body = self._body(args[0], name, values)
        left, right = body.args if body.head == "rel" and body.name == "=" else (body, num(0))
        normaliser = Normaliser()
        rows = p.coefficients(normaliser.normal(add(left, neg(right))).top, name)
        if set(rows) - {0, 1, 2} or not rows.get(2):
            return real
        c, b, a = (normaliser.node_of(Quotient(rows.get(power, {}), p.constant(1))) for power in range(3))
        below = self._reduced(add(mul(num(4), a, c), neg(mul(b, b))))
        step = mul(const("i"), call("sqrt", below))
        halves = [div(add(neg(b), one), mul(num(2), a)) for one in (neg(step), step)]
        return Node("set", tuple(halves))

    def _roots(self, left: Node, right: Node, name: str, condition: Node | None) -> list[Node]:
        if left.head == "call" and left.name in _PERIODS and left.args == (sym(name),) and closed(right):
            if condition is None:
                raise Unsupported("a trigonometric equation without an interval")
            return self._angles(left.name, right)
        normaliser = Normaliser(self._ladder.domain.positive)
        form = normaliser.normal(add(left, neg(right)))
        kept = []
        for root in zeros(form.top, name, normaliser):
            try:
                answer = self._ladder.equal(substituted(left, {name: root}), substituted(right, {name: root}))
            except Undefined:
                continue
            if answer.result is Result.PROVED:
                kept.append(self._reduced(root))
            elif answer.result is not Result.REFUTED:
                raise Unsupported("a root that cannot be checked")
        return kept

    def _angles(self, name: str, value: Node) -> list[Node]:
        """All angles with that sine, cosine or tangent within a few turns of 0."""
        if name != "tan" and (_sign(add(value, num(-1))) > 0 or _sign(add(value, num(1))) < 0):
            return []
        first = call(f"a{name}", value)
        bases = {"sin": [first, add(const("pi"), neg(first))], "cos": [first, neg(first)], "tan": [first]}[name]
        period = mul(num(_PERIODS[name]), const("pi"))
        return [self._reduced(add(base, mul(num(turn), period))) for base in bases for turn in _TURNS]

    def _keep(self, args: list[Node], values: dict[str, Node]) -> Node:
        if len(args) != 3:
            raise Unsupported("keep")
        name = self._variable(args[1])
        return self._filtered(self.value(args[0], values), name, self._body(args[2], name, values))

    def _filtered(self, members: Node, name: str, condition: Node | None) -> Node:
        if condition is None or members.head == "none":
            return members
        if members.head not in ("set", "bracket"):
            members = Node("set", (members,))
        kept = tuple(member for member in members.args if _meets(condition, name, member))
        return Node(members.head, kept, members.name) if kept else Node("none")

    def _where(self, condition: Node, name: str) -> Node:
        """The solutions of an inequality: inequalities and equalities for the letter, one or the other."""
        parts = RealSets(self._ladder, name).stretches(condition)
        found = [_relation(part, name) for part in parts]
        return Node("or", tuple(found)) if len(found) > 1 else found[0] if found else Node("none")

    def _diff(self, args: list[Node], values: dict[str, Node]) -> Node:
        name = self._variable(args[1] if len(args) == 2 else sym("x"))
        return self._reduced(derivative(self._body(args[0], name, values), name))

    def _replace(self, args: list[Node], values: dict[str, Node]) -> Node:
        if len(args) != 3:
            raise Unsupported("replace")
        letters = args[1].args if args[1].head == "bracket" else (args[1],)
        names = [self._variable(letter) for letter in letters]
        body = self.value(args[0], {key: value for key, value in values.items() if key not in names})
        where = self.value(args[2], values)
        if len(names) > 1:
            if where.head != "bracket" or len(where.args) != len(names):
                raise Unsupported("replace")
            return self._reduced(substituted(body, dict(zip(names, where.args, strict=True))))
        if where.head in ("set", "bracket"):
            found = tuple(self._reduced(substituted(body, {names[0]: one})) for one in where.args)
            return Node("bracket", found, "()") if len(found) > 1 else found[0]
        return self._reduced(substituted(body, {names[0]: where}))

    def _inverse(self, args: list[Node], values: dict[str, Node]) -> Node:
        """(d x - b) / (a - c x) of (a x + b) / (c x + d)."""
        name = self._variable(args[1])
        normaliser = Normaliser()
        form = normaliser.normal(self._body(args[0], name, values))
        top, bottom = (_linear(side, name, normaliser) for side in (form.top, form.bottom))
        letter = sym(name)
        upper = add(mul(bottom[0], letter), neg(top[0]))
        return self._reduced(div(upper, add(top[1], neg(mul(bottom[1], letter)))))

    def _spread_of(self, args: list[Node], values: dict[str, Node]) -> Node:
        members = self.value(args[0], values)
        if members.head not in ("set", "bracket"):
            raise Unsupported("spread")
        ends = [
            next(one for one in members.args if all(sign * _sign(add(one, neg(other))) >= 0 for other in members.args))
            for sign in (1, -1)
        ]
        return self._reduced(add(ends[0], neg(ends[1])))

    def _factors(self, args: list[Node], values: dict[str, Node]) -> Node:
        name = self._variable(args[1])
        members = self.value(args[0], {key: value for key, value in values.items() if key != name})
        if members.head not in ("set", "bracket"):
            raise Unsupported("factors")
        return self._reduced(mul(*(add(sym(name), neg(member)) for member in members.args)))

    def _rounded(self, args: list[Node], values: dict[str, Node]) -> Node:
        number, places = (self.value(arg, values) for arg in args)
        exact = Normaliser()
        value, count = (exact.number(exact.normal(one)) for one in (number, places))
        if value is None or count is None or count.denominator != 1 or not 0 <= count <= _MAX_PLACES:
            raise Unsupported("round")
        scaled = abs(value) * 10 ** int(count) * 2
        whole = (int(scaled) + 1) // 2
        return num(Fraction(whole if value >= 0 else -whole, 10 ** int(count)))

    def _nature(self, args: list[Node], values: dict[str, Node]) -> Node:
        where = self.value(args[0], values)
        signs = [_sign(one) for one in (where.args if where.head in ("bracket", "set") else (where,))]
        if 0 in signs:
            raise Unsupported("nature")
        return Node("text", name=", ".join("min" if sign > 0 else "max" for sign in signs))

    def _times(self, args: list[Node], values: dict[str, Node]) -> Node:
        if len(args) != 2:
            raise Unsupported("times")
        left, right = (_rows(self.value(arg, values)) for arg in args)
        if len(left[0]) != len(right):
            raise Unsupported("shapes")
        rows = (Node("row", tuple(self._reduced(cell) for cell in row)) for row in products(left, right))
        return Node("matrix", tuple(rows))


def _pieces(text: str) -> list[str]:
    """Arguments at the commas outside brackets; half-open intervals close with either bracket."""
    found, depth, start = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            found.append(text[start:place])
            start = place + 1
    return [*found, text[start:]]


def _plain(node: Node) -> Node:
    """A collection of one value is that value, so that -{3} and 2·(5) can be computed."""
    return node.args[0] if node.head == "bracket" and len(node.args) == 1 else node


def _relation(part: Node, name: str) -> Node:
    """x < 1, 1 <= x < 2 or x = 3 for a stretch of the number line."""
    letter = sym(name)
    if part.head != "bracket":
        return rel(("=",), (letter, part))
    low, high = part.args
    first, second = ("<=" if part.name[0] == "[" else "<", "<=" if part.name[1] == "]" else "<")
    if low == neg(const("oo")):
        return rel((second,), (letter, high)) if high != const("oo") else Node("const", name="R")
    if high == const("oo"):
        return rel((">=" if first == "<=" else ">",), (letter, low))
    return rel((first, second), (low, letter, high))


def _sign(node: Node) -> int:
    if not Normaliser().normal(node).top:
        return 0
    sign = closed_sign(node)
    if sign is None:
        raise Unsupported("sign")
    return sign


def _meets(condition: Node, name: str, value: Node) -> bool:
    """Whether a closed value meets inequalities in `name` or lies in an interval; raises Unsupported where open."""
    if condition.head in ("and", "seq", "or"):
        found = [_meets(arg, name, value) for arg in condition.args]
        return any(found) if condition.head == "or" else all(found)
    if condition.head == "bracket" and len(condition.args) == 2:
        condition = within(sym(name), condition)
    if condition.head != "rel":
        raise Unsupported("condition")
    sides = [substituted(side, {name: value}) for side in condition.args]
    tests = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1), "=": (0,), "!=": (-1, 1)}
    for operator, (left, right) in zip(operators(condition), pairwise(sides), strict=True):
        if operator not in tests:
            raise Unsupported(operator)
        if _sign(add(left, neg(right))) not in tests[operator]:
            return False
    return True


def _linear(poly: p.Poly, name: str, normaliser: Normaliser) -> tuple[Node, Node]:
    rows = p.coefficients(poly, name)
    if any(exponent not in (0, 1) for exponent in rows):
        raise Unsupported("not linear")
    parts = [normaliser.node_of(Quotient(rows.get(exponent, {}), p.constant(1))) for exponent in (0, 1)]
    return parts[0], parts[1]


def _rows(node: Node) -> list[tuple[Node, ...]]:
    """The rows of a matrix; a point is a column."""
    if node.head not in ("matrix", "bracket") or not node.args:
        raise Unsupported("no matrix")
    rows = [row.args if row.head in ("row", "bracket") else (row,) for row in node.args]
    if len({len(row) for row in rows}) != 1:
        raise Unsupported("rows of different length")
    return rows


def written(node: Node) -> str:
    """The value as text that the grammar reads again, a matrix as one."""
    if node.head != "matrix":
        return text_of(node)
    rows = (" & ".join(text_of(member) for member in row) for row in _rows(node))
    return r"\begin{pmatrix}" + r" \\ ".join(rows) + r"\end{pmatrix}"
