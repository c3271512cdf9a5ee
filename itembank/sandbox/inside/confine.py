"""The walls around one process, in the order in which they must go up, and the proof that they stand.

All of it happens in the process that will run the job, before it has seen the job's code; whatever fails raises
`NotConfined`, and then there is no job.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass

from . import landlock, seccomp
from .syscalls import MACHINES

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITIES_VERSION_3 = 0x20080522
_NOBODY = 65534

_GIB = 1 << 30
_STACK = 16 << 20


class NotConfined(Exception):
    """A wall is missing on this machine; the message says which."""


@dataclass(frozen=True)
class Walls:
    """What this machine offers, found once by the zygote."""

    libc: ctypes.CDLL
    landlock: int
    filter_program: bytes


def walls() -> Walls:
    """Raises NotConfined where Landlock is missing or the machine's system calls are not known."""
    machine = MACHINES.get(os.uname().machine)
    if machine is None:
        raise NotConfined(f"the system calls of {os.uname().machine} are not known")
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
    libc.syscall.restype = ctypes.c_long
    try:
        return Walls(libc, landlock.version(libc), seccomp.packed(machine))
    except OSError as error:
        raise NotConfined(str(error.strerror)) from error


def leave_root(libc: ctypes.CDLL) -> None:
    """Root becomes nobody, and whoever it is loses every capability. Raises NotConfined."""
    try:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    except OSError as error:
        raise NotConfined(f"root could not be left: {error.strerror}") from error
    machine = MACHINES[os.uname().machine]
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION_3, 0)
    if libc.syscall(machine.numbers["capset"], ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)())) != 0:
        raise NotConfined("the capabilities could not be given up")


def die_with_parent(libc: ctypes.CDLL, parent: int) -> None:
    """Whatever ends the parent ends this process too. Raises NotConfined where it is gone already."""
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        raise NotConfined("the parent has ended")


def no_new_privileges(libc: ctypes.CDLL) -> None:
    """No later program can have more rights, and no one of the same user may look inside. Raises NotConfined."""
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise NotConfined("no_new_privs could not be set")


def limit(memory: int, cpu_seconds: int) -> None:
    """Bytes of memory, seconds of processor time; no files, no processes, no core dumps, few descriptors."""
    for kind, wanted in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_STACK, _STACK),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 8),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        low = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (low, low))
    # The first limit sends SIGXCPU, which a job can ignore; one second later there is nothing to ignore.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))


def confine(found: Walls, *, memory: int, cpu_seconds: int) -> None:
    """Everything, for good. Raises NotConfined, after which the process must end."""
    try:
        no_new_privileges(found.libc)
        landlock.deny_everything(found.libc, found.landlock)
        _must_fail("Landlock lets a folder be opened", lambda: os.open("/", os.O_RDONLY))
        limit(min(memory, _GIB), cpu_seconds)
        seccomp.install(found.libc, found.filter_program)
    except (OSError, ValueError) as error:
        raise NotConfined(str(getattr(error, "strerror", error))) from error
    _must_fail("seccomp lets a pipe be made", os.pipe)
    _must_fail("seccomp lets memory be made a file", lambda: os.memfd_create("x"))


def _must_fail(what: str, attempt: Callable[[], object]) -> None:
    """A wall that only says it stands is none. Raises NotConfined."""
    try:
        attempt()
    except PermissionError:
        return
    raise NotConfined(what)
