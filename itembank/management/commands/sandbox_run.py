"""Runs one piece of Python with SymPy where it can reach nothing, and tells how it ended."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from config.foundation.errors import UnusableInput
from itembank.sandbox import MOST_CODE, Sandbox, SandboxUnavailable

from ..documents import read_bytes, refuse


class Command(BaseCommand):
    """Exit 0 whatever the code does, also where there is no sandbox and so nothing has run; 2 for code that cannot be used."""

    help = "Run Python with SymPy in the sandbox: one JSON line says how it ended; --layers says what stands around it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="CODE.py, or - for standard input", nargs="?", default="-")
        parser.add_argument("--layers", action="store_true", help="run nothing; list the walls, outermost first")

    def handle(self, *args: Any, **options: Any) -> None:
        sandbox = Sandbox(settings.SANDBOX_SOCKET, size=1)
        try:
            if options["layers"]:
                self.stdout.write(json.dumps(_layers(sandbox)))
            else:
                ran = sandbox.run(_usable(read_bytes(options["code"])))
                self.stdout.write(json.dumps(ran.document(), ensure_ascii=False))
        except UnusableInput as error:
            refuse(error)
        finally:
            sandbox.close()


def _layers(sandbox: Sandbox) -> dict[str, Any]:
    try:
        return {"available": True, "layers": sandbox.layers()}
    except SandboxUnavailable as reason:
        return {"available": False, "why": str(reason)}


def _usable(code: bytes) -> bytes:
    """The code as it is; raises UnusableInput where it is too long or no text."""
    if len(code) > MOST_CODE:
        raise UnusableInput(
            "code-too-long",
            f"代码有 {len(code)} 字节，最多 {MOST_CODE} 字节；请缩短后重试。",
            f"The code has {len(code)} bytes; {MOST_CODE} are the most. Shorten it.",
        )
    try:
        code.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnusableInput(
            "code-not-text",
            f"代码不是 UTF-8 文本（第 {error.start + 1} 个字节起）；请另存为 UTF-8。",
            f"The code is not UTF-8 text (from byte {error.start + 1} on). Save it as UTF-8.",
        ) from error
    return code
