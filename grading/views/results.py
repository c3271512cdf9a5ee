"""Marks on the screen and as files."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from .. import access, exporting, queries
from ..domain.roles import Right


@require_safe
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The table of marks as the export gives it."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    head, *rows = exporting.mark_rows(assessment, get_language())
    context = {
        "assessment": assessment,
        "heads": {"person": head[:4], "questions": head[4:-2], "total": head[-2], "state": head[-1]},
        "rows": [
            {"person": row[:4], "marks": row[4:-2], "total": row[-2], "state": row[-1], "handed_in": row[3] != ""}
            for row in rows
        ],
        "progress": queries.progress_of(assessment),
        "kinds": exporting.FORMATS,
    }
    return render(request, "grading/results.html", context)


@require_safe
@never_cache
def download(request: HttpRequest, public_id: str, kind: str) -> HttpResponse:
    """The marks as a file, with heads in the language of the page."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    if kind not in exporting.FORMATS:
        raise Http404
    response = HttpResponse(
        exporting.export_marks(assessment, kind, get_language()), content_type=exporting.FORMATS[kind]
    )
    day = timezone.localdate().isoformat()
    response["Content-Disposition"] = f'attachment; filename="{assessment.code}-{day}.{kind}"'
    return response
