"""What is asked of the sandbox and what it answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

MOST_CODE = 20_000
"""Bytes. Longer code is refused before anything runs."""


class Status(StrEnum):
    """How a job ended; `UNAVAILABLE` means that none of its code has run."""

    OK = "ok"
    ERROR = "error"
    KILLED = "killed"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True)
class Limits:
    """What one job may use. Memory is address space and includes what SymPy itself takes, about 150 MB."""

    wall_seconds: float = 6.0
    cpu_seconds: int = 4
    memory_mb: int = 1024
    output_bytes: int = 65_536


@dataclass(frozen=True)
class Ran:
    """A job's end. `stdout` and `error` are the job's own words, so claims; the rest was seen from outside.

    `memory_mb` is the most that stood in memory at once, SymPy included. `killed_because` is "" unless killed:
    `wall_time`, `cpu_time`, `memory`, `output`, or `crash: SIGSEGV` and the like.
    """

    status: Status
    stdout: str = ""
    error: str = ""
    cpu_ms: int = 0
    memory_mb: float = 0.0
    killed_because: str = ""

    def document(self) -> dict[str, Any]:
        """The answer of `sandbox_run`."""
        return {**asdict(self), "status": str(self.status)}


class SandboxUnavailable(Exception):
    """There is no sandbox on this machine, or it went away; the message says why."""
