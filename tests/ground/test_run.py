"""``bin/run``'s supervisor on a data folder of its own: one run at a time, one sentence when refused, no leftovers."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.embedded import pidfile
from tests.ground.test_leftovers import members

ROOT = Path(__file__).resolve().parent.parent.parent
# The product that is started here has its own SQLite in its own folder, whichever database the tests use.
pytestmark = [pytest.mark.one_database, pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(240)]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


LASTING = {"broker", "web", "worker-cpu", "worker-model", "beat"}


class Run:
    """One started supervisor and what it has printed."""

    def __init__(self, data: Path, port: int, *arguments: str, environment: dict[str, str] | None = None) -> None:
        self.data, self.port = data, port
        self.output = Path(tempfile.mkdtemp(prefix="wenshu-said-")) / "said"
        if environment is None:
            environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
        environment = environment | {"WENSHU_DATA_DIR": str(data), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "manage.py", "serve_embedded", "--port", str(port), "--no-sample", *arguments]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)

    def until_it_serves(self) -> None:
        deadline = time.monotonic() + 120
        while "is running" not in self.said() or set(self.children()) < LASTING:
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.1)

    def until_started_again(self, before: pidfile.Started) -> None:
        wait_until(lambda: self.children().get(before.name, before).pid != before.pid)

    def until_logged(self, name: str, words: str) -> None:
        wait_until(lambda: words in (self.data / "logs" / f"{name}.log").read_text(), 90)

    def said(self) -> str:
        return self.output.read_text()

    def children(self) -> dict[str, pidfile.Started]:
        return {child.name: child for child in pidfile.read(self.data / "run.pids")[1]}

    def answers(self, question: str = "live") -> bool:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz/{question}", timeout=10) as response:
            return bool(response.status == 200)


Start = Callable[..., Run]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    runs: list[Run] = []

    def begin(*arguments: str, port: int | None = None) -> Run:
        run = Run(tmp_path / "data", port or free_port(), *arguments)
        runs.append(run)
        return run

    yield begin
    for run in runs:
        if run.process.poll() is None:
            run.process.send_signal(signal.SIGINT)
            run.process.wait(timeout=20)
    pidfile.end_leftovers(tmp_path / "data" / "run.pids")


def wait_until(fact: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def all_gone(children: dict[str, pidfile.Started]) -> bool:
    return not any(members(child.pid) for child in children.values())


def test_a_run_serves_refuses_a_second_one_restarts_what_dies_and_ends_with_ctrl_c(start: Start) -> None:
    run = start()
    run.until_it_serves()
    assert run.answers("live")
    assert run.answers("ready")
    before = run.children()
    assert set(before) == LASTING

    second = start()
    assert second.process.wait(timeout=90) == 2
    assert f"process {run.process.pid}, http://127.0.0.1:{run.port}/" in second.said()
    assert len(second.said().strip().splitlines()) == 1

    for name in ("worker-model", "broker"):
        os.kill(before[name].pid, signal.SIGKILL)
        run.until_started_again(before[name])
    assert not members(before["worker-model"].pid)
    assert run.answers("ready")

    children = run.children()
    begun = time.monotonic()
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(timeout=30) == 0
    # 1.5 s of patience for the workers and one for the broker; the rest is for a busy machine.
    assert time.monotonic() - begun < 8
    assert all_gone(children)
    assert not (run.data / "run.pids").exists()


def test_a_killed_supervisor_takes_its_children_along_and_the_next_start_works(start: Start) -> None:
    run = start()
    run.until_it_serves()
    if sys.platform.startswith("linux"):
        # A worker that is still starting up has not yet said how it wants to be ended.
        for name in ("worker-cpu", "worker-model"):
            run.until_logged(name, "ready.")
    children = run.children()
    run.process.kill()
    run.process.wait()
    if sys.platform.startswith("linux"):
        wait_until(lambda: all_gone(children), seconds=30)
    again = start(port=run.port)
    again.until_it_serves()
    assert again.answers("ready")
    assert all_gone(children)


def test_what_the_kernel_could_not_end_is_ended_by_the_next_start(start: Start) -> None:
    run = start()
    run.until_it_serves()
    children = run.children()
    # Stopped processes do not act on the signal that the kernel sends them: leftovers, as on a system without it.
    for child in children.values():
        os.killpg(child.pid, signal.SIGSTOP)
    run.process.kill()
    run.process.wait()
    again = start(port=run.port)
    again.until_it_serves()
    assert "left over by a killed run" in again.said()
    assert all_gone(children)


def test_a_busy_port_is_one_sentence_and_exit_code_2(start: Start) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        run = start(port=busy.getsockname()[1])
        assert run.process.wait(timeout=90) == 2
    assert f"Port {run.port} is already in use" in run.said()
    assert len(run.said().strip().splitlines()) == 1
