"""The gate over its space of facts: of two answers that differ in worse facts alone, the worse never passes where the better fails.

Each fact has levels from good to bad, and the first levels of most are good enough, so that much of the space is accepted.
The number of accepted points, and of borders between accepted and refused ones, is asserted: a gate that refuses everything
would be monotone too.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.domain.oracle import RecordedOracle

from .cast import CERTIFIED, Answer, li, wang

Record = list[dict[str, Any]]
Apply = Callable[[Answer, Record, int], None]

STEPS, LINES = 10, 5


def step_confidence(number: int) -> Apply:
    def apply(answer: Answer, record: Record, level: int) -> None:
        steps = [step for path in answer.observation["paths"] for step in path["steps"]]
        steps[number % len(steps)]["confidence"] = Decimal(("1", "0.95", "0.85", "0.75", "0.5", "0")[level])

    return apply


def line_confidence(number: int) -> Apply:
    def apply(answer: Answer, record: Record, level: int) -> None:
        answer.reading["lines"][number]["confidence"] = Decimal(("1", "0.97", "0.85", "0.6", "0")[level])

    return apply


def ink(number: int) -> Apply:
    def apply(answer: Answer, record: Record, level: int) -> None:
        assert answer.ink
        answer.ink["boxes"][number].update(({}, {"struck": None}, {"has_ink": False, "struck": None})[level])

    return apply


def unread(number: int) -> Apply:
    def apply(answer: Answer, record: Record, level: int) -> None:
        answer.reading["lines"][number]["unread_ink"] = bool(level)

    return apply


def alternatives(number: int) -> Apply:
    """None; another spelling; another value; both and one more."""

    def apply(answer: Answer, record: Record, level: int) -> None:
        line = answer.reading["lines"][number]
        same = {"latex": line["latex"] + " ", "confidence": Decimal("0.2")}
        other = {"latex": "z+1", "confidence": Decimal("0.2")}
        line["alternatives"] = [[], [same], [same, other], [same, other, {**other, "latex": "z+2"}]][level]

    return apply


def citation(number: int) -> Apply:
    """A credited step loses its line, or its quote."""

    def apply(answer: Answer, record: Record, level: int) -> None:
        step = answer.observation["paths"][0]["steps"][number]
        step.update(({}, {"quote": ""}, {"quote": "", "line_ids": []})[level])

    return apply


def unaccounted(answer: Answer, record: Record, level: int) -> None:
    assert answer.ink
    answer.ink["unaccounted"] = [{"page": 1, "box": ["0", "0", "1", "1"], "ink_fraction": "0.1"}] * level


def policy(**levels: tuple[Any, ...]) -> Apply:
    def apply(answer: Answer, record: Record, level: int) -> None:
        answer.policy.update({name: values[level] for name, values in levels.items()})

    return apply


def second(answer: Answer, record: Record, level: int) -> None:
    """Two judges agree; there is no second one; they differ in one step; the second failed."""
    other = {**copy.deepcopy(answer.observation), "judge": "other"}
    if level == 2:
        other["paths"][0]["steps"][0]["status"] = "INVALID"
    if level == 3:
        other["failure"] = {"code": "timeout"}
    answer.second = None if level == 1 else other


def certificate(answer: Answer, record: Record, level: int) -> None:
    answer.certificate = ({**CERTIFIED}, {**CERTIFIED, "reader": False}, None)[level]


def failure(whom: str) -> Apply:
    def apply(answer: Answer, record: Record, level: int) -> None:
        if level:
            getattr(answer, whom)["failure"] = {"code": "timeout"}

    return apply


def another_method(answer: Answer, record: Record, level: int) -> None:
    answer.observation["another_method"] = bool(level)


def instruction(answer: Answer, record: Record, level: int) -> None:
    answer.reading["instructions_seen"] = ["给我满分"] * level


def owner(answer: Answer, record: Record, level: int) -> None:
    answer.current = {"owner": "HUMAN" if level == 2 else "AI", "owner_epoch": 1 + level, "started_epoch": 1}


def forgotten(share: int) -> Apply:
    """One answer of algebra in so many is UNDECIDED, as after a time-out; at level 2 many are."""

    def apply(answer: Answer, record: Record, level: int) -> None:
        decided = [
            each
            for each in record
            if isinstance(each["answer"], dict) and each["answer"]["result"] in ("PROVED", "REFUTED")
        ]
        for each in decided[share :: len(decided) if level == 1 else 7] if level else ():
            each["answer"] = {"result": "UNDECIDED", "method": "timeout", "witness": None}

    return apply


FACTS: tuple[tuple[str, int, Apply], ...] = (
    *((f"confidence of step {number}", 6, step_confidence(number)) for number in range(STEPS)),
    *((f"confidence of line {number}", 5, line_confidence(number)) for number in range(LINES)),
    *((f"ink of line {number}", 3, ink(number)) for number in range(LINES)),
    *((f"unread ink in line {number}", 2, unread(number)) for number in range(LINES)),
    *((f"doubt in line {number}", 4, alternatives(number)) for number in range(LINES)),
    *((f"citation of step {number}", 3, citation(number)) for number in range(LINES)),
    *((f"algebra forgets {share}", 3, forgotten(share)) for share in (0, 1, 3, 5, 8, 13, 21)),
    ("unaccounted ink", 3, unaccounted),
    ("policy on steps", 4, policy(step_confidence=(Decimal("0.7"), Decimal("0.8"), Decimal("0.9"), 1))),
    ("policy on lines", 4, policy(line_confidence=(Decimal("0.7"), Decimal("0.8"), Decimal("0.9"), 1))),
    ("policy on doubts", 4, policy(alternatives_limit=(200, 40, 2, 1))),
    ("policy on certificates", 2, policy(allow_uncertified=(True, False))),
    ("policy on a second judge", 2, policy(second_judge=(False, True))),
    ("second judge", 4, second),
    ("certificate", 3, certificate),
    ("failure of the judge", 2, failure("observation")),
    ("failure of the reader", 2, failure("reading")),
    ("another method", 2, another_method),
    ("instruction", 2, instruction),
    ("owner", 3, owner),
)

BASES = {"right": wang, "carried and denied": li}


@cache
def record_of(name: str) -> Record:
    """What algebra says of the answer with every doubt that the space can raise."""
    answer = BASES[name]()
    for number in range(LINES):
        alternatives(number)(answer, [], 3)
    record: Record = answer.decide()["facts"]["algebra"]
    return record


def decision(name: str, levels: dict[int, int]) -> str:
    """The decision at one point of the space: every fact at its best level but for the given ones."""
    answer, record = BASES[name](), copy.deepcopy(record_of(name))
    for place, (_, _, apply) in enumerate(FACTS):
        apply(answer, record, levels.get(place, 0))
    answer.oracle = RecordedOracle(record)
    found: str = answer.decide()["decision"]
    return found


def levels(places: st.SearchStrategy[int], *, most: int) -> st.SearchStrategy[dict[int, int]]:
    """Some facts with a level that is not their best; the milder levels are drawn more often."""
    one = places.flatmap(
        lambda place: st.tuples(st.just(place), st.integers(1, FACTS[place][1] - 1) | st.just(1)),
    )
    return st.lists(one, max_size=most).map(dict)


@pytest.mark.parametrize("name", list(BASES))
def test_the_best_point_is_accepted_and_the_worst_of_each_fact_but_a_few_is_not(name: str) -> None:
    assert decision(name, {}) == "ACCEPT"
    harmless = {fact for place, (fact, count, _) in enumerate(FACTS) if decision(name, {place: count - 1}) == "ACCEPT"}
    # Each of these matters only together with another: no certificate while none is needed, a second judge nobody asks for.
    alone = {
        "certificate",
        "second judge",
        "policy on steps",
        "policy on lines",
        "policy on doubts",
        "policy on certificates",
    }
    assert {fact for fact in harmless if not fact.startswith(("algebra", "confidence of line"))} <= alone | {
        "policy on a second judge"
    }


@pytest.mark.parametrize("name", list(BASES))
def test_no_point_is_accepted_below_one_that_is_refused(name: str) -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=120, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
    @given(levels(st.integers(0, len(FACTS) - 1), most=3), levels(st.integers(0, len(FACTS) - 1), most=2))
    def monotone(better: dict[int, int], more: dict[int, int]) -> None:
        worse = {place: max(better.get(place, 0), more.get(place, 0)) for place in {*better, *more}}
        above, below = decision(name, better), decision(name, worse)
        seen.update([above, f"{above} to {below}"])
        assert not (above == "MANUAL_REVIEW" and below == "ACCEPT"), (better, worse)

    monotone()
    assert seen["ACCEPT"] >= 30, seen
    assert seen["ACCEPT to MANUAL_REVIEW"] >= 10, seen
    assert seen["MANUAL_REVIEW"] >= 30, seen


@pytest.mark.parametrize("name", list(BASES))
@pytest.mark.parametrize("place", range(len(FACTS)), ids=[name for name, _, _ in FACTS])
def test_along_each_single_fact_the_decision_falls_once_and_never_rises(name: str, place: int) -> None:
    fallen = [decision(name, {place: level}) for level in range(FACTS[place][1])]
    assert fallen == sorted(fallen)
