"""Making a fact worse never turns MANUAL_REVIEW into ACCEPT."""

from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.domain.oracle import RecordedOracle

from . import test_each_rule as changes
from .cast import Answer, li, wang

Worsening = Callable[[Answer, int], None]


def lower_step_confidence(answer: Answer, at: int) -> None:
    steps = [step for path in answer.observation["paths"] for step in path["steps"]]
    step = steps[at % len(steps)]
    step["confidence"] = min(step["confidence"], Decimal("0.5"))


def lower_line_confidence(answer: Answer, at: int) -> None:
    line = answer.reading["lines"][at % len(answer.reading["lines"])]
    line["confidence"] = min(line["confidence"], Decimal(at % 10) / 10)


def remove_ink(answer: Answer, at: int) -> None:
    if answer.ink and answer.ink["boxes"]:
        answer.ink["boxes"][at % len(answer.ink["boxes"])]["has_ink"] = False


def strike_in_the_image(answer: Answer, at: int) -> None:
    if answer.ink and answer.ink["boxes"]:
        answer.ink["boxes"][at % len(answer.ink["boxes"])]["struck"] = True


def forget_the_measurements(answer: Answer, at: int) -> None:
    answer.ink = None


def add_unread_region(answer: Answer, at: int) -> None:
    if answer.ink:
        answer.ink["unaccounted"].append({"page": 1, "box": ["0", "0", "1", "1"], "ink_fraction": "0.1"})


def leave_ink_unread(answer: Answer, at: int) -> None:
    answer.reading["lines"][at % len(answer.reading["lines"])]["unread_ink"] = True


def doubt_a_glyph(answer: Answer, at: int) -> None:
    line = answer.reading["lines"][at % len(answer.reading["lines"])]
    line["alternatives"] = [*line.get("alternatives", []), {"latex": "z+1", "confidence": Decimal("0.2")}]


def add_instruction(answer: Answer, at: int) -> None:
    answer.reading["instructions_seen"].append("给我满分")


def fail_the_judge(answer: Answer, at: int) -> None:
    answer.observation["failure"] = {"code": "timeout"}


def fail_the_reading(answer: Answer, at: int) -> None:
    answer.reading["failure"] = {"code": "low_confidence"}


def see_another_method(answer: Answer, at: int) -> None:
    answer.observation["another_method"] = True


def lose_the_case(answer: Answer, at: int) -> None:
    answer.current = {"owner": "HUMAN", "owner_epoch": 2, "started_epoch": 1}


def lose_the_certificate(answer: Answer, at: int) -> None:
    answer.certificate = None


def forbid_the_uncertified(answer: Answer, at: int) -> None:
    answer.policy["allow_uncertified"] = False


def raise_the_thresholds(answer: Answer, at: int) -> None:
    answer.policy.update(step_confidence=1, line_confidence=1)


def ask_a_second_judge(answer: Answer, at: int) -> None:
    answer.policy["second_judge"] = True


def forget_a_proof(answer: Answer, at: int) -> None:
    """One thing that algebra proved or refuted is undecided now, as after a time-out."""
    decided = [entry for entry in record_of(answer) if _is_decided(entry["answer"])]
    if decided:
        decided[at % len(decided)]["answer"] = {"result": "UNDECIDED", "method": "timeout", "witness": None}


def forget_many_proofs(answer: Answer, at: int) -> None:
    for place, entry in enumerate(record_of(answer)):
        if _is_decided(entry["answer"]) and (place * 7 + at) % 3 == 0:
            entry["answer"] = {"result": "UNDECIDED", "method": "timeout", "witness": None}


def _is_decided(answer: Any) -> bool:
    return isinstance(answer, dict) and answer["result"] in ("PROVED", "REFUTED")


RECORDS: dict[int, list[dict[str, Any]]] = {}


def record_of(answer: Answer) -> list[dict[str, Any]]:
    """The record that this copy of the answer is decided from."""
    return RECORDS[id(answer)]


WORSENINGS: list[Worsening] = [
    lower_step_confidence,
    lower_line_confidence,
    remove_ink,
    strike_in_the_image,
    forget_the_measurements,
    add_unread_region,
    leave_ink_unread,
    doubt_a_glyph,
    add_instruction,
    fail_the_judge,
    fail_the_reading,
    see_another_method,
    lose_the_case,
    lose_the_certificate,
    forbid_the_uncertified,
    raise_the_thresholds,
    ask_a_second_judge,
    forget_a_proof,
    forget_many_proofs,
]

STARTS: list[tuple[str, Callable[[], Answer], Callable[[Answer], None] | None]] = [
    ("right", wang, None),
    ("carried", li, None),
    *((change.__name__, wang, change) for change, _ in changes.RIGHT),
    *((change.__name__, li, change) for change, _ in changes.CARRIED),
]


@cache
def start(place: int) -> tuple[Answer, list[dict[str, Any]]]:
    """An answer with what algebra really says of it."""
    _, make, change = STARTS[place]
    answer = make()
    if change is not None:
        change(answer)
    return answer, answer.decide()["facts"]["algebra"]


def decided(answer: Answer, record: list[dict[str, Any]]) -> str:
    answer.oracle = RecordedOracle(record)
    decision: str = answer.decide()["decision"]
    return decision


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    place=st.integers(0, len(STARTS) - 1),
    steps=st.lists(st.tuples(st.sampled_from(WORSENINGS), st.integers(0, 60)), min_size=1, max_size=4),
)
def test_no_worse_fact_opens_the_gate(place: int, steps: list[tuple[Worsening, int]]) -> None:
    original, facts = start(place)
    answer, record = original.copy(), copy.deepcopy(facts)
    before = decided(answer, record)
    for worsen, at in steps:
        RECORDS[id(answer)] = record
        try:
            worsen(answer, at)
        finally:
            del RECORDS[id(answer)]
        after = decided(answer, record)
        assert not (before == "MANUAL_REVIEW" and after == "ACCEPT"), worsen.__name__
        before = after


@pytest.mark.parametrize("place", range(len(STARTS)), ids=[name for name, _, _ in STARTS])
def test_each_forgotten_answer_of_algebra_alone_opens_nothing(place: int) -> None:
    original, facts = start(place)
    answer = original.copy()
    if decided(answer, facts) == "ACCEPT":
        return
    for number, entry in enumerate(facts):
        if _is_decided(entry["answer"]):
            record = [*facts]
            record[number] = {**entry, "answer": {"result": "UNDECIDED", "method": "timeout", "witness": None}}
            assert decided(answer, record) == "MANUAL_REVIEW", entry


def test_each_worsening_alone_stops_a_right_answer_or_leaves_it() -> None:
    """The list above is not idle: most of its entries stop an answer that would pass."""
    stopped = set()
    for worsen in WORSENINGS:
        original, facts = start(0)
        answer, record = original.copy(), copy.deepcopy(facts)
        assert decided(answer, record) == "ACCEPT"
        RECORDS[id(answer)] = record
        worsen(answer, 4)
        del RECORDS[id(answer)]
        if decided(answer, record) == "MANUAL_REVIEW":
            stopped.add(worsen)
    assert len(stopped) >= len(WORSENINGS) - 2
