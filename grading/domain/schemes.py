"""How many people mark an answer and how their marks become one: 单评, 1+1, 2+1, 2+1+1 and AI+1.

One pure function, ``next_need``, says from the marks given so far what is wanted next or what is agreed, and by which
rule. Arithmetic is exact: a mean is a Fraction until the named rounding rule makes it a mark. A mark that nobody has
given, or that the machine could not decide, is no mark: it is asked for, and never counts as zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

# A mean of two marks needs one more binary place than the marks: quarters, where half marks are given.
PLACES = 2


class Kind(StrEnum):
    """The schemes of the glossary. The value is how a marking leader writes them."""

    SINGLE = "1"
    REVIEWED = "1+1"
    DOUBLE = "2+1"
    TRIPLE = "2+1+1"
    WITH_MACHINE = "AI+1"

    @property
    def independent(self) -> bool:
        """Whether the marks are given without sight of each other and of the machine's."""
        return self in {Kind.DOUBLE, Kind.TRIPLE, Kind.WITH_MACHINE}


class Rounding(StrEnum):
    """What becomes of a mean that is no multiple of the step in which the question is marked."""

    HALF_UP = "HALF_UP"
    UP = "UP"
    DOWN = "DOWN"
    EXACT = "EXACT"


class Place(StrEnum):
    """Whose turn a mark is: 一评, 二评, 三评, the leader's review of 1+1, the arbiter's, the decision of an appeal."""

    FIRST = "FIRST"
    SECOND = "SECOND"
    THIRD = "THIRD"
    REVIEW = "REVIEW"
    ARBITER = "ARBITER"
    APPEAL = "APPEAL"


MARKERS_PLACES = (Place.FIRST, Place.SECOND, Place.THIRD)
# Who sits here sees the earlier marks; FRESH_ROLES names the touch without which the database takes no such mark.
SEEING_PLACES = (Place.REVIEW, Place.ARBITER, Place.APPEAL)
FRESH_ROLES = {Place.ARBITER: "arbiter", Place.APPEAL: "appeal"}


class Rule(StrEnum):
    """The rule that made an agreed mark; every agreed mark names one."""

    SOLE = "sole"
    LEADER = "leader"
    MEAN = "mean-of-two"
    NEARER = "mean-with-nearer"
    PERSON = "person-near-machine"
    ARBITER = "arbiter"
    APPEAL = "appeal"


@dataclass(frozen=True)
class Scheme:
    """The scheme of one question. ``tolerance`` (误差值) is in points; a difference equal to it is within it."""

    kind: Kind = Kind.SINGLE
    tolerance: Decimal = Decimal(0)
    rounding: Rounding = Rounding.HALF_UP


@dataclass(frozen=True)
class Given:
    """One person's mark. ``total`` is None where no mark came of it: then the place is still empty."""

    place: Place
    total: Decimal | None


@dataclass(frozen=True)
class Need:
    """What is wanted next. ``blind``: the next marker sees neither the earlier marks nor who gave them.

    ``difference`` is that of the two marks that did not agree, where this is why another is wanted.
    """

    place: Place
    blind: bool
    difference: Decimal | None = None


@dataclass(frozen=True)
class Agreed:
    """The mark of the answer, the rule that gave it and the places whose marks it is made of."""

    total: Decimal
    rule: Rule
    of: tuple[Place, ...]


def rounded(mean: Fraction, *, rounding: Rounding, step: Decimal) -> Decimal:
    """``mean`` as a mark: a multiple of ``step``, or the mean itself under EXACT.

    >>> rounded(Fraction(15, 2), rounding=Rounding.HALF_UP, step=Decimal(1))
    Decimal('8')
    >>> rounded(Fraction(15, 2), rounding=Rounding.EXACT, step=Decimal(1))
    Decimal('7.5')

    Raises ValueError for a mean that has no exact mark under EXACT, as a third of a point has none.
    """
    if rounding is Rounding.EXACT:
        scaled = mean * 10**PLACES
        if scaled.denominator != 1:
            raise ValueError(f"{mean} cannot be written as a mark")
        return Decimal(scaled.numerator).scaleb(-PLACES).normalize()
    steps = mean / Fraction(step)
    if rounding is Rounding.UP:
        whole = math.ceil(steps)
    elif rounding is Rounding.DOWN:
        whole = math.floor(steps)
    else:
        whole = math.floor(steps + Fraction(1, 2))
    return whole * step


