"""Where in an answer a fault is put, and with what in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

from .base import Base, Credited, Make, Mutant


def at_proved(change: Callable[[Base, Credited, Mutant, Random], bool]) -> Make:
    """A change at a VALID step that one line proves."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        steps = list(base.proved)
        rng.shuffle(steps)
        for step in steps:
            if change(base, step, mutant, rng):
                return mutant
            mutant = base.mutant()
        return None

    return make


def other_numbers(content: str, rng: Random) -> Iterator[str]:
    """The text with one of its numbers changed by one or by a sign, the last number first."""
    places = [found.span() for found in re.finditer(r"\d+", content)]
    for start, end in reversed(places):
        number = int(content[start:end])
        shifts = [1, 2, -1] if number > 1 else [1, 2]
        rng.shuffle(shifts)
        for shift in shifts:
            yield content[:start] + str(number + shift) + content[end:]


def pick[T](rng: Random, found: Sequence[T]) -> T | None:
    """One of them, or None where there are none."""
    return rng.choice(list(found)) if found else None
