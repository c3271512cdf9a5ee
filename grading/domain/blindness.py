"""Blind first: which answers are marked before the machine's verdict is shown, drawn so that no marker can foresee it."""

from __future__ import annotations

import hashlib
import hmac

_SCALE = 2**64


def drawn_blind(seed: str, case: str, life_cycle: int, *, per_cent: int) -> bool:
    """Whether a case is among the ``per_cent`` of a question that are marked blind first.

    The same seed, case and life cycle give the same answer on any machine. The seed is secret: a keyed hash tells
    nobody who knows the case whether it is drawn. A larger share keeps every case that a smaller one drew.
    """
    digest = hmac.digest(seed.encode(), f"{case}\n{life_cycle}".encode(), hashlib.sha256)
    return int.from_bytes(digest[:8]) * 100 < per_cent * _SCALE
