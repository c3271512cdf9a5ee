"""Reading tokens: looking ahead, groups, arguments of commands. The levels of precedence are in the subclasses."""

from __future__ import annotations

from abc import ABC, abstractmethod

from itembank.algebra import limits
from itembank.algebra.nodes import Node, num, sym
from itembank.algebra.results import Unreadable
from itembank.algebra.tape import Doubt, Token
from itembank.algebra.unitnames import is_unit

_KINDS = {"close": "a closing bracket", "open": "an opening bracket", "sym": "a name", "num": "a number",
          "rel": "a sign of relation", "const": "a name", "text": "a word"}  # fmt: skip


class TokenReader(ABC):
    """Holds the tokens of one clause. What each level of precedence reads is left to the grammar built on it."""

    def __init__(
        self, tokens: list[Token], functions: frozenset[str], plain_names: frozenset[str], *, second: bool = False
    ) -> None:
        self.tokens = tokens
        self.functions = functions
        self.plain_names = plain_names
        self.second = second
        self.at = 0
        self.depth = 0
        self.nodes = 0
        self.bars = 0
        self.integrals = 0
        self.divided = False
        self.in_builder = False
        self.chosen: Node | None = None
        self.doubts: list[Doubt] = []

    # -- the levels that the structures below build on --------------------------------------------------------
    @abstractmethod
    def expression(self) -> Node:
        """Sums and what is looser than they are, such as ∪."""

    @abstractmethod
    def statement(self) -> Node:
        """An expression or a chain of relations."""

    @abstractmethod
    def alternatives(self) -> Node:
        """Statements joined by 或, 且 or commas."""

    @abstractmethod
    def product(self) -> Node:
        """Factors with and without signs between them."""

    @abstractmethod
    def powered(self) -> Node:
        """A base with its exponent."""

    @abstractmethod
    def exponent(self) -> Node:
        """What stands raised behind a base."""

    # -- tokens -----------------------------------------------------------------------------------------------
    def token(self) -> Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("end", "", self._end())

    def _end(self) -> int:
        """The place behind the last token."""
        return self.tokens[-1].end if self.tokens else 0

    def here(self) -> int:
        return self.token().at

    def doubt(self, what: str, at: int, *, even: bool = False) -> None:
        """Remembers that what was read may be read otherwise."""
        self.doubts.append(Doubt(what, at, even))

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
            wanted = " or ".join(texts) or _KINDS.get(kind, kind)
            found = f", not {self.token().text!r}" if self.token().text else " before the end"
            raise Unreadable(f"{wanted} is missing{found}", self.here())
        return self.take()

    def counted(self, node: Node) -> Node:
        self.nodes += 1
        if self.nodes > limits.MAX_NODES:
            raise Unreadable("the expression has too many parts", self.here())
        return node

    # -- groups and arguments ---------------------------------------------------------------------------------
    def group(self) -> Node:
        """What stands between braces, as one expression."""
        self.expect("open", "{", "(", "\\{")
        bars, self.bars = self.bars, 0
        node = self.expression()
        self.bars = bars
        self.expect("close")
        return unbraced(node)

    def argument(self) -> Node:
        """The argument of a LaTeX command: a group, one digit, or one symbol."""
        if self.peek("open", "{"):
            return self.group()
        token = self.token()
        if token.kind == "num" and len(token.text) > 1 and token.text.isdigit():
            rest = Token("num", token.text[1:], token.at + 1, False, num(int(token.text[1:])).value, end=token.end)
            self.tokens[self.at] = rest
            return num(int(token.text[0]))
        if token.kind == "num":
            self.take()
            return Node("num", value=token.value)
        if token.kind == "roman":
            self.take()
            return sym(token.text)
        if token.kind == "sym":
            self.take()
            return sym(token.text)
        self.deeper()
        node = self.powered()
        self.depth -= 1
        return node

    def deeper(self) -> None:
        """One level further in; raises Unreadable where nobody could follow any more."""
        self.depth += 1
        if self.depth > limits.MAX_DEPTH:
            raise Unreadable("brackets are nested too deeply", self.here())

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
        return any(token.kind == "rel" and token.text != "equiv" for token in inside) or self.holds_words()

    def is_modulus(self) -> bool:
        """Whether the bracket here says modulo what: (mod 5)."""
        return self.peek("open", "(") and self.ahead(1, "cmd", "bmod")

    def is_tuple(self) -> bool:
        """Whether the bracket here holds several entries: (1, 2), (1; 2)."""
        if not self.peek("open", "("):
            return False
        level = 0
        for token in self.tokens[self.at : self.closing()]:
            level += (token.kind == "open") - (token.kind == "close")
            if level == 1 and token.kind == "sep" and token.text in (",", ";", "、"):
                return True
        return False

    def holds_words(self) -> bool:
        """Whether the bracket here only holds words: (舍去), (不合题意), (负值舍去)."""
        if not self.peek("open", "("):
            return False
        first = self.tokens[self.at + 1]
        return first.kind == "text" and not first.text.isascii() and not is_unit(first.text)


def unbraced(node: Node) -> Node:
    """Braces around one expression hold it together and are no set."""
    return node.args[0] if node.head == "set" and len(node.args) == 1 else node
