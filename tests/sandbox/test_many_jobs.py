"""Many jobs: at once, from threads, after forks, through a service; and nothing is left of them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from itembank.sandbox import Limits, Sandbox, SandboxUnavailable

from .places import ROOT


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    box = Sandbox(size=2)
    yield box
    box.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[str]:
    """As the sandbox's container runs it."""
    path = tmp_path / "socket"
    command = [sys.executable, "-m", "itembank.sandbox.service", "listen", str(path)]
    process = subprocess.Popen(command, cwd=ROOT, env={"WENSHU_SECRET_KEY": "planted"})
    deadline = time.monotonic() + 60
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    yield str(path)
    process.kill()
    process.wait()


def test_threads_share_the_zygotes_and_each_gets_its_own_answer(sandbox: Sandbox) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: sandbox.run(f"print({number} ** 2)").stdout, range(40)))
    assert answers == [f"{number**2}\n" for number in range(40)]


def test_one_that_hangs_holds_up_no_other(sandbox: Sandbox) -> None:
    sandbox.run("")
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(sandbox.run, "import time; time.sleep(60)", Limits(wall_seconds=2.0))
        assert pool.submit(sandbox.run, "print(1)").result().stdout == "1\n"
        assert not slow.done() or slow.result().killed_because == "wall_time"
        assert slow.result().killed_because == "wall_time"


def test_a_forked_process_starts_its_own(sandbox: Sandbox) -> None:
    assert sandbox.run("print(1)").stdout == "1\n"
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            answer = sandbox.run("print(2)").stdout
            sandbox.close()
            os._exit(0 if answer == "2\n" else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert sandbox.run("print(3)").stdout == "3\n"


def test_a_killed_zygote_is_unavailable_once_and_then_replaced() -> None:
    sandbox = Sandbox(tool="", size=1)
    try:
        sandbox.run("")
        process = sandbox._idle[0]._process
        assert process is not None
        os.kill(process.pid, signal.SIGKILL)
        assert sandbox.run("print(1)").status == "unavailable"
        assert sandbox.run("print(1)").stdout == "1\n"
    finally:
        sandbox.close()


def test_a_job_dies_with_its_zygote() -> None:
    sandbox = Sandbox(tool="", size=1)
    sandbox.run("")
    process = sandbox._idle[0]._process
    assert process is not None
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(sandbox.run, "import time; time.sleep(60)", Limits(wall_seconds=50.0))
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        deadline = time.monotonic() + 10
        while not (jobs := children.read_text().split()) and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        assert running.result().status == "unavailable"
    assert len(jobs) == 1
    deadline = time.monotonic() + 5
    while Path(f"/proc/{jobs[0]}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{jobs[0]}").exists()


def test_a_service_serves_many_callers(service: str) -> None:
    boxes = [Sandbox(service, size=1) for _ in range(3)]
    assert boxes[0].layers()[0] == "service"
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda box: box.run("print(6 * 7)").stdout, boxes))
    assert answers == ["42\n"] * 3
    assert boxes[0].run("import os; print(dict(os.environ))").stdout == "{}\n"
    asked = subprocess.run([sys.executable, "-m", "itembank.sandbox.service", "ask", service], cwd=ROOT)
    assert asked.returncode == 0
    assert boxes[0].run("open('/etc/passwd')").error.splitlines()[-1].startswith("PermissionError")
    for box in boxes:
        box.close()
    again = Sandbox(service, size=1)
    assert again.run("print(1)").stdout == "1\n"
    again.close()


def test_a_service_whose_caller_goes_away_ends_the_job(service: str) -> None:
    box = Sandbox(service, size=1)
    box.run("")
    caller = box._idle[0]
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(box.run, "import time; time.sleep(60)", Limits(wall_seconds=50.0))
        time.sleep(0.3)
        caller._connection.shutdown(2)
        begun = time.monotonic()
        assert running.result().status == "unavailable"
        assert time.monotonic() - begun < 5


def test_a_hundred_jobs_leave_nothing() -> None:
    sandbox = Sandbox(size=1)
    sandbox.run("")
    process = sandbox._idle[0]._process
    assert process is not None
    before = (len(os.listdir("/proc/self/fd")), len(os.listdir("/tmp")))
    for number in range(100):
        assert sandbox.run(f"print({number})").status == "ok"
    assert len(os.listdir("/proc/self/fd")) == before[0]
    with contextlib.suppress(PermissionError):
        assert len(os.listdir(f"/proc/{process.pid}/fd")) <= 8
    sandbox.close()
    assert process.returncode is not None
    with pytest.raises(SandboxUnavailable):
        Sandbox("/nowhere").layers()
