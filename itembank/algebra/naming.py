"""Names and functions: indices, primes, C_n^k, f(x), P(A), sin 2x, log_2 x."""

from __future__ import annotations

from itembank.algebra.nodes import Node, call, neg, num, power, sym
from itembank.algebra.reader import TokenReader, unbraced
from itembank.algebra.results import Unreadable

_ARITIES = {"root": 2, "binomial": 2, "perm": 2, "sum": 4, "mod": 2}
_EXTREMES = ("max", "min")
_CHOOSE = {"C": "binomial", "A": "perm", "P": "perm"}


class NameParser(TokenReader):
    """What begins with a name."""

    # -- names ------------------------------------------------------------------------------------------------
    def named(self) -> Node:
        token = self.take()
        if token.kind == "text":
            name = self.subscripted(token.text.replace(" ", "_").rstrip(":"))
            return call(name.name, self.raw_argument()) if name.name.isalpha() and self.peek("open", "(") else name
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
        if token.text in ("2", "3") or letter in "lIOo":
            self.ambiguous.append(f"{letter}{token.text} as an index or a power")
        return self.applied(sym(f"{letter}_{int(token.text)}"))

    def subscripted(self, letter: str) -> Node:
        name = letter
        while self.peek("op", "_"):
            self.take()
            name += "_" + self._index()
        return sym(name)

    def _index(self) -> str:
        if not self.peek("open", "{", "("):
            word = "".join(token.text for token in self.tokens[self.at : self.at + 3])
            if word in _EXTREMES:
                self.at += 3
                return word
            token = self.take()
            if token.kind not in ("num", "sym", "const", "roman", "text", "fn"):
                raise Unreadable("an index is missing", token.at)
            return token.text.replace(" ", "")
        end = self.closing()
        inside = self.tokens[self.at + 1 : end]
        self.at = end + 1
        flat = "".join(token.text.replace(" ", "") for token in inside if token.text not in ("{", "}"))
        return flat if len(inside) == 1 or flat in _EXTREMES else f"({flat})"

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
                base = self.argument() if self.peek("open", "{") else self._small_base()
            elif self.peek("open", "{"):
                exponent = self.group()
            else:
                exponent = self._small()
        inverse = exponent == neg(num(1)) and name in ("sin", "cos", "tan")
        if inverse:
            name, exponent = "a" + name, None
        node = self._call(name, base, primes)
        return node if exponent is None else power(node, exponent)

    def _small_base(self) -> Node:
        """The base of \\log_28 is 2 where nothing else is left to take the logarithm of."""
        token = self.token()
        ends = self.at + 1 >= len(self.tokens) or self.tokens[self.at + 1].kind in ("rel", "op", "sep", "close", "word")
        if token.kind == "num" and ends and len(token.text) > 1 and token.text.isdigit():
            return self.argument()
        return self._small()

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
            found.append(unbraced(self.expression()))
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
        parts = [unbraced(self.powered())]
        while self._continues_argument():
            parts.append(unbraced(self.powered()))
        if self.peek("op", "/") and self.ahead(1, "num") and not self.token().gap:
            self.ambiguous.append(f"what {name} is taken of")
        node = parts[0] if len(parts) == 1 else Node("mul", tuple(parts))
        return neg(node) if signs % 2 else node

    def _continues_argument(self) -> bool:
        token = self.token()
        if self.integrals and token.text == "d":
            return False
        return token.kind in ("sym", "const") or (token.kind == "cmd" and token.text in ("frac", "sqrt"))
