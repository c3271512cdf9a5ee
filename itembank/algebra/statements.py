"""Lines into statements: relations and chains, 或 and 且, lists separated by commas, remarks such as (k ∈ Z)."""

from __future__ import annotations

from dataclasses import dataclass, field

from itembank.algebra.grammar import ExpressionParser, plain
from itembank.algebra.nodes import Node, rel, substituted, walk
from itembank.algebra.results import Unreadable
from itembank.algebra.tokens import Token, Tokenizer
from itembank.algebra.unitnames import is_unit

DEFAULT_FUNCTIONS = frozenset("fghFG")


@dataclass(slots=True)
class Line:
    """The statements of one line in order, and the parts that could not be read."""

    statements: list[Node] = field(default_factory=list)
    unread: list[Unreadable] = field(default_factory=list)
    ambiguous: list[str] = field(default_factory=list)
    prose: bool = False


class StatementParser(ExpressionParser):
    """or > and, comma > relation chain > expression."""

    def whole(self) -> Node:
        node = self.alternatives()
        if self.at < len(self.tokens):
            raise Unreadable(f"{self.token().text!r} is not understood here", self.here())
        return node

    def alternatives(self) -> Node:
        parts = [self.list()]
        while self.peek("word", "or"):
            self.take()
            if self.peek("sep", ","):
                self.take()
            parts.append(self.list())
        return _joined("or", parts)

    def list(self) -> Node:
        parts = [self.statement()]
        joint = "seq"
        while self.peek("sep", ",", "、", "gap") or self.peek("word", "and", "at"):
            word = self.take()
            if word.text == "at":
                return self._at(parts[-1])
            if self.at >= len(self.tokens):
                break
            if word.text == "and":
                joint = "and"
            if self.peek("word", "or"):
                break
            if word.text == "," and self.peek("word", "and"):
                self.take()
                joint = "and"
            parts.append(self.statement())
        return _joined(joint, parts)

    def _at(self, expression: Node) -> Node:
        """A value after substitution: "x^2 at x=3"."""
        where = self.list()
        values = {}
        for one in where.args if where.head in ("seq", "and") else (where,):
            if one.head != "rel" or one.name != "=" or one.args[0].head != "sym":
                raise Unreadable("'at' needs name = value", self.here())
            values[one.args[0].name] = one.args[1]
        return substituted(expression, values)

    def statement(self) -> Node:
        sides = [self.side()]
        signs: list[str] = []
        while self.peek("rel"):
            signs.append(self.take().text)
            sides.append(self.side())
        if self.peek("text") and self.token().text.startswith("舍"):
            self.take()
            return REJECTED
        if not signs:
            return sides[0]
        node = self.counted(rel(tuple(signs), tuple(sides)))
        if self.is_rejection():
            self.at = self.closing() + 1
            return REJECTED
        if self.peek("open", "(") and self.is_annotation():
            self.take()
            remark = self.statement()
            self.expect("close", ")")
            return Node("and", (node, remark))
        return node

    def side(self) -> Node:
        node = self.expression()
        return node if node.head in ("set", "bracket") else plain(node)


REJECTED = Node("text", name="(舍去)")
"""Stands for a value that the student found and threw away."""


def _joined(head: str, parts: list[Node]) -> Node:
    kept = [part for part in parts if part is not REJECTED]
    if not kept:
        return REJECTED
    return kept[0] if len(kept) == 1 else Node(head, tuple(kept))


def _tokens(text: str, notation: str | None) -> tuple[list[Token], list[str]]:
    tokenizer = Tokenizer(text, notation)
    return tokenizer.run(), tokenizer.ambiguous


def _plain_names(tokens: list[Token], names: frozenset[str]) -> frozenset[str]:
    """e and i are names where the line or the givens say what they are: e = 4/5."""
    found = set(names & {"e", "i"})
    for place, token in enumerate(tokens):
        alone = place == 0 or tokens[place - 1].kind in ("sep", "word")
        if token.kind == "const" and token.text in "ei" and alone and place + 1 < len(tokens):
            after = tokens[place + 1]
            if after.kind == "rel" and after.text in ("=", "<", ">", "<=", ">="):
                found.add(token.text)
    return frozenset(found)


