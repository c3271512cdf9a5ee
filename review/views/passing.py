"""转交: the page on which an answer in hand is passed on with a note."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.foundation.errors import UnusableInput
from config.foundation.templatetags.people import person_name
from grading import access, queries, transitions
from grading.domain.roles import Right
from grading.models import LONGEST_PASS_NOTE

from ..presentation import sentence_of
from .desk import claim_state, filters_here
from .queue import to_next
from .sent import sent_version


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def pass_on(request: HttpRequest, public_id: str) -> HttpResponse:
    """Choose a person, write a note; the answer leaves one's hand and the next one opens. Shows nothing of the verdict."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    assessment = case.response.question.assessment
    filters = filters_here(request, case)
    receivers = [each for each in queries.markers_and_leaders(assessment) if each.pk != request.user.pk]
    error, typed = "", request.POST.get("note", "")
    if request.method == "POST":
        to = next((each for each in receivers if each.get_username() == request.POST.get("to")), None)
        try:
            transitions.pass_on(case, by=request.user, version=sent_version(request), to=to, note=typed)
        except UnusableInput as refused:
            error = sentence_of(refused)
        else:
            messages.success(
                request,
                _("Answer %(code)s is passed on to %(name)s.") % {"code": case.response.code, "name": person_name(to)},
            )
            return to_next(request, assessment, filters, after=case)
    elif claim_state(case, request.user) != "mine":
        return redirect("review:case", public_id)
    leaders = {each.pk for each in queries.holders_of(assessment, "marking_leader")}
    context: dict[str, Any] = {
        "case": case,
        "assessment": assessment,
        "filters": filters,
        "receivers": [(each, each.pk in leaders) for each in receivers],
        "chosen": request.POST.get("to", ""),
        "typed": typed,
        "error": error,
        "longest": LONGEST_PASS_NOTE,
    }
    return render(request, "review/pass_on.html", context, status=422 if error else 200)
