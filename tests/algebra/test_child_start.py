"""A child that is slow to start holds nobody up: a question waits no longer than it may take, the next one finds it."""

import os
import textwrap
import threading
import time
from pathlib import Path

import pytest

from itembank.algebra import Algebra, Result, clear_cache, symbolic_rung
from itembank.algebra.child import ChildFailed, ChildPool, ChildTimeout

ROOT = Path(__file__).resolve().parents[2]
PAIR = (r"\int_0^1 x e^{x^2} dx", r"\frac{e-1}{2}")

SLOW = """
    import pathlib, sys, time
    started = pathlib.Path(__file__).with_name("started")
    while not started.with_name("go").exists():
        time.sleep(0.05)
    from itembank.algebra import worker
    worker.main()
"""


@pytest.fixture
def go(tmp_path):
    """The file that a slow child waits for before it starts in earnest."""
    return tmp_path / "go"


@pytest.fixture
def slow(tmp_path, monkeypatch, go):
    """The pool of all engines, with children that start when they are told."""
    (tmp_path / "slow.py").write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n" + textwrap.dedent(SLOW))
    monkeypatch.setattr("itembank.algebra.child._ROOT", tmp_path)
    pool = ChildPool("slow", size=2)
    monkeypatch.setattr(symbolic_rung, "_pool", pool)
    clear_cache()
    yield pool
    clear_cache()
    pool.close()


def test_a_question_waits_for_a_starting_child_no_longer_than_its_limit(slow, go):
    began = time.monotonic()
    answer = Algebra(timeout_ms=300).compare(*PAIR)
    assert (answer.result, answer.method) == (Result.UNDECIDED, "timeout")
    assert time.monotonic() - began < 1.5


def test_the_child_goes_on_starting_and_answers_the_next_question(slow, go):
    assert Algebra(timeout_ms=200).compare(*PAIR).method == "timeout"
    first = [child._process.pid for child in slow._starts.values()]
    go.touch()
    slow.warm()
    assert [child._process.pid for child in slow._idle] == first
    assert Algebra(timeout_ms=60_000).compare(*PAIR).result is Result.PROVED


def test_fulfils_keeps_the_limit_too_and_forgets_the_time_out(slow, go):
    began = time.monotonic()
    answer = Algebra(timeout_ms=300).fulfils("I = " + PAIR[1], "I = " + PAIR[0])
    assert (answer.result, answer.method) == (Result.UNDECIDED, "timeout")
    assert time.monotonic() - began < 2
    go.touch()
    slow.warm()
    assert Algebra(timeout_ms=60_000).fulfils("I = " + PAIR[1], "I = " + PAIR[0]).method != "timeout"


def test_all_that_one_question_asks_of_the_child_shares_one_limit(slow, go):
    pair = "(" + ", ".join([PAIR[0]] * 4) + ")", "(" + ", ".join([PAIR[1]] * 4) + ")"
    began = time.monotonic()
    assert Algebra(timeout_ms=500).compare(*pair).method == "timeout"
    assert time.monotonic() - began < 1.5


def test_many_threads_wait_their_own_time_and_start_no_more_than_the_pool_holds(slow, go):
    took: list[float] = []

    def ask():
        began = time.monotonic()
        with pytest.raises(ChildTimeout):
            slow.ask({"op": "equal"}, 0.4)
        took.append(time.monotonic() - began)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(took) == 6
    assert max(took) < 2
    assert len(slow._starts) == 2


def test_beginning_to_warm_returns_at_once_and_starts_one_child(slow, go):
    began = time.monotonic()
    symbolic_rung.begin_warming()
    symbolic_rung.begin_warming()
    assert time.monotonic() - began < 1
    assert len(slow._starts) == 1
    go.touch()
    assert symbolic_rung.warm()
    assert len(slow._idle) == 1


def test_closing_ends_a_child_that_is_being_started(slow, go):
    slow.begin()
    (thread,) = slow._starts
    deadline = time.monotonic() + 20
    while slow._starts[thread] is None and time.monotonic() < deadline:
        time.sleep(0.01)
    pid = slow._starts[thread]._process.pid
    slow.close()
    assert not os.path.exists(f"/proc/{pid}")
    assert not slow._idle


def test_a_child_that_cannot_start_fails_the_question_before_its_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("itembank.algebra.child._ROOT", tmp_path)
    pool = ChildPool("no_such_module", size=1)
    began = time.monotonic()
    with pytest.raises(ChildFailed):
        pool.ask({"op": "equal"}, 60)
    assert time.monotonic() - began < 30
    pool.close()
