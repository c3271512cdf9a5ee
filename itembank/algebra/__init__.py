"""Exact comparison of school mathematics. Plain Python: nothing here knows Django."""

from itembank.algebra.engine import Algebra, clear_cache
from itembank.algebra.results import ENGINE_VERSION, Comparison, Declares, Options, Result, Unreadable
from itembank.algebra.symbolic_rung import begin_warming, warm

__all__ = [
    "ENGINE_VERSION",
    "Algebra",
    "Comparison",
    "Declares",
    "Options",
    "Result",
    "Unreadable",
    "begin_warming",
    "clear_cache",
    "warm",
]
