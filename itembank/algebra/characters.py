"""Characters in their plain form: full-width, raised, lowered and look-alike ones; what cannot be seen is refused."""

from __future__ import annotations

import unicodedata

from itembank.algebra import lexicon
from itembank.algebra.results import Unreadable

_INVISIBLE = frozenset(("Cf", "Cc", "Co", "Cs", "Cn"))
_BLANKS = "\n\t\r"


def normalised(text: str) -> tuple[str, list[int]]:
    """The text in plain characters, and for each of them (and the end) its place in the given text.

    Raises Unreadable for characters that cannot be seen or that turn the direction of writing.

    >>> normalised("x²")
    ('x^{2}', [0, 1, 1, 1, 2, 2])
    """
    if text.isascii() and text.isprintable():
        return text, list(range(len(text) + 1))
    out: list[str] = []
    places: list[int] = []
    state = ""
    for at, char in enumerate(text):
        level = "^" if char in lexicon.SUPERSCRIPTS else "_" if char in lexicon.SUBSCRIPTS else ""
        piece = _shifted(state, level) + (
            lexicon.SUPERSCRIPTS.get(char) or lexicon.SUBSCRIPTS.get(char) or _plain(char, at)
        )
        state = level
        out.append(piece)
        places.extend([at] * len(piece))
    out.append(_shifted(state, ""))
    places.extend([len(text)] * (len(out[-1]) + 1))
    return "".join(out), places


def _shifted(before: str, now: str) -> str:
    """What opens or closes a raised or lowered run; a lowered run is closed before a raised one opens."""
    if before == now:
        return ""
    return ("}" if before else "") + (f"{now}{{" if now else "")


def _plain(char: str, at: int) -> str:
    if char in lexicon.CHARACTERS:
        return lexicon.CHARACTERS[char]
    if char.isascii() and (char.isprintable() or char in _BLANKS):
        return char
    if unicodedata.category(char) in _INVISIBLE:
        raise Unreadable(f"the invisible character U+{ord(char):04X}", at)
    if "\uff01" <= char <= "\uff5e" or "\ufe50" <= char <= "\ufe6f" or "\U0001d400" <= char <= "\U0001d7ff":
        return _compatible(char)
    if "\u3300" <= char <= "\u33ff" or "\u2100" <= char <= "\u214f":
        return _compatible(char)
    return char


def _compatible(char: str) -> str:
    """Another style of letters, digits and unit signs that Unicode itself calls equivalent: 𝑥, ㎝, ﹢, ℓ."""
    plain = unicodedata.normalize("NFKC", char)
    plain = "".join(lexicon.CHARACTERS.get(one, one) for one in plain)
    squares = {"2": "^2", "3": "^3"}
    if len(plain) > 1 and "\u3300" <= char <= "\u33ff" and plain[-1] in squares:
        return plain[:-1] + squares[plain[-1]]
    return plain
