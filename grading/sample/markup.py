"""Reads the small LaTeX that sample answers are written in.

Fractions, roots, scripts, a few names and signs, with Chinese text in between; anything else is a mistake in the
answers and raises `UnknownMarkup`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

SIGNS = {
    "\\times": "×",
    "\\cdot": "·",
    "\\pi": "π",
    "\\Delta": "Δ",
    "\\circ": "°",
    "\\pm": "±",
    "\\le": "≤",
    "\\ge": "≥",
    "\\in": "∈",
    "\\{": "{",
    "\\}": "}",
}
WORDS = {"\\sin": "sin", "\\cos": "cos", "\\arccos": "arccos"}
TOKEN = re.compile(r"\\[A-Za-z]+\s*|\\[{}]|[{}^_]|\s+|.", re.DOTALL)


class UnknownMarkup(ValueError):
    """An answer uses a command that the renderer does not draw."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character as it is drawn."""

    char: str


@dataclass(frozen=True, slots=True)
class Word:
    """A function name, kept upright and apart from what stands beside it."""

    text: str


@dataclass(frozen=True, slots=True)
class Space:
    """A gap between words."""


@dataclass(frozen=True, slots=True)
class Fraction:
    """A numerator over a denominator."""

    top: "tuple[Node, ...]"
    bottom: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    inside: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Scripts:
    """What stands above and below to the right of `base`; either may be empty."""

    base: "Node"
    above: "tuple[Node, ...]"
    below: "tuple[Node, ...]"


Node = Glyph | Word | Space | Fraction | Root | Scripts


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.marks: Sequence[str] = TOKEN.findall(source)
        self.at = 0

    def peek(self) -> str:
        return self.marks[self.at] if self.at < len(self.marks) else ""

    def take(self) -> str:
        mark = self.peek()
        self.at += 1
        return mark.rstrip() if mark.startswith("\\") else mark

    def sequence(self, closing: str = "") -> tuple[Node, ...]:
        nodes: list[Node] = []
        while self.peek() != closing:
            mark = self.take()
            if not mark:
                raise UnknownMarkup(f"missing }} in {self.source!r}")
            if mark in ("^", "_"):
                if not nodes:
                    raise UnknownMarkup(f"a script without a base in {self.source!r}")
                nodes.append(self.scripts(nodes.pop(), mark))
            else:
                nodes.append(self.atom(mark))
        self.take()
        return tuple(nodes)

    def scripts(self, base: Node, mark: str) -> Scripts:
        script = self.group()
        old = base if isinstance(base, Scripts) else Scripts(base, (), ())
        if mark == "^":
            return Scripts(old.base, script, old.below)
        return Scripts(old.base, old.above, script)

    def group(self) -> tuple[Node, ...]:
        mark = self.take()
        return self.sequence("}") if mark == "{" else (self.atom(mark),)

    def atom(self, mark: str) -> Node:
        if mark == "\\frac":
            return Fraction(self.group(), self.group())
        if mark == "\\sqrt":
            return Root(self.group())
        if mark in WORDS:
            return Word(WORDS[mark])
        if mark in SIGNS:
            return Glyph(SIGNS[mark])
        if mark.isspace():
            return Space()
        if mark.startswith("\\") or mark in ("{", "}"):
            raise UnknownMarkup(f"{mark!r} in {self.source!r}")
        return Glyph(mark)


def parse(source: str) -> tuple[Node, ...]:
    """Return the nodes of one line.

    >>> parse("a_1")
    (Scripts(base=Glyph(char='a'), above=(), below=(Glyph(char='1'),)),)

    A blank after a command or an exponent only ends it; a blank anywhere else is kept.
    """
    return _Reader(re.sub(r"(\^\w)\s+", r"\1", source)).sequence()
