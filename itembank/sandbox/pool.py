"""The zygotes of this process, lent to one thread at a time."""

from __future__ import annotations

import atexit
import os
import threading

from . import bubblewrap
from .caller import Caller
from .result import MOST_CODE, Limits, Ran, SandboxUnavailable, Status


class Sandbox:
    """At most `size` jobs at once; more wait. With `service`, the path of a socket, jobs go to the one that listens there."""

    def __init__(self, service: str = "", size: int = 2, *, tool: str | None = None) -> None:
        self.service = service
        self._size = size
        self._tool = tool
        self._reset()
        os.register_at_fork(after_in_child=self._forked)
        atexit.register(self.close)

    def _reset(self) -> None:
        self._places = threading.BoundedSemaphore(self._size)
        self._lock = threading.Lock()
        self._idle: list[Caller] = []

    def _forked(self) -> None:
        for caller in self._idle:
            caller.forget()
        self._reset()

    def run(self, code: str | bytes, limits: Limits | None = None) -> Ran:
        """One job's end. Without a sandbox the answer is `unavailable`, and nothing has run."""
        text = code.encode("utf-8", "surrogateescape") if isinstance(code, str) else code
        if len(text) > MOST_CODE:
            return Ran(Status.ERROR, error=f"the code is longer than {MOST_CODE} bytes")
        with self._places:
            try:
                caller = self._borrow()
                try:
                    return caller.run(text, limits or Limits())
                finally:
                    self._return(caller)
            except SandboxUnavailable as reason:
                return Ran(Status.UNAVAILABLE, error=str(reason))

    def layers(self) -> list[str]:
        """The walls that stand, outermost first; raises SandboxUnavailable."""
        with self._places:
            caller = self._borrow()
            self._return(caller)
            return caller.layers

    def _borrow(self) -> Caller:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        if self.service:
            return Caller.of_service(self.service)
        tool = self._tool if self._tool is not None else bubblewrap.tool()
        if tool:
            try:
                return Caller.of_own(tool)
            except SandboxUnavailable:
                # Installed, but no namespace may be made here: the inner walls are enough, see docs/sandbox.md.
                self._tool = ""
        return Caller.of_own(None)

    def _return(self, caller: Caller) -> None:
        if caller.closed:
            return
        with self._lock:
            self._idle.append(caller)

    def close(self) -> None:
        """Ends every idle zygote."""
        with self._lock:
            idle, self._idle = self._idle, []
        for caller in idle:
            caller.close()
