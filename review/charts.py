"""Geometry of the leader's charts: plain numbers for the templates, which draw them as SVG without any script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .domain.marker_figures import BINS, Figures, Severity

WIDTH, HEIGHT = 220, 56
STEP = WIDTH // BINS
ROW = 30
STRIP = 560
SMALLEST_REACH = Decimal("0.1")


@dataclass(frozen=True)
class Bar:
    """A bar of a distribution in pixels, with how many marks it stands for."""

    x: int
    y: int
    width: int
    height: int
    count: int


@dataclass(frozen=True)
class Distribution:
    """Bars of one marker, and the group's distribution as the points of a line on the same scale."""

    bars: tuple[Bar, ...]
    outline: str
    middle: int | None  # where the mean stands


def _shares(bins: Sequence[int]) -> list[Decimal]:
    whole = sum(bins) or 1
    return [Decimal(count) / whole for count in bins]


def tallest(each: Sequence[Figures]) -> Decimal:
    """The largest share of a bin among all, so that every chart has one scale."""
    return max((max(_shares(one.bins)) for one in each), default=Decimal(1)) or Decimal(1)


def distribution(own: Figures, group: Figures | None, top: Decimal) -> Distribution:
    """One small multiple: `top` is the share that reaches the upper edge."""

    def height(share: Decimal) -> int:
        return round(HEIGHT * min(Decimal(1), share / top))

    shares = _shares(own.bins)
    bars = tuple(
        Bar(STEP * at + 1, HEIGHT - height(share), STEP - 2, height(share), own.bins[at])
        for at, share in enumerate(shares)
    )
    outline = ""
    if group is not None and group.count:
        points = [
            (STEP * (at + side), HEIGHT - height(share))
            for at, share in enumerate(_shares(group.bins))
            for side in (0, 1)
        ]
        outline = " ".join(f"{x},{y}" for x, y in points)
    middle = (
        None if own.mean is None else round(STEP * min(Decimal(BINS) - Decimal("0.5"), own.mean * 10 + Decimal("0.5")))
    )
    return Distribution(bars, outline, middle)


@dataclass(frozen=True)
class Strip:
    """One marker's severity: a dot with its interval, in pixels of a chart whose middle is 0."""

    person: Any
    severity: Severity
    y: int
    left: int
    right: int
    dot: int


@dataclass(frozen=True)
class SeverityChart:
    """All markers on one axis from harder to milder; `reach` is the share of the full mark at either end."""

    rows: tuple[Strip, ...]
    reach: Decimal
    height: int
    middle: int = STRIP // 2
    width: int = STRIP


def severity_chart(markers: Sequence[tuple[Any, Severity | None]]) -> SeverityChart | None:
    """The chart of those who have a severity; None where nobody has."""
    known = [(person, severity) for person, severity in markers if severity is not None]
    if not known:
        return None
    widest = max(max(abs(one.low), abs(one.high)) for _, one in known)
    reach = max(SMALLEST_REACH, (widest * 20).to_integral_value(rounding="ROUND_CEILING") / 20)

    def across(value: Decimal) -> int:
        return round(STRIP / 2 + (STRIP / 2 - 6) * float(max(-reach, min(reach, value)) / reach))

    rows = tuple(
        Strip(person, one, ROW * at + ROW // 2, across(one.low), across(one.high), across(one.difference))
        for at, (person, one) in enumerate(known)
    )
    return SeverityChart(rows, reach, ROW * len(known))
