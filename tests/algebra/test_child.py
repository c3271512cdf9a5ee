"""The killable child: real processes, real time-outs, threads and forks."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from itembank.algebra import Algebra, Result, clear_cache
from itembank.algebra.child import ChildFailed, ChildPool, ChildTimeout
from itembank.algebra.nodes import call, const, num, power, sym
from itembank.algebra.serial import node_data

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = {
    "op": "equal",
    "left": node_data(call("integral", power(const("e"), power(sym("x"), sym("x"))), sym("x"), num(0), num(1))),
    "right": node_data(call("sum", power(sym("k"), sym("k")), sym("k"), num(1), num(10**9))),
}
EASY = {"op": "equal", "left": node_data(power(sym("x"), num(2))), "right": node_data(power(sym("x"), num(2)))}


@pytest.fixture
def pool():
    children = ChildPool("itembank.algebra.worker", size=2)
    yield children
    children.close()


def test_work_that_does_not_end_is_killed_and_the_child_answers_again(pool):
    pool.warm()
    began = time.monotonic()
    with pytest.raises(ChildTimeout):
        pool.ask(ENDLESS, 0.5)
    assert time.monotonic() - began < 10
    assert pool.ask(EASY, 120) == {"result": "equal"}


def test_a_child_killed_from_outside_is_replaced(pool):
    assert pool.ask(EASY, 120) == {"result": "equal"}
    os.killpg(pool._idle[0]._process.pid, signal.SIGKILL)
    with pytest.raises(ChildFailed):
        pool.ask(EASY, 120)
    assert pool.ask(EASY, 120) == {"result": "equal"}


def test_threads_share_the_children_without_mixing_answers(pool):
    wrong = {**EASY, "right": node_data(power(sym("x"), num(3)))}
    found: list[tuple[str, str]] = []

    def ask(request, expected):
        found.extend((pool.ask(request, 60)["result"], expected) for _ in range(3))

    threads = [threading.Thread(target=ask, args=pair) for pair in ((EASY, "equal"), (wrong, "unknown")) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12
    assert all(result == expected for result, expected in found)
    assert len(pool._idle) <= 2


def test_the_child_holds_no_environment_and_is_limited(pool):
    pool.warm()
    process = Path(f"/proc/{pool._idle[0]._process.pid}")
    assert process.joinpath("environ").read_bytes() == b""
    limits = process.joinpath("limits").read_text()
    assert "1073741824" in next(line for line in limits.splitlines() if line.startswith("Max address space"))


def test_a_forked_process_starts_its_own_child_and_leaves_its_parents_alone():
    script = """
        import os, sys
        from itembank.algebra import Algebra, Result
        from itembank.algebra.symbolic_rung import _pool, warm
        pair = (r"\\int_0^1 e^x dx", "e-1")
        warm()
        parent = _pool._idle[0]._process.pid
        pid = os.fork()
        if pid == 0:
            answer = Algebra(timeout_ms=120000).compare(*pair)
            mine = _pool._idle[0]._process.pid
            _pool.close()
            os._exit(0 if answer.result is Result.PROVED and mine != parent else 1)
        _, status = os.waitpid(pid, 0)
        answer = Algebra(timeout_ms=120000).compare(*pair)
        same = _pool._idle[0]._process.pid == parent
        sys.exit(0 if status == 0 and answer.result is Result.PROVED and same else 1)
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(script).replace("\\\\", "\\")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_time_out_is_undecided_and_is_asked_again_next_time():
    clear_cache()
    impatient, patient = Algebra(timeout_ms=1), Algebra(timeout_ms=120_000)
    pair = (r"\int_0^1 \frac{1}{1+x^2} dx", r"\frac{\pi}{4}")
    first = impatient.compare(*pair)
    assert (first.result, first.method) == (Result.UNDECIDED, "timeout")
    assert patient.compare(*pair).result is Result.PROVED
    assert impatient.compare(*pair).result is Result.PROVED
