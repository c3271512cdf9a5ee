"""Names and functions: indices, primes, C_n^k, f(x), P(A), sin 2x, log_2 x."""

from __future__ import annotations

from abc import abstractmethod

from itembank.algebra.nodes import Node, call, div, equation, neg, num, power, rebuilt, sym, symbols, walk
from itembank.algebra.reader import TokenReader, unbraced
from itembank.algebra.results import Unreadable
from itembank.algebra.tape import Token
from itembank.algebra.unitnames import is_unit
from itembank.algebra.vectors import determinant

_MOST_DERIVATIVES = 4
_ANY_COUNT = frozenset(("max", "min", "gcd", "lcm", "int", "matrix"))
_ARITIES = {"diff": 2, "product": 4, "root": 2, "binomial": 2, "perm": 2, "sum": 4, "mod": 2, "limit": 3}
_INVERSES = {"sin": "asin", "cos": "acos", "tan": "atan", "cot": "acot", "sinh": "asinh", "cosh": "acosh",
             "tanh": "atanh"}  # fmt: skip
_WHOLE = frozenset(("sin", "cos", "tan", "cot", "ln", "log", "lg", "exp"))
_EXTREMES = ("max", "min")
_CHOOSE = {"C": "binomial", "A": "perm", "P": "perm"}


