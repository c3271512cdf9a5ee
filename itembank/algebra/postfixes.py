"""What stands behind or above a base: exponents, primes, factorials, percent, degrees, the stars of number sets."""

from __future__ import annotations

from abc import abstractmethod

from itembank.algebra.brackets import BracketParser
from itembank.algebra.nodes import Node, call, div, mul, neg, num, power, sym, text_of
from itembank.algebra.reader import unbraced as plain
from itembank.algebra.results import Unreadable


class PostfixParser(BracketParser):
    """Everything that binds more tightly than a product."""

    @abstractmethod
    def signed(self) -> Node:
        """A base with its exponent and the signs before it."""

    @abstractmethod
    def primary(self) -> Node:
        """One number, name, function, command or bracket."""

    @abstractmethod
    def number(self) -> Node:
        """A number, mixed ones and those of other bases included."""

    def raised(self, base: Node) -> Node:
        sign = self.take()
        base = plain(base)
        if self.peek("op", "°"):
            self.take()
            return self._after_degrees(base)
        if self.peek("op", "'"):
            self.take()
            return self.primed(base)
        if self.peek("op", "*") and (base.name.startswith("set_") or base.name in ("N", "Z", "R", "Q")):
            return self._positive(base)
        if self.peek("open", "{") and (marks := self._marks()):
            return self._marked(base, marks)
        if self.peek("num") and self.token().text == "1" and self.ahead(1, "op", "/") and self.ahead(2, "num"):
            self.doubt("whether the fraction is raised", sign.at, even=True)
            if self.second:
                top = self.number()
                self.take()
                return power(base, div(top, self.number()))
        exponent = self.exponent()
        if exponent == neg(num(1)) and base.head == "sym" and base.name in self.functions and self.peek("open", "("):
            return call(base.name + "^-1", *self.arguments())
        if self.peek("op", "_") and base.head == "sym":
            return power(self.subscripted(base.name), exponent)
        return power(base, exponent)

    def _marks(self) -> str:
        """What stands in raised braces if it is only signs: \\prime\\prime, \\circ, *, +, (2)."""
        inside = self.tokens[self.at + 1 : self.closing()]
        texts = "".join(token.text for token in inside)
        if inside and (set(texts) <= {"'"} or texts in ("°", "*", "+", "°C")):
            return texts
        counted = [token.text for token in inside]
        if len(counted) == 3 and counted[0] == "(" and counted[2] == ")" and counted[1] in ("1", "2", "3", "4"):
            return texts
        return ""

    def _marked(self, base: Node, marks: str) -> Node:
        if marks.startswith("("):
            if base.head != "sym" or base.name not in self.functions:
                return power(base, self.exponent())
            self.at = self.closing() + 1
            return self.derived(base, int(marks[1]))
        if marks in ("*", "+") and not (base.name.startswith("set_") or base.name in ("N", "Z", "R", "Q")):
            raise Unreadable(f"the raised sign {marks} is not understood", self.here())
        self.at = self.closing() + 1
        if marks == "°":
            return self._after_degrees(base)
        if marks == "°C":
            return call("quantity", base, Node("text", name="℃"))
        return self._positive(base, taken=True) if marks in ("*", "+") else self.derived(base, len(marks))

    def _positive(self, base: Node, *, taken: bool = False) -> Node:
        """N*, N^*, N^+: the positive numbers of a set."""
        if not taken:
            self.take()
        return sym(f"set_{base.name.removeprefix('set_').rstrip('+')}+")

    def _after_degrees(self, value: Node) -> Node:
        """30°, 30°15'20'', 20°C."""
        if self.peek("sym", "C") and not self.ahead(1, "op", "_") and value.head != "sym":
            self.take()
            return call("quantity", value, Node("text", name="℃"))
        if value.head != "num" or not (self.peek("num") and self.ahead(1, "op", "'")):
            return call("degree", value)
        assert value.value is not None
        total = value.value
        for part in (60, 3600):
            wanted = part // 60
            marks = [self.ahead(1 + place, "op", "'") for place in range(wanted if part == 60 else 2)]
            if not self.peek("num") or not all(marks):
                break
            minutes = self.take().value
            assert minutes is not None
            total += minutes / part
            self.at += len(marks)
        return call("degree", num(total))

    def exponent(self) -> Node:
        self.deeper()
        node = self.group() if self.peek("open", "{") else plain(self.signed())
        self.depth -= 1
        return node

    def postfixed(self) -> Node:
        node = self.primary()
        while True:
            if self.peek("op", "!"):
                node = self._factorials(plain(node))
            elif self.peek("op", "%", "‰") or self.peek("word", "percent"):
                thousand = self.take().text == "‰"
                node = div(plain(node), num(1000)) if thousand else call("percent", plain(node))
            elif self.peek("op", "°") and self._composes(node):
                node = self._composed(node)
            elif self.peek("op", "°") or self.peek("word", "degree"):
                self.take()
                node = self._after_degrees(plain(node))
            elif self.peek("op", "'"):
                self.take()
                node = self.primed(plain(node))
            elif self.peek("op", "_") and node.head == "call" and node.name not in ("binomial", "perm"):
                node = self.subscripted(text_of(node))
            elif self.peek("op", "_") and plain(node).head == "sym" and node.head == "set":
                node = self._choose(plain(node).name) or self.subscripted(plain(node).name)
            elif self.peek("op", "*", "_", "^") and self._is_number_set(node) and self._positive_follows():
                node = self._positive(node, taken=True)
            else:
                return self.counted(node)

    def _is_number_set(self, node: Node) -> bool:
        return node.head == "sym" and node.name in ("set_N", "set_Z", "set_R", "set_Q", "N", "Z", "R", "Q")

    def _positive_follows(self) -> bool:
        """Takes the * or + behind ∈ N where nothing is multiplied or added: N*, N_+, N^*."""
        raised = not self.peek("op", "*")
        at = self.at + raised
        braced = at < len(self.tokens) and self.tokens[at].text == "{"
        at += braced
        sign = self.tokens[at] if at < len(self.tokens) else None
        after = self.tokens[at + 1] if at + 1 < len(self.tokens) else None
        if (
            sign is None
            or sign.text not in ("*", "+")
            or (not raised and after is not None and after.kind not in ("sep", "close", "word"))
        ):
            return False
        self.at = at + 1 + braced
        return True

    def _factorials(self, node: Node) -> Node:
        """n! and the double factorial n!!, which is no factorial of a factorial."""
        count = 0
        while self.peek("op", "!"):
            self.take()
            count += 1
        if count > 2:
            raise Unreadable("more than two signs of factorial", self.here())
        if count == 1:
            return call("factorial", node)
        if node.head == "num" and node.value in range(60):
            return mul(num(1), *(num(factor) for factor in range(int(node.value or 0), 0, -2)))
        return call("double-factorial", node)

    def _composes(self, node: Node) -> bool:
        return node.head == "sym" and node.name in self.functions and self.ahead(1, "sym") and (
            self.tokens[self.at + 1].text in self.functions
        )  # fmt: skip

    def _composed(self, outer: Node) -> Node:
        """(f∘g)(x) is f(g(x)); without an argument it is a name."""
        self.take()
        inner = self.take().text
        if self.peek("close", ")") and self.ahead(1, "open", "("):
            close = self.tokens.pop(self.at)
            arguments = self.arguments()
            self.tokens.insert(self.at, close)
        elif self.peek("open", "("):
            arguments = self.arguments()
        else:
            return sym(f"{outer.name}∘{inner}")
        return call(outer.name, call(inner, *arguments))
