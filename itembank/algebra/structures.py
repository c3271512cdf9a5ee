"""The parts of the grammar with a shape of their own: fractions, roots, sums, limits, integrals, accents."""

from __future__ import annotations

from itertools import islice

from itembank.algebra.naming import NameParser
from itembank.algebra.nodes import Node, add, call, const, div, mul, neg, num, rebuilt, substituted, sym, symbols, walk
from itembank.algebra.reader import unbraced
from itembank.algebra.results import Unreadable

_UNSUPPORTED = {
    "iint": "double integrals are not read", "oint": "integrals along a curve are not read",
    "mapsto": "an arrow of a mapping is not read", "overset": "signs above signs are not read",
    "underset": "signs below signs are not read", "choose": "something is missing before \\choose",
}  # fmt: skip
_MOST_NODES = 1500
_UNIT_VECTORS = frozenset("ijk")


class StructureParser(NameParser):
    """Commands of LaTeX and their plain counterparts."""

    def command(self) -> Node:
        token = self.take()
        if token.kind == "accent":
            return self._accented(token.text)
        if token.kind == "begin":
            return self.environment(token.text)
        reader = {"frac": self._fraction, "binom": self._binomial, "sqrt": self._root, "√": self._root, "cbrt": self._cube_root,
                  "fourth-root": self._fourth_root, "sum": self._series, "prod": self._series, "lim": self._limit,
                  "int": self._integral, "angle": self._figure, "triangle": self._figure, "circle": self._figure,
                  "complement": self._complement}.get(token.text)  # fmt: skip
        if token.text.startswith("currency "):
            return call("quantity", unbraced(self.product()), Node("text", name=token.text.partition(" ")[2]))
        if reader is None:
            raise Unreadable(_UNSUPPORTED.get(token.text, f"{token.text} is not understood here"), token.at)
        return reader()

    def environment(self, name: str) -> Node:
        raise Unreadable(f"the environment {name} is not read", self.here())

    # -- fractions and roots ----------------------------------------------------------------------------------
    def _fraction(self) -> Node:
        top = self.argument()
        bottom = self.argument()
        slope = self._slope(top, bottom)
        return div(top, bottom) if slope is None else slope

    def _slope(self, top: Node, bottom: Node) -> Node | None:
        """dy/dx as a name, d/dx before an expression, d²y/dx² and its kin; None for a plain fraction."""
        order, what = _differential(top)
        if not order or bottom.head != "mul" or len(bottom.args) != 2 or bottom.args[0] != sym("d"):
            return None
        below = bottom.args[1]
        name = below.args[0] if below.head == "pow" else below
        if name.head != "sym" or (below.args[1] if below.head == "pow" else num(1)) != num(order):
            return None
        if what is not None:
            marks = "" if order == 1 else f"^{order}"
            if what.head == "sym":
                return sym(f"d{marks}{what.name}/d{name.name}{marks}")
            if what.head == "call" and what.name in self.functions and what.args == (name,):
                return call(what.name + "'" * order, name)
            return self.derived_by(what, name, order)
        return self.derived_by(unbraced(self.product()), name, order)

    def _binomial(self) -> Node:
        return call("binomial", self.argument(), self.argument())

    def _root(self) -> Node:
        written = self.tokens[self.at - 1]
        degree: Node | None = None
        if self.peek("open", "["):
            self.take()
            degree = self.expression()
            self.expect("close", "]")
        radicand = self._radicand(bare=written.text == "√")
        return call("sqrt", radicand) if degree is None else call("root", radicand, degree)

    def _radicand(self, *, bare: bool) -> Node:
        """What a root is taken of. A number is taken whole; what else a bare √ covers, √2x, nobody can see."""
        token = self.token()
        if self.peek("open", "("):
            return self._in_round_brackets()
        if token.kind != "num":
            radicand = self.argument()
        else:
            if not bare and len(token.text) > 1 and token.text.isdigit() and not token.gap:
                self.doubt("how far the root reaches", token.at)
            self.take()
            radicand = Node("num", value=token.value)
        after = self.token()
        if bare and token.kind in ("num", "sym") and after.kind in ("sym", "const") and not after.gap:
            self.doubt("how far the root reaches", after.at, even=True)
            if self.second:
                return mul(radicand, unbraced(self.powered()))
        return radicand

    def _in_round_brackets(self) -> Node:
        self.take()
        bars, self.bars = self.bars, 0
        node = self.expression()
        self.bars = bars
        self.expect("close", ")")
        return unbraced(node)

    def _cube_root(self) -> Node:
        return call("root", self._radicand(bare=True), num(3))

    def _fourth_root(self) -> Node:
        return call("root", self._radicand(bare=True), num(4))

    # -- sums, products, limits, integrals --------------------------------------------------------------------
    def _series(self) -> Node:
        """Bounds in either order; without them nobody knows what is added."""
        name = "sum" if self.tokens[self.at - 1].text == "sum" else "product"
        start = self.here()
        index, low, high = "", None, None
        while self.peek("op", "_", "^"):
            if self.take().text == "^":
                high = self.argument()
            else:
                index, low = self._lower_bound()
        if low is None or high is None or not index:
            raise Unreadable(f"the bounds of the {name} are missing", start)
        names, self.plain_names = self.plain_names, self.plain_names | {index}
        body = unbraced(self.product())
        self.plain_names = names
        return call(name, body, sym(index), low, high)

    def _lower_bound(self) -> tuple[str, Node | None]:
        if not self.peek("open", "{", "("):
            self.argument()
            return "", None
        self.take()
        token = self.take()
        if token.kind not in ("sym", "const") or not self.peek("rel", "="):
            raise Unreadable("under the sign there should be a name and where it starts, such as k=1", token.at)
        self.take()
        low = self.expression()
        self.expect("close", "}", ")")
        return token.text, low

    def _limit(self) -> Node:
        """\\lim_{x→a} of a product; a raised sign behind a says from which side."""
        start = self.here()
        if self.peek("op", "_"):
            self.take()
        if not self.peek("open", "{", "("):
            raise Unreadable("it is not said what the limit goes to", start)
        self.take()
        name = self.take()
        arrow = self.take()
        if name.kind not in ("sym", "const") or (arrow.kind, arrow.text) != ("word", "then"):
            raise Unreadable("under lim there should be a name, an arrow and a value", name.at)
        point, side = self._approached()
        self.expect("close", "}", ")")
        names, self.plain_names = self.plain_names, self.plain_names | {name.text}
        body = unbraced(self.product())
        self.plain_names = names
        return call("limit", body, sym(name.text), point, Node("text", name=side))

    def _approached(self) -> tuple[Node, str]:
        end = self.at
        while end < len(self.tokens) and self.tokens[end].kind != "close":
            end += 2 if self.tokens[end].kind == "open" else 1
        sides = [token.text for token in self.tokens[self.at : end] if token.kind == "op" and token.text in "+-^"]
        if sides[-2:] in (["^", "+"], ["^", "-"]):
            return self._one_sided(sides[-1])
        return self.expression(), "±"

    def _one_sided(self, side: str) -> tuple[Node, str]:
        start = self.at
        while not self.peek("op", "^"):
            self.take()
        raised = self.at
        self.take()
        if self.peek("open", "{"):
            self.take()
        self.expect("op", side)
        if self.peek("close", "}") and self.tokens[raised + 1].text == "{":
            self.take()
        after = self.at
        inner = type(self)(self.tokens[start:raised], self.functions, self.plain_names, second=self.second)
        point = inner.expression()
        if inner.at < len(inner.tokens):
            raise Unreadable("what the limit goes to is not understood", inner.here())
        self.at = after
        return point, side

    def _integral(self) -> Node:
        start = self.tokens[self.at - 1].at
        bounds: dict[str, Node] = {}
        while self.peek("op", "_", "^"):
            which = self.take().text
            bounds[which] = self.argument()
        if len(bounds) == 1:
            raise Unreadable("one of the two bounds of the integral is missing", start)
        body, variable = self._integrand(start)
        if bounds:
            return call("integral", body, sym(variable), bounds["_"], bounds["^"])
        return call("antiderivative", body, sym(variable))

    def _integrand(self, start: int) -> tuple[Node, str]:
        """What is integrated, and by which variable; dx may also stand in the numerator of a fraction."""
        if self.peek("sym", "d") and self.ahead(1, "sym"):
            self.take()
            return num(1), self.take().text
        self.integrals += 1
        body = unbraced(self.expression())
        self.integrals -= 1
        if self.peek("sym", "d") and self.ahead(1, "sym"):
            self.take()
            return body, self.take().text
        inside = _with_differential(body)
        if inside is None:
            raise Unreadable("the integral has no dx, so its variable is not said", start)
        return inside

    # -- figures, sets, money ---------------------------------------------------------------------------------
    def _figure(self) -> Node:
        """∠A and the letter A are one quantity; ∠ABC and △ABC are names. r∠30° is a complex number."""
        place = self.at - 1
        kind = self.tokens[place].text
        if kind == "angle" and place and self.tokens[place - 1].kind in ("num", "const", "close") and not (
            self.peek("sym") and self.token().text.isupper()
        ):  # fmt: skip
            turn = unbraced(self.powered())
            return add(call("cos", turn), mul(const("i"), call("sin", turn)))
        name = ""
        while self.peek("sym") and self.token().text.isupper() and len(name) < 4:
            name += self.take().text
        if not name and (self.peek("num") or self.peek("sym")):
            name = self.take().text
        if not name:
            return sym("Delta") if kind == "triangle" else self._missing()
        return sym(name) if kind == "angle" and len(name) == 1 else sym(f"{kind}_{name}")

    def _missing(self) -> Node:
        raise Unreadable("a name is missing", self.here())

    def _complement(self) -> Node:
        whole = self.subscripted("∁").name
        return call(whole, unbraced(self.powered()))

    # -- accents ----------------------------------------------------------------------------------------------
    def _accented(self, accent: str) -> Node:
        if accent in ("mathbb", "mathcal"):
            letters = self._letters()
            return sym(self._set_name(letters)) if accent == "mathbb" or letters in "RZNQC" else sym(f"cal_{letters}")
        if accent == "bar" and self.peek("open", "{") and self._covers_expression():
            return self._conjugate(self.group())
        if accent == "vec" and self.peek("open", "{") and self._covers_expression():
            return self.group()
        letters = self._letters()
        if accent == "vec" and letters in "RZNQ" and self.tokens[self.at - 1].kind != "end":
            return sym(self._set_name(letters))
        if accent in ("hat", "vec") and letters in _UNIT_VECTORS:
            return self.subscripted(f"vec_{letters}")
        if accent in ("bar",) and len(letters) > 1:
            return self.subscripted(f"overline_{letters}")
        return self.subscripted(f"{accent}_{letters}")

    def _covers_expression(self) -> bool:
        inside = self.tokens[self.at + 1 : self.closing()]
        return any(
            token.kind in ("op", "fn", "cmd", "rel", "open") and token.text not in ("_", "{") for token in inside
        )

    def _conjugate(self, node: Node) -> Node:
        """The conjugate of a number written out: i changes its sign; anything else keeps the bar."""
        plain_heads = ("num", "const", "add", "mul", "neg", "div")
        if symbols(node) or any(here.head not in plain_heads for here in walk(node)):
            return call("conj", node)
        return rebuilt(node, lambda here: neg(const("i")) if here == const("i") else None)

    def _set_name(self, letter: str) -> str:
        """ℕ*, ℕ₊ and ℤ⁺ are the positive whole numbers, ℝ⁺ the positive real numbers."""
        name = f"set_{letter}"
        while self.peek("op", "^", "_", "*"):
            mark = 0 if self.peek("op", "*") else 1
            braced = self.ahead(mark, "open", "{") and mark == 1
            at = self.at + mark + braced
            sign = self.tokens[at].text if at < len(self.tokens) else ""
            if sign not in ("*", "+", "0"):
                break
            self.at = at + 1 + braced
            name += "+" if sign in "*+" and "+" not in name else ""
        return name

    def _letters(self) -> str:
        if self.peek("open", "{"):
            end = self.closing()
            text = "".join(token.text for token in self.tokens[self.at + 1 : end])
            self.at = end + 1
            return text
        token = self.take()
        if not token.text:
            raise Unreadable("a letter is missing below the accent", token.at)
        return token.text


