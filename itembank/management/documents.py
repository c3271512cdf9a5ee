"""Reading documents named on the command line, and refusing them with one sentence and exit code 2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

from config.foundation.errors import UnusableInput, WenshuError


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`. A file that cannot be opened ends the command with 2."""
    if name == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(name).read_bytes()
    except OSError as error:
        reason = error.strerror or "?"
        refuse(UnusableInput("file", f"无法读取 {name}：{reason}。", f"{name} cannot be read: {reason}."))


def refuse(error: WenshuError) -> NoReturn:
    """Say why in both languages on standard error and end with exit code 2."""
    sys.stderr.write(f"{error.en} {error.zh}\n")
    sys.exit(2)
