"""The id that ties an upload to its jobs, events, model calls and mark."""

from __future__ import annotations

import secrets
from contextvars import ContextVar

correlation_id: ContextVar[str] = ContextVar("correlation_id", default="")


def new_correlation_id() -> str:
    """Sixteen random hexadecimal digits."""
    return secrets.token_hex(8)
