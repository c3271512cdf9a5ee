"""Anchoring: whether people's marks lie nearer to the machine's where they saw it first than where they did not.

Which answers are marked blind is drawn by a keyed hash, so that the two groups differ by nothing but chance and the sight.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from .intervals import Share, clopper_pearson, fisher


@dataclass(frozen=True)
class Pair:
    """One answer: the machine's proposed total and the total of the first person to mark it."""

    machine: Decimal
    person: Decimal
    blind: bool

    @property
    def difference(self) -> Decimal:
        """The person's mark minus the machine's."""
        return self.person - self.machine


@dataclass(frozen=True)
class Arm:
    """The answers marked blind, or those marked in sight of the proposal."""

    equal: Share
    far: Share  # two points or more apart
    mean: Decimal | None  # of the difference, to two places
    mean_size: Decimal | None


@dataclass(frozen=True)
class Anchoring:
    """Both arms, how much oftener the sighted agree, and how probable that would be by chance alone."""

    blind: Arm
    shown: Arm
    gap: Decimal | None  # share of agreement when shown minus when blind, in percentage points to one place
    chance: Fraction | None

    @property
    def chance_shown(self) -> Decimal | None:
        """``chance`` to three places, rounded up: never 0."""
        if self.chance is None:
            return None
        thousandths = -(-self.chance.numerator * 1000 // self.chance.denominator)
        return Decimal(thousandths) / 1000


def _mean(values: list[Decimal]) -> Decimal | None:
    return (sum(values, Decimal(0)) / len(values)).quantize(Decimal("0.01")) if values else None


def _arm(pairs: list[Pair]) -> Arm:
    differences = [pair.difference for pair in pairs]
    return Arm(
        equal=clopper_pearson(sum(not each for each in differences), len(pairs)),
        far=clopper_pearson(sum(abs(each) >= 2 for each in differences), len(pairs)),
        mean=_mean(differences),
        mean_size=_mean([abs(each) for each in differences]),
    )


def anchoring_of(pairs: Iterable[Pair]) -> Anchoring:
    """The two arms of all pairs side by side."""
    pairs = list(pairs)
    blind, shown = (_arm([pair for pair in pairs if pair.blind is side]) for side in (True, False))
    gap = None
    if blind.equal.of and shown.equal.of:
        exact = Fraction(shown.equal.hits, shown.equal.of) - Fraction(blind.equal.hits, blind.equal.of)
        gap = (Decimal(exact.numerator * 100) / exact.denominator).quantize(Decimal("0.1"))
    chance = fisher((shown.equal.hits, shown.equal.of), (blind.equal.hits, blind.equal.of))
    return Anchoring(blind, shown, gap, chance)
