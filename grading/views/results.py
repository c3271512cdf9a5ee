"""Marks on the screen and as files."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from .. import access, exporting
from ..domain.roles import Right


@require_safe
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The table of marks as the export gives it."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    head, *rows = exporting.mark_rows(assessment)
    return render(
        request,
        "grading/results.html",
        {"assessment": assessment, "head": head, "rows": rows, "kinds": exporting.FORMATS},
    )


@require_safe
def download(request: HttpRequest, public_id: str, kind: str) -> HttpResponse:
    """The marks as a file."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    if kind not in exporting.FORMATS:
        raise Http404
    response = HttpResponse(exporting.export_marks(assessment, kind), content_type=exporting.FORMATS[kind])
    day = timezone.localdate().isoformat()
    response["Content-Disposition"] = f'attachment; filename="{assessment.code}-{day}.{kind}"'
    return response
