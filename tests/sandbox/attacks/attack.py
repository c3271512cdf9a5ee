"""One attempt to get out of the sandbox, and what must be seen of it."""

from __future__ import annotations

from dataclasses import dataclass

from tests.sandbox.numbers import here

PRELUDE = """
import ctypes, errno, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def name_of(number):
    return errno.errorcode.get(number, str(number))
def says(attempt):
    try:
        got = attempt()
    except OSError as error:
        print(type(error).__name__, name_of(error.errno))
    except BaseException as error:
        print(type(error).__name__)
    else:
        print("GOT IN:", str(got)[:200])
def call(name, *arguments):
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    words += [ctypes.c_long(0)] * (6 - len(words))
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(CALLS[name]), *words)
    print(name, name_of(ctypes.get_errno()) if result == -1 else "GOT IN: %d" % result)
"""


@dataclass(frozen=True)
class Attack:
    """`output` is exactly what is printed; a `killed` job may have printed anything. `error` is part of what is told."""

    name: str
    code: str
    output: str | None = None
    killed: tuple[str, ...] = ()
    error: str = ""
    wall_seconds: float = 6.0


def refused(name: str, code: str, times: int = 1) -> Attack:
    """Each attempt ends in PermissionError, with EPERM of the filter or EACCES of Landlock: the filter is asked first."""
    return Attack(name, code, "\n".join(["PermissionError EPERM"] * times))


def calls_refused(name: str, *calls: str) -> Attack:
    """System calls made directly, each written as in C; those that this machine does not have are left out."""
    made = [(call, *call.split("(", 1)) for call in calls if call.partition("(")[0] in here()]
    code = "\n".join(f'call("{called}", {arguments}' for _, called, arguments in made)
    return Attack(name, code, "\n".join(f"{called} EPERM" for _, called, _ in made))
