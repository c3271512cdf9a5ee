"""Speed, mean, spread, distribution and severity, worked by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from review.domain.marker_figures import GivenOne, by_marker, figures, standing_out

START = datetime(2026, 11, 30, 8, tzinfo=UTC)


def given(marker: int, totals: list[int], *, seconds: int = 30, shared: bool = False, proposal: int | None = None):
    """One mark of 10 for each total, that many seconds apart; shared answers have the same numbers for all markers."""
    return [
        GivenOne(
            (at if shared else 1000 * marker + at, 1), 1, marker, Decimal(total), Decimal(10),
            START + timedelta(seconds=seconds * at), None if proposal is None else Decimal(proposal),
        )
        for at, total in enumerate(totals)
    ]  # fmt: skip


def test_mean_spread_and_distribution_are_of_score_rates() -> None:
    found = figures(given(1, [0, 5, 5, 10]))
    assert (found.count, found.mean) == (4, Decimal("0.5"))
    assert found.spread is not None
    assert found.spread**2 == Decimal(1) / 6 or abs(found.spread**2 - Decimal(1) / 6) < Decimal("1e-20")
    assert found.bins == (1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1)


def test_nothing_is_said_of_no_marks() -> None:
    found = figures([])
    assert (found.count, found.mean, found.spread, found.seconds, found.override_rate) == (0, None, None, None, None)


def test_a_pause_is_no_slowness_and_a_handful_of_marks_no_speed() -> None:
    marks = given(1, [5] * 6, seconds=40)
    late = [GivenOne((99, 1), 1, 1, Decimal(5), Decimal(10), START + timedelta(hours=2))]
    assert figures([*marks, *late]).seconds == 40
    assert figures(marks[:4]).seconds is None


def test_marks_given_to_a_whole_group_say_nothing_of_speed() -> None:
    marks = given(1, [5] * 6, seconds=40)
    swept = [replace(mark, round=(500 + at, 1), at=START, together=True) for at, mark in enumerate(given(1, [5] * 20))]
    found = figures([*marks, *swept])
    assert (found.count, found.seconds) == (26, 40)


def test_overrides_are_counted_among_proposals_only() -> None:
    marks = [*given(1, [5, 6, 7], proposal=6), *given(2, [5, 5])]
    found = figures(marks)
    assert (found.proposals, found.overridden) == (3, 2)
    assert found.override_rate == Decimal(2) / 3


def test_severity_comes_from_shared_answers_where_there_are_enough() -> None:
    totals = [9, 7, 8, 6, 10, 5]
    marks = [*given(1, totals, shared=True), *given(2, [total - 2 for total in totals], shared=True)]
    harder, milder = by_marker(marks)[2].severity, by_marker(marks)[1].severity
    assert harder is not None and milder is not None  # noqa: PT018
    assert (harder.difference, harder.paired, harder.count) == (Decimal("-0.2"), True, 6)
    assert (harder.low, harder.high) == (harder.difference, harder.difference)
    assert milder.difference == Decimal("0.2")
    assert harder.telling


def test_severity_without_shared_answers_is_uncertain_by_both_sides() -> None:
    marks = [*given(1, [8, 6, 9, 7, 10, 6] * 3), *given(2, [7, 5, 8, 6, 9, 5] * 3)]
    severity = by_marker(marks)[2].severity
    assert severity is not None
    assert (severity.difference, severity.paired) == (Decimal("-0.1"), False)
    own = figures(marks[18:]).spread
    assert own is not None
    one_side = Decimal("1.96") * own / Decimal(18).sqrt()
    assert severity.difference - severity.low > one_side


def test_chance_names_nobody() -> None:
    marks = [*given(1, [8, 2, 9, 7, 10, 1]), *given(2, [7, 5, 8, 0, 9, 5])]
    severity = by_marker(marks)[2].severity
    assert severity is not None
    assert not severity.telling


def test_with_one_marker_or_a_handful_of_marks_there_is_no_severity() -> None:
    assert by_marker(given(1, [5, 6, 7, 8, 9]))[1].severity is None
    assert by_marker([*given(1, [5, 6, 7, 8]), *given(2, [5] * 9)])[1].severity is None


def test_one_hard_marker_does_not_make_the_others_mild() -> None:
    alike = [9, 7, 8, 6, 10, 5]
    marks = [*given(1, alike), *given(2, alike[::-1]), *given(3, [total - 4 for total in alike])]
    assert standing_out(marks) == {3}
    found = by_marker(marks)
    severities = {marker: one.severity for marker, one in found.items()}
    assert all(severity is not None for severity in severities.values())
    assert {marker: severity.telling for marker, severity in severities.items() if severity} == {
        1: False,
        2: False,
        3: True,
    }


def test_of_two_who_differ_nobody_is_said_to_stand_out() -> None:
    marks = [*given(1, [9, 9, 8, 9, 8, 9]), *given(2, [3, 2, 3, 2, 3, 2])]
    assert standing_out(marks) == frozenset()
