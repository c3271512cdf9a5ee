"""The process that has SymPy ready and forks for each job. It runs no job's code, reads none, and keeps nothing of one.

Started with exec and an environment of its own. It is asked over a socket, one message a job: a line of JSON and three
descriptors, which are the code and the places for output and errors. Its answers say what it saw of the job's process.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from types import ModuleType
from typing import Any

from . import confine, job
from .preload import preload

_MOST_MESSAGE = 4096
_MOST_CALLERS = 8
_BACKLOG = 64


class Zygote:
    """One of them serves one caller at a time; see `listen` for many."""

    def __init__(self) -> None:
        self.walls = confine.walls()
        self.sympy: ModuleType = preload()
        confine.leave_root(self.walls.libc)
        confine.no_new_privileges(self.walls.libc)

    def hello(self) -> dict[str, Any]:
        """What stands around each job."""
        return {"ready": True, "landlock": self.walls.landlock, "user": os.geteuid()}

    def serve(self, caller: socket.socket) -> None:
        """Until the caller goes away."""
        send(caller, self.hello())
        while True:
            message, descriptors, _, _ = socket.recv_fds(caller, _MOST_MESSAGE, 3)
            if not message:
                return
            try:
                send(caller, self.run(json.loads(message), descriptors, caller))
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)

    def run(self, asked: dict[str, Any], descriptors: list[int], caller: socket.socket) -> dict[str, Any]:
        """One job; `ran` is false where it could not be confined, and then none of its code has run."""
        code, output, errors = descriptors
        order = job.Order(code, output, errors, memory=int(asked["memory"]), cpu_seconds=int(asked["cpu_seconds"]))
        reading, writing = os.pipe()
        me = os.getpid()
        child = os.fork()
        if child == 0:
            job.run(order, self.walls, self.sympy, writing, me)
        os.close(writing)
        try:
            stopped = _watch(child, caller, float(asked["wall_seconds"]))
            _, ended, usage = os.wait4(child, 0)
            said = os.read(reading, 512)
        finally:
            os.close(reading)
        if said != job.CONFINED:
            return {"ran": False, "why": said.decode(errors="replace") or "it ended before it was confined"}
        return {
            "ran": True,
            "exit": os.waitstatus_to_exitcode(ended),
            "cpu_ms": round((usage.ru_utime + usage.ru_stime) * 1000),
            "memory_kb": usage.ru_maxrss,
            "stopped": stopped,
        }


def _watch(child: int, caller: socket.socket, seconds: float) -> str | None:
    """Waits for the end of the child, and brings it about when its time is over or the caller asks or goes."""
    ending = os.pidfd_open(child)
    try:
        poll = select.poll()
        poll.register(ending, select.POLLIN)
        poll.register(caller, select.POLLIN | select.POLLHUP)
        deadline = time.monotonic() + seconds
        events = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
        if any(descriptor == ending for descriptor, _ in events):
            return None
        signal.pidfd_send_signal(ending, signal.SIGKILL)
        if not events:
            return "wall"
        caller.recv(_MOST_MESSAGE)
        return "asked"
    finally:
        os.close(ending)


def send(caller: socket.socket, message: dict[str, Any]) -> None:
    """One message; a caller that is gone is no error."""
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        caller.send(json.dumps(message).encode())


def door_at(path: str) -> socket.socket:
    """The socket that callers of the same user connect to; they wait until the zygote is ready."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    os.umask(0o177)
    door.bind(path)
    door.listen(_BACKLOG)
    return door


def listen(zygote: Zygote, door: socket.socket) -> None:
    """A fork for each caller, at most a few at a time; those beyond wait in the queue of the socket."""
    callers: set[int] = set()
    while True:
        while callers and (len(callers) >= _MOST_CALLERS or os.waitid(os.P_ALL, 0, _ENDED) is not None):
            callers.discard(os.wait()[0])
        door.settimeout(1.0)
        try:
            caller, _ = door.accept()
        except TimeoutError:
            continue
        me = os.getpid()
        child = os.fork()
        if child == 0:
            door.close()
            confine.die_with_parent(zygote.walls.libc, me)
            caller.settimeout(None)
            zygote.serve(caller)
            os._exit(0)
        callers.add(child)
        caller.close()


_ENDED = os.WEXITED | os.WNOHANG | os.WNOWAIT


def main(arguments: list[str]) -> None:
    """`listen PATH`, or `serve N` where descriptor N is a connected socket. The one message of a failure says why."""
    verb, where = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The door is made first: root can still make it where only root may.
    listens = verb == "listen"
    end = door_at(where) if listens else socket.socket(fileno=int(where))
    try:
        zygote = Zygote()
    except confine.NotConfined as reason:
        if listens:
            sys.exit(f"The sandbox is unavailable: {reason}")
        send(end, {"ready": False, "why": str(reason)})
        return
    if listens:
        listen(zygote, end)
    else:
        zygote.serve(end)
