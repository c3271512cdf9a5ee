"""What a scheme asks for next, and how marks become one: worked by hand, then for any marks at all."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import grading.domain
from grading.domain.schemes import Agreed, Given, Kind, Need, Place, Rounding, Rule, Scheme, next_need, rounded

EXAMPLE = Path(grading.domain.__file__).parent / "examples" / "schemes.example.json"
CASES: list[dict[str, Any]] = json.loads(EXAMPLE.read_text(encoding="utf-8"))["cases"]
STEPS = st.sampled_from([Decimal(1), Decimal("0.5")])
PAIRED = [Kind.DOUBLE, Kind.TRIPLE]


@st.composite
def situations(draw: Any, kinds: Any = tuple(Kind), marks: int = 3) -> tuple[Scheme, list[Decimal], Decimal]:
    """A scheme, that many marks out of 12, and the step they are multiples of."""
    step = draw(STEPS)
    mark = st.integers(0, int(12 / step)).map(lambda steps: steps * step)
    tolerance = draw(st.integers(0, int(12 / step))) * step
    scheme = Scheme(draw(st.sampled_from(list(kinds))), tolerance, draw(st.sampled_from(list(Rounding))))
    return scheme, draw(st.lists(mark, min_size=marks, max_size=marks)), step


def placed(*marks: Decimal | None) -> list[Given]:
    return [Given(place, mark) for place, mark in zip(Place, marks, strict=False)]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_hand_worked_cases(case: dict[str, Any]) -> None:
    marks = [Given(Place(place), None if total is None else Decimal(total)) for place, total in case["given"]]
    machine = None if case["machine"] is None else Decimal(case["machine"])
    scheme = Scheme(Kind(case["scheme"]), Decimal(case["tolerance"]), Rounding(case["rounding"]))
    found = next_need(scheme, marks, machine=machine, step=Decimal(case["step"]))
    if "agreed" in case:
        wanted = case["agreed"]
        assert found == Agreed(Decimal(wanted["total"]), Rule(wanted["rule"]), tuple(map(Place, wanted["of"])))
    else:
        wanted = case["wanted"]
        difference = Decimal(wanted["difference"]) if "difference" in wanted else None
        assert found == Need(Place(wanted["place"]), wanted["blind"], difference)


def test_every_scheme_and_every_rule_is_worked_by_hand() -> None:
    assert {case["scheme"] for case in CASES} == {kind.value for kind in Kind}
    assert {case["agreed"]["rule"] for case in CASES if "agreed" in case} == {rule.value for rule in Rule}


@given(situations(PAIRED))
def test_which_of_two_blind_markers_came_first_makes_no_difference(situation: Any) -> None:
    scheme, (one, two, three), step = situation
    for marks in ([one, two], [one, two, three]):
        there = next_need(scheme, placed(*marks), machine=None, step=step)
        back = next_need(scheme, placed(marks[1], marks[0], *marks[2:]), machine=None, step=step)
        assert type(there) is type(back)
        if isinstance(there, Agreed) and isinstance(back, Agreed):
            assert (there.total, there.rule) == (back.total, back.rule)
        else:
            assert there == back


@given(situations(PAIRED))
def test_the_order_in_which_the_marks_are_listed_makes_no_difference(situation: Any) -> None:
    scheme, marks, step = situation
    listed = placed(*marks)
    found = {repr(next_need(scheme, list(order), machine=None, step=step)) for order in permutations(listed)}
    assert len(found) == 1


@given(situations())
def test_an_agreed_mark_lies_between_the_marks_it_is_made_of_and_those_differ_by_the_tolerance_at_most(
    situation: Any,
) -> None:
    scheme, marks, step = situation
    listed = placed(*marks)
    found = next_need(scheme, listed, machine=None, step=step)
    if isinstance(found, Agreed):
        own = [each.total for each in listed if each.place in found.of and each.total is not None]
        assert min(own) <= found.total <= max(own)
        assert max(own) - min(own) <= scheme.tolerance or len(own) == 1
        if scheme.rounding is not Rounding.EXACT:
            assert found.total % step == 0
        else:
            assert Fraction(found.total) == sum(map(Fraction, own), Fraction(0)) / len(own)


@given(situations(PAIRED, marks=2))
def test_two_marks_beyond_the_tolerance_are_never_averaged(situation: Any) -> None:
    scheme, (one, two), step = situation
    found = next_need(scheme, placed(one, two), machine=None, step=step)
    if abs(one - two) > scheme.tolerance:
        assert isinstance(found, Need)
        assert found.difference == abs(one - two)
    else:
        assert isinstance(found, Agreed)


@given(situations(), st.integers(0, 2))
def test_a_mark_that_could_not_be_given_is_as_if_it_were_not_there(situation: Any, missing: int) -> None:
    scheme, marks, step = situation
    there = placed(*marks)
    without = [each for number, each in enumerate(there) if number != missing]
    undecided = [Given(each.place, None if number == missing else each.total) for number, each in enumerate(there)]
    assert next_need(scheme, undecided, machine=None, step=step) == next_need(scheme, without, machine=None, step=step)


@given(situations([Kind.WITH_MACHINE], marks=1), st.none() | st.integers(0, 12).map(Decimal))
def test_the_machine_is_never_part_of_a_mean(situation: Any, machine: Decimal | None) -> None:
    scheme, (mark,), step = situation
    found = next_need(scheme, placed(mark), machine=machine, step=step)
    if isinstance(found, Agreed):
        assert machine is not None
        assert found.total == mark
    else:
        assert found.place is (Place.SECOND if machine is None else Place.ARBITER)


@given(situations([Kind.SINGLE, Kind.REVIEWED, *PAIRED]), st.none() | st.integers(0, 12).map(Decimal))
def test_outside_ai_plus_one_the_machine_changes_nothing(situation: Any, machine: Decimal | None) -> None:
    scheme, marks, step = situation
    for given_marks in (marks[:0], marks[:1], marks[:2], marks):
        listed = placed(*given_marks)
        assert next_need(scheme, listed, machine=machine, step=step) == next_need(
            scheme, listed, machine=None, step=step
        )


@given(situations())
def test_every_scheme_comes_to_a_mark_when_everybody_who_is_asked_marks(situation: Any) -> None:
    scheme, marks, step = situation
    listed: list[Given] = []
    for _ in range(5):
        found = next_need(scheme, listed, machine=None, step=step)
        if isinstance(found, Agreed):
            return
        assert found.place not in {each.place for each in listed}
        listed.append(Given(found.place, marks[len(listed) % len(marks)]))
    raise AssertionError(f"no end: {listed}")


@given(st.fractions(0, 12, max_denominator=60), STEPS)
def test_rounding_moves_by_less_than_a_step_and_halves_go_up(mean: Fraction, step: Decimal) -> None:
    up, down, near = (
        rounded(mean, rounding=each, step=step) for each in (Rounding.UP, Rounding.DOWN, Rounding.HALF_UP)
    )
    assert Fraction(down) <= mean <= Fraction(up) < mean + Fraction(step)
    assert near == (up if mean - Fraction(down) >= Fraction(step) / 2 else down)


def test_a_third_of_a_point_is_no_exact_mark() -> None:
    with pytest.raises(ValueError, match="cannot be written"):
        rounded(Fraction(1, 3), rounding=Rounding.EXACT, step=Decimal(1))


def test_two_marks_in_one_place_are_a_fault() -> None:
    with pytest.raises(ValueError, match="two marks"):
        next_need(Scheme(Kind.DOUBLE), [Given(Place.FIRST, Decimal(1))] * 2, machine=None, step=Decimal(1))
