"""A line cut into clauses, and which of them are said to be so.

What stands under 若, 假设, 当 … 时 or 要证 is no result, nor is what is called wrong or thrown away: 不成立, 舍去.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum

from itembank.algebra.lexicon import JOINTS
from itembank.algebra.nodes import Node, text_of
from itembank.algebra.tape import Token
from itembank.algebra.unitnames import is_unit

_INDICES = frozenset("nk")
_WRONG = re.compile(
    r"不成立|不对|不正确|不合|不符|不满足|不可能|不行|不存在|不是解|不是根|舍|错(?!位)|矛盾|删|作废|划去|略去|无效|有误|增根"
)
_ALL = re.compile(r"均|都|全|皆")
_NEGATIVE = re.compile(r"负")
_NOT_NEXT = re.compile(
    r"(?:并非|不是|非|不等于|不可能|不能|不能是|不能得|不到|推不出|不会|不会是|不应|不应是|没有|无法|错误|排除|不取)[:：]?$"
)
_UNSURE = re.compile(r"若|如果|假如|假定|倘若|要是|猜|可能|也许|大概|估计|似乎|要证|欲证|求证|只需证|只要证|需证")


class Said(Enum):
    """How a clause is meant."""

    SO = "so"
    PERHAPS = "perhaps"
    LET = "let"
    NEVER = "never"


@dataclass(slots=True)
class Clause:
    """Tokens between two joints. `dropped` is "last" or "all" where words behind it take its statements back."""

    tokens: list[Token] = field(default_factory=list)
    said: Said = Said.SO
    dropped: str = ""
    words: str = ""
    measure: Token | None = None
    """A word behind the last number that may change its meaning and is not understood."""


class Cutter:
    """One pass over the tokens of a line; what a joint means for the clauses behind it."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._clauses: list[Clause] = []
        self._open = Clause()
        self._after = Said.SO
        self._waits: str = ""

    def cut(self) -> list[Clause]:
        level = 0
        for place, token in enumerate(self._tokens):
            level += (token.kind in ("open", "begin")) - (token.kind in ("close", "end"))
            comma = self._waits in ("aim", "let") and (token.kind, token.text) == ("sep", ",")
            if level > 0 or not (comma or ends_clause(self._tokens, place)):
                self._open.tokens.append(token)
            elif strange_measure(self._tokens, place):
                self._open.measure = token
                self._joint(place, token)
            elif not self._beside_alternative(place):
                self._joint(place, token)
        self._close()
        return self._clauses

    def _beside_alternative(self, place: int) -> bool:
        """Whether 或 goes on over the joint: "d=2；或 d=-2" leaves both open."""
        before = bool(self._open.tokens) and self._open.tokens[-1].text == "or"
        after = place + 1
        while after < len(self._tokens) and ends_clause(self._tokens, after):
            after += 1
        return before or (
            bool(self._open.tokens)
            and after < len(self._tokens)
            and (self._tokens[after].kind, self._tokens[after].text) == ("word", "or")
        )

    def _close(self) -> None:
        tokens = trimmed(self._open.tokens)
        if tokens:
            self._open.tokens = tokens
            self._clauses.append(self._open)
        self._open = Clause(said=self._after)

    def _joint(self, place: int, token: Token) -> None:
        closes_condition = self._waits == "when" and token.text in ("then", "end")
        had_tokens = bool(trimmed(self._open.tokens))
        self._close()
        if token.kind == "sep" and token.text in (";", "row"):
            self._after, self._waits = Said.SO, ""
        elif token.kind == "text":
            self._words(place, token.text, had_tokens)
            return
        elif closes_condition or (token.text == "end" and had_tokens):
            self._condition()
        elif token.text == "if":
            self._after, self._waits = Said.PERHAPS, ""
        elif token.text in ("when", "aim", "let"):
            self._waits = token.text
            self._open.said = Said.LET if token.text == "let" and self._after is Said.SO else Said.PERHAPS
            return
        elif self._waits and had_tokens:
            self._waits = ""
        elif self._waits:
            return
        self._open.said = self._after

    def _condition(self) -> None:
        """当 n=1 时 only says which term is meant; any other condition holds back what follows it."""
        self._waits = ""
        condition = self._clauses[-1] if self._clauses else Clause()
        condition.said = Said.PERHAPS
        first = condition.tokens[0].text if condition.tokens else ""
        if first not in _INDICES:
            self._after = Said.PERHAPS

    def _words(self, place: int, text: str, had_tokens: bool) -> None:
        followed = self._is_followed(place)
        refuses = followed and (
            _NOT_NEXT.search(text) or (_WRONG.match(text) and self._stands_before(place, had_tokens))
        )
        if _UNSURE.match(text):
            self._after = Said.PERHAPS
        elif refuses:
            self._open.said = Said.NEVER
            if text.startswith("舍"):
                for clause in self._clauses:
                    clause.said = Said.PERHAPS if clause.said is Said.SO else clause.said
            return
        elif self._clauses and (_WRONG.search(text) or _NOT_NEXT.search(text)):
            self._clauses[-1].dropped = "all" if _ALL.search(text) else "last"
            self._clauses[-1].words = text
        self._open.said = self._after

    def _is_followed(self, place: int) -> bool:
        """Whether a statement begins directly behind the words."""
        after = self._tokens[place + 1] if place + 1 < len(self._tokens) else None
        return after is not None and after.kind not in ("sep", "word", "text", "close")

    def _stands_before(self, place: int, had_tokens: bool) -> bool:
        """Whether words such as 舍去 belong to the statement behind them: at the start or after a comma."""
        before = self._tokens[place - 1] if place else None
        return before is None or before.kind in ("sep", "word") or not had_tokens


def takes_back(words: str, statement: Node) -> bool:
    """Whether words such as (舍去) or (不合题意) throw a statement away; 负值舍去 throws only a negative value away."""
    if not _WRONG.search(words):
        return False
    if _NEGATIVE.search(words) and statement.head == "rel":
        value = text_of(statement.args[-1])
        return value.startswith("-") or "±" in value
    return True


def trimmed(tokens: list[Token]) -> list[Token]:
    """The tokens without joints and separators at both ends."""
    start, end = 0, len(tokens)
    while start < end and _is_border(tokens[start]):
        start += 1
    while end > start and _is_border(tokens[end - 1]):
        end -= 1
    return tokens[start:end]


def _is_border(token: Token) -> bool:
    joint = token.kind == "word" and token.text in JOINTS
    return joint or token.kind == "sep" or (token.kind, token.text) == ("op", ":")


_GOES_ON = frozenset(
    "时是为的舍符成满得即故所因不均都也且或与和解代入可则又由知有等这此取恒必在显矛无方原答综当若而从于其如同并令设使但要再把将"
    "合经检验证明确定最大小值以上下函数根式点线面角处后前之间到至共总约大于小于相错对"
)


def strange_measure(tokens: list[Token], place: int) -> bool:
    """Whether a word directly behind a number may change it, as an unknown unit or counting word does: 3打."""
    token, before = tokens[place], tokens[place - 1] if place else None
    direct = before is not None and before.kind in ("num", "vulgar") and not token.gap
    return token.kind == "text" and direct and "\u3400" <= token.text[0] <= "\u9fff" and token.text[0] not in _GOES_ON


def ends_clause(tokens: list[Token], place: int) -> bool:
    """Whether a clause ends here: at 所以, ; and prose. Commas, 或 and 且 stay inside a clause."""
    token = tokens[place]
    if token.kind == "word":
        return token.text in JOINTS
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
