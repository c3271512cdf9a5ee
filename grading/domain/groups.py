"""Same answers together: answers whose every step has the same outcome and a result that algebra proves equal.

Each answer of a group is proved equal to one and the same representative, step by step; equality is never passed on through a
third answer. What stays undecided, for want of a proof or of further comparisons, stays apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from itembank.algebra.results import Result

from .likeness import Apart, Likeness, Signature, Stated
from .oracle import Oracle

MOST_KINDS = 60
"""How many representatives one outcome may have; an answer that is like none of them stays by itself."""
MOST_COMPARISONS = 600
"""How many questions to algebra one grouping may ask; what is not compared by then stays apart."""

Stating = tuple[Stated, ...]


@dataclass(frozen=True)
class Group[Name: Hashable]:
    """Two or more answers that come to the same. ``like`` is the representative's likeness."""

    like: Likeness
    members: tuple[Name, ...]

    @property
    def total(self) -> Decimal:
        """The proposed total of each member."""
        return sum((step.score for step in self.like.steps), Decimal(0))


@dataclass(frozen=True)
class Grouping[Name: Hashable]:
    """All groups of some answers, largest first, and why each other answer stands by itself."""

    groups: tuple[Group[Name], ...]
    apart: Mapping[Name, Apart]  # may stand in no group
    single: tuple[Name, ...]  # like no other
    comparisons: int

    @property
    def covered(self) -> int:
        """How many answers stand in a group."""
        return sum(len(group.members) for group in self.groups)


@dataclass
class _Kind[Name: Hashable]:
    """Answers proved equal to one representative."""

    like: Likeness
    members: list[Name] = field(default_factory=list)


def grouped[Name: Hashable](
    answers: Iterable[tuple[Name, Likeness]], oracle: Oracle, *, most_comparisons: int = MOST_COMPARISONS
) -> Grouping[Name]:
    """Group answers of one question. ``answers`` in a fixed order give the same groups again."""
    apart: dict[Name, Apart] = {}
    buckets: dict[Signature, dict[Stating, list[tuple[Name, Likeness]]]] = {}
    for name, like in answers:
        if like.apart is not None:
            apart[name] = like.apart
        else:
            buckets.setdefault(like.signature, {}).setdefault(like.stated, []).append((name, like))
    asked = _Asked(oracle, most_comparisons)
    groups: list[Group[Name]] = []
    single: list[Name] = []
    for texts in buckets.values():
        for kind in _kinds(texts, asked, apart):
            if len(kind.members) > 1:
                groups.append(Group(kind.like, tuple(kind.members)))
            else:
                single.extend(kind.members)
    groups.sort(key=lambda group: -len(group.members))
    return Grouping(tuple(groups), apart, tuple(single), asked.count)


def _kinds[Name: Hashable](
    texts: Mapping[Stating, Sequence[tuple[Name, Likeness]]], asked: _Asked, apart: dict[Name, Apart]
) -> list[_Kind[Name]]:
    """The answers of one outcome by what they are proved equal to; what is written alike is compared once.

    The commonest texts come first and become representatives.
    """
    kinds: list[_Kind[Name]] = []
    for alike in sorted(texts.values(), key=lambda alike: -len(alike)):
        names, like = [name for name, _ in alike], alike[0][1]
        if not asked.readable(like.stated):
            apart.update(dict.fromkeys(names, Apart.BOUND if asked.spent else Apart.RESULT))
            continue
        kind = next((kind for kind in kinds[:MOST_KINDS] if asked.equal(kind.like.stated, like.stated)), None)
        if kind is None:
            kind = _Kind(like)
            kinds.append(kind)
        kind.members.extend(names)
    return kinds


class _Asked:
    """Questions to algebra within their bound."""

    def __init__(self, oracle: Oracle, most: int) -> None:
        self._oracle = oracle
        self._most = most
        self._known: dict[tuple[str, str], bool] = {}
        self.count = 0

    @property
    def spent(self) -> bool:
        """Whether no question is left."""
        return self.count >= self._most

    def _proved(self, one: str, other: str) -> bool:
        key = (one, other)
        if key not in self._known:
            if self.spent:
                return False
            self.count += 1
            self._known[key] = self._oracle.compare(one, other).result is Result.PROVED
        return self._known[key]

    def readable(self, stated: Stating) -> bool:
        """Whether algebra proves each result equal to itself: what it cannot read is proved equal to nothing."""
        return all(self._proved(value, value) for step in stated for _, value in step)

    def equal(self, one: Stating, other: Stating) -> bool:
        """Whether each result of one is proved equal to the same result of the other; names are the same by signature."""
        pairs = zip(one, other, strict=True)
        return all(
            len(first) == len(second)
            and all(a == b and self._proved(left, right) for (a, left), (b, right) in zip(first, second, strict=True))
            for first, second in pairs
        )


def odd_ones_first[Name: Hashable](members: Sequence[tuple[Name, Likeness]]) -> list[tuple[Name, bool]]:
    """The members of a group, first those whose lines are written otherwise than most, then by confidence of the reading.

    With each, whether it is written otherwise.
    """
    counts = Counter(like.written for _, like in members)
    common = max(counts.values(), default=0)
    usual = next((written for written, count in counts.items() if count == common), ())
    ordered = sorted(
        members, key=lambda each: (each[1].written == usual, counts[each[1].written], each[1].least_confidence)
    )
    return [(name, like.written != usual) for name, like in ordered]
