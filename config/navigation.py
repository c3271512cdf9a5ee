"""The links of the page head, gathered here because only the wiring knows all apps."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from grading.access import assessments_with, may_create_assessments
from grading.domain.roles import Right


def navigation(request: HttpRequest) -> dict[str, Any]:
    """``nav``: (label, address, whether it is the current section) for the signed-in person; asked for only where shown."""
    return {"nav": lambda: _links(request)}


def _links(request: HttpRequest) -> list[tuple[str, str, bool]]:
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return []
    links = [(_("My work"), reverse("home"), request.path == "/")]
    if may_create_assessments(user) or assessments_with(user, Right.ADMINISTER).exists():
        try:
            address = reverse("grading:assessments")
        except NoReverseMatch:
            return links
        links.append((_("Assessments"), address, request.path.startswith(address)))
    return links
