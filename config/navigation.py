"""The links of the page head, gathered here because only the wiring knows all apps."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


def navigation(request: HttpRequest) -> dict[str, Any]:
    """``nav``: (label, address, whether it is the current section) for the signed-in person."""
    return {"nav": []}
