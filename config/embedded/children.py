"""Child processes that end with the one that started them, also when that one is killed with kill -9."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

PR_SET_PDEATHSIG = 1


def die_with_parent(number: signal.Signals = signal.SIGTERM) -> Callable[[], None] | None:
    """A ``preexec_fn`` after which the kernel sends ``number`` to the child when its parent's thread ends.

    Linux only; elsewhere None, and the pid file is the only line of defence. Start children from the main thread: the
    kernel watches the thread, not the process.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    parent = os.getpid()

    def ask_the_kernel() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(number), 0, 0, 0)
        # The parent may have died between fork and prctl; nobody would send the signal any more.
        if os.getppid() != parent:
            os._exit(1)

    return ask_the_kernel


def start(
    command: Sequence[str],
    log: Path,
    *,
    environment: dict[str, str] | None = None,
    folder: Path | None = None,
    on_parent_death: signal.Signals = signal.SIGTERM,
) -> subprocess.Popen[bytes]:
    """Start ``command`` as the leader of a process group, its output appended to ``log``."""
    with log.open("ab") as output:
        return subprocess.Popen(  # noqa: S603  # fixed programs, arguments of our own
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=die_with_parent(on_parent_death),  # noqa: PLW1509  # the callers start children from their only thread
        )


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process has ended, without collecting it: until it is collected nobody else can get its number."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def end(processes: Iterable[subprocess.Popen[bytes]], *, patience: float = 2.0) -> None:
    """End processes that lead a group: a polite signal to the leader, then SIGKILL to what is left of its group.

    The polite signal is not for the group: a worker whose helper was ended under it would take that for the helper's
    verdict on its input. SIGKILL reaches the whole group before any member can notice another's end.
    """
    left = [process for process in processes if process.returncode is None]
    for process in left:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and not all(map(has_ended, left)):
        time.sleep(0.02)
    for process in left:
        collect(process)


def collect(process: subprocess.Popen[bytes]) -> int:
    """Kill what is left of the group, then collect its leader; returns the leader's exit code (negative: a signal)."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    return process.wait()
