"""Answering with a whole page or, for htmx, with the part that changed."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from config.foundation.errors import WenshuError


def page_or_partial(
    request: HttpRequest, template: str, partial: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """``template`` for a browser, ``template#partial`` for htmx."""
    name = f"{template}#{partial}" if getattr(request, "htmx", False) else template
    return render(request, name, context, status=status)


def sent(request: HttpRequest) -> tuple[Any, Any]:
    """Fields and files of a form that was sent, also of an empty one; a pair of None when the page is only looked at."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def sentence(error: WenshuError) -> str:
    """The error in the reader's language."""
    return error.message(get_language())
