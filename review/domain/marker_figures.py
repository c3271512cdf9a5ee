"""What the marks of one question or assessment say about its markers: speed, mean, spread, distribution, severity.

Marks are compared as score rates (得分率, mark ÷ full mark), exactly; only square roots are rounded, to 28 digits.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import fmean, mean, median, stdev

LONGEST_PAUSE = timedelta(minutes=10)
"""A longer time between two marks is a break and says nothing about speed."""
ENOUGH = 5
"""Fewer marks than this have no interval and name nobody."""
TELLING = Decimal("0.05")
"""A smaller difference, in parts of the full mark, is not worth a word even where it is certain."""
WIDTH = Decimal("1.96")
"""Standard errors on either side of a 95 % interval."""
BINS = 11
"""Tenths of the full mark, and the full mark apart."""


@dataclass(frozen=True)
class GivenOne:
    """One mark by one person. `round` tells the answers and life cycles apart; `proposal` is the machine's total.

    `together`: given to a whole group of like answers with one action, so that it says nothing of speed.
    """

    round: tuple[int, int]
    question: int
    marker: int
    total: Decimal
    full: Decimal
    at: datetime
    proposal: Decimal | None = None
    together: bool = False

    @property
    def rate(self) -> Decimal:
        """Score rate, 0 to 1."""
        return self.total / self.full if self.full else Decimal(0)


@dataclass(frozen=True)
class Severity:
    """宽严度: mean difference from others in parts of the full mark, below 0 is harder, with its 95 % interval.

    `paired`: from answers that others marked too; else from all answers of the same questions, dealt by chance.
    """

    difference: Decimal
    low: Decimal
    high: Decimal
    count: int
    paired: bool

    @property
    def telling(self) -> bool:
        """Whether the interval leaves out 0 and the difference is worth a word."""
        return (self.low > 0 or self.high < 0) and abs(self.difference) >= TELLING


@dataclass(frozen=True)
class Figures:
    """The figures of one marker, or of all of them together. Rates are parts of the full mark."""

    count: int
    mean: Decimal | None
    spread: Decimal | None
    bins: tuple[int, ...]
    seconds: int | None
    proposals: int
    overridden: int
    severity: Severity | None = None

    @property
    def override_rate(self) -> Decimal | None:
        """Share of the machine's proposals that the person's mark differs from."""
        return Decimal(self.overridden) / self.proposals if self.proposals else None


def bin_of(rate: Decimal) -> int:
    """Which tenth a score rate falls into; the full mark has a bin of its own.

    >>> [bin_of(Decimal(rate)) for rate in ("0", "0.09", "0.1", "0.99", "1")]
    [0, 0, 1, 9, 10]
    """
    return min(BINS - 1, int(rate * 10))


def _seconds(times: Iterable[datetime]) -> int | None:
    ordered = sorted(times)
    gaps = [later - earlier for earlier, later in itertools.pairwise(ordered) if later - earlier < LONGEST_PAUSE]
    return round(median(gap.total_seconds() for gap in gaps)) if len(gaps) >= ENOUGH - 1 else None


def figures(marks: Sequence[GivenOne], severity: Severity | None = None, *, speed: bool = True) -> Figures:
    """Count, mean, spread, distribution, speed and overrides of some marks."""
    rates = [mark.rate for mark in marks]
    bins = [0] * BINS
    for rate in rates:
        bins[bin_of(rate)] += 1
    proposed = [mark for mark in marks if mark.proposal is not None]
    return Figures(
        count=len(marks),
        mean=mean(rates) if rates else None,
        spread=stdev(rates) if len(rates) > 1 else None,
        bins=tuple(bins),
        seconds=_seconds(mark.at for mark in marks if not mark.together) if speed else None,
        proposals=len(proposed),
        overridden=sum(mark.total != mark.proposal for mark in proposed),
        severity=severity,
    )


def _interval(differences: Sequence[Decimal], variance_of_mean: Decimal, *, paired: bool) -> Severity:
    difference = mean(differences)
    reach = WIDTH * variance_of_mean.sqrt()
    return Severity(difference, difference - reach, difference + reach, len(differences), paired)


def _variance_of_mean(values: Sequence[Decimal]) -> Decimal:
    return stdev(values) ** 2 / len(values)


def _paired(own: Sequence[GivenOne], rounds: dict[tuple[int, int], list[GivenOne]]) -> Severity | None:
    differences = []
    for mark in own:
        others = [other.rate for other in rounds.get(mark.round, ())]
        if others:
            differences.append(mark.rate - mean(others))
    if len(differences) < ENOUGH:
        return None
    return _interval(differences, _variance_of_mean(differences), paired=True)


def _beside_group(own: Sequence[GivenOne], others: Sequence[GivenOne]) -> Severity | None:
    """Own marks against the others' mean on the same question; the others' own uncertainty counts as well."""
    by_question: dict[int, list[Decimal]] = defaultdict(list)
    for mark in others:
        by_question[mark.question].append(mark.rate)
    usable = {question: rates for question, rates in by_question.items() if len(rates) >= ENOUGH}
    compared = [mark for mark in own if mark.question in usable]
    if len(compared) < ENOUGH:
        return None
    differences = [mark.rate - mean(usable[mark.question]) for mark in compared]
    uncertain = _variance_of_mean(differences)
    for question, rates in usable.items():
        share = Decimal(sum(mark.question == question for mark in compared)) / len(compared)
        uncertain += share**2 * _variance_of_mean(rates)
    return _interval(differences, uncertain, paired=False)


def _severity(marker: int, marks: Sequence[GivenOne], without: frozenset[int]) -> Severity | None:
    """A marker's severity against the others, apart from those in `without`."""
    mine = [mark for mark in marks if mark.marker == marker]
    others = [mark for mark in marks if mark.marker not in without and mark.marker != marker]
    rounds: dict[tuple[int, int], list[GivenOne]] = defaultdict(list)
    for mark in others:
        rounds[mark.round].append(mark)
    return _paired(mine, rounds) or _beside_group(mine, others)


def standing_out(marks: Sequence[GivenOne]) -> frozenset[int]:
    """Markers who are harder or milder than all others, the plainest case first.

    Whoever is found no longer counts among the others, or one hard marker would make everybody else look mild. Of two
    who differ nobody can say which stands out.
    """
    markers = {mark.marker for mark in marks}
    found: frozenset[int] = frozenset()
    while len(markers - found) > 2:
        telling = {
            marker: severity
            for marker in sorted(markers - found)
            if (severity := _severity(marker, marks, found)) is not None and severity.telling
        }
        if not telling:
            break
        found |= {max(telling, key=lambda marker: abs(telling[marker].difference))}
    return found


def by_marker(marks: Sequence[GivenOne]) -> dict[int, Figures]:
    """Figures of each marker, with severity against those who do not stand out themselves.

    On shared answers where enough of them are shared, else beside all answers of the same questions.
    """
    own: dict[int, list[GivenOne]] = defaultdict(list)
    for mark in marks:
        own[mark.marker].append(mark)
    apart = standing_out(marks)
    return {marker: figures(mine, _severity(marker, marks, apart)) for marker, mine in own.items()}


def usual_speed(each: Iterable[Figures]) -> int | None:
    """The middle of the markers' own speeds, in seconds an answer."""
    found = [one.seconds for one in each if one.seconds is not None]
    return round(fmean(sorted(found)[(len(found) - 1) // 2 : len(found) // 2 + 1])) if found else None
