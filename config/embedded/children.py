"""Child processes that end with the one that started them, also when that one is killed with kill -9."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable

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


def end(processes: Iterable[subprocess.Popen[bytes]], *, patience: float = 2.0) -> None:
    """End processes that lead a group of their own: a polite signal to each, then SIGKILL to what is left of its group."""
    left = [process for process in processes]
    for process in left:
        signal_group(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and any(process.poll() is None for process in left):
        time.sleep(0.02)
    for process in left:
        signal_group(process.pid, signal.SIGKILL)
        process.wait()


def signal_group(leader: int, number: signal.Signals) -> None:
    """Signal every process of the group that ``leader`` started; a group that is gone is no error."""
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return
