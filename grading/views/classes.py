"""Classes and candidates of an assessment, and the import of class lists."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from config.foundation.errors import UnusableInput

from .. import access, queries, transitions
from ..domain import roster
from ..domain.roles import Right
from ..forms import RosterForm
from .responses import sent, sentence

MOST_FAULTS_SHOWN = 40


@require_http_methods(["GET", "HEAD", "POST"])
def listing(request: HttpRequest, public_id: str) -> HttpResponse:
    """Who sits the assessment; a list adds classes, and each unusable row is named."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    form = RosterForm(*sent(request))
    faults: list[str] = []
    file_name = ""
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["roster"]
        file_name = file.name
        try:
            rows, row_faults = roster.read_roster(file.name, file.read(roster.MAX_BYTES + 1))
            outcome = transitions.import_roster(rows, by=request.user, assessment=assessment)
        except UnusableInput as error:
            form.add_error("roster", f"{file_name}: {sentence(error)}")
        else:
            english = (get_language() or "").startswith("en")
            faults = [fault.en if english else fault.zh for fault in row_faults]
            messages.success(
                request,
                _("%(created)d candidates added, %(moved)d changed, %(unchanged)d as before.")
                % {"created": outcome.created, "moved": outcome.moved, "unchanged": outcome.unchanged},
            )
            if not faults:
                return redirect("grading:classes", public_id)
    context = {
        "assessment": assessment,
        "classes": queries.classes_of(assessment),
        "form": form,
        "faults": faults[:MOST_FAULTS_SHOWN],
        "more_faults": max(0, len(faults) - MOST_FAULTS_SHOWN),
        "file_name": file_name,
    }
    return render(request, "grading/classes.html", context, status=422 if form.errors or faults else 200)
