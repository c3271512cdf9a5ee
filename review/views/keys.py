"""A person's own keys for the marking desk."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.foundation.errors import UnusableInput

from .. import presentation, queries
from .. import transitions as review_transitions
from ..domain.keys import DEFAULTS
from ..words import ACTIONS


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def keys(request: HttpRequest) -> HttpResponse:
    """The key of each action; every one can be changed, emptied, or all switched off together."""
    person: Any = request.user
    single, chosen = queries.keys_of(person)
    error, wrong, status = "", "", 200
    if request.method == "POST":
        chosen = dict(DEFAULTS) if "reset" in request.POST else {a: request.POST.get(a, "")[:20] for a in DEFAULTS}
        single = "reset" in request.POST or request.POST.get("single") == "on"
        try:
            review_transitions.set_keys(person, single_keys=single, keys=chosen)
        except UnusableInput as refused:
            error, wrong, status = presentation.sentence_of(refused), str(refused.params.get("action", "")), 422
        else:
            messages.success(request, _("Your keys are saved."))
            return redirect("review:keys")
    rows = [(action, words, chosen[action], DEFAULTS[action]) for action, words in ACTIONS.items()]
    context = {"rows": rows, "single": single, "error": error, "wrong": wrong}
    return render(request, "review/keys.html", context, status=status)
