"""Links of a chain that algebra cannot look at: a letter of unknown meaning between a name and its value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

from ..expressions import alternatives_in, remembered, sides, statements
from ..reading import Line
from .case import Case

_NAME = re.compile(r"\\?[A-Za-z]+(?:_(?:\w|\{[^{}]*\}))?'*")
_NO_NAME = re.compile(
    r"\\(?:text|mathrm|operatorname)\{[^{}]*\}|\\[A-Za-z]+|(?:sin|cos|tan|log|ln|lg|max|min)(?![a-z])"
)
_CHOICE = re.compile(r"[CAPc]_(?:\d|\{\d+\})\^(?:\d|\{\d+\})")
_INDEXED = re.compile(r"([A-Za-z])(?:_?(\d+)|_([A-Za-z])|_\{([^{}]*)\})?")
_CONSTANTS = frozenset("eiC")


@remembered
def names(text: str) -> frozenset[str]:
    r"""The one-letter names of a formula with their indices, without commands, words and the C of combinations.

    >>> sorted(names(r"S_{10}=10\times 3t+\sin x+a_1+C_{8}^{2}"))
    ['S10', 'a1', 't', 'x']
    """
    plain = _CHOICE.sub(" ", _NO_NAME.sub(" ", unicodedata.normalize("NFKC", text)))
    return frozenset("".join(found).replace(" ", "") for found in _INDEXED.findall(plain))


def unexplained_names(case: Case, line: Line) -> tuple[str, ...]:
    """Names between a name and its value (`S=10x3+45x2=120`) to which neither rules nor the lines before give a value.

    Such a link can be proved by nobody: it may be a misread sign. `x^2+y^2=16-2m=10` gives no name its value and is an equation.
    """
    between = _names_between(line.content)
    if not between:
        return ()
    known = names_of([*case.rules.givens, *case.rules.quantities, *case.proofs.known_at(line)]) | _CONSTANTS
    return tuple(sorted(between - known))


@remembered
def _names_between(content: str) -> frozenset[str]:
    found: set[str] = set()
    for piece in (each for statement in statements(content) for each in alternatives_in(statement)):
        chain = [side.strip() for side in sides(piece)]
        if len(chain) > 2 and _NAME.fullmatch(chain[0]) and not names(chain[-1]):
            found |= names_of(chain[1:-1])
    return frozenset(found)


def names_of(texts: Iterable[str]) -> frozenset[str]:
    """The names of several formulas."""
    return frozenset(name for text in texts for name in names(text))


def equalities(content: str) -> tuple[str, ...]:
    r"""Each equality of a line by itself; a statement without one as it is.

    >>> equalities(r"a_1=7-2\times 2=3，d=2")
    ('a_1=7-2\\times 2', '7-2\\times 2=3', 'd=2')
    """
    found: list[str] = []
    for piece in (each for statement in statements(content) for each in alternatives_in(statement)):
        chain = sides(piece)
        found.extend("=".join(pair) for pair in pairwise(chain)) if len(chain) > 1 else found.append(piece)
    return tuple(found)
