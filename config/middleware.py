"""What every request carries: a correlation id, and refusals turned into pages in the reader's language."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.foundation.correlation import correlation_id, new_correlation_id
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput, WenshuError

__all__ = [
    "BodySizeMiddleware",
    "CorrelationFilter",
    "CorrelationMiddleware",
    "PossibleTextMiddleware",
    "RefusalMiddleware",
]

# Control characters but for the tab and line breaks, and halves of characters.
_IMPOSSIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_GIVEN = re.compile(r"[0-9a-zA-Z-]{8,64}")
# What a sign-in form may hold, generously.
STRANGERS_BYTES = 64 * 1024
Handler = Callable[[HttpRequest], HttpResponse]


class CorrelationMiddleware:
    """Gives each request an id that its jobs, events and log lines carry, from upload to mark."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        token = correlation_id.set(given if _GIVEN.fullmatch(given) else new_correlation_id())
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = correlation_id.get()
            return response
        finally:
            correlation_id.reset(token)


class CorrelationFilter(logging.Filter):
    """Adds the correlation id to every log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.correlation = correlation_id.get() or "-"
        return True


class PossibleTextMiddleware:
    """Refuses an address with text that no row can hold: 404 for the path, 400 for the query.

    PostgreSQL refuses a NUL and half characters even in a question, where SQLite looks and finds nothing.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _IMPOSSIBLE.search(request.path_info):
            raise Http404
        if any(_IMPOSSIBLE.search(text) for name, values in request.GET.lists() for text in (name, *values)):
            raise BadRequest("impossible text in the query")
        return self.get_response(request)


class BodySizeMiddleware:
    """Refuses a request whose body is announced as too large, before a byte of it is read or stored.

    Reading a form writes its files to the disk, and the check of the form's token reads it: without this bound anybody
    could fill the disk through the sign-in page. Strangers may send little, people who are signed in a whole delivery.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        announced = request.META.get("CONTENT_LENGTH") or "0"
        size = int(announced) if announced.isascii() and announced.isdigit() else 0
        if size > STRANGERS_BYTES and size > self._most(request):
            context = {
                "sentence": _("The request is too large. Send fewer files at once."),
                "code": "request.too_large",
                "status": 413,
            }
            return render(request, "refusal.html", context, status=413)
        return self.get_response(request)

    @staticmethod
    def _most(request: HttpRequest) -> int:
        most: int = settings.UPLOAD_MAX_TOTAL_BYTES if request.user.is_authenticated else STRANGERS_BYTES
        return most


class RefusalMiddleware:
    """One meaning for each status: 422 unusable input, 409 someone was faster or the verb does not apply now."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, SomeoneWasFaster | NotAllowedNow):
            status = 409
        elif isinstance(error, UnusableInput):
            status = 422
        elif isinstance(error, WenshuError):
            status = 400
        else:
            return None
        context = {"sentence": error.message(get_language()), "code": error.code, "status": status}
        return render(request, "refusal.html", context, status=status)
