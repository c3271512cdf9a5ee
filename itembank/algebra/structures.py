"""The parts of the grammar with a shape of their own: names, functions, fractions, roots, sums, brackets, matrices."""

from __future__ import annotations

from itembank.algebra import limits
from itembank.algebra.nodes import Node, call, div, neg, num, power, sym
from itembank.algebra.results import Unreadable
from itembank.algebra.tokens import Token

_END = Token("end", "", 0)
_ARITIES = {"root": 2, "binomial": 2, "perm": 2, "sum": 4, "mod": 2}
_CHOOSE = {"C": "binomial", "A": "perm", "P": "perm"}


class StructureParser:
    """Holds the tokens; the levels of precedence are in the subclass."""

    def __init__(self, tokens: list[Token], functions: frozenset[str], plain_names: frozenset[str]) -> None:
        self.tokens = tokens
        self.functions = functions
        self.plain_names = plain_names
        self.at = 0
        self.depth = 0
        self.nodes = 0
        self.bars = 0
        self.integrals = 0
        self.divided = False
        self.in_builder = False
        self.ambiguous: list[str] = []

    # -- tokens -----------------------------------------------------------------------------------------------
    def token(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _END

    def here(self) -> int:
        return self.token().at if self.at < len(self.tokens) else (self.tokens[-1].at if self.tokens else 0)

    def take(self) -> Token:
        token = self.token()
        self.at += 1
        return token

    def ahead(self, distance: int, kind: str, *texts: str) -> bool:
        place = self.at + distance
        if place >= len(self.tokens):
            return False
        token = self.tokens[place]
        return token.kind == kind and (not texts or token.text in texts)

    def peek(self, kind: str, *texts: str) -> bool:
        return self.ahead(0, kind, *texts)

    def expect(self, kind: str, *texts: str) -> Token:
        if not self.peek(kind, *texts):
            raise Unreadable(f"{' or '.join(texts) or kind} is missing", self.here())
        return self.take()

    def counted(self, node: Node) -> Node:
        self.nodes += 1
        if self.nodes > limits.MAX_NODES:
            raise Unreadable("the expression has too many parts", self.here())
        return node

    # -- supplied by the subclass -----------------------------------------------------------------------------
    def expression(self) -> Node:
        raise NotImplementedError

    def statement(self) -> Node:
        raise NotImplementedError

    def alternatives(self) -> Node:
        raise NotImplementedError

    def powered(self) -> Node:
        raise NotImplementedError

    def product(self) -> Node:
        raise NotImplementedError

    def exponent(self) -> Node:
        raise NotImplementedError

    # -- groups and arguments ---------------------------------------------------------------------------------
    def group(self) -> Node:
        """What stands between braces, as one expression."""
        self.expect("open", "{", "(", "\\{")
        bars, self.bars = self.bars, 0
        node = self.expression()
        self.bars = bars
        self.expect("close")
        return _unbraced(node)

    def argument(self) -> Node:
        """The argument of a LaTeX command: a group, one digit, or one symbol."""
        if self.peek("open", "{"):
            return self.group()
        token = self.token()
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit():
            rest = Token("num", token.text[1:], token.at + 1, False, num(int(token.text[1:])).value)
            self.tokens[self.at] = rest
            return num(int(token.text[0]))
        if token.kind == "num":
            self.take()
            return Node("num", value=token.value)
        if token.kind == "sym":
            self.take()
            return sym(token.text)
        return self.powered()

    def closing(self) -> int:
        """The place of the bracket that closes the one here."""
        level = 0
        for place in range(self.at, len(self.tokens)):
            kind = self.tokens[place].kind
            level += (kind == "open") - (kind == "close")
            if level == 0:
                return place
        raise Unreadable("a bracket is not closed", self.here())

    def is_annotation(self) -> bool:
        """Whether the bracket here holds a remark such as (k ∈ Z) rather than a factor."""
        if not self.peek("open", "("):
            return False
        inside = self.tokens[self.at + 1 : self.closing()]
        return any(token.kind == "rel" for token in inside)

    # -- names ------------------------------------------------------------------------------------------------
    def named(self) -> Node:
        token = self.take()
        if token.kind == "text":
            return self.subscripted(token.text.replace(" ", "_").rstrip(":"))
        if self.peek("op", "_"):
            return self._choose(token.text) or self.applied(self.subscripted(token.text))
        if token.kind == "sym" and len(token.text) == 1 and self.peek("num") and not self.token().gap:
            return self._sloppy_index(token.text)
        return self.applied(sym(token.text))

    def _sloppy_index(self, letter: str) -> Node:
        """a1 for a_1: read so, but remembered as doubtful, since x2 may have meant x²."""
        token = self.token()
        if not token.text.isdigit():
            return sym(letter)
        self.take()
        self.ambiguous.append(f"{letter}{token.text} as an index")
        return self.applied(sym(f"{letter}_{int(token.text)}"))

    def subscripted(self, letter: str) -> Node:
        name = letter
        while self.peek("op", "_"):
            self.take()
            name += "_" + self._index()
        return sym(name)

    def _index(self) -> str:
        if not self.peek("open", "{", "("):
            token = self.take()
            if token.kind not in ("num", "sym", "const", "roman", "text", "fn"):
                raise Unreadable("an index is missing", token.at)
            return token.text.replace(" ", "")
        end = self.closing()
        inside = self.tokens[self.at + 1 : end]
        self.at = end + 1
        flat = "".join(token.text.replace(" ", "") for token in inside if token.text not in ("{", "}"))
        return flat if len(inside) == 1 else f"({flat})"

    def _choose(self, letter: str) -> Node | None:
        """C_n^k and A_n^k (also C_{n}^{k}): the lower index is n."""
        if letter not in _CHOOSE:
            return None
        start = self.at
        self.take()
        try:
            lower = self.argument()
            if not self.peek("op", "^"):
                raise Unreadable("no upper index", self.here())
            self.take()
            upper = self.argument()
        except Unreadable:
            self.at = start
            return None
        if lower.head == "num" and upper.head == "num" and lower.value is not None and upper.value is not None:
            fits = lower.value >= upper.value and (letter == "C" or lower.value > 1)
        else:
            fits = letter == "C" or lower == sym("n")
        if not fits or upper.head not in ("num", "sym", "add"):
            self.at = start
            return None
        return call(_CHOOSE[letter], lower, upper)

    def primed(self, node: Node) -> Node:
        count = 1
        while self.peek("op", "'"):
            self.take()
            count += 1
        if node.head == "call" and not node.args[1:] and node.name.rstrip("'") in self.functions:
            return Node("call", node.args, node.name + "'" * count)
        if node.head != "sym":
            if node.head in ("add", "mul", "pow", "div") and self.at:
                return call("derivative", node, sym("x"))
            raise Unreadable("a prime without a name", self.here())
        return self.applied(sym(node.name + "'" * count))

    def applied(self, name: Node) -> Node:
        """A function of a declared name with its arguments, else the name alone."""
        bare = name.name.rstrip("'").partition("_")[0]
        primes = name.name.endswith("'")
        if not self.peek("open", "(") or self.is_vector():
            return name
        if bare in self.functions or (primes and len(bare) == 1):
            return call(name.name, *self.arguments())
        if bare in ("P", "E", "D") and self._random_argument():
            return call(name.name, self.raw_argument())
        return name

    def is_vector(self) -> bool:
        return False

    def _random_argument(self) -> bool:
        """Whether the bracket holds an event or a random variable: P(A), P(X=1), P(A|B), E(X)."""
        inside = self.tokens[self.at + 1 : self.closing()]
        return bool(inside) and (
            (inside[0].kind in ("sym", "accent") and inside[0].text[:1] in "ABCDEFGHXYZMN")
            or inside[0].text in ("xi", "eta")
            or inside[0].kind == "accent"
            or any(token.kind == "rel" for token in inside)
        )

    def raw_argument(self) -> Node:
        end = self.closing()
        text = "".join(token.text for token in self.tokens[self.at + 1 : end])
        self.at = end + 1
        return Node("text", name=text)

    def arguments(self) -> list[Node]:
        start = self.at
        try:
            self.take()
            bars, self.bars = self.bars, 0
            found = [self.expression()]
            while self.peek("sep", ",", "、"):
                self.take()
                found.append(self.expression())
            self.bars = bars
            self.expect("close", ")")
            return found
        except Unreadable:
            self.at = start
            if any(token.kind == "rel" for token in self.tokens[start : self.closing()]):
                return [self.raw_argument()]
            raise

    def unit_text(self) -> str:
        """The unit here, with an exponent written behind it."""
        unit = self.take().text
        while True:
            if self.peek("op", "^") and (self.ahead(1, "num") or self.ahead(1, "open", "{")):
                self.take()
                exponent = self.argument()
                unit += f"^{exponent.value}" if exponent.head == "num" else "^?"
            elif self.peek("op", "/") and self.ahead(1, "text"):
                self.take()
                unit += "/" + self.take().text
            else:
                return unit

    # -- functions --------------------------------------------------------------------------------------------
    def function(self) -> Node:
        name = self.take().text
        base: Node | None = None
        exponent: Node | None = None
        primes = 0
        while self.peek("op", "_", "^"):
            if self.take().text == "_":
                base = self.argument() if self.peek("open", "{") else self._small()
            elif self.peek("open", "{"):
                exponent = self.group()
            else:
                exponent = self._small()
        inverse = exponent == neg(num(1)) and name in ("sin", "cos", "tan")
        if inverse:
            name, exponent = "a" + name, None
        node = self._call(name, base, primes)
        return node if exponent is None else power(node, exponent)

    def _small(self) -> Node:
        sign = self.peek("op", "-")
        if sign:
            self.take()
        token = self.take()
        if token.kind == "num" and token.value is not None:
            node = num(token.value)
        elif token.kind in ("sym", "const", "roman"):
            node = sym(token.text) if token.kind != "const" else Node("const", name=token.text)
        else:
            raise Unreadable("an index or exponent is missing", token.at)
        return neg(node) if sign else node

    def _call(self, name: str, base: Node | None, primes: int) -> Node:
        if self.peek("open", "(") or (self.peek("open", "{", "[") and name != "max"):
            arguments = self._bracket_arguments()
        else:
            arguments = [self._loose_argument(name)]
        if name == "log":
            return self._logarithm(base, arguments)
        if base is not None:
            raise Unreadable(f"{name} has no index", self.here())
        if name == "lg":
            return call("log", arguments[0], num(10))
        if len(arguments) != _ARITIES.get(name, 1) and name not in ("max", "min", "gcd", "lcm"):
            raise Unreadable(f"{name} with {len(arguments)} arguments", self.here())
        if name == "cbrt":
            return call("root", arguments[0], num(3))
        return call(name, *arguments)

    def _logarithm(self, base: Node | None, arguments: list[Node]) -> Node:
        if base is not None and len(arguments) == 1:
            return call("log", arguments[0], base)
        if base is None and len(arguments) == 2:
            return call("log", *arguments)
        if base is None and len(arguments) == 1:
            return call("log", arguments[0])
        raise Unreadable("log with too many arguments", self.here())

    def _bracket_arguments(self) -> list[Node]:
        opening = self.take()
        found = []
        bars, self.bars = self.bars, 0
        while True:
            found.append(_unbraced(self.expression()))
            if not self.peek("sep", ",", "、"):
                break
            self.take()
        self.bars = bars
        self.expect("close", {"(": ")", "{": "}", "[": "]"}[opening.text])
        return found

    def _loose_argument(self, name: str) -> Node:
        """The argument without brackets: sin 2x, cos A, ln 3, tan \\frac{π}{4}; it ends at a sign or a function."""
        signs = 0
        while self.peek("op", "-"):
            self.take()
            signs += 1
        parts = [_unbraced(self.powered())]
        while self._continues_argument():
            parts.append(_unbraced(self.powered()))
        if self.peek("op", "/") and self.ahead(1, "num") and not self.token().gap:
            self.ambiguous.append(f"what {name} is taken of")
        node = parts[0] if len(parts) == 1 else Node("mul", tuple(parts))
        return neg(node) if signs % 2 else node

    def _continues_argument(self) -> bool:
        token = self.token()
        if self.integrals and token.text == "d":
            return False
        return token.kind in ("sym", "const") or (token.kind == "cmd" and token.text in ("frac", "sqrt"))

    def absolute(self) -> Node:
        self.take()
        self.bars += 1
        node = self.expression()
        self.bars -= 1
        self.expect("op", "|")
        return call("abs", node)

    # -- commands ---------------------------------------------------------------------------------------------
    def command(self) -> Node:
        token = self.take()
        if token.kind == "accent":
            return self._accented(token.text)
        if token.kind == "begin":
            return self._environment(token.text)
        reader = {"frac": self._fraction, "binom": self._binomial, "sqrt": self._root, "cbrt": self._cube_root,
                  "sum": self._series, "prod": self._series, "int": self._integral,
                  "angle": self._figure, "triangle": self._figure}.get(token.text)  # fmt: skip
        if reader is None:
            raise Unreadable(f"{token.text} cannot be computed", token.at)
        return reader()

    def _fraction(self) -> Node:
        top = self.argument()
        bottom = self.argument()
        if top.head == "sym" and top.name == "d" and bottom.head == "mul" and bottom.args[0] == sym("d"):
            return call("derivative", _unbraced(self.product()), bottom.args[1])
        return div(top, bottom)

    def _binomial(self) -> Node:
        return call("binomial", self.argument(), self.argument())

    def _root(self) -> Node:
        degree: Node | None = None
        if self.peek("open", "["):
            self.take()
            degree = self.expression()
            self.expect("close", "]")
        token = self.token()
        if token.kind == "num" and len(token.text) > 1:
            self.ambiguous.append("how far the root reaches")
            self.take()
            radicand = Node("num", value=token.value)
        elif self.peek("open", "("):
            radicand = _unbraced(self.powered_base())
        else:
            radicand = self.argument()
        return call("sqrt", radicand) if degree is None else call("root", radicand, degree)

    def powered_base(self) -> Node:
        self.take()
        node = self.expression()
        self.expect("close", ")")
        return node

    def _cube_root(self) -> Node:
        return call("root", self.argument(), num(3))

    def _series(self) -> Node:
        name = "sum" if self.tokens[self.at - 1].text == "sum" else "product"
        self.expect("op", "_")
        self.expect("open", "{")
        index = self.expect("sym", *()).text if self.peek("sym") else self.expect("const").text
        self.expect("rel", "=")
        low = self.expression()
        self.expect("close", "}")
        self.expect("op", "^")
        high = self.argument()
        names, self.plain_names = self.plain_names, self.plain_names | {index}
        body = _unbraced(self.product())
        self.plain_names = names
        return call(name, body, sym(index), low, high)

    def _integral(self) -> Node:
        bounds: dict[str, Node] = {}
        while self.peek("op", "_", "^"):
            which = self.take().text
            bounds[which] = self.argument()
        self.integrals += 1
        body = _unbraced(self.expression())
        self.integrals -= 1
        self.expect("sym", "d")
        variable = self.expect("sym").text
        if len(bounds) == 2:
            return call("integral", body, sym(variable), bounds["_"], bounds["^"])
        return call("antiderivative", body, sym(variable))

    def _figure(self) -> Node:
        """∠A and the letter A are one quantity; ∠ABC and △ABC are names."""
        kind = self.tokens[self.at - 1].text
        name = ""
        while self.peek("sym") and self.token().text.isupper() and len(name) < 4:
            name += self.take().text
        if not name and self.peek("num"):
            name = self.take().text
        if not name and self.peek("sym"):
            name = self.take().text
        if not name:
            return sym("Delta") if kind == "triangle" else self._missing()
        return sym(name) if kind == "angle" and len(name) == 1 else sym(f"{kind}_{name}")

    def _missing(self) -> Node:
        raise Unreadable("a name is missing", self.here())

    def _accented(self, accent: str) -> Node:
        if accent == "mathbb":
            return sym(f"set_{self._letters()}")
        letters = self._letters()
        if accent in ("mathbf", "bm") or accent in ("vec", "overrightarrow"):
            return self.subscripted(f"vec_{letters}")
        return self.subscripted(f"{accent}_{letters}")

    def _letters(self) -> str:
        if self.peek("open", "{"):
            end = self.closing()
            text = "".join(token.text for token in self.tokens[self.at + 1 : end])
            self.at = end + 1
            return text
        return self.take().text

    def _environment(self, name: str) -> Node:
        rows: list[list[Node]] = [[]]
        while not self.peek("end", name):
            rows[-1].append(self.statement())
            if self.peek("op", "&"):
                self.take()
            elif self.peek("sep", "row"):
                self.take()
                rows.append([])
            elif self.peek("sep", ","):
                self.take()
            elif not self.peek("end", name):
                raise Unreadable("a row of a table is not understood", self.here())
            if self.peek("sep", "row"):
                self.take()
                rows.append([])
        self.take()
        rows = [row for row in rows if row]
        if name in ("cases", "aligned", "align", "array", "gathered", "split"):
            return Node("and", tuple(cell for row in rows for cell in row))
        if not rows or len({len(row) for row in rows}) != 1:
            raise Unreadable("the rows have different lengths", self.here())
        return Node("matrix", tuple(Node("row", tuple(row)) for row in rows))

    # -- brackets ---------------------------------------------------------------------------------------------
    def bracketed(self) -> Node:
        opening = self.take()
        pairs = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "⌊": "⌋", "⌈": "⌉"}
        bars, self.bars = self.bars, 0
        divided, self.divided = self.divided, False
        items = [] if self.peek("close") else self._items(opening.text)
        self.bars, self.divided = bars, divided
        closing = self.take()
        if closing.kind != "close":
            raise Unreadable("a bracket is not closed", opening.at)
        if opening.text in "⌊⌈" and len(items) == 1 and closing.text == pairs[opening.text]:
            return call("floor" if opening.text == "⌊" else "ceil", items[0])
        if opening.text in ("{", "\\{") and closing.text == pairs[opening.text]:
            return Node("set", tuple(items)) if items else Node("none")
        if len(items) == 1 and opening.text in "([" and closing.text == pairs[opening.text]:
            return (
                items[0] if opening.text == "(" or self._is_grouping(items[0]) else Node("bracket", tuple(items), "[]")
            )
        if opening.text in "([" and closing.text in ")]" and items:
            return Node("bracket", tuple(items), opening.text + closing.text)
        raise Unreadable("brackets do not match", closing.at)

    def _is_grouping(self, node: Node) -> bool:
        return node.head not in ("bracket", "rel") and (self.at > len(self.tokens) - 1 or not self.peek("sep"))

    def _items(self, opening: str) -> list[Node]:
        items = [self.alternatives() if opening == "(" else self.statement()]
        if len(items) == 1 and items[0].head == "seq":
            return list(items[0].args)
        if opening in ("{", "\\{") and self.peek("op", "|", ":"):
            self.take()
            condition = self.statement()
            return [Node("builder", (items[0], condition))]
        while self.peek("sep", ",", "、", ";"):
            self.take()
            items.append(self.statement())
        return items


def _unbraced(node: Node) -> Node:
    return node.args[0] if node.head == "set" and len(node.args) == 1 else node
