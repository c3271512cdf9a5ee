"""What the child may use: time, memory, processes. A dead child costs one answer; threads and forks do not disturb it."""

import os
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from itembank.algebra import Algebra, Result, clear_cache
from itembank.algebra.child import ChildFailed, ChildPool, ChildTimeout

ROOT = Path(__file__).resolve().parents[2]

GREEDY = """
    import sys
    from itembank.algebra import worker

    def answer(request):
        if request["op"] == "memory":
            held = [bytearray(64 << 20) for _ in range(64)]
            return {"result": "equal", "held": len(held)}
        if request["op"] == "deaf":
            import signal
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            while True:
                pass
        if request["op"] == "die":
            import os
            os._exit(7)
        return {"result": "equal"}

    worker.limit()
    import itembank.algebra.symbolic as symbolic
    symbolic.answer, symbolic.warmed_up = answer, lambda: None
    worker.main()
"""


@pytest.fixture
def greedy(tmp_path, monkeypatch):
    """Children that do as they are told: eat memory, hang, die."""
    module = tmp_path / "greedy.py"
    module.write_text(f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n" + textwrap.dedent(GREEDY))
    monkeypatch.setattr("itembank.algebra.child._ROOT", tmp_path)
    children = ChildPool("greedy", size=2)
    yield children
    children.close()


def test_work_that_eats_memory_ends_without_an_answer_and_the_child_goes_on(greedy):
    assert greedy.ask({"op": "memory"}, 30) == {"result": "unknown", "why": "MemoryError"}
    assert greedy.ask({"op": "easy"}, 30) == {"result": "equal"}


def test_work_that_does_not_listen_is_killed_in_time(greedy):
    greedy.warm()
    began = time.monotonic()
    with pytest.raises(ChildTimeout):
        greedy.ask({"op": "deaf"}, 0.3)
    assert time.monotonic() - began < 5
    assert greedy.ask({"op": "easy"}, 30) == {"result": "equal"}


def test_work_that_dies_costs_one_answer(greedy):
    with pytest.raises(ChildFailed):
        greedy.ask({"op": "die"}, 30)
    assert greedy.ask({"op": "easy"}, 30) == {"result": "equal"}


def test_eight_threads_get_each_their_own_answer():
    clear_cache()
    algebra = Algebra(timeout_ms=60_000)
    pairs = {
        ("sum(k^2,k,1,n)", "sum(j^2,j,1,n)"): Result.PROVED,
        ("sum(k^2,k,1,n)", "n*(n+1)*(2*n+1)/6"): Result.PROVED,
        ("x^2-4", "(x+2)^2"): Result.REFUTED,
        (r"\sin 18^\circ", r"\frac{\sqrt5-1}{4}"): Result.PROVED,
        (r"\int_0^1 e^x dx", "e-1"): Result.PROVED,
        (r"\sin x=\frac12", r"x=\frac{\pi}{6}+2k\pi"): Result.REFUTED,
        ("x^3-3x+1>0", "3x<x^3+1"): Result.PROVED,
        ("9^{9^{9}}", "9^{9^{9}}+1"): None,
    }
    found: list[tuple[object, object]] = []

    def ask(pair, expected):
        for _ in range(2):
            answer = algebra.compare(*pair).result
            wrong = {Result.PROVED} if expected is None else {Result.PROVED, Result.REFUTED} - {expected}
            found.append((pair, answer in wrong))

    threads = [threading.Thread(target=ask, args=item) for item in pairs.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16
    assert not [pair for pair, is_wrong in found if is_wrong]


def test_a_fork_after_use_answers_and_leaves_no_process_behind():
    """As a prefork worker does: the parent has used the algebra, the children use it too and end without clean-up."""
    script = """
        import os, sys, time
        from itembank.algebra import Algebra, Result, clear_cache
        from itembank.algebra.symbolic_rung import _pool
        pair = (r"\\\\int_0^1 e^x dx", "e-1")
        assert Algebra(timeout_ms=120000).compare(*pair).result is Result.PROVED
        reading, writing = os.pipe()
        children = []
        for _ in range(2):
            pid = os.fork()
            if pid == 0:
                clear_cache()
                answer = Algebra(timeout_ms=120000).compare(*pair)
                os.write(writing, f"{_pool._idle[0]._process.pid}\\\\n".encode())
                os._exit(0 if answer.result is Result.PROVED else 1)
            children.append(pid)
        statuses = [os.waitpid(pid, 0)[1] for pid in children]
        os.close(writing)
        started = [int(line) for line in os.read(reading, 4096).split()]
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and any(os.path.exists(f"/proc/{pid}") for pid in started):
            time.sleep(0.1)
        left = [pid for pid in started if os.path.exists(f"/proc/{pid}") and "Z" not in open(f"/proc/{pid}/stat").read().split()[2]]
        clear_cache()
        again = Algebra(timeout_ms=120000).compare(*pair).result is Result.PROVED
        sys.exit(0 if statuses == [0, 0] and len(started) == 2 and not left and again else 1)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script).replace("\\\\", "\\")],
        cwd=ROOT,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_time_out_is_not_remembered_and_a_decision_is():
    clear_cache()
    impatient = Algebra(timeout_ms=1)
    pair = (r"\int_0^1 \frac{1}{1+x^3} dx", r"\frac{\ln 2}{3}+\frac{\pi}{3\sqrt3}")
    assert impatient.compare(*pair).method == "timeout"
    assert Algebra(timeout_ms=60_000).compare(*pair).method != "timeout"
