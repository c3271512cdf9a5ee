"""The pid file ends what a killed run left over, and never a stranger's process."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.embedded import pidfile

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]
# A leader with a member of its group, as a worker with its pool.
FAMILY = [
    sys.executable,
    "-c",
    "import subprocess, sys, time; subprocess.Popen(sys.argv[1:]); time.sleep(60)",
    *SLEEPER,
]


@pytest.fixture
def spawn() -> Iterator[object]:
    """Starts a group leader that carries ``token``; whatever is left of it ends with the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start(command: list[str], token: str) -> subprocess.Popen[bytes]:
        environment = os.environ | {pidfile.TOKEN_VARIABLE: token}
        process = subprocess.Popen(command, env=environment, start_new_session=True)
        started.append(process)
        return process

    yield start
    for process in started:
        for pid in members(process.pid):
            os.kill(pid, 9)
        process.wait()


def members(group: int) -> list[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            fields = pidfile._stat(int(entry.name))
            if fields and fields[0] != "Z" and int(fields[2]) == group:
                found.append(int(entry.name))
    return found


def wait_for(count: int, group: int) -> None:
    deadline = time.monotonic() + 20
    while len(members(group)) != count:
        assert time.monotonic() < deadline
        time.sleep(0.02)


pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="groups are recognised by /proc, which Linux has")


def test_a_leader_and_its_children_are_ended(spawn, tmp_path: Path) -> None:
    leader = spawn(FAMILY, "token-a")
    wait_for(2, leader.pid)
    pidfile.write(tmp_path / "pids", "token-a", [pidfile.record("worker", leader.pid)])
    assert pidfile.end_leftovers(tmp_path / "pids") == 2
    wait_for(0, leader.pid)
    assert not (tmp_path / "pids").exists()


def test_children_whose_leader_was_killed_are_ended(spawn, tmp_path: Path) -> None:
    leader = spawn(FAMILY, "token-a")
    wait_for(2, leader.pid)
    pidfile.write(tmp_path / "pids", "token-a", [pidfile.record("worker", leader.pid)])
    leader.kill()
    leader.wait()
    assert pidfile.end_leftovers(tmp_path / "pids") == 1
    wait_for(0, leader.pid)


def test_a_number_that_belongs_to_somebody_else_by_now_is_left_alone(spawn, tmp_path: Path) -> None:
    stranger = spawn(SLEEPER, "token-b")
    ours = pidfile.record("worker", stranger.pid)
    for altered in (
        dataclasses.replace(ours, began=str(int(ours.began) - 100)),
        dataclasses.replace(ours, command="celery worker"),
        dataclasses.replace(ours, began=""),
    ):
        pidfile.write(tmp_path / "pids", "token-a", [altered])
        assert pidfile.end_leftovers(tmp_path / "pids") == 0
        assert stranger.poll() is None
    # The same record unaltered does find it, so that the refusals above are for the right reason.
    assert pidfile.leftovers("token-a", [ours]) == [stranger.pid]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"token": "x"}', '{"token": "x", "children": [{"pid": 1}]}'])
def test_a_file_that_cannot_be_understood_ends_nothing(content: str, tmp_path: Path) -> None:
    (tmp_path / "pids").write_text(content)
    assert pidfile.end_leftovers(tmp_path / "pids") == 0
