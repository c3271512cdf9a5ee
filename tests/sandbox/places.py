"""Where the corpus runs: as root and as an ordinary user, with bubblewrap and without namespaces of users."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from itembank.sandbox import bubblewrap

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
NO_NAMESPACES = ["unshare", "--user", "--map-current-user", "sh", "-c"]


def hidden(path: Path) -> Path | None:
    """The first folder on the way to the path that an ordinary user may not enter."""
    return next((each for each in reversed(path.parents) if not each.stat().st_mode & 0o001), None)


def as_nobody() -> list[str]:
    """A prefix that makes the process an ordinary user. An interpreter in root's own folder is shown at its place, for
    that process alone."""
    wanted = [Path(sys.base_prefix).resolve(), Path(sys.prefix).resolve(), ROOT]
    behind: dict[Path, list[Path]] = {}
    for path in wanted:
        folder = hidden(path)
        if folder is not None:
            behind.setdefault(folder, []).append(path)
    lines = []
    for number, (folder, paths) in enumerate(behind.items()):
        stage = f"/mnt/stage{number}"
        lines += [f"mkdir -p {stage}", f"mount -t tmpfs stage {stage}"]
        for position, path in enumerate(paths):
            lines += [f"mkdir {stage}/{position}", f"mount --bind {shlex.quote(str(path))} {stage}/{position}"]
        lines += [f"mount -t tmpfs -o mode=755 shown {folder}"]
        for position, path in enumerate(paths):
            quoted = shlex.quote(str(path))
            lines += [f"mkdir -p {quoted}", f"mount --bind {stage}/{position} {quoted}"]
        lines += [f"umount -R -l {stage}"]
    script = "; ".join(["set -e", *lines, 'exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$@"'])
    return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, "sh"]


@dataclass(frozen=True)
class Place:
    """One way to run: a prefix of the command, the bubblewrap to use, and how the sandbox must describe itself."""

    name: str
    prefix: list[str] = field(default_factory=list)
    tool: str | None = ""
    layers: frozenset[str] = frozenset()
    secret: str = ""

    def run(self, jobs: list[tuple[str, dict[str, Any]]], **more: Any) -> dict[str, Any]:
        """All jobs, one after the other, in one sandbox."""
        asked = {"tool": self.tool, "jobs": jobs, **more}
        command = [*self.prefix, sys.executable, "-B", "-m", "tests.sandbox.runner"]
        environment = {"PATH": os.environ["PATH"], "WENSHU_SECRET_KEY": self.secret}
        done = subprocess.run(
            command, input=json.dumps(asked), capture_output=True, text=True, cwd=ROOT, env=environment, timeout=280
        )
        assert done.returncode == 0, done.stderr[-2000:]
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def places() -> list[Place]:
    """Those that this machine and this user allow. As root, all four."""
    inner = frozenset({"seccomp", "rlimits"})
    tool = bubblewrap.tool()
    users: list[tuple[str, list[str]]] = [("an ordinary user", [])]
    if os.geteuid() == 0:
        users = [("root", []), ("an ordinary user", as_nobody())]
    found = []
    for user, prefix in users:
        found.append(Place(f"{user}, inner walls alone", prefix, "", inner))
        if tool:
            found.append(Place(f"{user}, inside bubblewrap", prefix, tool, inner | {"bubblewrap"}))
    return found