def _differential(node: Node) -> tuple[int, Node | None]:
    """The order of d, dy, d², d²y in a numerator, and what is differentiated; order 0 for anything else."""
    first, rest = (node.args[0], node.args[1:]) if node.head == "mul" else (node, ())
    order = 0
    if first == sym("d"):
        order = 1
    elif first.head == "pow" and first.args[0] == sym("d") and first.args[1].head == "num":
        value = first.args[1].value
        order = int(value) if value in (2, 3, 4) else 0
    if len(rest) > 1:
        return 0, None
    return order, (rest[0] if rest else None)


def _with_differential(body: Node) -> tuple[Node, str] | None:
    """The integrand and variable of a fraction such as dx/x or 2dx/(1+x²), whose numerator holds the dx."""
    if body.head != "div" or body.args[0].head != "mul":
        return None
    top = body.args[0].args
    if len(top) < 2 or top[-2] != sym("d") or top[-1].head != "sym":
        return None
    rest = top[:-2]
    return div(mul(*rest) if rest else num(1), body.args[1]), top[-1].name


def evaluated_between(node: Node, low: Node, high: Node, at: int) -> Node:
    """F(b) - F(a) for a bar or bracket with bounds behind an expression in one variable."""
    names = symbols(node)
    if len(names) != 1:
        raise Unreadable("it is not said which variable the bounds are put in for", at)
    (name,) = names
    places = sum(here == sym(name) for here in walk(node))
    if places * sum(1 for bound in (low, high) for _ in islice(walk(bound), _MOST_NODES)) > _MOST_NODES:
        raise Unreadable("the bounds are too long to be put in", at)
    return add(substituted(node, {name: high}), neg(substituted(node, {name: low})))
