r"""Whether a judge quotes truly: what it puts in the student's mouth stands in the lines that it cites.

White space and the spelling of one printed sign (`\dfrac` for `\frac`, `x^2` for `x^{2}`, `×` for `\times`) may differ. Look-alike
characters may not, nor may a quote cut a number, a name or an equality short: `d=2` is no quote of `d=24` or of `d=2+1`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from ..expressions import remembered
from ..reading import Line

_PIECES = re.compile(r"[\n;；…]|\.\.\.")
_SPELLINGS = (
    (re.compile(r"\$|\\[,;:!> ]|~|\\q?quad(?![A-Za-z])|\\displaystyle(?![A-Za-z])"), " "),
    (re.compile(r"\\[dtc]frac(?![A-Za-z])"), r"\\frac"),
    (re.compile(r"\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])"), ""),
    (re.compile(r"\\times(?![A-Za-z])"), "×"),
    (re.compile(r"\\cdot(?![A-Za-z])"), "·"),
    (re.compile(r"\\div(?![A-Za-z])"), "÷"),
    (re.compile(r"\\pm(?![A-Za-z])"), "±"),
    (re.compile(r"\\leq?(?![A-Za-z])"), "≤"),
    (re.compile(r"\\geq?(?![A-Za-z])"), "≥"),
    (re.compile(r"\\neq?(?![A-Za-z])"), "≠"),
    (re.compile(r"\\therefore(?![A-Za-z])"), "∴"),
    (re.compile(r"\\because(?![A-Za-z])"), "∵"),
    (re.compile(r"([_^])\{(\w)\}"), r"\1\2"),
    (re.compile(r"\s+"), " "),
)
_RELATION = re.compile(r"[=<>≤≥≠≈]")
_JOINING = re.compile(r"\\(?:text|mathrm|quad|lor|vee|land|wedge|Rightarrow|Leftrightarrow|implies|iff|to)(?![A-Za-z])")
_NUMBERED = re.compile(r"^[(（]?\d+[)）.、]$")
_OPERATORS = frozenset("+-*/×·÷±^_!'°%")


@remembered
def printed(text: str) -> str:
    r"""The text without what only shapes it.

    >>> printed(r"$x_{1} = \dfrac{1}{2}\,\times \left(3\right)$") == printed(r"x_1=\frac{1}{2}×(3)")
    True
    >>> printed(r"\sin x"), printed(r"2 \sin A + 1")
    ('\\sin x', '2\\sin A+1')
    """
    text = unicodedata.normalize("NFC", text)
    for pattern, spelling in _SPELLINGS:
        text = pattern.sub(spelling, text)
    return _without_spaces(text)


def _without_spaces(text: str) -> str:
    """Spaces go, but for one between a command and a letter after it."""
    return re.sub(r"(\\[A-Za-z]+) (?=[A-Za-z])|\s", lambda found: f"{found.group(1)} " if found.group(1) else "", text)


def quotes_truly(quote: str, lines: Sequence[Line]) -> bool:
    """Whether a quote is a part of a cited line, cited lines one after another, or pieces of them in order of writing.

    Several pieces are whole lines or statements, so that a quote cannot be strung together from single signs.
    """
    contents = [printed(line.content) for line in lines]
    whole = printed(quote)
    if not whole:
        return False
    if any(_stands_in(whole, content) for content in contents) or _lines_together(whole, contents):
        return True
    pieces = [piece for piece in (printed(part).strip(",，。") for part in _PIECES.split(quote)) if piece]
    place = 0
    for piece in pieces:
        while place < len(contents) and not _is_statement_of(piece, contents[place]):
            place += 1
        if place == len(contents):
            return False
    return bool(pieces)


def _is_statement_of(piece: str, content: str) -> bool:
    return piece == content.strip(",，。;；") or (bool(_RELATION.search(piece)) and _stands_in(piece, content))


def _lines_together(whole: str, contents: Sequence[str]) -> bool:
    """Whether the quote is a run of whole lines, where no number or name runs over from one line to the next."""
    for start in range(len(contents)):
        together = contents[start]
        for content in contents[start + 1 :]:
            if together[-1:].isalnum() and content[:1].isalnum():
                break
            together += content
            if together == whole:
                return True
    return False


def _stands_in(piece: str, content: str) -> bool:
    place = content.find(piece)
    while place >= 0:
        if not _is_cut(piece, content[:place], content[place + len(piece) :]):
            return True
        place = content.find(piece, place + 1)
    return False


def _is_cut(piece: str, before: str, after: str) -> bool:
    """Whether the piece ends inside a number, a name or a side of an equality.

    >>> [_is_cut("d=2", "", after) for after in ("4", "+1", "x", ",a=1", "=y", "")]
    [True, True, True, False, False, False]
    """
    if _halves(before[-1:], piece[:1]) or _halves(piece[-1:], after[:1]):
        return True
    if re.search(r"\\[A-Za-z]*$", before) and re.match(r"[A-Za-z]", piece):
        return True
    if re.search(r"\\[A-Za-z]*$", piece) and re.match(r"[A-Za-z]", after):
        return True
    return bool(_RELATION.search(piece)) and (_goes_on(after) or _came_from(before))


def _halves(left: str, right: str) -> bool:
    """Whether two neighbouring signs belong to one number."""
    return (left.isdigit() and (right.isdigit() or right == ".")) or (left == "." and right.isdigit())


def _goes_on(after: str) -> bool:
    """Whether the side with which a quoted equality ends goes on after it."""
    if after.startswith("\\"):
        return not _JOINING.match(after)
    first = after[:1]
    return first in _OPERATORS or first in ("(", "{", "[") or (first.isascii() and first.isalnum()) if first else False


def _came_from(before: str) -> bool:
    """Whether the side with which a quoted equality begins has begun before it."""
    if not before or before.endswith(" ") or _NUMBERED.match(before) or _JOINING.search(before[-14:]):
        return False
    last = before[-1]
    return last in _OPERATORS or last in (")", "}", "]") or (last.isascii() and last.isalnum())
