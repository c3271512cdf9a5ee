"""A question has its share of work, however it is asked, and whatever was asked before it."""

from __future__ import annotations

import time

import pytest

from itembank.algebra import Algebra, Result, budget
from itembank.algebra.budget import LIMIT, Remembered
from itembank.algebra.results import Exhausted, TooLarge


def test_what_is_remembered_costs_a_question_as_much_as_the_first_time() -> None:
    known: Remembered[str, int] = Remembered(2)

    def work() -> int:
        budget.spend(LIMIT // 2)
        return 7

    with budget.metered():
        assert known.answer("x", work) == known.answer("x", work) == 7
        with pytest.raises(TooLarge):
            known.answer("x", work)


def test_only_so_many_answers_are_remembered_and_the_oldest_go_first() -> None:
    known: Remembered[int, int] = Remembered(2)
    asked: list[int] = []

    def answer(key: int) -> int:
        return known.answer(key, lambda: asked.append(key) or key)  # type: ignore[func-returns-value]

    assert [answer(key) for key in (1, 2, 2, 3, 2, 1)] == [1, 2, 2, 3, 2, 1]
    assert asked == [1, 2, 3, 1]


def test_what_may_not_be_kept_is_worked_out_each_time() -> None:
    known: Remembered[str, list[int]] = Remembered(5, keep=bool)
    assert known.answer("x", list) == []
    assert known.answer("x", lambda: [1]) == [1]
    assert known.answer("x", lambda: [2]) == [1]


def test_a_question_that_goes_on_after_its_share_is_ended() -> None:
    def stubborn() -> None:
        for _ in range(1000):
            try:
                budget.spend(LIMIT // 10)
            except TooLarge:
                continue

    with budget.metered(), pytest.raises(Exhausted):
        stubborn()


@pytest.mark.parametrize(
    ("expected", "line"),
    [
        ("1 ou x=2u", "1 ou " + " ".join(["x=2u"] * 40)),
        ("1 ou " + " ".join(["x=2u"] * 40), "1 ou " + " ".join(["x=3u"] * 40)),
        ("11,2π," + "n2π,…," * 40, "11,2π," + "n2π,…," * 40),
    ],
)
def test_long_chains_and_lists_are_left_open_in_seconds(expected: str, line: str) -> None:
    started = time.process_time()
    assert Algebra().fulfils(expected, line).result is Result.UNDECIDED
    assert time.process_time() - started < 5
