"""The meaning of scoring rules: sums, ids, dependencies, shared steps and names, as far as no algebra is needed."""

from __future__ import annotations

from collections.abc import Iterator

from .faults import Fault
from .rule_model import Rules


def semantic_faults(rules: Rules) -> list[Fault]:
    """Every fault of meaning, in the order of the document."""
    return list(_all(rules))


def _all(rules: Rules) -> Iterator[Fault]:
    yield from ()
