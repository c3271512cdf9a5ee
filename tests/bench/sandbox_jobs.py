"""Milliseconds of a job in the sandbox, and what a thousand of them leave behind.

Run: ``.venv/bin/python -m tests.bench.sandbox_jobs [JOBS]``. Exit 1 where the median reaches 20 ms or something is left.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from statistics import median, quantiles

from itembank.sandbox import Sandbox, bubblewrap

BOUND_MS = 20.0


def resident_kb(process: int) -> int:
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def measured(tool: str, jobs: int) -> bool:
    """One row of the table; whether it is within its bound and left nothing."""
    sandbox = Sandbox(tool=tool, size=1)
    sandbox.run("")
    started = sandbox._idle[0]._process
    assert started is not None
    before = (len(os.listdir("/proc/self/fd")), resident_kb(started.pid))
    times = []
    for number in range(jobs):
        begun = time.perf_counter()
        assert sandbox.run(f"print({number})").stdout == f"{number}\n"
        times.append((time.perf_counter() - begun) * 1000)
    descriptors = len(os.listdir("/proc/self/fd")) - before[0]
    grown = resident_kb(started.pid) - before[1]
    sandbox.close()
    children = len(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())
    middle = median(times)
    print(
        f"| {'bubblewrap' if tool else 'inner walls alone'} | {jobs} | {middle:.1f} | {quantiles(times, n=20)[-1]:.1f} "
        f"| {descriptors} | {children} | {grown} |"
    )
    return middle < BOUND_MS and descriptors == 0 and children == 0 and grown < 2048


def main() -> None:
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(
        "| layers | jobs | median ms | p95 ms | descriptors left | children left | zygote grown by KiB |\n|---|---|---|---|---|---|---|"
    )
    tools = ["", *([found] if (found := bubblewrap.tool()) else [])]
    rows = [measured(tool, jobs) for tool in tools]
    sys.exit(0 if all(rows) else 1)


if __name__ == "__main__":
    main()
