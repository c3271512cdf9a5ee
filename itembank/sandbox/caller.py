"""One caller of one zygote: gives it jobs, reads what they print, and says how they ended."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from typing import Any

from . import starting
from .inside.job import ENDED_WELL, OUT_OF_MEMORY
from .result import Limits, Ran, SandboxUnavailable, Status

_START_SECONDS = 90.0
_GRACE_SECONDS = 5.0
"""The zygote ends overdue work itself; when it does not even do that, it is killed."""
_MOST_MESSAGE = 4096
_MOST_ERROR = 4_000


class Caller:
    """Not for two threads at once. Raises SandboxUnavailable; then it is closed."""

    def __init__(self, connection: socket.socket, process: subprocess.Popen[bytes] | None, layers: list[str]) -> None:
        self._connection = connection
        self._process = process
        self.owner = os.getpid()
        self.closed = False
        hello = self._answer(time.monotonic() + _START_SECONDS)
        if not hello.get("ready"):
            self.close()
            raise SandboxUnavailable(str(hello.get("why") or "the sandbox did not start"))
        self.layers = [*layers, f"landlock {hello['landlock']}", "seccomp", "rlimits", f"user {hello['user']}"]

    @classmethod
    def of_own(cls, tool: str | None) -> Caller:
        """With a zygote of its own, inside bubblewrap if its path is given."""
        try:
            process, connection = starting.start(tool)
        except OSError as error:
            raise SandboxUnavailable(f"the sandbox could not be started: {error.strerror or error}") from error
        return cls(connection, process, ["bubblewrap"] if tool else [])

    @classmethod
    def of_service(cls, path: str) -> Caller:
        """With the one that listens there."""
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            connection.connect(path)
        except OSError as error:
            connection.close()
            raise SandboxUnavailable(f"no sandbox answers at {path}: {error.strerror}") from error
        return cls(connection, None, ["service"])

    def run(self, code: bytes, limits: Limits) -> Ran:
        """The end of one job; raises SandboxUnavailable where it has not run, or its end was not seen."""
        if self.closed:
            raise SandboxUnavailable("the sandbox has been closed")
        job = _Job(limits.output_bytes)
        try:
            self._ask(code, limits, job)
            self._follow(job, time.monotonic() + limits.wall_seconds + _GRACE_SECONDS)
        except OSError as error:
            self.close()
            raise SandboxUnavailable(f"the sandbox has gone: {error.strerror}") from error
        except BaseException:
            self.close()
            raise
        finally:
            job.close()
        if not job.seen.get("ran"):
            raise SandboxUnavailable(str(job.seen.get("why") or "the job did not run"))
        return _ended(job, limits)

    def _ask(self, code: bytes, limits: Limits, job: _Job) -> None:
        with open(os.memfd_create("job"), "wb", buffering=0) as text:
            text.write(code)
            message = {
                "memory": limits.memory_mb << 20,
                "cpu_seconds": limits.cpu_seconds,
                "wall_seconds": limits.wall_seconds,
            }
            descriptors = [text.fileno(), *job.writing]
            socket.send_fds(self._connection, [json.dumps(message).encode()], descriptors)
        job.hand_over()

    def _follow(self, job: _Job, deadline: float) -> None:
        """Reads until the zygote has told the end and both pipes are at theirs."""
        poll = select.poll()
        for descriptor in (*job.reading, self._connection.fileno()):
            poll.register(descriptor, select.POLLIN)
        waiting = 3
        while waiting:
            left = deadline - time.monotonic()
            events = poll.poll(max(0.0, left) * 1000)
            if not events or left <= 0:
                raise SandboxUnavailable("the sandbox did not answer in time")
            for descriptor, _ in events:
                if descriptor == self._connection.fileno():
                    job.seen = self._answer(deadline)
                elif job.take(descriptor):
                    if job.too_much and not job.asked_to_stop:
                        job.asked_to_stop = True
                        self._connection.send(b"stop")
                    continue
                poll.unregister(descriptor)
                waiting -= 1

    def _answer(self, deadline: float) -> dict[str, Any]:
        self._connection.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            message = self._connection.recv(_MOST_MESSAGE)
            reply = json.loads(message) if message else None
        except (OSError, ValueError):
            reply = None
        if not isinstance(reply, dict):
            self.close()
            raise SandboxUnavailable("the sandbox ended or did not answer in time")
        return reply

    def close(self) -> None:
        """Ends the zygote, if it is its own; safe to repeat."""
        self.closed = True
        self._connection.close()
        if self._process is not None and self.owner == os.getpid():
            starting.end(self._process)

    def forget(self) -> None:
        """After a fork: lets go of the parent's zygote without touching it."""
        self.closed = True
        if self._process is not None:
            self._process.returncode = 0
        self._connection.close()


@dataclass
class _Job:
    """The pipes of one job and what came through them."""

    most: int
    seen: dict[str, Any] = field(default_factory=dict)
    too_much: bool = False
    asked_to_stop: bool = False

    def __post_init__(self) -> None:
        output, errors = os.pipe(), os.pipe()
        self.reading = (output[0], errors[0])
        self.writing = [output[1], errors[1]]
        self.texts = {descriptor: bytearray() for descriptor in self.reading}

    def hand_over(self) -> None:
        """Our writing ends are closed: what is left of them belongs to the job."""
        while self.writing:
            os.close(self.writing.pop())

    def take(self, descriptor: int) -> bool:
        """Reads what is there and keeps as much as may be kept; false at the end."""
        piece = os.read(descriptor, 65_536)
        kept = self.texts[descriptor]
        self.too_much |= len(kept) + len(piece) > self.most
        kept += piece[: max(0, self.most - len(kept))]
        return bool(piece)

    def text(self, position: int) -> str:
        """Output is 0, errors are 1."""
        return self.texts[self.reading[position]].decode(errors="replace")

    def close(self) -> None:
        """Every descriptor of ours."""
        self.hand_over()
        for descriptor in self.reading:
            os.close(descriptor)


def _ended(job: _Job, limits: Limits) -> Ran:
    seen = job.seen
    because = _killed_because(job, limits)
    if because:
        status, error = Status.KILLED, because
    elif seen["exit"] == ENDED_WELL:
        status, error = Status.OK, ""
    else:
        status, error = Status.ERROR, job.text(1)[-_MOST_ERROR:] or f"exit status {seen['exit']}"
    return Ran(status, job.text(0), error, seen["cpu_ms"], round(seen["memory_kb"] / 1024, 1), because)


def _killed_because(job: _Job, limits: Limits) -> str:
    seen, code = job.seen, int(job.seen["exit"])
    if job.too_much:
        return "output"
    if seen["stopped"] == "wall":
        return "wall_time"
    if code == OUT_OF_MEMORY:
        return "memory"
    if code >= 0:
        return ""
    if -code == signal.SIGXCPU or (-code == signal.SIGKILL and seen["cpu_ms"] >= limits.cpu_seconds * 1000):
        return "cpu_time"
    try:
        return f"crash: {signal.Signals(-code).name}"
    except ValueError:
        return f"crash: signal {-code}"
