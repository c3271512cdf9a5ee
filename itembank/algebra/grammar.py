"""Tokens into expressions: one recursive descent parser with limits on depth and nodes. Nothing is ever evaluated."""

from __future__ import annotations

from fractions import Fraction

from itembank.algebra import limits
from itembank.algebra.nodes import Node, add, call, const, div, mul, neg, num, power, sym, text_of
from itembank.algebra.results import Unreadable
from itembank.algebra.structures import StructureParser
from itembank.algebra.tokens import Token
from itembank.algebra.unitnames import is_unit

_FACTOR_KINDS = ("num", "sym", "const", "fn", "cmd", "accent", "roman", "vulgar", "begin", "text")


class ExpressionParser(StructureParser):
    """Precedence, from loose to tight: set operators, + - ±, * / and implicit products, sign, power, ! % ° '."""

    def expression(self) -> Node:
        self._deeper()
        left = self.sum()
        while self.peek("op", "union", "inter", "minus"):
            name = self.take().text
            left = Node(name, (left, self.sum()))
        self.depth -= 1
        return left

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > limits.MAX_DEPTH:
            raise Unreadable("brackets are nested too deeply", self.here())

    def sum(self) -> Node:
        terms = [self.product()]
        while self.peek("op", "+", "-", "±", "∓"):
            sign = self.take().text
            term = plain(self.product())
            terms[0] = plain(terms[0])
            if sign == "+":
                terms.append(term)
            elif sign == "-":
                terms.append(neg(term))
            else:
                terms.append(Node("pm", (term,)) if sign == "±" else Node("pm", (neg(term),)))
        return self.counted(add(*terms))

    def product(self) -> Node:
        left = self.signed()
        bare = left.head == "num"
        while True:
            if self.peek("op", "*", "/", ":") and not self._colon_ends():
                sign = self.take()
                right = plain(self.signed())
                left = self._divided(left, right) if sign.text in "/:" else mul(*factors(plain(left)), right)
                bare = right.head == "num"
                self.divided = sign.text == "/" and not sign.gap
            elif self.peek("cmd", "bmod"):
                self.take()
                left = call("mod", plain(left), plain(self.signed()))
            elif self._starts_factor(bare):
                left = self._joined(left, bare)
                bare = left.args[-1].head == "num"
            else:
                self.divided = False
                return self._with_unit(left)

    def _colon_ends(self) -> bool:
        return self.peek("op", ":") and self.in_builder

    def _divided(self, top: Node, bottom: Node) -> Node:
        top = plain(top)
        if top.head == "mul" and top.args[0] == bottom == sym("d") and len(top.args) == 2 and self.peek("sym"):
            return sym(f"d{top.args[1].name}/d{self.take().text}")
        if top == sym("d") and bottom == sym("d") and self.peek("sym"):
            variable = self.take().text
            return call("derivative", plain(self.product()), sym(variable))
        return div(top, bottom)

    def _joined(self, left: Node, bare: bool) -> Node:
        """One more factor written without a sign."""
        token = self.token()
        if self.divided and not token.gap and token.kind in ("sym", "const", "fn"):
            self.ambiguous.append("what is divided by")
        if token.kind == "num" and not token.gap and self.tokens[self.at - 1].text != "!":
            self.ambiguous.append("a number after a factor")
        return self.counted(mul(*factors(plain(left)), plain(self.powered())))

    def _starts_factor(self, bare: bool) -> bool:
        token = self.token()
        if token.kind == "open":
            return token.text in ("(", "{", "\\{", "⌊", "⌈", "[") and not self.is_annotation()
        if token.kind == "op" and token.text == "|":
            return self.bars == 0 and self._bar_closes_later()
        if token.kind == "num":
            return not bare and self.at > 0 and self.tokens[self.at - 1].text != "d"
        if token.kind == "text":
            return not is_unit(token.text) and token.text.isascii()
        if self.integrals and token.kind == "sym" and token.text == "d":
            return False
        return token.kind in _FACTOR_KINDS

    def _bar_closes_later(self) -> bool:
        level = 0
        for token in self.tokens[self.at + 1 :]:
            if token.kind in ("open", "close"):
                level += 1 if token.kind == "open" else -1
            if level < 0:
                return False
            if level == 0 and token.kind == "op" and token.text == "|":
                return True
        return False

    def _with_unit(self, value: Node) -> Node:
        """A unit written as text behind a quantity; "2 h 30 min" is a sum."""
        if not (self.peek("text") and is_unit(self.token().text)):
            return value
        unit = self.unit_text()
        quantity = call("quantity", plain(value), Node("text", name=unit))
        if self.peek("num"):
            return add(quantity, self.product())
        return quantity

    def signed(self) -> Node:
        signs = 0
        flips = False
        while self.peek("op", "-", "+", "±", "∓"):
            sign = self.take().text
            signs += sign == "-"
            flips = flips or sign in "±∓"
        node = self.powered()
        if flips:
            node = Node("pm", (plain(node),))
        return neg(plain(node)) if signs % 2 else node

    def powered(self) -> Node:
        base = self.postfixed()
        if not self.peek("op", "^"):
            return base
        return self.counted(self.raised(base))

    def raised(self, base: Node) -> Node:
        self.take()
        base = plain(base)
        if self.peek("op", "°"):
            self.take()
            return call("degree", base)
        if self.peek("op", "'"):
            self.take()
            return self.primed(base)
        if self.peek("open", "{") and self.ahead(1, "op", "°") and self.ahead(2, "close"):
            self.at += 3
            return self._after_degree(call("degree", base))
        exponent = self.exponent()
        if exponent == neg(num(1)) and base.head == "sym" and base.name in self.functions and self.peek("open", "("):
            return call(base.name + "^-1", *self.arguments())
        if base.head == "sym" and exponent == call("transpose"):
            return call("transpose", base)
        return power(base, exponent)

    def _after_degree(self, node: Node) -> Node:
        return node

    def exponent(self) -> Node:
        self._deeper()
        node = self.group() if self.peek("open", "{") else plain(self.signed())
        self.depth -= 1
        return node

    def postfixed(self) -> Node:
        node = self.primary()
        while True:
            if self.peek("op", "!"):
                self.take()
                node = call("factorial", plain(node))
            elif self.peek("op", "%") or self.peek("word", "percent"):
                self.take()
                node = call("percent", plain(node))
            elif self.peek("op", "°") or self.peek("word", "degree"):
                self.take()
                node = call("degree", plain(node))
            elif self.peek("op", "'"):
                self.take()
                node = self.primed(node)
            elif self.peek("op", "_") and node.head == "call":
                node = self.subscripted(text_of(node))
            else:
                return self.counted(node)

    def primary(self) -> Node:
        token = self.token()
        if token.kind == "num":
            return self.number()
        if token.kind in ("sym", "roman", "text"):
            return self.named()
        if token.kind == "const":
            return self.constant()
        if token.kind == "fn":
            return self.function()
        if token.kind in ("cmd", "accent", "begin"):
            return self.command()
        if token.kind == "open":
            return self.bracketed()
        if token.kind == "op" and token.text == "|":
            return self.absolute()
        if token.kind == "vulgar":
            self.take()
            assert token.value is not None
            return div(num(token.value.numerator), num(token.value.denominator))
        if token.kind == "none":
            self.take()
            return Node("none")
        if token.kind == "word" and token.text == "percent-of":
            self.take()
            return call("percent", self.number())
        raise Unreadable(
            f"something is missing before {token.text!r}" if token.text else "the end came too early", token.at
        )

    def number(self) -> Node:
        token = self.take()
        if token.value is None:
            raise Unreadable("a number is missing", token.at)
        if self.peek("op", "_"):
            return self._in_base(token)
        whole = num(token.value, token.places)
        if self._mixed_follows(token):
            part = plain(self.primary())
            return add(whole, part)
        return whole

    def _in_base(self, token: Token) -> Node:
        self.take()
        base = plain(self.group() if self.peek("open", "{") else self.number())
        digits = token.text
        if base.value is None or base.value.denominator != 1 or not 2 <= base.value <= 10 or not digits.isdigit():
            raise Unreadable("a number with an index that is no base", token.at)
        if any(int(digit) >= base.value for digit in digits):
            raise Unreadable(f"the digits do not fit base {base.value}", token.at)
        return num(int(digits, int(base.value)))

    def _mixed_follows(self, token: Token) -> bool:
        """A whole number directly before a proper fraction of plain numbers: 1\\frac{1}{2}, 1½, "1 1/2"."""
        if token.places is not None or (self.at >= 2 and self.tokens[self.at - 2].text in ("^", "_", "/")):
            return False
        if self.peek("vulgar"):
            return True
        if self.peek("cmd", "frac"):
            kinds = [(one.kind, one.text) for one in self.tokens[self.at + 1 : self.at + 7]]
            if len(kinds) == 6 and [kind for kind, _ in kinds] == ["open", "num", "close", "open", "num", "close"]:
                return kinds[1][1].isdigit() and kinds[4][1].isdigit() and int(kinds[1][1]) < int(kinds[4][1])
            if kinds and kinds[0][0] == "num" and len(kinds[0][1]) == 2:
                return kinds[0][1][0] < kinds[0][1][1]
        return False

    def constant(self) -> Node:
        token = self.take()
        if token.text in "ei" and (token.text in self.plain_names or self.peek("op", "_")):
            return self.subscripted(token.text)
        return const(token.text)


def plain(node: Node) -> Node:
    """Braces around one expression are brackets when something is computed with them."""
    return node.args[0] if node.head == "set" and len(node.args) == 1 else node


def factors(node: Node) -> tuple[Node, ...]:
    """The factors of a product, so that products stay flat."""
    return node.args if node.head == "mul" else (node,)


def decimal_places(value: Fraction) -> int | None:
    """How many decimals write the value exactly; None when no finite number does."""
    bottom = value.denominator
    twos = (bottom & -bottom).bit_length() - 1
    bottom >>= twos
    fives = 0
    while bottom % 5 == 0:
        bottom //= 5
        fives += 1
    return max(twos, fives) if bottom == 1 else None
