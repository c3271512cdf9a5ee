"""Lines into statements: relations and chains, 或 and 且, lists separated by commas, remarks such as (k ∈ Z)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from itembank.algebra.budget import Remembered
from itembank.algebra.clauses import Clause, Cutter, Said, takes_back, trimmed
from itembank.algebra.grammar import ExpressionParser
from itembank.algebra.lexicon import SINGLE_WORDS
from itembank.algebra.nodes import Node, rel, substituted, symbols
from itembank.algebra.reader import unbraced as plain
from itembank.algebra.results import Unreadable
from itembank.algebra.tape import Doubt, Token
from itembank.algebra.tokens import tokenized

_LABEL = re.compile(
    r"\s*(?:[(（]\s*(?:\d{1,2}|[ivx]{1,4}|[一二三四五六七八九])\s*[)）]|[①-⑳]|\d{1,2}\s*、)(?!\s*[-+*/^=<>_×÷·(（])"
)
"""The number of a part in front of a line."""

DEFAULT_FUNCTIONS = frozenset("fghFG")


@dataclass(slots=True)
class Line:
    """The statements of one line in order: those said to be so, those only supposed, and what could not be read."""

    statements: list[Node] = field(default_factory=list)
    supposed: list[Node] = field(default_factory=list)
    unread: list[Unreadable] = field(default_factory=list)
    ambiguous: list[Doubt] = field(default_factory=list)
    prose: bool = False

    @property
    def all(self) -> list[Node]:
        """Everything that was read, supposed or said to be so."""
        return [*self.statements, *self.supposed]


class StatementParser(ExpressionParser):
    """or > and, comma > relation chain > expression."""

    def whole(self) -> Node:
        node = self.alternatives()
        if self.at < len(self.tokens):
            raise Unreadable(f"{self.token().text!r} is not understood here", self.here())
        return node

    def clause(self, clause: Clause) -> Node:
        """The one statement of a clause; raises Unreadable where a word behind it may change its last number."""
        node = self.whole()
        if clause.measure is not None:
            raise Unreadable(
                f"the word {clause.measure.text[:12]!r} behind a number is not understood", clause.measure.at
            )
        return node

    def alternatives(self) -> Node:
        parts = [self.listed()]
        while self.peek("word", "or"):
            self.take()
            if self.peek("sep", ","):
                self.take()
            parts.append(self.listed())
        return _joined("or", parts)

    def listed(self) -> Node:
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
        where = self.listed()
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
        if "equiv" in signs:
            return self._congruence(signs, sides)
        node = self.counted(rel(tuple(signs), tuple(sides))) if signs else sides[0]
        if signs and self.holds_words():
            words = "".join(token.text for token in self.tokens[self.at + 1 : self.closing()])
            self.at = self.closing() + 1
            return REJECTED if takes_back(words, node) else node
        if self.peek("open", "(") and self.is_annotation() and (signs or self._is_set(node)):
            self.take()
            remark = self.alternatives()
            self.expect("close", ")")
            return Node("and", (node, *(remark.args if remark.head in ("seq", "and") else (remark,))))
        return node

    def _is_set(self, node: Node) -> bool:
        return node.head in ("bracket", "set", "union", "inter")

    def _congruence(self, signs: list[str], sides: list[Node]) -> Node:
        """a ≡ b (mod m); without a modulus ≡ says that two sides are the same throughout."""
        round_bracket = self.is_modulus()
        if not (round_bracket or self.peek("cmd", "pmod", "bmod")):
            return self.counted(rel(tuple("=" if sign == "equiv" else sign for sign in signs), tuple(sides)))
        at = self.here()
        self.at += 2 if round_bracket else 1
        modulus = plain(self.expression() if round_bracket or not self.peek("open") else self.group())
        if round_bracket:
            self.expect("close", ")")
        if set(signs) != {"equiv"} or len(sides) != 2:
            raise Unreadable("a chain of congruences is not read", at)
        return Node("congruence", (*sides, modulus))

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


_LETTERS = frozenset("ei")
"""Letters that stand for numbers unless they are declared to be names."""
_TEXTS_KEPT = 500
_TOO_DEEP = "nested too deeply"

_parsed: Remembered[tuple[str, frozenset[str], frozenset[str], str | None, bool], tuple[Node, list[Doubt]]] = (
    Remembered(_TEXTS_KEPT)
)
_lines: Remembered[tuple[str, frozenset[str], frozenset[str], bool], Line] = Remembered(
    _TEXTS_KEPT,
    # How deep is too deep depends on how deep the caller is.
    keep=lambda line: all(error.reason != _TOO_DEEP for error in line.unread),
)


def forget() -> None:
    """Forgets all parsed texts of this process, for measurements."""
    _parsed.clear()
    _lines.clear()


def _plain_names(tokens: list[Token], names: frozenset[str]) -> frozenset[str]:
    """e and i are names where the line or the givens say what they are: e = 4/5."""
    found = set(names & _LETTERS)
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
    *,
    second: bool = False,
) -> tuple[Node, list[Doubt]]:
    """The one statement that the text is, and what is doubtful in it; raises Unreadable.

    With `second`, whatever may evenly be read in two ways is read in the other way.
    """
    told = names & _LETTERS
    node, doubts = _parsed.answer(
        (text, functions, told, notation, second), lambda: _parse(text, functions, told, notation, second=second)
    )
    return node, list(doubts)


def _parse(
    text: str, functions: frozenset[str], names: frozenset[str], notation: str | None, *, second: bool
) -> tuple[Node, list[Doubt]]:
    word = text.strip(" .。$").lower()
    if word in SINGLE_WORDS:
        return Node(SINGLE_WORDS[word], name=word if SINGLE_WORDS[word] == "text" else ""), []
    tokens, doubts = tokenized(text, notation, second=second)
    tokens = trimmed(tokens)
    if not tokens:
        raise Unreadable("there is nothing to read", 0)
    if all(token.kind == "text" for token in tokens):
        return Node("text", name=" ".join(token.text for token in tokens)), doubts
    if tokens[-1].kind == "none" and all(token.kind in ("sym", "text", "none", "word") for token in tokens):
        return Node("none"), doubts
    nodes = []
    known = _plain_names(tokens, names)
    for clause in Cutter(tokens).cut():
        parser = StatementParser(clause.tokens, functions, known, second=second)
        node = parser.clause(clause)
        doubts += parser.doubts
        if clause.said is Said.NEVER:
            raise Unreadable("something is said not to be so", clause.tokens[0].at)
        kept, _ = _without_refused(clause, node)
        if kept is not None:
            nodes.append(kept)
    if not nodes:
        return REJECTED, doubts
    return (nodes[0] if len(nodes) == 1 else Node("seq", tuple(nodes))), doubts


def parse_line(
    text: str,
    functions: frozenset[str] = DEFAULT_FUNCTIONS,
    names: frozenset[str] = frozenset(),
    *,
    second: bool = False,
) -> Line:
    """All statements of a written line, for reading only; parts that are not mathematics are noted, never raised."""
    told = names & _LETTERS
    return _lines.answer((text, functions, told, second), lambda: _parse_line(text, functions, told, second=second))


def _parse_line(text: str, functions: frozenset[str], names: frozenset[str], *, second: bool) -> Line:
    line = Line()
    try:
        tokens, line.ambiguous = tokenized(_unlabelled(text), second=second)
    except Unreadable as error:
        line.unread.append(error)
        return line
    known = _plain_names(tokens, names)
    for clause in Cutter(tokens).cut():
        parser = StatementParser(clause.tokens, functions, known, second=second)
        try:
            node = parser.clause(clause)
        except (Unreadable, RecursionError) as error:
            if any(token.kind in ("rel", "op", "cmd", "fn", "num", "open") for token in clause.tokens):
                line.unread.append(error if isinstance(error, Unreadable) else Unreadable(_TOO_DEEP))
            continue
        line.ambiguous += parser.doubts
        _keep(line, clause, node)
    line.prose = any(token.kind == "text" for token in tokens)
    return line


def _unlabelled(text: str) -> str:
    """The line without the number of its part in front, (1) or ②; places stay as they are."""
    found = _LABEL.match(text)
    return text if found is None else " " * found.end() + text[found.end() :]


def _keep(line: Line, clause: Clause, node: Node) -> None:
    """Put a statement where its clause says that it belongs."""
    kept, refused = _without_refused(clause, node)
    line.supposed += refused
    if kept is None:
        return
    doubted = clause.said in (Said.PERHAPS, Said.NEVER) or (clause.said is Said.LET and _gives_value(kept))
    (line.supposed if doubted else line.statements).append(kept)


def _without_refused(clause: Clause, node: Node) -> tuple[Node | None, list[Node]]:
    """What words behind a clause leave of it, and what they take back."""
    if not clause.dropped:
        return node, []
    if node.head in ("or", "seq") and clause.dropped == "last":
        if not takes_back(clause.words, node.args[-1]):
            return node, []
        return (node.args[0] if len(node.args) == 2 else Node(node.head, node.args[:-1])), [node.args[-1]]
    return (None, [node]) if takes_back(clause.words, node) else (node, [])


def _gives_value(node: Node) -> bool:
    """Whether a statement after 令 only puts a value in: x = 1, but not f'(x) = 0 or t = x²."""
    parts = node.args if node.head in ("and", "seq", "or") else (node,)
    return any(one.head == "rel" and one.args[0].head == "sym" and not symbols(one.args[-1]) for one in parts)
