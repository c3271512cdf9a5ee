"""The outer wall: bubblewrap, in namespaces of its own, where the tool is installed and the machine allows them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

_NOBODY = "65534"
_SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")


def tool() -> str | None:
    """Where bubblewrap is, if it is installed."""
    return shutil.which("bwrap", path="/usr/bin:/bin:/usr/local/bin")


def around(tool: str, command: list[str], *, readable: Iterable[Path], keeps: Iterable[str]) -> list[str]:
    """The command inside an empty system with only `readable` in it; `keeps` are the variables of its environment."""
    return [
        tool,
        "--unshare-all",
        "--unshare-user",
        "--disable-userns",
        "--die-with-parent",
        "--new-session",
        "--cap-drop",
        "ALL",
        "--uid",
        _NOBODY,
        "--gid",
        _NOBODY,
        "--hostname",
        "sandbox",
        "--clearenv",
        *(word for each in keeps for word in ("--setenv", *each.split("=", 1))),
        *_libraries(),
        *(word for path in readable for word in ("--ro-bind", str(path), str(path))),
        "--proc",
        "/proc",
        "--size",
        "8388608",
        "--tmpfs",
        "/tmp",  # noqa: S108 - inside the namespace
        "--chdir",
        "/tmp",  # noqa: S108
        "--remount-ro",
        "/",
        *command,
    ]


def _libraries() -> Iterable[str]:
    """The shared libraries of the system, at the places where the loader looks; often some are links to others."""
    for name in _SYSTEM_LIBRARIES:
        path = Path(name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), name)
        elif path.is_dir():
            yield from ("--ro-bind", name, name)
