"""The written shape of statements, where equality of value alone would be too generous.

`S_10=120` is equal to `S_10=10*3+45*2` but shows no formula; `S_10=10*3+45*2` is equal to `S_10=120` but is not finished.
"""

from __future__ import annotations

import re
from functools import lru_cache

# One answer asks the same of the same few lines for each step, rule and reading in doubt.
remembered = lru_cache(4096)

_JOINTS = re.compile(r"\\therefore|\\because|∴|∵|所以|因为|因此|从而|解得|可得|则|即|故|又|且|得|由|，|；|;|。|：|:|\n")
_SEVERAL = re.compile(r"或|\\pm|±|\\in(?![a-z])|∈|\\cup|∪|,|，|\\lor|\\vee|\bor\b")
_EITHER = re.compile(r"或|\\lor(?![a-z])|\\vee|\\pm|±|\bor\b")
_SPACE = re.compile(r"\\[,;:! ]|\$")
_GREEK = r"Delta|alpha|beta|gamma|theta|lambda|mu|varphi|phi|omega|rho|sigma"


@remembered
def flat(text: str) -> str:
    r"""A formula without what only shapes it.

    >>> flat(r"S_{10} = 5\times\left(7+17\right)") == flat("S_10=5*(7+17)")
    True
    """
    text = re.sub(r"\\left|\\right|\\,|\\;|\\!|\\quad|\\ ", "", text)
    text = re.sub(r"\\(?:times|cdot)(?![A-Za-z])", "*", text).replace("×", "*").replace("·", "*")
    text = re.sub(r"\\[dt]frac", r"\\frac", text)
    return re.sub(r"[\s${}]|(?<=\d)\*(?=[A-Za-z\\(])", "", text)


@remembered
def sides(statement: str) -> tuple[str, ...]:
    r"""The sides of a chain of equalities, outside brackets.

    >>> sides(r"d=\frac{15-7}{4}=2")
    ('d', '\\frac{15-7}{4}', '2')
    """
    found, depth, start = [], 0, 0
    for place, character in enumerate(statement):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        elif character == "=" and depth <= 0 and statement[place - 1 : place] not in ("<", ">", "!", "≠"):
            found.append(statement[start:place].strip())
            start = place + 1
    found.append(statement[start:].strip())
    return tuple(side for side in found if side)


@remembered
def statements(line: str, joints: re.Pattern[str] = _JOINTS) -> tuple[str, ...]:
    r"""The statements of a line, cut at joining words and signs (`joints`) and at commas outside brackets.

    >>> statements("因为 a=1，所以 b=2"), statements(r"a\,=1,\;b=2")
    (('a=1', 'b=2'), ('a =1', 'b=2'))
    """
    found = []
    for piece in joints.split(_SPACE.sub(" ", line)):
        depth, start = 0, 0
        for place, character in enumerate(piece):
            depth += (character in "([{") - (character in ")]}")
            if character == "," and depth <= 0:
                found.append(piece[start:place])
                start = place + 1
        found.append(piece[start:])
    return tuple(piece.strip() for piece in found if piece.strip())


def alternatives_in(statement: str) -> list[str]:
    """The cases of a statement, cut at 或 and other signs for or.

    >>> alternatives_in("x=2 或 x=3")
    ['x=2 ', ' x=3']
    """
    return re.split(r"或|\\lor(?![a-z])|\\vee|\bor\b", statement)


@remembered
def has_symbols(expression: str) -> bool:
    r"""Whether letters stand in it beyond π, e and names of functions.

    >>> has_symbols("10a_1+45d"), has_symbols(r"\frac{\pi}{3}+\sqrt{2}")
    (True, False)
    """
    text = re.sub(r"\\(?:pi|circ|degree|infty)(?![A-Za-z])|π", " ", expression)
    text = re.sub(rf"\\(?:{_GREEK})(?![A-Za-z])", " x ", text)
    text = re.sub(r"\\[A-Za-z]+", " ", text)
    text = re.sub(r"\b(?:sqrt|sin|cos|tan|log|ln|lg|pi|exp)\b", " ", text)
    return any(letter != "e" for letter in re.findall(r"[A-Za-z\u0370-\u03ff]", text))


@remembered
def is_worked(expression: str) -> bool:
    r"""Whether arithmetic still stands in it: a product, a sum, a quotient of sums, a power.

    >>> is_worked("10*3+45*2"), is_worked(r"\frac{15-7}{4}"), is_worked("5(7+17)"), is_worked("-120"), is_worked("8/4")
    (True, True, True, False, False)
    """
    text = re.sub(r"\\(?:times|cdot|div)(?![A-Za-z])|[×·÷]", "*", expression)
    text = re.sub(r"^\s*[-+±]|(?<=[({\[])\s*[-+]", "", text)
    return bool(re.search(r"[*+^]|-", text))


@remembered
def is_closed(expected: str) -> bool:
    r"""Whether an expected result gives plain values only.

    >>> is_closed("x=2 或 x=-3"), is_closed(r"x=\frac{\pi}{6}+2k\pi"), is_closed("d=2")
    (True, False, True)
    """
    pieces = [piece for piece in re.split(r"或|,|，|\\lor|\\vee|\bor\b", expected) if piece.strip()]
    return bool(pieces) and all(len(sides(piece)) > 1 and not has_symbols(sides(piece)[-1]) for piece in pieces)


@remembered
def shows_working(line: str) -> bool:
    r"""Whether a line shows how a value was found, and not the value alone.

    >>> shows_working("S_{10}=120"), shows_working(r"S_{10}=10\\times 3+45\\times 2=120"), shows_working("30+90=120")
    (False, True, True)
    >>> shows_working(r"x=\frac{\pi}{6} 或 x=\frac{5\pi}{6}")
    False
    """
    cases = (case for statement in statements(line) for case in alternatives_in(statement))
    for statement in cases:
        first, *others = sides(statement) or ("",)
        if is_worked(first) or any(is_worked(side) or has_symbols(side) for side in others):
            return True
    return False


def is_several(expected: str) -> bool:
    """Whether an expected result is a set, a list or a series and not one equality."""
    return bool(_SEVERAL.search(expected))


@remembered
def shape_fault(expected: str, statement: str) -> str | None:
    r"""Why a statement of equal value is still not the expected one: `bare-value`, `not-worked-out`, `one-of-several`.

    An expected root beside another one (sin x = 1/2 或 sin x = -2) is not yet chosen.

    >>> shape_fault(r"S_{10}=10\times 3+45\times 2", "S_{10}=120"), shape_fault("S_{10}=120", r"S_{10}=30+90")
    ('bare-value', 'not-worked-out')
    >>> shape_fault(r"\sin x=\frac{1}{2}", r"\sin x=\frac{1}{2} 或 \sin x=-2")
    'one-of-several'
    >>> shape_fault("d=2", r"d=\frac{8}{4}") is None
    True
    """
    if _EITHER.search(statement) and not _EITHER.search(expected):
        return "one-of-several"
    wanted, written = sides(expected), sides(statement)
    if len(wanted) < 2 or len(written) < 2:
        return None
    shows = any(is_worked(side) or has_symbols(side) for side in written[1:])
    last = wanted[-1]
    if is_worked(last) or has_symbols(last):
        one_sided = has_symbols(last) and not is_worked(last)
        return None if shows or (one_sided and has_symbols(written[0])) else "bare-value"
    if is_worked(written[-1]) and not has_symbols(written[-1]) and not has_symbols(last):
        return "not-worked-out"
    return None
