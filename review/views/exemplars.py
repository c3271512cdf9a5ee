"""Exemplars (样卷): a marking leader names a decided answer one, and withdraws it, from the answer's own page."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.foundation.errors import UnusableInput
from grading import access
from grading.domain.roles import Right

from .. import transitions
from ..access import exemplar_for
from ..presentation import sentence_of
from .desk import desk_page, opening_form


@require_POST
def name(request: HttpRequest, public_id: str) -> HttpResponse:
    """Publish the answer with the mark that stood on the page."""
    case = access.case_for(request.user, public_id, Right.LEAD)
    edition = request.POST.get("edition", "")
    note = request.POST.get("note", "")
    try:
        transitions.name_exemplar(
            case, by=request.user, edition=int(edition) if edition.isdecimal() and len(edition) < 6 else 0, note=note
        )
    except UnusableInput as error:
        form = opening_form(request, case)
        return desk_page(request, case, form, status=422, exemplar_trouble=sentence_of(error), exemplar_note=note[:300])
    messages.success(
        request, _("Answer %(code)s is shown to the markers as an exemplar.") % {"code": case.response.code}
    )
    return redirect("review:case", public_id)


@require_POST
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the answer as an exemplar no longer; what was said stays on record."""
    exemplar = transitions.withdraw_exemplar(exemplar_for(request.user, public_id), by=request.user)
    case = exemplar.case
    messages.success(request, _("Answer %(code)s is no longer an exemplar.") % {"code": case.response.code})
    return redirect("review:case", case.public_id)
