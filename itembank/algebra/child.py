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
_START_SECONDS = 90.0
"""A start that takes longer has failed. Nobody's question waits for it: see `ChildPool.ask`."""
_MAX_REPLY = 1 << 20
_GRACE_SECONDS = 1.5
"""The child ends overdue work itself; when it does not even do that, it is killed."""


class ChildTimeout(Exception):
    """No answer within the time; the work has been killed."""


class ChildFailed(Exception):
    """The child ended or could not be started."""


class Child:
    """One process that answers one JSON line with one JSON line, once it is `ready`."""

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

    def ready(self, seconds: float) -> None:
        """Waits until it can be asked; raises ChildFailed, and it is gone, where it cannot in that time."""
        try:
            self._line(seconds)
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
            self.interrupt()
            self._process.wait()
        self._close()

    def interrupt(self) -> None:
        """Ends the process and leaves the rest to the thread that waits for it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

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
    """At most `size` children of one module, lent to one thread at a time.

    A thread of the pool starts them, when first needed or when one was lost; whoever asks meanwhile waits no longer
    than the question may take, and the start goes on for the next one.
    """

    def __init__(self, module: str, size: int = 2) -> None:
        self.module = module
        self.size = size
        self._reset()
        atexit.register(self.close)
        os.register_at_fork(after_in_child=self._forked)

    def _reset(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[Child] = []
        self._lent = 0
        self._waiting = 0
        self._failures = 0
        self._starts: dict[threading.Thread, Child | None] = {}

    def _forked(self) -> None:
        for child in (*self._idle, *self._starts.values()):
            if child is not None:
                child.forget()
        self._reset()

    def ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The reply of some child; raises ChildTimeout or ChildFailed. Waiting for a child counts towards the time."""
        deadline = time.monotonic() + seconds
        child = self._borrow(deadline)
        try:
            return child.ask(request, max(0.001, deadline - time.monotonic()))
        except (ChildTimeout, ChildFailed):
            raise
        except BaseException:
            child.kill()
            raise
        finally:
            self._return(child)

    def _borrow(self, deadline: float) -> Child:
        with self._changed:
            self._wait_for_idle(deadline)
            self._lent += 1
            return self._idle.pop()

    def _return(self, child: Child) -> None:
        with self._changed:
            self._lent -= 1
            if child.alive:
                self._idle.append(child)
            elif not self._idle:
                self._start_missing(1)
            self._changed.notify_all()

    def _wait_for_idle(self, deadline: float) -> None:
        """Under the lock. Raises ChildTimeout where none is free in time, ChildFailed where one could not be started."""
        failures = self._failures
        self._waiting += 1
        try:
            while not self._idle:
                if self._failures != failures:
                    raise ChildFailed("it could not be started")
                self._start_missing(self._waiting)
                left = deadline - time.monotonic()
                if left <= 0 or not (self._changed.wait(left) or self._idle):
                    raise ChildTimeout
        finally:
            self._waiting -= 1

    def _start_missing(self, wanted: int) -> None:
        """Under the lock. Begins to start as many as are wanted and allowed; raises ChildFailed at the end of the program."""
        while len(self._starts) < min(wanted, self.size - self._lent - len(self._idle)):
            thread = threading.Thread(target=self._start, name="algebra-child", daemon=True)
            self._starts[thread] = None
            try:
                thread.start()
            except RuntimeError as error:
                del self._starts[thread]
                raise ChildFailed(str(error)) from error

    def _start(self) -> None:
        me = threading.current_thread()
        child: Child | None = None
        try:
            child = Child(self.module)
            with self._changed:
                wanted = me in self._starts
                if wanted:
                    self._starts[me] = child
            if not wanted:
                child.kill()
                return
            child.ready(_START_SECONDS)
        except ChildFailed:
            child = None
        with self._changed:
            if me not in self._starts:  # the pool was closed meanwhile
                if child is not None:
                    child.kill()
                return
            del self._starts[me]
            if child is None:
                self._failures += 1
            else:
                self._idle.append(child)
            self._changed.notify_all()

    def begin(self) -> None:
        """Begins to start a child, if there is none, and returns at once."""
        with self._changed:
            if not self._idle and not self._lent:
                self._start_missing(1)

    def warm(self) -> None:
        """Waits until a child is ready, so that the next question finds one; raises ChildFailed where none starts."""
        with self._changed:
            if self._idle or self._lent:
                return
            try:
                self._wait_for_idle(time.monotonic() + _START_SECONDS)
            except ChildTimeout as error:
                raise ChildFailed("it did not start in time") from error

    def close(self) -> None:
        """Ends all idle children and those that are being started."""
        with self._changed:
            idle, self._idle = self._idle, []
            starts, self._starts = self._starts, {}
            self._changed.notify_all()
        for child in idle:
            child.kill()
        for thread, starting in starts.items():
            if starting is not None:
                starting.interrupt()
            thread.join(5)
