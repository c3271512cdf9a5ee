"""Runs jobs in a process of its own, as whoever it is started: JSON on standard input, JSON on standard output.

In: `{"tool": path of bubblewrap, "" for none, null to look for it, "service"?, "jobs": [[code, limits]]}`.
Out: `{"layers", "answers", "left"}`, where `left` counts what stands afterwards: descriptors, children, threads.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path

from itembank.sandbox import Limits, Sandbox, SandboxUnavailable


def main() -> None:
    asked = json.load(sys.stdin)
    before = len(os.listdir("/proc/self/fd"))
    sandbox = Sandbox(asked.get("service") or "", size=1, tool=asked["tool"])
    try:
        layers = sandbox.layers()
    except SandboxUnavailable as reason:
        layers = [f"unavailable: {reason}"]
    answers = [sandbox.run(code, Limits(**limits)).document() for code, limits in asked["jobs"]]
    sandbox.close()
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    left = {
        "descriptors": len(os.listdir("/proc/self/fd")) - before,
        "children": len(children),
        "threads": threading.active_count() - 1,
    }
    json.dump({"layers": layers, "answers": answers, "left": left}, sys.stdout)


if __name__ == "__main__":
    main()
