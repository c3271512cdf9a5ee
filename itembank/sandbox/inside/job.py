"""The process of one job, from the fork to its end. It never returns to the zygote's code."""

from __future__ import annotations

import builtins
import contextlib
import fcntl
import hashlib
import io
import os
import random
import signal
import sys
import traceback
from dataclasses import dataclass
from types import ModuleType, TracebackType
from typing import NoReturn

from . import confine

ENDED_WELL, ENDED_IN_ERROR, OUT_OF_MEMORY = 0, 1, 97
CONFINED = b"1"
_SHOWN_CALLS = 12
_MOST_CODE = 1 << 20


@dataclass(frozen=True)
class Order:
    """What the zygote was asked to run. Descriptors: the code to read, and where output and errors go."""

    code: int
    output: int
    errors: int
    memory: int
    cpu_seconds: int


def run(order: Order, walls: confine.Walls, sympy: ModuleType, status: int, parent: int) -> NoReturn:
    """Confines itself, says so on `status`, closes that, and runs the code. What it then says of itself is a claim."""
    try:
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        confine.die_with_parent(walls.libc, parent)
        code = _read_all(order.code)
        status = _only_these_descriptors(order, status)
        walls.libc.clearenv()
        os.environ.clear()
        confine.confine(walls, memory=order.memory, cpu_seconds=order.cpu_seconds)
    except BaseException as error:
        os.write(status, f"{type(error).__name__}: {error}".encode(errors="replace")[:400])
        os._exit(ENDED_IN_ERROR)
    os.write(status, CONFINED)
    os.close(status)
    os._exit(_obey(code, sympy))


def _read_all(descriptor: int) -> bytes:
    """The code, from its beginning: whoever wrote it left the position at its end."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    pieces = []
    while piece := os.read(descriptor, _MOST_CODE):
        pieces.append(piece)
    return b"".join(pieces)


def _only_these_descriptors(order: Order, status: int) -> int:
    """0 is at its end, 1 and 2 are the caller's, 3 is the status until it is closed; all others are gone."""
    empty, never_written = os.pipe()
    os.close(never_written)
    # Out of the way first: any of them may have one of the numbers wanted.
    wanted = [_high(each) for each in (empty, order.output, order.errors, status)]
    for number, descriptor in enumerate(wanted):
        os.dup2(descriptor, number)
    os.closerange(4, os.sysconf("SC_OPEN_MAX"))
    return 3


def _high(descriptor: int) -> int:
    return fcntl.fcntl(descriptor, fcntl.F_DUPFD, 64)


def _obey(code: bytes, sympy: ModuleType) -> int:
    """The exit status. The same code always sees the same random numbers."""
    seed = int.from_bytes(hashlib.sha256(code).digest()[:8], "big")
    random.seed(seed)
    sympy.core.random.seed(seed)
    sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8", errors="replace"
    )
    sys.stderr = io.TextIOWrapper(
        io.FileIO(2, "w", closefd=False), encoding="utf-8", errors="backslashreplace", write_through=True
    )
    vars(sys).update({"__stdin__": sys.stdin, "__stdout__": sys.stdout, "__stderr__": sys.stderr})
    status = _run(code, sympy)
    with contextlib.suppress(BaseException):
        sys.stdout.flush()
    return status


def _run(code: bytes, sympy: ModuleType) -> int:
    module = ModuleType("__main__")
    module.__dict__.update({"__builtins__": builtins, "sympy": sympy})
    sys.modules["__main__"] = module
    try:
        exec(compile(code, "<job>", "exec"), module.__dict__)  # noqa: S102 - what the walls are for
    except SystemExit as end:
        return _asked_to_end(end)
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException as error:
        return _tell(error)
    return ENDED_WELL


def _asked_to_end(end: SystemExit) -> int:
    if end.code is None or isinstance(end.code, int):
        return int(end.code or 0) & 0xFF
    with contextlib.suppress(BaseException):
        sys.stderr.write(f"{end.code}\n")
    return ENDED_IN_ERROR


def _tell(error: BaseException) -> int:
    """The error, with the job's own calls and none of ours."""
    own: TracebackType | None = error.__traceback__.tb_next if error.__traceback__ else None
    with contextlib.suppress(BaseException):
        traceback.print_exception(type(error), error, own, limit=-_SHOWN_CALLS, file=sys.stderr)
    return ENDED_IN_ERROR
