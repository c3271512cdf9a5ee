"""Where in an answer a fault is put, and with what in its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from .base import Base, Credited, Make, Mutant

Change = Callable[[Base, Credited, Mutant, Random], bool]
"""Spoils the copy at a step; False where it does not apply there, and the copy is then thrown away."""


def at_proved(change: Change) -> Make:
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


def at_one(steps: Callable[[Base], list[Credited]], change: Change) -> Make:
    """A change at one of these steps, drawn by chance; not applicable where it does not apply to that one."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        step = pick(rng, steps(base))
        return mutant if step is not None and change(base, step, mutant, rng) else None

    return make


def saying(**changes: Any) -> Change:
    """Something else is proposed for the step, with nothing else changed."""

    def change(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
        mutant.say(step.where, **changes)
        return True

    return change


def denying(status: str) -> Change:
    """The step is called missing or wrong."""

    def change(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
        mutant.deny(step.where, status)
        return True

    return change


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
