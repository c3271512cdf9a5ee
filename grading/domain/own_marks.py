"""Which marks a person may change by themselves (回评): their own, alone, final, and not yet released."""

from __future__ import annotations

from enum import StrEnum

from .schemes import Rule

# Marks that rest on one person's judgement alone. One that stands because another's or the machine's lay near it is not
# among them: changed by itself it would no longer be what the scheme agreed. An appeal's decision has been answered.
ALONE = frozenset({Rule.SOLE, Rule.LEADER, Rule.ARBITER})


class Fixed(StrEnum):
    """Why a mark is not for a person to change."""

    OPEN = "open"
    NOT_OWN = "not_own"
    SHARED = "shared"
    RELEASED = "released"


def why_fixed(*, closed: bool, released: bool, own: bool, rule: Rule | None) -> Fixed | None:
    """The first reason that holds; None where the mark may be changed.

    >>> why_fixed(closed=True, released=False, own=True, rule=Rule.SOLE) is None
    True
    >>> why_fixed(closed=True, released=True, own=True, rule=Rule.SOLE)
    <Fixed.RELEASED: 'released'>
    """
    if not closed:
        return Fixed.OPEN
    if released:
        return Fixed.RELEASED
    if rule is not None and rule not in ALONE:
        return Fixed.SHARED
    return None if own else Fixed.NOT_OWN
