"""What a page says about its own reading: a character that alone makes a line true was read rightly.

`S_{10}=10a_1+45d` with a doubtful 4 is a sure line once `a_1=3`, `d=2` and `S_{10}=120` are read surely beside it: with any
other figure it would be false. Only the page is asked, never rules or answer. A letter in doubt is hardly ever
settled so (`p=15/28` is as good as `P=15/28`), and a line that would be true with another sign as well never is.

The limit: pupils write false lines too, and one that is misread into a true one would be believed. With a character at
least `LEAST_SURE` sure and fewer than a quarter of lines false, the odds after a line was found true are better than the
four to one that a line's threshold of 0.8 stands for (0.6 · 0.75 against 0.4 · 0.25).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from itembank.algebra import Algebra, Result

LEAST_SURE = 0.6
"""A character less sure than this is not saved by what stands around it."""
SIGNS = "+-×÷·=<>"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
FALSE = frozenset({Result.REFUTED, Result.UNREADABLE})


@dataclass(frozen=True)
class Weak:
    """A doubtful character of a line, and the line with each other character that could stand there."""

    char: str
    probability: float
    variants: tuple[str, ...]


@dataclass(frozen=True)
class PageLine:
    """A line as corroboration sees it. `trusted`: read above the threshold as it is; its values may speak for others."""

    latex: str
    trusted: bool
    weak: Weak | None = None


def same_kind(char: str) -> str:
    """Every other character that could stand in this one's place: figures, signs, letters in both cases.

    >>> same_kind("7"), same_kind("+"), same_kind("式")
    ('012345689', '-×÷·=<>', '')
    """
    for kind in ("0123456789", SIGNS, LETTERS + LETTERS.upper()):
        if char in kind:
            return kind.replace(char, "")
    return ""


def corroborated(lines: Sequence[PageLine]) -> tuple[bool, ...]:
    """For each line whether its one weak character is the only one that makes it true, by itself or with sure values."""
    algebra = Algebra()
    spoken = [algebra.asserts(line.latex) if line.trusted else () for line in lines]
    return tuple(
        line.weak is not None and _settled(algebra, line.latex, line.weak, list(_known(spoken, at)))
        for at, line in enumerate(lines)
    )


def _known(spoken: Sequence[tuple[tuple[str, str], ...]], at: int) -> Iterator[dict[str, str]]:
    """What to hold the line against: nothing, then the values that stand on the other lines and have no rival."""
    yield {}
    found: dict[str, set[str]] = {}
    for place, pairs in enumerate(spoken):
        if place != at:
            for name, value in pairs:
                found.setdefault(name, set()).add(value)
    values = {name: next(iter(written)) for name, written in found.items() if len(written) == 1}
    if values:
        yield values


def _settled(algebra: Algebra, latex: str, weak: Weak, known: Sequence[Mapping[str, str]]) -> bool:
    if weak.probability < LEAST_SURE or not weak.variants:
        return False
    return any(
        algebra.sound(latex, values).result is Result.PROVED
        and all(algebra.sound(variant, values).result in FALSE for variant in weak.variants)
        for values in known
    )
