"""What a visitor gets who is not, or no longer, signed in."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _


class SignInMiddleware(LoginRequiredMiddleware):
    """Asks visitors to sign in, and leads them back to a page rather than to the middle of a form that was sent.

    A page's script gets 401: a sign-in page in the place of a part or of a document would look like an answer.
    """

    def handle_no_permission(self, request: HttpRequest, view_func: Any) -> HttpResponse:  # type: ignore[override]
        if request.headers.get("HX-Request") or request.headers.get("X-Requested-With") == "fetch":
            return HttpResponse(_("You have been signed out. Sign in again."), status=401, content_type="text/plain")
        if request.method in {"GET", "HEAD"}:
            answer: HttpResponse = super().handle_no_permission(request, view_func)
            return answer
        came_from = urlsplit(request.headers.get("Referer", ""))
        same_site = came_from.netloc == request.get_host()
        back = came_from._replace(scheme="", netloc="", fragment="").geturl() if same_site else "/"
        return redirect_to_login(back, self.get_login_url(view_func))