class NameParser(TokenReader):
    """What begins with a name."""

    # -- names ------------------------------------------------------------------------------------------------
    def named(self) -> Node:
        token = self.take()
        if token.kind == "text":
            return self._worded(token)
        if self.peek("op", "_"):
            return self._choose(token.text) or self.applied(self.subscripted(token.text))
        if self.peek("op", "^") and token.text in _CHOOSE and (chosen := self._chosen_upside_down(token.text)):
            return chosen
        if token.kind == "sym" and len(token.text) == 1 and self.peek("num") and not self.token().gap:
            return self._sloppy_index(token)
        return self.applied(sym(token.text))

    def _worded(self, token: Token) -> Node:
        name = self.subscripted(token.text.replace(" ", "_").rstrip(":"))
        return call(name.name, self.raw_argument()) if name.name.isalpha() and self.peek("open", "(") else name

    def _sloppy_index(self, name: Token) -> Node:
        """a1 for a_1. x2 may have meant x² as well, unless x1 stands in the same line; 5C2 counts combinations."""
        token = self.token()
        if not token.text.isdigit():
            return sym(name.text)
        before = self.tokens[self.at - 2] if self.at >= 2 else None
        digits = before is not None and before.kind == "num" and not name.gap and before.value is not None
        self.take()
        indexed = self.applied(sym(f"{name.text}_{int(token.text)}"))
        if name.text in "xX" and digits and not self.peek("op", "^"):
            self.doubt(f"{name.text}{token.text} as an index or a product", name.at)
            self.doubt(f"{name.text} as a name or a sign of multiplication", name.at, even=True)
            assert token.value is not None
            return num(token.value) if self.second else indexed
        if (token.text in ("2", "3") and not self._has_first(name.text)) or name.text in "lIOo":
            self.doubt(f"{name.text}{token.text} as an index or a power", name.at, even=name.text not in "lIOo")
            if self.second and token.value is not None:
                return power(sym(name.text), num(token.value))
        return indexed

    def _has_first(self, letter: str) -> bool:
        """Whether the same letter also stands with the index 1, so that its 2 is an index as well."""
        for place, token in enumerate(self.tokens[:-1]):
            if token.kind == "sym" and token.text == letter:
                after = self.tokens[place + 1]
                further = self.tokens[place + 2 : place + 4]
                if after.text == "1" or (after.text == "_" and any(one.text == "1" for one in further)):
                    return True
        return False

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
            if self.peek("cmd", "triangle"):
                return "(" + self._plain_index(self._take_figure()) + ")"
            token = self.take()
            if token.kind not in ("num", "sym", "const", "roman", "text", "fn") and token.text not in ("+", "*"):
                raise Unreadable("an index is missing", token.at)
            return token.text.replace(" ", "")
        end = self.closing()
        inside = self.tokens[self.at + 1 : end]
        self.at = end + 1
        flat = self._plain_index(inside)
        return flat if len(inside) == 1 or flat in _EXTREMES else f"({flat})"

    def _plain_index(self, inside: list[Token]) -> str:
        texts = [token.text.replace(" ", "") for token in inside if token.text not in ("{", "}")]
        flat = "".join("triangle" if text == "Delta" and len(texts) > 1 else text for text in texts)
        return {"最大": "max", "最小": "min", "最大值": "max", "最小值": "min"}.get(flat, flat)

    def _take_figure(self) -> list[Token]:
        start = self.at
        self.take()
        while self.peek("sym") and self.token().text.isupper():
            self.take()
        return self.tokens[start : self.at]

    def _choose(self, letter: str) -> Node | None:
        """C_n^k and A_n^k (also C_{n}^{k}): the lower index is n."""
        if letter not in _CHOOSE:
            return None
        start, kept = self.at, list(self.tokens)
        self.take()
        try:
            lower = self._count()
            if not self.peek("op", "^"):
                raise Unreadable("no upper index", self.here())
            self.take()
            upper = self._count()
        except Unreadable:
            self.at, self.tokens = start, kept
            return None
        chosen = self._counted_choice(letter, lower, upper)
        if chosen is None:
            self.at, self.tokens = start, kept
        return chosen

    def _chosen_upside_down(self, letter: str) -> Node | None:
        """C^2_5: the same, with the upper index written first."""
        start, kept = self.at, list(self.tokens)
        self.take()
        try:
            upper = self._count()
            self.expect("op", "_")
            chosen = self._counted_choice(letter, self._count(), upper)
        except Unreadable:
            chosen = None
        if chosen is None:
            self.at, self.tokens = start, kept
        return chosen

    def _count(self) -> Node:
        """An index of a choice: whole numbers are taken whole, C_10^2, unless the next digit must be one of its own."""
        token = self.token()
        if token.kind == "num" and token.text.isdigit() and len(token.text) > 1 and self.ahead(1, "op", "^"):
            self.take()
            return num(int(token.text))
        return self.argument()

    def _counted_choice(self, letter: str, lower: Node, upper: Node) -> Node | None:
        if lower.head == "num" and upper.head == "num" and lower.value is not None and upper.value is not None:
            fits = lower.value >= upper.value and (letter == "C" or lower.value > 1)
        else:
            fits = letter == "C" or lower == sym("n")
        if not fits or upper.head not in ("num", "sym", "add"):
            return None
        return call(_CHOOSE[letter], lower, upper)

    def primed(self, node: Node) -> Node:
        """A derivative. The prime just read is the first; more may follow, each a further derivative."""
        count = 1
        while self.peek("op", "'"):
            self.take()
            count += 1
        return self.derived(node, count)

    def derived(self, node: Node, count: int) -> Node:
        """The derivative of that order of a name or an expression in one variable."""
        if node.head == "call" and not node.args[1:] and node.name.rstrip("'") in self.functions:
            return Node("call", node.args, node.name + "'" * count)
        if node.head == "sym":
            return self.applied(sym(node.name + "'" * count))
        names = symbols(node)
        if node.head == "num" or not names:
            raise Unreadable("a prime behind something that is no function", self.here())
        if len(names) > 1 and "x" not in names:
            raise Unreadable("it is not said which variable the prime differentiates by", self.here())
        return self.derived_by(node, sym("x" if "x" in names else min(names)), count)

    def derived_by(self, node: Node, variable: Node, count: int) -> Node:
        """The derivative of an expression; raises Unreadable beyond the fourth, whose size nobody could follow."""
        already = sum(here.name == "derivative" for here in walk(node))
        if already + count > _MOST_DERIVATIVES:
            raise Unreadable(f"more than {_MOST_DERIVATIVES} derivatives of one expression", self.here())
        for _ in range(count):
            node = call("derivative", node, variable)
        return node

    def applied(self, name: Node) -> Node:
        """A function of a declared name with its arguments, a named point, else the name alone."""
        bare = name.name.rstrip("'").partition("_")[0]
        primes = name.name.endswith("'")
        if not self.peek("open", "("):
            return name
        if bare in self.functions or (primes and len(bare) == 1):
            return call(name.name, *self.arguments())
        if bare in ("P", "E", "D") and self._random_argument():
            return call(name.name, self.raw_argument())
        if len(bare) == 1 and bare.isupper() and self.is_tuple():
            before = self.tokens[self.at - 2] if self.at >= 2 else None
            if before is not None and (before.kind, before.text) == ("rel", "~"):
                return call(name.name, *self.arguments())  # X ~ N(0, 1)
            return self._point_or_choice(name)
        return name

    def _point_or_choice(self, name: Node) -> Node:
        """P(1, 2) names a point; C(5, 2) counts combinations, A(5, 2) and P(5, 2) may do either."""
        at = self.here()
        place = self.bracketed()
        point = equation(name, place)
        if name.name not in _CHOOSE or len(place.args) != 2 or place.head != "bracket":
            return point
        chosen = self._counted_choice(name.name, *place.args)
        if chosen is None:
            return point
        certain = name.name == "C" and any(symbols(arg) for arg in place.args)
        if certain:
            return chosen
        self.doubt(f"{name.name} as a point or a number of choices", at, even=True)
        return (point if name.name == "C" else chosen) if self.second else (chosen if name.name == "C" else point)

    @abstractmethod
    def bracketed(self) -> Node:
        """What stands in brackets of any kind."""

    def _random_argument(self) -> bool:
        """Whether the bracket holds an event or a random variable: P(A), P(X=1), P(A|B), E(X)."""
        inside = self.tokens[self.at + 1 : self.closing()]
        return bool(inside) and (
            (inside[0].kind in ("sym", "accent") and inside[0].text[:1] in "ABCDEFGHXYZMN")
            or inside[0].text in ("xi", "eta")
            or inside[0].kind == "accent"
            or any(token.kind == "rel" for token in inside)
            or (len(inside) == 1 and inside[0].text in self.functions)
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
        """The unit here, with exponents and further units behind it."""
        unit = self.take().text
        while True:
            if self.peek("op", "^") and (
                self.ahead(1, "num") or self.ahead(1, "open", "{") or self.ahead(1, "op", "-")
            ):
                self.take()
                exponent = self.exponent()
                unit += f"^{_whole_text(exponent)}"
            elif self.peek("op", "/", "*") and self.ahead(1, "text") and is_unit(self.tokens[self.at + 1].text):
                unit += self.take().text + self.take().text
            else:
                return unit

    # -- functions --------------------------------------------------------------------------------------------
    def function(self) -> Node:
        token = self.take()
        name = token.text
        base: Node | None = None
        exponent: Node | None = None
        while self.peek("op", "_", "^"):
            if self.take().text == "_":
                base = self.argument() if self.peek("open", "{") or self.peek("cmd", "frac") else self._small_base()
            elif self.peek("open", "{"):
                exponent = self.group()
            else:
                exponent = self._small_exponent(name)
        if exponent == neg(num(1)) and name in _INVERSES:
            name, exponent = _INVERSES[name], None
        if name == "log" and base is None and token.text == "log":
            base = self._run_together_base()
        node = self._call(name, base)
        return node if exponent is None else power(node, exponent)

    def _small_exponent(self, name: str) -> Node:
        """sin^2x; of sin^22x only the first digit is raised, as LaTeX prints it, but whoever types may mean both."""
        token = self.token()
        if token.kind == "num" and token.text.isdigit() and len(token.text) > 1:
            self.doubt(f"how much of {token.text} is raised behind {name}", token.at, even=True)
            if not self.second:
                return self.argument()
        return self._small()

    def _run_together_base(self) -> Node | None:
        """log2(x) has the base 2; log2x may have it."""
        token = self.token()
        if token.kind != "num" or token.gap or not token.text.isdigit() or self.at == 0:
            return None
        if self.ahead(1, "open", "("):
            self.take()
            return num(int(token.text))
        if self.ahead(1, "sym") and not self.tokens[self.at + 1].gap and token.text in ("2", "3", "5", "10"):
            self.doubt(f"{token.text} as the base of the logarithm or a factor", token.at, even=True)
            if not self.second:
                self.take()
                return num(int(token.text))
        return None

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

    def _call(self, name: str, base: Node | None) -> Node:
        if name in _WHOLE and self.peek("op", "'"):
            raise Unreadable("a prime behind the name of a function without its argument", self.here())
        bracketed = self.peek("open", "(", "{", "[", "\\{")
        arguments = self._bracket_arguments() if bracketed else [self._loose_argument(name)]
        if name == "log":
            return self._logarithm(base, arguments)
        if base is not None:
            raise Unreadable(f"{name} has no index", self.here())
        if name == "lg":
            return call("log", arguments[0], num(10))
        if len(arguments) != _ARITIES.get(name, 1) and name not in _ANY_COUNT:
            raise Unreadable(f"{name} with {len(arguments)} arguments", self.here())
        if name == "cbrt":
            return call("root", arguments[0], num(3))
        if name in ("sum", "limit", "product"):
            arguments = self._running(name, arguments)
        if name in ("diff", "int", "matrix"):
            return self._spelt_out(name, arguments)
        if name in ("max", "min") and len(arguments) == 1 and arguments[0].head == "set":
            arguments = list(arguments[0].args)
        if name == "det" and len(arguments) == 1:
            return determinant(arguments[0]) or call("det", *arguments)
        return call(name, *arguments)

    def _spelt_out(self, name: str, arguments: list[Node]) -> Node:
        """diff(f, x), int(f, x), int(f, x, a, b) and matrix([1, 2], [3, 4]) as computer algebra writes them."""
        if name == "matrix" and all(
            row.head == "bracket" and len(row.args) == len(arguments[0].args) for row in arguments
        ):
            return Node("matrix", tuple(Node("row", row.args) for row in arguments))
        if name == "matrix" or len(arguments) < 2 or arguments[1].head != "sym":
            raise Unreadable(f"{name} needs an expression and a name", self.here())
        if name == "diff":
            return self.derived_by(arguments[0], arguments[1], 1)
        if len(arguments) not in (2, 4):
            raise Unreadable("an integral needs no bounds or two", self.here())
        return call("antiderivative" if len(arguments) == 2 else "integral", *arguments)

    def _running(self, name: str, arguments: list[Node]) -> list[Node]:
        """The arguments of a sum, whose second is the name that runs, i and e included."""
        index = arguments[1]
        if index.head not in ("sym", "const") or index.name in ("pi", "oo"):
            raise Unreadable(f"{name} needs a name that runs as its second argument", self.here())
        body = rebuilt(arguments[0], lambda here: sym(here.name) if here == index else None)
        return [body, sym(index.name), *arguments[2:], *([Node("text", name="±")] if name == "limit" else [])]

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
        self.expect("close", {"(": ")", "{": "}", "[": "]", "\\{": "\\}"}[opening.text])
        return found

    def _loose_argument(self, name: str) -> Node:
        """The argument without brackets: sin 2x, cos A, ln 3, tan \\frac{π}{4}; it ends at a sign or a function."""
        signs = 0
        while self.peek("op", "-"):
            self.take()
            signs += 1
        if self.peek("rel", "<"):
            return self._angle_between()
        self.deeper()
        parts = [unbraced(self.powered())]
        self.depth -= 1
        while self._continues_argument():
            parts.append(unbraced(self.powered()))
        node = parts[0] if len(parts) == 1 else Node("mul", tuple(parts))
        if self.peek("op", "/") and self.ahead(1, "num") and not self.token().gap:
            self.doubt(f"what {name} is taken of", self.here(), even=True)
            if not self.second:
                self.take()
                node = div(node, self.powered())
        return neg(node) if signs % 2 else node

    def _angle_between(self) -> Node:
        """cos<a, b>: the angle between two vectors."""
        self.take()
        first = self.expression()
        self.expect("sep", ",", "、")
        second = self.expression()
        self.expect("rel", ">")
        return call("angle", first, second)

    def _continues_argument(self) -> bool:
        token = self.token()
        if self.integrals and token.text == "d":
            return False
        return token.kind in ("sym", "const") or (token.kind == "cmd" and token.text in ("frac", "sqrt"))


def _whole_text(exponent: Node) -> str:
    """The exponent of a unit as text; a question mark, which no unit has, where it is no whole number."""
    sign = "-" if exponent.head == "neg" else ""
    number = exponent.args[0] if sign else exponent
    return f"{sign}{number.value}" if number.head == "num" else "?"
