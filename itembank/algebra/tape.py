"""The text while it is cut into tokens: where the reading stands, what was found so far, and what is doubtful."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from itembank.algebra import limits
from itembank.algebra.characters import normalised
from itembank.algebra.results import Comparison, Result, Unreadable

_SPOKEN_MEMBER = re.compile(r"((?<![A-Za-z\\])[A-Za-z] )in(?= +(?:[ZNRQ](?![A-Za-z])|\\mathbb|\\Z\b|\\N\b|\\R\b))")
"""k in Z, as it is said; as long as what it stands for, so that places stay."""
_PAIRS = {"(": ")", "[": "]", "{": "}", "\\{": "\\}", "⌊": "⌋", "⌈": "⌉", "⟨": "⟩", ".": "."}


@dataclass(slots=True)
class Token:
    """`kind`: num vulgar clock sym roman const fn op rel open close sep word text none cmd accent begin end dots.

    `at` and `end` count in the text as it was given; `gap` says that white space stands before; `places` are written decimals.
    """

    kind: str
    text: str
    at: int
    gap: bool = False
    value: Fraction | None = None
    places: int | None = None
    end: int = 0


@dataclass(frozen=True, slots=True)
class Doubt:
    """What may be read otherwise. `even` says that neither reading is the usual one, so that nothing hangs on a guess."""

    what: str
    at: int
    even: bool = False


def doubtful(doubts: Sequence[Doubt]) -> Comparison:
    """UNDECIDED because a text may be read in several ways, with the place of what decides."""
    first = next((doubt for doubt in doubts if doubt.even), doubts[0])
    return Comparison(Result.UNDECIDED, "ambiguous", {"reason": first.what, "at": str(first.at)})


class Tape:
    """One text, read once from left to right. With `second` the other reading of even doubts is taken."""

    def __init__(self, text: str, notation: str | None = None, *, second: bool = False) -> None:
        if len(text) > limits.MAX_CHARACTERS:
            raise Unreadable("the text is too long", limits.MAX_CHARACTERS)
        self.text, self._places = normalised(text)
        self.text = _SPOKEN_MEMBER.sub(r"\1∈ ", self.text)
        self.notation = notation
        self.second = second
        self.at = 0
        self.gap = False
        self.tokens: list[Token] = []
        self.doubts: list[Doubt] = []
        self.closers: list[str] = []

    @property
    def depth(self) -> int:
        """How many brackets are open here."""
        return len(self.closers)

    def place(self, at: int | None = None) -> int:
        """The place in the given text of a place on the tape."""
        at = self.at if at is None else at
        return self._places[min(at, len(self._places) - 1)]

    def fail(self, reason: str, at: int | None = None) -> Unreadable:
        """The refusal to raise, with its place in the given text."""
        return Unreadable(reason, self.place(at))

    def doubt(self, what: str, *, even: bool = False) -> None:
        """Remembers that what stands here may be read otherwise."""
        self.doubts.append(Doubt(what, self.place(), even))

    def one_of_many(self) -> None:
        """At a second comma: 1,2,3 is a list, so the first comma was no decimal sign."""
        last = self.doubts[-1] if self.doubts else None
        here = self.tokens[-1] if self.tokens else None
        if last is None or here is None or last.what != "a decimal comma" or self.gap or here.kind != "num":
            return
        if last.at >= here.at:
            self.doubts.pop()

    def emit(self, kind: str, text: str, length: int) -> None:
        """One token of so many characters."""
        self.put(Token(kind, text, self.place(), self.gap), length)

    def put(self, token: Token, length: int) -> None:
        """A ready token of so many characters."""
        token.end = self.place(self.at + length)
        self.tokens.append(token)
        self.at += length
        if length:
            self.gap = False
        if len(self.tokens) > limits.MAX_TOKENS:
            raise self.fail("the text has too many parts")

    def skip(self, length: int) -> None:
        """Passes over characters that only make room."""
        self.at += length
        self.gap = True

    def ahead(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    @property
    def last(self) -> Token | None:
        return self.tokens[-1] if self.tokens else None

    def follows_value(self) -> bool:
        """Whether a number, a name or a closed bracket stands directly before, so that a unit may follow."""
        return self.last is not None and self.last.kind in ("num", "vulgar", "close", "const", "sym")

    def open(self, written: str, length: int, closer: str | None = None) -> None:
        """An opening bracket; `closer` is what its partner is taken for, "" where the pair only groups on the page."""
        if written == "[" and self._cannot_open(length):
            self._pop()
            self.emit("close", written, length)
            return
        self.closers.append(_PAIRS.get(written, "") if closer is None else closer)
        if closer == "":
            self.skip(length)
        else:
            self.emit("open", written, length)

    def close(self, written: str, length: int) -> None:
        """A closing bracket; braces that only grouped on the page leave nothing."""
        last = self.last
        begins = last is None or last.kind in ("rel", "sep", "word", "op") or last.text in ("(", "{")
        if written == "]" and begins:
            self.closers.append("[")
            self.emit("open", written, length)  # ]a, b[ as written in France
            return
        closer = self._pop()
        if closer == "" and written == "}":
            self.skip(length)
        else:
            self.emit("close", written, length)

    def _pop(self) -> str | None:
        return self.closers.pop() if self.closers else None

    def _cannot_open(self, length: int) -> bool:
        """Whether nothing that could stand in brackets follows, so that this bracket closes an interval: [a, b[."""
        rest = self.text[self.at + length :].lstrip(" $")
        inside = bool(self.closers) and self.last is not None and self.last.kind not in ("sep", "op", "open", "rel")
        return inside and (
            not rest or rest.startswith(("∪", "∩", "\\cup", "\\cap", ",", ";", ")", "}", "\\right", "("))
        )
