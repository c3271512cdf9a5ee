"""Killable child processes for work whose duration nobody can foresee.

A child is started with exec and an empty environment, so it holds none of this process's memory, sets its own limits,
and is killed with its whole session when a request takes too long. Safe with threads, and after fork: a forked process
forgets its parent's children and starts its own.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_START_SECONDS = 30.0
_MAX_REPLY = 1 << 20
_GRACE_SECONDS = 3.0
"""The child ends overdue work itself; when it does not even do that, it is killed."""


class ChildTimeout(Exception):
    """No answer within the time; the work has been killed."""


class ChildFailed(Exception):
    """The child ended or could not be started."""


class Child:
    """One process that answers one JSON line with one JSON line."""

    def __init__(self, module: str) -> None:
        self.owner = os.getpid()
        try:
            self._process = subprocess.Popen(  # noqa: S603 - fixed command
                [sys.executable, "-E", "-s", "-B", "-m", module],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={},
                cwd=_ROOT,
                start_new_session=True,
            )
        except OSError as error:
            raise ChildFailed(str(error)) from error
        self._buffer = b""
        try:
            self._line(_START_SECONDS)
        except ChildTimeout as error:
            raise ChildFailed("it did not start in time") from error
        except BaseException:
            self.kill()
            raise

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply; raises ChildTimeout or ChildFailed. The child may be gone afterwards: see `alive`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({**request, "seconds": seconds}).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            self.kill()
            raise ChildFailed("it ended") from error
        reply = json.loads(self._line(seconds + _GRACE_SECONDS))
        if not isinstance(reply, dict):
            self.kill()
            raise ChildFailed("a reply of the wrong form")
        if reply.get("result") == "timeout":
            raise ChildTimeout
        if reply.get("result") == "died":
            raise ChildFailed("its work died")
        return reply

    @property
    def alive(self) -> bool:
        """Whether it can be asked again."""
        return self._process.returncode is None

    def _line(self, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    self.kill()
                    raise ChildTimeout
                piece = os.read(descriptor, 65536)
                self._buffer += piece
                if not piece or len(self._buffer) > _MAX_REPLY:
                    self.kill()
                    raise ChildFailed("it ended")
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def kill(self) -> None:
        """Ends the child and all that it started; safe to repeat."""
        if self._process.returncode is None and self.owner == os.getpid():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._close()

    def forget(self) -> None:
        """After a fork: lets go of the parent's child without touching it."""
        self._process.returncode = 0
        self._close()

    def _close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class ChildPool:
    """At most `size` children of one module, started when first needed, lent to one thread at a time."""

    def __init__(self, module: str, size: int = 2) -> None:
        self.module = module
        self.size = size
        self._reset()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._forked)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._free = threading.BoundedSemaphore(self.size)
        self._idle: list[Child] = []
        self._owner = os.getpid()

    def _forked(self) -> None:
        for child in self._idle:
            child.forget()
        self._reset()

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply of some child. Waiting for a free one counts towards the time, starting one does not."""
        began = time.monotonic()
        if not self._free.acquire(timeout=seconds):
            raise ChildTimeout
        waited = time.monotonic() - began
        try:
            child = self._borrow()
            try:
                return child.ask(request, max(0.001, seconds - waited))
            except (ChildTimeout, ChildFailed):
                raise
            except BaseException:
                child.kill()
                raise
            finally:
                self._return(child)
        finally:
            self._free.release()

    def _borrow(self) -> Child:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return Child(self.module)

    def _return(self, child: Child) -> None:
        if not child.alive:
            return
        with self._lock:
            self._idle.append(child)

    def warm(self) -> None:
        """Starts one child now, so that the first question does not pay for it."""
        with self._lock:
            if self._idle:
                return
        self._return(Child(self.module))

    def close(self) -> None:
        """Ends all idle children."""
        with self._lock:
            idle, self._idle = self._idle, []
        for child in idle:
            child.kill()
