"""Fault injection: accepted answers spoilt on purpose, kind by kind, each with the rule that must stop it."""

from __future__ import annotations

from .base import Base, Mutant
from .carrying import CARRIED
from .credit import PROVED
from .demands import DEMANDED, SPELT
from .denials import DENIED
from .documents import COVER, FORM
from .doubts import DOUBTED
from .harmless import HARMLESS
from .jumps import JUMPED
from .pages import INKED, QUOTED, READ
from .run import Injected, Injection, Kind
from .running import FORGED, RUN
from .scores import SCORED

KINDS: tuple[Kind, ...] = (
    *FORM,
    *COVER,
    *SCORED,
    *QUOTED,
    *INKED,
    *READ,
    *DOUBTED,
    *PROVED,
    *DEMANDED,
    *JUMPED,
    *CARRIED,
    *DENIED,
    *RUN,
    *FORGED,
    *HARMLESS,
    *SPELT,
)

__all__ = ["KINDS", "Base", "Injected", "Injection", "Kind", "Mutant"]
