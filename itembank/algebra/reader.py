"""Reading tokens: looking ahead, groups, arguments of commands. The levels of precedence are in the subclasses."""

from __future__ import annotations

from itembank.algebra import limits
from itembank.algebra.nodes import Node, num, sym
from itembank.algebra.results import Unreadable
from itembank.algebra.tokens import Token
from itembank.algebra.unitnames import is_unit

_END = Token("end", "", 0)


class TokenReader:
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
        return unbraced(node)

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
        return any(token.kind == "rel" for token in inside) or self.holds_words()

    def holds_words(self) -> bool:
        """Whether the bracket here only holds words: (舍去), (不合题意), (负值舍去)."""
        if not self.peek("open", "("):
            return False
        first = self.tokens[self.at + 1]
        return first.kind == "text" and not first.text.isascii() and not is_unit(first.text)


def unbraced(node: Node) -> Node:
    """Braces around one expression hold it together and are no set."""
    return node.args[0] if node.head == "set" and len(node.args) == 1 else node
