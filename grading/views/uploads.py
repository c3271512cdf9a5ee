"""Deliveries of answer images: sending files, and what became of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile as SentFile
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods, require_safe

from .. import access, queries, transitions
from ..domain.roles import Right
from ..forms import UploadForm
from ..models import Assessment, FileOutcome
from .responses import page_or_partial

PER_PAGE = 100


def _contents(files: Sequence[SentFile[Any]]) -> Iterator[tuple[str, bytes]]:
    """One file in memory at a time, and of a too large one only enough to see that it is."""
    for file in files:
        yield file.name or "?", file.read(settings.UPLOAD_MAX_BYTES + 1)
        file.close()


@csrf_exempt  # a form with too many files cannot be read for its token; the inner view, which stores, is protected
@require_http_methods(["GET", "HEAD", "POST"])
def listing(request: HttpRequest, public_id: str) -> HttpResponse:
    """All deliveries, and a form for the next."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    try:
        request.FILES  # noqa: B018  (reads the form)
    except TooManyFilesSent:
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        error = _("More than %(most)d files came at once and none was taken. Send them in several uploads.")
        return _page(request, assessment, error % {"most": most})
    return _receive(request, assessment)


@csrf_protect
def _receive(request: HttpRequest, assessment: Assessment) -> HttpResponse:
    if request.method != "POST":
        return _page(request, assessment)
    files = request.FILES.getlist("images")
    if not files:
        return _page(request, assessment, _("No file was chosen. Choose images first, then upload."))
    upload = transitions.receive_upload(assessment, _contents(files), by=request.user)
    return redirect("grading:delivery", upload.public_id)


def _page(request: HttpRequest, assessment: Assessment, error: str = "") -> HttpResponse:
    form = UploadForm()
    context = {
        "assessment": assessment,
        "form": form,
        "error": error,
        "page": Paginator(queries.uploads_of(assessment), PER_PAGE).get_page(request.GET.get("page")),
        "progress": queries.progress_of(assessment),
        "most_files": settings.DATA_UPLOAD_MAX_NUMBER_FILES,
        "most_bytes": settings.UPLOAD_MAX_BYTES,
        "most_megabytes": settings.UPLOAD_MAX_BYTES // 2**20,
    }
    return render(request, "grading/uploads.html", context, status=422 if error else 200)


@require_safe
def delivery(request: HttpRequest, public_id: str) -> HttpResponse:
    """One delivery: each file with what became of it, refused ones first; updates itself while files wait."""
    upload = access.upload_for(request.user, public_id, Right.ADMINISTER)
    counts = queries.outcomes_of(upload)
    page = Paginator(queries.files_of(upload), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "upload": upload,
        "assessment": upload.assessment,
        "total": sum(counts.values()),
        "share": (sum(counts.values()) - counts[FileOutcome.WAITING]) * 100 // max(1, sum(counts.values())),
        "waiting": counts[FileOutcome.WAITING],
        "stored": counts[FileOutcome.STORED],
        "duplicates": counts[FileOutcome.DUPLICATE],
        "refused": counts[FileOutcome.REFUSED],
        "page": page,
    }
    return page_or_partial(request, "grading/delivery.html", "delivery-files", context)
