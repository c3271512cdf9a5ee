"""The list of assessments, a new one, and the page of one: what stops us from starting, and how far judging is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.foundation.errors import UnusableInput

from .. import access, queries, transitions
from ..domain.roles import Right
from ..forms import AssessmentForm
from ..models import Assessment
from .responses import sentence


@dataclass(frozen=True)
class Point:
    """One point of the checklist; ``address`` is where it is dealt with."""

    label: str | Promise
    done: bool
    detail: str
    address: str


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """All assessments in which the person has a right."""
    assessments = list(access.assessments_of(request.user))
    progress = queries.progress_of_each(assessments)
    administered = set(access.assessments_with(request.user, Right.ADMINISTER).values_list("pk", flat=True))
    rows = [(assessment, progress[assessment.pk], assessment.pk in administered) for assessment in assessments]
    return render(
        request,
        "grading/assessments.html",
        {"rows": rows, "may_create": access.may_create_assessments(request.user)},
    )


@require_http_methods(["GET", "HEAD", "POST"])
def create(request: HttpRequest) -> HttpResponse:
    """Set up a new assessment."""
    if not access.may_create_assessments(request.user):
        raise PermissionDenied
    form = AssessmentForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            assessment = transitions.create_assessment(
                code=form.cleaned_data["code"],
                title=form.cleaned_data["title"],
                judge=form.cleaned_data["judge"],
                policy=form.policy,
                by=request.user,
            )
            return redirect("grading:assessment", assessment.public_id)
        except UnusableInput as error:
            form.add_error("code", sentence(error))
    return render(request, "grading/create.html", {"form": form}, status=422 if form.errors else 200)


def checklist(assessment: Assessment) -> list[Point]:
    """What must be there before judging, in order."""
    facts = queries.readiness_of(assessment)
    public_id = assessment.public_id
    return [
        Point(
            gettext_lazy("Questions and scoring rules"),
            facts.questions > 0,
            ngettext("%d question", "%d questions", facts.questions) % facts.questions,
            reverse("grading:questions", args=[public_id]),
        ),
        Point(
            gettext_lazy("Classes and candidates"),
            facts.candidates > 0,
            ngettext("%d candidate", "%d candidates", facts.candidates) % facts.candidates,
            reverse("grading:classes", args=[public_id]),
        ),
        Point(
            gettext_lazy("People and roles"),
            facts.markers > 0,
            ngettext("%d marker", "%d markers", facts.markers) % facts.markers,
            reverse("grading:people", args=[public_id]),
        ),
        Point(
            gettext_lazy("Answers uploaded"),
            facts.pages > 0,
            ngettext("%d page", "%d pages", facts.pages) % facts.pages,
            reverse("grading:uploads", args=[public_id]),
        ),
    ]


def _context(request: HttpRequest, assessment: Assessment) -> dict[str, Any]:
    progress = queries.progress_of(assessment)
    points = checklist(assessment)
    return {
        "assessment": assessment,
        "progress": progress,
        "share": progress.judged * 100 // progress.total_responses if progress.total_responses else 0,
        "closed_share": progress.closed * 100 // progress.total_responses if progress.total_responses else 0,
        "points": points,
        "next_point": next((point for point in points if not point.done), None),
        "to_judge": max(0, queries.responses_to_judge(assessment).count() - progress.judging),
    }


@require_safe
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """One assessment: the checklist with the next open point as the main action."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    return render(request, "grading/assessment.html", _context(request, assessment))


@require_safe
def progress(request: HttpRequest, public_id: str) -> HttpResponse:
    """Only what changes while work goes on, asked for again every two seconds until it ends."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    return render(request, "grading/assessment.html#assessment-work", _context(request, assessment))


@require_POST
def judge(request: HttpRequest, public_id: str) -> HttpResponse:
    """Start the machine's work."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    added = transitions.start_judging(assessment, by=request.user)
    messages.success(
        request,
        ngettext("Judging of %d answer has started.", "Judging of %d answers has started.", added) % added
        if added
        else _("Nothing new to judge."),
    )
    return redirect("grading:assessment", public_id)
