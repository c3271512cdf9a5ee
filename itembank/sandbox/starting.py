"""The command that starts a zygote: the bare interpreter with SymPy, an environment of its own, and no hooks of ours."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

from . import bubblewrap

_ROOT = Path(__file__).resolve().parents[2]
_BOOT = "import sys; sys.path[:0] = sys.argv[1:3]; from itembank.sandbox.inside.zygote import main; main(sys.argv[3:])"
ENVIRONMENT = {"PYTHONHASHSEED": "0", "SYMPY_GROUND_TYPES": "python"}
"""All of it. The same code gives the same answer each time, in the same order."""


def interpreter() -> str:
    """The real one, outside any virtual environment: it runs none of that environment's start-up hooks."""
    return os.path.realpath(sys.executable)


def packages() -> Path:
    """The folder with SymPy and mpmath, found without importing them."""
    found = importlib.util.find_spec("sympy")
    if found is None or found.origin is None:
        raise OSError("SymPy is not installed")
    return Path(found.origin).parents[1]


def command(*verb: str) -> list[str]:
    """`serve N` or `listen PATH`: see `inside.zygote.main`."""
    return [interpreter(), "-s", "-P", "-B", "-S", "-X", "utf8", "-c", _BOOT, str(packages()), str(_ROOT), *verb]


def wrapped(tool: str, inner: list[str]) -> list[str]:
    """The command in bubblewrap, which shows it Python, SymPy and this package and nothing else of the product."""
    folder = packages()
    readable = [Path(sys.base_prefix).resolve(), folder / "sympy", folder / "mpmath"]
    readable += [_ROOT / "itembank" / "__init__.py", _ROOT / "itembank" / "sandbox"]
    return bubblewrap.around(
        tool, inner, readable=readable, keeps=[f"{name}={value}" for name, value in ENVIRONMENT.items()]
    )


def start(tool: str | None) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """The process and our end of its socket; raises OSError. Its first message is still to come."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        inner = command("serve", str(theirs.fileno()))
        process = subprocess.Popen(  # noqa: S603 - fixed command
            wrapped(tool, inner) if tool else inner,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=ENVIRONMENT,
            cwd="/",
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
    return process, ours


def end(process: subprocess.Popen[bytes]) -> None:
    """The process and whatever it has started; safe to repeat."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            process.kill()
        process.wait()