def parse(
    text: str,
    functions: frozenset[str] = DEFAULT_FUNCTIONS,
    names: frozenset[str] = frozenset(),
    notation: str | None = None,
) -> tuple[Node, list[str]]:
    """The one statement that the text is, and what is ambiguous in it; raises Unreadable."""
    tokens, ambiguous = _tokens(text, notation)
    tokens = _trimmed(tokens)
    if not tokens:
        raise Unreadable("there is nothing to read", 0)
    if all(token.kind == "text" for token in tokens):
        return Node("text", name=" ".join(token.text for token in tokens)), ambiguous
    if tokens[-1].kind == "none" and all(token.kind in ("sym", "text", "none", "word") for token in tokens):
        return Node("none"), ambiguous
    groups = _split(tokens)
    nodes = []
    for group in groups:
        parser = StatementParser(group, functions, _plain_names(tokens, names))
        nodes.append(parser.whole())
        ambiguous = ambiguous + parser.ambiguous
    return (nodes[0] if len(nodes) == 1 else Node("seq", tuple(nodes))), ambiguous


def parse_line(text: str, functions: frozenset[str] = DEFAULT_FUNCTIONS, names: frozenset[str] = frozenset()) -> Line:
    """All statements of a written line; parts that are not mathematics are noted, never raised."""
    line = Line()
    try:
        tokens, line.ambiguous = _tokens(text, None)
    except Unreadable as error:
        line.unread.append(error)
        return line
    known = _plain_names(tokens, names)
    for group in _split(tokens):
        parser = StatementParser(group, functions, known)
        try:
            node = parser.whole()
        except (Unreadable, RecursionError) as error:
            if any(token.kind in ("rel", "op", "cmd", "fn", "num", "open") for token in group):
                line.unread.append(error if isinstance(error, Unreadable) else Unreadable("nested too deeply"))
            continue
        line.ambiguous += parser.ambiguous
        line.statements.append(node)
    line.prose = any(token.kind == "text" for token in tokens)
    return line


def _trimmed(tokens: list[Token]) -> list[Token]:
    start, end = 0, len(tokens)
    while start < end and _is_border(tokens[start]):
        start += 1
    while end > start and _is_border(tokens[end - 1]):
        end -= 1
    return tokens[start:end]


def _is_border(token: Token) -> bool:
    return token.kind == "sep" or (token.kind, token.text) in (("word", "then"), ("op", ":"))


def _split(tokens: list[Token]) -> list[list[Token]]:
    """Groups of tokens between 所以, ; and prose; commas, 或 and 且 stay inside a group."""
    groups: list[list[Token]] = [[]]
    level = 0
    for place, token in enumerate(tokens):
        level += (token.kind in ("open", "begin")) - (token.kind in ("close", "end"))
        if level <= 0 and _ends_group(tokens, place):
            groups.append([])
        else:
            groups[-1].append(token)
    return [group for group in map(_trimmed, groups) if group]


def _ends_group(tokens: list[Token], place: int) -> bool:
    token = tokens[place]
    if token.kind == "word":
        return token.text == "then"
    if token.kind == "sep":
        return token.text in (";", "row")
    if token.kind == "text":
        if token.text.endswith((":", "：")):
            return True
        before = tokens[place - 1] if place else None
        if is_unit(token.text) and before is not None and before.kind in ("num", "close", "const", "sym", "text"):
            return False
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        names = after is not None and after.kind == "rel" and after.text == "="
        return not token.text.isascii() and not names
    return False


def free_of_statements(node: Node) -> bool:
    """Whether the node is an expression through and through."""
    heads = ("rel", "and", "or", "seq", "builder", "none")
    return all(here.head not in heads for here in walk(node))
