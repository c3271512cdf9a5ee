"""The system calls that a job may make, by number for each machine; everything else is refused.

None of them opens, names, sends or starts anything: a job has its memory, its clock and the three descriptors it was
given. Tests compare the numbers with the headers of the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LANDLOCK_CREATE_RULESET = 444
LANDLOCK_RESTRICT_SELF = 446
"""The newer calls have one number on every machine."""

_X86_64 = {
    "read": 0,
    "write": 1,
    "close": 3,
    "fstat": 5,
    "poll": 7,
    "lseek": 8,
    "mmap": 9,
    "mprotect": 10,
    "munmap": 11,
    "brk": 12,
    "rt_sigaction": 13,
    "rt_sigprocmask": 14,
    "rt_sigreturn": 15,
    "readv": 19,
    "writev": 20,
    "select": 23,
    "sched_yield": 24,
    "mremap": 25,
    "madvise": 28,
    "dup": 32,
    "nanosleep": 35,
    "getitimer": 36,
    "alarm": 37,
    "setitimer": 38,
    "getpid": 39,
    "exit": 60,
    "fcntl": 72,
    "gettimeofday": 96,
    "getrusage": 98,
    "times": 100,
    "getuid": 102,
    "getgid": 104,
    "geteuid": 107,
    "getegid": 108,
    "getppid": 110,
    "capset": 126,
    "sigaltstack": 131,
    "gettid": 186,
    "time": 201,
    "futex": 202,
    "sched_getaffinity": 204,
    "restart_syscall": 219,
    "clock_gettime": 228,
    "clock_getres": 229,
    "clock_nanosleep": 230,
    "exit_group": 231,
    "pselect6": 270,
    "ppoll": 271,
    "prlimit64": 302,
    "getrandom": 318,
    "rseq": 334,
    "clone3": 435,
}

_AARCH64 = {
    "dup": 23,
    "fcntl": 25,
    "close": 57,
    "lseek": 62,
    "read": 63,
    "write": 64,
    "readv": 65,
    "writev": 66,
    "pselect6": 72,
    "ppoll": 73,
    "fstat": 80,
    "capset": 91,
    "exit": 93,
    "exit_group": 94,
    "futex": 98,
    "nanosleep": 101,
    "getitimer": 102,
    "setitimer": 103,
    "clock_gettime": 113,
    "clock_getres": 114,
    "clock_nanosleep": 115,
    "sched_getaffinity": 123,
    "sched_yield": 124,
    "restart_syscall": 128,
    "sigaltstack": 132,
    "rt_sigaction": 134,
    "rt_sigprocmask": 135,
    "rt_sigreturn": 139,
    "times": 153,
    "getrusage": 165,
    "gettimeofday": 169,
    "getpid": 172,
    "getppid": 173,
    "getuid": 174,
    "geteuid": 175,
    "getgid": 176,
    "getegid": 177,
    "gettid": 178,
    "brk": 214,
    "munmap": 215,
    "mremap": 216,
    "mmap": 222,
    "mprotect": 226,
    "madvise": 233,
    "prlimit64": 261,
    "getrandom": 278,
    "rseq": 293,
    "clone3": 435,
}

_SPECIAL = frozenset({"mmap", "mprotect", "fcntl", "prlimit64", "clone3", "capset"})
"""Known by number, and not simply allowed: see `seccomp.program`; the zygote gives up its capabilities by itself."""


@dataclass(frozen=True)
class Machine:
    """One architecture: the kernel's own number for it, and its system calls."""

    audit_arch: int
    numbers: Mapping[str, int]
    has_x32: bool

    @property
    def plain(self) -> list[int]:
        """The calls that are allowed whatever their arguments are."""
        return [number for name, number in self.numbers.items() if name not in _SPECIAL]


MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(0xC000003E, _X86_64, has_x32=True),
    "aarch64": Machine(0xC00000B7, _AARCH64, has_x32=False),
}
"""By `os.uname().machine`. On any other machine the sandbox is unavailable."""
