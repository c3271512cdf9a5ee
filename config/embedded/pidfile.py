"""Which processes a run has started, on disk: the next start finds and ends what a ``kill -9`` left over.

A process id alone proves nothing, for the number may belong to somebody else by now. A process is ours when it leads
the recorded group or is a member of it, started no earlier than recorded, and carries the run's own token in its
environment (Linux), or when start time and command are the recorded ones (elsewhere).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

TOKEN_VARIABLE = "WENSHU_RUN_TOKEN"  # noqa: S105  # a mark, not a secret
PROC = Path("/proc")


@dataclass(frozen=True)
class Started:
    """One child of a run, which leads the process group of its own number. ``began`` is compared, never interpreted."""

    name: str
    pid: int
    began: str
    command: str


def began(pid: int) -> str | None:
    """When the process started: clock ticks since boot on Linux, ``ps``'s date elsewhere; None when it is gone."""
    if PROC.is_dir():
        fields = _stat(pid)
        return fields[19] if fields else None
    return _ps(pid, "lstart")


def command_of(pid: int) -> str:
    """The command line with blanks between its words; empty when it cannot be read."""
    if not PROC.is_dir():
        return _ps(pid, "command") or ""
    try:
        return (PROC / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def record(name: str, pid: int) -> Started:
    """What is written about a child that was started just now."""
    return Started(name, pid, began(pid) or "", command_of(pid))


def write(path: Path, token: str, children: Iterable[Started]) -> None:
    """Replace the file in one step, so that a kill in the middle leaves the old or the new one."""
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps({"token": token, "children": [asdict(child) for child in children]}, indent=1))
    os.replace(fresh, path)


def read(path: Path) -> tuple[str, list[Started]]:
    """The last run's token and children; nothing when there is no file or it cannot be understood."""
    try:
        content = json.loads(path.read_text())
        return str(content["token"]), [Started(**child) for child in content["children"]]
    except (OSError, ValueError, KeyError, TypeError):
        return "", []


def leftovers(token: str, children: Iterable[Started]) -> list[int]:
    """Process ids that the recorded run has left behind; never this process and never a stranger's."""
    recorded = {child.pid: child for child in children if child.began}
    same = [pid for pid, child in recorded.items() if _is_same(child)]
    if not PROC.is_dir():
        return sorted(same)
    members = [
        int(entry.name)
        for entry in PROC.iterdir()
        if entry.name.isdigit() and _is_member(int(entry.name), recorded, token)
    ]
    return sorted({*same, *members} - {os.getpid()})


def _is_same(child: Started) -> bool:
    """Whether the number still belongs to the recorded process itself. A zombie has ended and counts as gone."""
    fields = _stat(child.pid)
    if fields and fields[0] == "Z":
        return False
    return began(child.pid) == child.began and command_of(child.pid) == child.command


def _is_member(pid: int, recorded: dict[int, Started], token: str) -> bool:
    """Whether the process stands in a recorded group, is no older than its leader and carries the run's token."""
    fields = _stat(pid)
    if not token or fields is None or fields[0] == "Z" or int(fields[2]) not in recorded:
        return False
    return int(fields[19]) >= int(recorded[int(fields[2])].began) and _carries(pid, token)


def groups_of(pids: Iterable[int]) -> set[int]:
    """The process groups that the processes stand in; those that have ended meanwhile are left out."""
    found = set()
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            found.add(os.getpgid(pid))
    return found


def end_leftovers(path: Path, *, patience: float = 1.5) -> int:
    """End what the last run left over, politely first; returns how many processes that were and removes the file."""
    token, children = read(path)
    first = leftovers(token, children)
    # To leaders only: a worker whose helper was ended under it would take that for a verdict on its input.
    for pid in groups_of(first) & set(first):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + patience
    while (left := leftovers(token, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for group in groups_of(left):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
    while leftovers(token, children) and time.monotonic() < deadline + 5:
        time.sleep(0.05)
    path.unlink(missing_ok=True)
    return len(first)


def _stat(pid: int) -> list[str] | None:
    """The fields of ``/proc/PID/stat`` after the command's name: state, parent, group, …, start time at index 19."""
    try:
        text = (PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    # The name may itself hold blanks and brackets, so the last bracket counts.
    return text.rpartition(")")[2].split()


def _carries(pid: int, token: str) -> bool:
    """Whether the process was started with the run's token; an environment that may not be read is a stranger's."""
    try:
        environment = (PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return False
    return f"{TOKEN_VARIABLE}={token}".encode() in environment.split(b"\0")


def _ps(pid: int, column: str) -> str | None:
    done = subprocess.run(["ps", "-o", f"{column}=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout.strip() or None
