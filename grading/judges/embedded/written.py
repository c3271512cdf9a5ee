"""What stands in an answer, line by line: statements, chains, values asserted, and how well it was read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from grading.domain import expressions
from grading.domain.expressions import flat, sides
from grading.domain.oracle import Oracle
from grading.domain.reading import Line, Reading
from itembank.algebra.results import Result

# Below this a line does not count as read, whatever the reader's own threshold; nothing is denied beside such a line.
LEAST_CONFIDENCE = Decimal("0.7")

_OR = re.compile(r"\\text\{\s*(?:或|或者|or)\s*\}|\bor\b|或|\\lor(?![A-Za-z])|\\vee(?![A-Za-z])")
LEAST_WORDS = 2  # characters; fewer are a heading or a joint such as 解

_JOINTS = re.compile(
    r"\\text\{\s*(?:或|且|or|and)\s*\}|\bor\b|或|\\therefore|\\because|∴|∵|所以|因为|因此|从而|解得|可得|则|即|故|又|且|得|由|，|；|;|。|：|:"
)
_MATHEMATICS = re.compile(r"[0-9A-Za-z\u0370-\u03ff=<>≤≥√]|\\[A-Za-z]+")
_CJK = re.compile(r"[\u3400-\u9fff]+")
_NAME = re.compile(r"\\?[A-Za-z\u0370-\u03ff]+(?:_[A-Za-z0-9]+)?'*(?:\([^()]*\))?")


def statements(text: str) -> tuple[str, ...]:
    """The statements of a line, cut at the words and signs that join them and at commas outside brackets.

    >>> statements("因为 a=1，所以 b=2"), statements(r"x=1 或 x=-1")
    (('a=1', 'b=2'), ('x=1', 'x=-1'))
    """
    return expressions.statements(text, _JOINTS)


def has_alternatives(text: str) -> bool:
    """Whether a line joins its statements by 或: none of them is asserted alone.

    >>> has_alternatives("x=1 或 x=-1"), has_alternatives("x=1, y=2")
    (True, False)
    """
    return bool(_OR.search(text))


def has_symbols(expression: str) -> bool:
    r"""Whether letters stand in it beyond π, e and names of functions: a formula rather than a number.

    >>> has_symbols("10a_1+45d"), has_symbols(r"\frac{\pi}{3}+\sqrt{2}")
    (True, False)
    """
    return bool(letters(expression))


def letters(expression: str) -> frozenset[str]:
    r"""The letters of a formula beyond π, e and names of functions.

    >>> sorted(letters(r"10a_1+45d"))
    ['a', 'd']
    """
    text = re.sub(r"\\(?:pi|circ|degree|infty|infinity)(?![A-Za-z])|π", " ", expression)
    text = re.sub(r"\\(?:Delta|alpha|beta|gamma|theta|lambda|mu|varphi|phi|omega)(?![A-Za-z])", " x ", text)
    text = re.sub(r"\\[A-Za-z]+", " ", text)
    text = re.sub(r"\b(?:sqrt|sin|cos|tan|log|ln|lg|pi|exp)\b", " ", text)
    return frozenset(re.findall(r"[A-Za-z\u0370-\u03ff]", text)) - {"e"}


def is_worked(expression: str) -> bool:
    r"""Whether arithmetic still stands in an expression without letters: a product, a quotient of sums, a sum.

    >>> is_worked("10*3+45*2"), is_worked(r"\frac{15-7}{4}"), is_worked("-120"), is_worked(r"\frac{\sqrt{3}}{2}")
    (True, True, False, False)
    """
    text = re.sub(r"\^\{?\\circ\}?|°", "", expression)
    text = re.sub(r"\\(?:times|cdot|div)(?![A-Za-z])|[×·÷]", "*", text)
    text = re.sub(r"^\s*[-+±]|(?<=[({\[])\s*[-+]", "", text)
    return bool(re.search(r"[*+]|(?<!^)-|\^", text))


def is_name(side: str) -> bool:
    r"""Whether a side of an equality only names a quantity, so that nothing is computed in it.

    >>> [is_name(side) for side in ("S_{10}", r"\cos A", "f(-1)", "4d", "x_1+x_2")]
    [True, True, True, False, False]
    """
    return bool(_NAME.fullmatch(flat(side)))


@dataclass(frozen=True)
class Fragment:
    """One equality of a chain: the first side against a later one. `position` counts lines of the answer from 0."""

    line: Line
    position: int
    left: str
    right: str
    is_last: bool

    @property
    def text(self) -> str:
        """The equality as written."""
        return f"{self.left}={self.right}"


class Answer:
    """The lines of a reading that count, with what algebra can say about each of them alone."""

    def __init__(self, reading: Reading, oracle: Oracle) -> None:
        self.reading = reading
        self._oracle = oracle
        self.lines = tuple(line for line in reading.standing if not line.scratch)

    @cached_property
    def fragments(self) -> tuple[Fragment, ...]:
        """Every equality of every line, in order."""
        return tuple(piece for position, line in enumerate(self.lines) for piece in _fragments(line, position))

    def fragments_of(self, position: int) -> tuple[Fragment, ...]:
        """The equalities of one line."""
        return tuple(piece for piece in self.fragments if piece.position == position)

    @cached_property
    def assertions(self) -> dict[str, tuple[tuple[int, str], ...]]:
        """By name: the values asserted for it, in order, each with the position of its line."""
        found: dict[str, list[tuple[int, str]]] = {}
        for position, line in enumerate(self.lines):
            for name, value in self._oracle.asserts(line.content):
                found.setdefault(name, []).append((position, value))
        return {name: tuple(values) for name, values in found.items()}

    def last_value(self, name: str) -> tuple[int, str] | None:
        """Where and as what a name was asserted last: the student's value."""
        values = self.assertions.get(name)
        return values[-1] if values else None

    @cached_property
    def has_words(self) -> bool:
        """Whether an explanation in words stands anywhere, beyond the words that join formulas."""
        return any(len("".join(_CJK.findall(_JOINTS.sub("", line.content)))) >= LEAST_WORDS for line in self.lines)

    def is_mathematical(self, position: int) -> bool:
        """Whether a line holds mathematics and not only words."""
        return bool(_MATHEMATICS.search(_CJK.sub("", self.lines[position].content)))

    def is_bare(self, position: int) -> bool:
        """Whether a line only states values: no side of it shows how they were found."""
        pieces = self.fragments_of(position)
        return all(
            piece.is_last and is_name(piece.left) and not has_symbols(piece.right) and not is_worked(piece.right)
            for piece in pieces
        )

    def is_sound(self, position: int) -> Result:
        """Whether the equalities inside a line hold by themselves."""
        return self._oracle.sound(self.lines[position].content).result

    @cached_property
    def unread(self) -> tuple[str, ...]:
        """Ids of lines that were not read well enough to deny anything beside them."""
        least = max(LEAST_CONFIDENCE, self.reading.line_threshold)
        found = []
        for position, line in enumerate(self.lines):
            doubtful = line.unread_ink or line.min_confidence < least
            if doubtful or (self.is_mathematical(position) and self.is_sound(position) is Result.UNREADABLE):
                found.append(line.line_id)
        return tuple(found)

    @property
    def is_trusted(self) -> bool:
        """Whether everything on the page was read: only then may a step be called missing or wrong with confidence."""
        return self.reading.failure is None and not self.unread

    def confidence(self, positions: tuple[int, ...], match: Decimal) -> Decimal:
        """Confidence of a judgement of that strength on those lines: no better than the worst of them was read."""
        return min((match, *(self.lines[position].min_confidence for position in positions)))

    def quote(self, positions: tuple[int, ...]) -> str:
        """The cited lines, one after another, exactly as read."""
        return "\n".join(self.lines[position].content for position in positions)


def _fragments(line: Line, position: int) -> list[Fragment]:
    found = []
    for statement in statements(line.content):
        first, *others = sides(statement) or ("",)
        found += [Fragment(line, position, first, right, right is others[-1]) for right in others]
    return found
