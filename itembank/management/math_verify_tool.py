"""math-verify as the other side of a measurement. It is a development package, so it is looked for when asked for."""

from __future__ import annotations

import logging
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

from config.foundation.errors import UnusableInput

from .algebra_measurement import Answer, Pair

SECONDS = 5
"""Its own default for each reading and each comparison; it counts in whole seconds."""


class MathVerify:
    """Asked as its own documentation shows: LaTeX between dollar signs, gold first, in the main thread, alarms on.

    It answers yes or no and turns a time-out into no; with errors raised instead, those end apart here. It knows one relation.
    """

    def __init__(self) -> None:
        if find_spec("math_verify") is None:
            raise UnusableInput(
                "math-verify-missing",
                "没有安装 math-verify，它属于开发依赖：请用 bin/manage bench_algebra（会自动安装），或运行 uv sync。",
                "math-verify is not installed; it belongs to the development packages: "
                "use bin/manage bench_algebra, which installs it, or run uv sync.",
            )
        logging.getLogger("math_verify").setLevel(logging.CRITICAL)
        logging.getLogger("latex2sympy2_extended").setLevel(logging.CRITICAL)
        self.name = f"math-verify {metadata.version('math-verify')}"
        self._parser: Any = import_module("math_verify.parser")
        self._grader: Any = import_module("math_verify.grader")
        self._late: type[BaseException] = import_module("math_verify.errors").TimeoutException
        self._sympy_cache: Any = import_module("sympy.core.cache")

    def ask(self, pair: Pair) -> Answer:
        try:
            gold, student = (self._read(text) for text in (pair.gold, pair.student))
            if not gold or not student:
                return Answer(None, "unreadable")
            return Answer(bool(self._grader.verify(gold, student, timeout_seconds=SECONDS, raise_on_error=True)))
        except self._late:
            return Answer(None, "timeout")
        except Exception:
            return Answer(None, "open")

    def _read(self, text: str) -> Any:
        return self._parser.parse(f"${text}$", parsing_timeout=SECONDS, raise_on_error=True)

    def forget(self) -> None:
        """Its few remembered texts, and what SymPy remembers of the very same expressions."""
        for name in ("parse_latex_cached", "parse_expr_cached"):
            getattr(self._parser, name).cache_clear()
        self._sympy_cache.clear_cache()
