"""Runs a program on what looks like another kernel: some system calls answer that they do not exist. For as long as it runs.

`python -m tests.sandbox.without landlock|seccomp|namespaces PROGRAM …`: a machine without Landlock, without filters of
system calls, or one that lets nobody make namespaces.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

from itembank.sandbox.inside import seccomp
from itembank.sandbox.inside.confine import walls
from itembank.sandbox.inside.syscalls import MACHINES

from .numbers import here

_ALLOW = (0x06, 0, 0, 0x7FFF0000)


def _fails(number: int) -> tuple[int, int, int, int]:
    return (0x06, 0, 0, 0x00050000 | number)


def _filter(what: str) -> list[tuple[int, int, int, int]]:
    numbers = here()
    calls = {
        "landlock": [("landlock_create_ruleset", errno.ENOSYS)],
        "seccomp": [("seccomp", errno.ENOSYS)],
        "namespaces": [("unshare", errno.EPERM), ("setns", errno.EPERM), ("clone3", errno.ENOSYS)],
    }[what]
    lines = [(0x20, 0, 0, 0)]
    for name, number in calls:
        lines += [(0x15, 0, 1, numbers[name]), _fails(number)]
    if what == "seccomp":  # prctl(PR_SET_SECCOMP)
        lines += [(0x15, 0, 3, numbers["prctl"]), (0x20, 0, 0, 16), (0x15, 0, 1, 22), _fails(errno.EINVAL)]
    if what == "namespaces":  # clone with any of the flags of namespaces
        lines += [(0x15, 0, 3, numbers["clone"]), (0x20, 0, 0, 16), (0x45, 0, 1, 0x7E020000), _fails(errno.EPERM)]
    return [*lines, _ALLOW]


def main() -> None:
    what, *command = sys.argv[1:]
    assert os.uname().machine in MACHINES
    libc: ctypes.CDLL = walls().libc
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    seccomp.install(libc, b"".join(struct.pack("=HBBI", *line) for line in _filter(what)))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
