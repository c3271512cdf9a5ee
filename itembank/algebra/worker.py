"""The child's side. Run as a module with exec, never imported by the product.

It limits itself, imports the symbolic library once, and then forks for each request: the fork works, and is killed when
its time is over, while this process stays ready. Fresh forks also start from the same small caches each time.
"""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import sys
from collections.abc import Callable
from typing import Any

_MEMORY = 1 << 30
_MAX_REPLY = 1 << 20

Answer = Callable[[dict[str, Any]], dict[str, Any]]


def limit() -> None:
    """No more than 1 GiB of memory, no files written, no core dumps; forks inherit all of it."""
    for kind, value in (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        _, hard = resource.getrlimit(kind)
        wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (wanted, wanted))


def work(request: dict[str, Any], answer: Answer, pipe: int) -> None:
    """In the fork: one answer into the pipe. Whatever the library raises, the question only stays open."""
    seconds = int(request.get("seconds", 2)) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        reply = answer(request)
    except Exception as error:
        reply = {"result": "unknown", "why": type(error).__name__}
    os.write(pipe, json.dumps(reply).encode())


def supervised(request: dict[str, Any], answer: Answer) -> dict[str, Any]:
    """The fork's reply, or that it took too long or died."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reading)
            work(request, answer, writing)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], float(request.get("seconds", 2)))
        if not ready:
            return {"result": "timeout"}
        data = b""
        while len(data) < _MAX_REPLY:
            piece = os.read(reading, 65536)
            if not piece:
                break
            data += piece
        return dict(json.loads(data)) if data else {"result": "died"}
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)


def main() -> None:
    limit()
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    from itembank.algebra.symbolic import answer, warmed_up

    warmed_up()
    out.write(b'{"ready": true}\n')
    for line in sys.stdin.buffer:
        out.write(json.dumps(supervised(json.loads(line), answer)).encode() + b"\n")


if __name__ == "__main__":
    main()
