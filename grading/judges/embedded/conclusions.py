r"""Conclusions without their computation: `\Delta>0` where a check was asked for and its value was not worked out."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from grading.domain.expressions import flat, sides
from grading.domain.oracle import Oracle
from grading.domain.stated import pieces
from itembank.domain.rules import Step

from .proofs import is_value
from .written import Answer

_SIGNS: dict[str, Callable[[Fraction], bool]] = {
    ">": lambda number: number > 0,
    "<": lambda number: number < 0,
    **dict.fromkeys(("≥", r"\ge", r"\geq", r"\geqslant"), lambda number: number >= 0),
    **dict.fromkeys(("≤", r"\le", r"\leq", r"\leqslant"), lambda number: number <= 0),
    **dict.fromkeys(("≠", r"\ne", r"\neq"), lambda number: number != 0),
}
_RELATION = re.compile(
    r"(?P<name>\\?[A-Za-z\u0370-\u03ff][\w()']*?)(?P<sign>[<>≥≤≠]|\\(?:g|l|n)e(?:q(?:slant)?)?)(?P<bound>-?\d+(?:\.\d+)?)"
)
_ORDER = re.compile(r"[<>≤≥≠]|\\(?:g|l|n)e(?:q(?:slant)?)?(?![A-Za-z])")


def concluded(step: Step, answer: Answer, oracle: Oracle) -> int | None:
    """The line that says of the quantity of a check what is true of its right value, without the value itself.

    A step is a check where its working holds an inequality: `x>0` beside `x=3` is a condition and no conclusion.
    """
    if not any(_ORDER.search(text) for text in step.working):
        return None
    rights = {flat(sides(text)[0]): sides(text)[-1] for text in step.expects if is_value(text)}
    for position, line in enumerate(answer.lines):
        for piece in pieces(line.content):
            found = _RELATION.fullmatch(flat(piece))
            right = rights.get(found["name"]) if found else None
            if found is not None and right is not None and _holds(right, found["sign"], found["bound"], oracle):
                return position
    return None


def _holds(value: str, sign: str, bound: str, oracle: Oracle) -> bool:
    difference = oracle.evaluate(f"({value})-({bound})", {})
    if difference is None or not re.fullmatch(r"-?\d+(?:/\d+)?", difference):
        return False
    return _SIGNS[sign](Fraction(difference))
