"""The child's side: limits itself, then answers JSON lines until its input ends. Run as a module, never imported."""

from __future__ import annotations

import json
import os
import resource
import sys
from typing import Any

_MEMORY = 1 << 30
_CPU_SECONDS = 1200


def limit() -> None:
    """No more than 1 GiB of memory, no files written, no core dumps, no further processes' worth of time."""
    for kind, value in (
        (resource.RLIMIT_AS, _MEMORY),
        (resource.RLIMIT_CPU, _CPU_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        _, hard = resource.getrlimit(kind)
        wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (wanted, wanted))


def main() -> None:
    limit()
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    from itembank.algebra.symbolic import answer

    out.write(b'{"ready": true}\n')
    for line in sys.stdin.buffer:
        request: dict[str, Any] = json.loads(line)
        try:
            reply = answer(request)
        except MemoryError:
            os._exit(3)
        except Exception as error:  # noqa: BLE001 - whatever the library raises, the question stays open
            reply = {"result": "unknown", "why": type(error).__name__}
        out.write(json.dumps(reply).encode() + b"\n")


if __name__ == "__main__":
    main()