def _mean(scheme: Scheme, rule: Rule, step: Decimal, *two: tuple[Place, Decimal]) -> Agreed:
    mean = sum((Fraction(total) for _, total in two), Fraction(0)) / len(two)
    total = rounded(mean, rounding=scheme.rounding, step=step)
    return Agreed(total, rule, tuple(place for place, _ in two))


def _two_blind(scheme: Scheme, marks: dict[Place, Decimal], step: Decimal) -> Need | Agreed:
    first, second = marks[Place.FIRST], marks[Place.SECOND]
    difference = abs(first - second)
    if difference <= scheme.tolerance:
        return _mean(scheme, Rule.MEAN, step, (Place.FIRST, first), (Place.SECOND, second))
    if scheme.kind is not Kind.TRIPLE:
        return Need(Place.ARBITER, blind=False, difference=difference)
    if Place.THIRD not in marks:
        return Need(Place.THIRD, blind=True, difference=difference)
    third = marks[Place.THIRD]
    # As far from both: the higher of the two, in the candidate's favour.
    near, total = min(
        ((place, marks[place]) for place in (Place.FIRST, Place.SECOND)),
        key=lambda each: (abs(each[1] - third), -each[1]),
    )
    if abs(total - third) <= scheme.tolerance:
        return _mean(scheme, Rule.NEARER, step, (near, total), (Place.THIRD, third))
    return Need(Place.ARBITER, blind=False, difference=abs(total - third))


def _beside_machine(
    scheme: Scheme, marks: dict[Place, Decimal], machine: Decimal | None, step: Decimal
) -> Need | Agreed:
    """AI+1: the person's mark stands where the machine's is near; the two are never averaged.

    Without a usable proposal there is nothing to stand beside the person's mark, and a second person is asked.
    """
    first = marks[Place.FIRST]
    if machine is None:
        return _two_blind(scheme, marks, step) if Place.SECOND in marks else Need(Place.SECOND, blind=True)
    if abs(first - machine) <= scheme.tolerance:
        return Agreed(first, Rule.PERSON, (Place.FIRST,))
    return Need(Place.ARBITER, blind=False, difference=abs(first - machine))


def next_need(scheme: Scheme, given: Sequence[Given], *, machine: Decimal | None, step: Decimal) -> Need | Agreed:
    """What the scheme asks for after the marks in ``given``, or the mark it has come to.

    ``machine`` is the machine's proposed total, None where it has none it could stand for; only AI+1 looks at it.
    ``step`` is the question's mark step. Raises ValueError for two marks in one place.
    """
    marks: dict[Place, Decimal] = {}
    for each in given:
        if each.total is None:
            continue
        if each.place in marks:
            raise ValueError(f"two marks in place {each.place}")
        marks[each.place] = each.total
    for last, rule in ((Place.APPEAL, Rule.APPEAL), (Place.ARBITER, Rule.ARBITER)):
        if last in marks:
            return Agreed(marks[last], rule, (last,))
    if Place.FIRST not in marks:
        return Need(Place.FIRST, blind=scheme.kind.independent)
    if scheme.kind is Kind.SINGLE:
        return Agreed(marks[Place.FIRST], Rule.SOLE, (Place.FIRST,))
    if scheme.kind is Kind.REVIEWED:
        if Place.REVIEW in marks:
            return Agreed(marks[Place.REVIEW], Rule.LEADER, (Place.REVIEW,))
        return Need(Place.REVIEW, blind=False)
    if scheme.kind is Kind.WITH_MACHINE:
        return _beside_machine(scheme, marks, machine, step)
    if Place.SECOND not in marks:
        return Need(Place.SECOND, blind=True)
    return _two_blind(scheme, marks, step)
