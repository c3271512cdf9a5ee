"""Faults of doubt: two lines that may both be misread, and a sign misread into a letter that means nothing."""

from __future__ import annotations

import re
from decimal import Decimal
from random import Random

from config.foundation.canonical import canonical_text

from ..expressions import sides
from ..gate.links import names
from .base import Base, Mutant
from .run import Kind
from .targets import pick

_NAME = re.compile(r"\\?[A-Za-z]+(?:_(?:\w|\{\w+\}))?")


def _both_doubtful(base: Base, rng: Random) -> Mutant | None:
    """A step is proved on two lines; each of them alone may be no result at all, and so may both."""
    mutant = base.mutant()
    step = pick(rng, base.proved)
    if step is None or mutant.add_line(base, step.lines[0]) is None:
        return None
    quote = mutant.alike(*step.where)[0]["quote"]
    mutant.say(step.where, line_ids=[*step.line_ids, "added"], quote=quote)
    for line_id in (*step.line_ids, "added"):
        mutant.line(line_id)["alternatives"] = [{"latex": "w", "confidence": Decimal("0.3")}]
    return mutant


def _letter_from_nowhere(base: Base, rng: Random) -> Mutant | None:
    """Between a name and its value stands a letter of which nothing is known: `d=3w=2`."""
    steps = [
        (step, parts)
        for step in base.proved
        for parts in [sides(step.lines[0])]
        if len(parts) > 1 and _NAME.fullmatch(parts[0].strip()) and not names(parts[-1])
    ]
    chosen = pick(rng, [found for found in steps if not re.search("[或,，;；]", found[0].lines[0])])
    rules = canonical_text(base.document["rules"])
    letter = next((letter for letter in "wvuqz" if not re.search(rf"\b{letter}\b", rules)), None)
    if chosen is None or letter is None:
        return None
    step, parts = chosen
    mutant = base.mutant()
    mutant.rewrite(step.line_ids[0], "=".join([parts[0], f"3{letter}", *parts[1:]]))
    return mutant


DOUBTED: tuple[Kind, ...] = (
    Kind(
        "both-lines-doubtful", "reading-stable", _both_doubtful, "两行同时存疑", "two lines of one step, both doubtful"
    ),
    Kind(
        "letter-from-nowhere",
        "line-sound",
        _letter_from_nowhere,
        "等式里有来历不明的字母",
        "a letter of unknown meaning between a name and its value",
    ),
)
