"""Everything a job may want to import, imported before there is a job: afterwards no file can be opened any more.

SymPy imports many of its parts late, inside functions, so they are all brought in; what draws, tests or parses with
other packages is left out. Nothing but the standard library, SymPy and mpmath can be imported at all, whatever else
stands in the same folder.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

STANDARD = (
    "abc", "array", "bisect", "calendar", "cmath", "collections", "collections.abc", "colorsys", "contextlib", "copy",
    "ctypes", "dataclasses", "datetime", "decimal", "enum", "fractions", "functools", "graphlib", "heapq", "io",
    "itertools", "json", "locale", "math", "numbers", "operator", "os", "platform", "pprint", "queue", "random", "re",
    "resource", "select", "signal", "socket", "statistics", "string", "struct", "subprocess", "sys", "textwrap",
    "threading", "time", "timeit", "traceback", "types", "typing", "unicodedata", "warnings", "weakref", "zlib",
)  # fmt: skip
"""What model-written code imports, and, since a missing module is no wall, what an attack would use."""

_PARTS = (
    "algebras", "assumptions", "calculus", "codegen", "combinatorics", "concrete", "core", "discrete", "functions",
    "geometry", "integrals", "logic", "matrices", "ntheory", "parsing", "polys", "printing", "sets", "series", "simplify",
    "solvers", "stats", "strategies", "tensor", "unify", "utilities", "vector",
)  # fmt: skip
_LEFT_OUT = frozenset(
    {
        "sympy.core.compatibility", "sympy.core.trace", "sympy.parsing.autolev", "sympy.parsing.c",
        "sympy.parsing.fortran", "sympy.parsing.latex", "sympy.utilities.pytest", "sympy.utilities.randtest",
        "sympy.utilities.runtests", "sympy.utilities.tmpfiles", "sympy.utilities.benchmarking",
        "sympy.printing.preview", "sympy.stats.sampling",
    }
)  # fmt: skip
_PACKAGES = frozenset({"sympy", "mpmath", "itembank"}) | sys.stdlib_module_names


class _OnlyKnownPackages:
    """Stands first among the finders, so that SymPy takes no other package for company."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name.partition(".")[0] not in _PACKAGES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def _modules_of(package: ModuleType) -> list[str]:
    found = []
    for each in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        last = each.name.rpartition(".")[2]
        if each.name in _LEFT_OUT or last in {"tests", "benchmarks", "conftest"} or last.startswith("bench"):
            continue
        found.append(each.name)
    return found


def _bring_in(name: str) -> None:
    module = importlib.import_module(name)
    if hasattr(module, "__path__"):
        for inner in _modules_of(module):
            _bring_in(inner)


def preload() -> ModuleType:
    """SymPy, with all of it and of the standard library that a job may use; then nothing can be imported from files."""
    sys.meta_path.insert(0, _OnlyKnownPackages)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in STANDARD:
            importlib.import_module(name)
        for part in _PARTS:
            _bring_in(f"sympy.{part}")
    sympy = importlib.import_module("sympy")
    _first_use(sympy)
    sys.path.clear()
    sys.path_importer_cache.clear()
    gc.collect()
    gc.freeze()
    return sympy


def _first_use(sympy: ModuleType) -> None:
    """What SymPy builds on first use and each job would build again: the tables of its assumptions and its printers."""
    x = sympy.Symbol("x")
    sympy.solve(x**2 - 5 * x + 6, x)
    sympy.simplify(sympy.sin(x) ** 2 + sympy.cos(x) ** 2)
    sympy.latex(sympy.integrate(x * sympy.exp(x), x))
    sympy.solveset(x**2 < 4, x, sympy.S.Reals)
    sympy.limit(sympy.sin(x) / x, x, 0)
