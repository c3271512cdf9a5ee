"""Pausing and capping a marker: what is in force, the form for one marker and question, and all its versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from config.foundation.errors import UnusableInput
from config.foundation.templatetags.people import person_name
from grading import access, limits, queries, transitions
from grading.domain.roles import Right
from grading.models import LONGEST_LIMIT_REASON, Assessment, MarkerLimit, Question

from .. import queries as review_queries
from ..presentation import sentence_of
from .sent import sent_version


@dataclass(frozen=True)
class Typed:
    """The form as it stands; a cap is text, since it may be none."""

    paused: bool
    cap: str
    reason: str


def _sent(sent: QueryDict) -> Typed:
    return Typed(sent.get("paused") == "yes", sent.get("cap", "").strip()[:9], sent.get("reason", ""))


def _number(text: str) -> int | None:
    """A cap as typed: None for no cap, 0 (which no cap may be) for what is no whole number."""
    if not text:
        return None
    return int(text) if text.isascii() and text.isdigit() else 0


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """Choose a marker and a question (or all), then pause, cap or free them."""
    assessment = access.assessment_for(request.user, public_id, Right.LEAD)
    people = queries.markers_and_leaders(assessment)
    given = request.POST if request.method == "POST" else request.GET
    marker = next((each for each in people if each.get_username() == given.get("marker")), None)
    question = review_queries.question_named(assessment, given.get("question", ""))
    versions = list(limits.versions_of(assessment, marker, question)) if marker else []
    present = versions[0] if versions else None
    typed = Typed(bool(present and present.paused), str(present.cap or "") if present else "", "")
    error, wrong = "", ""
    if request.method == "POST":
        typed = _sent(request.POST)
        try:
            limit = _limit(request, assessment, marker, question, typed)
        except UnusableInput as refused:
            error, wrong = sentence_of(refused), refused.code
        else:
            messages.success(request, _said(limit))
            return redirect("review:board", public_id)
    context: dict[str, Any] = {
        "assessment": assessment,
        "people": people,
        "questions": list(assessment.questions.all()),
        "marker": marker,
        "question": question,
        "present": present,
        "versions": versions,
        "in_force": limits.in_force(assessment),
        "typed": typed,
        "error": error,
        "wrong": wrong,
        "longest": LONGEST_LIMIT_REASON,
    }
    return render(request, "review/limits.html", context, status=422 if error else 200)


def _limit(
    request: HttpRequest, assessment: Assessment, marker: Any, question: Question | None, typed: Typed
) -> MarkerLimit:
    if request.POST.get("question") and question is None:
        # Never the whole assessment because one question's name was lost on the way.
        raise UnusableInput("limit.question", "这道题不属于本场考试。", "This question is not of this assessment.")
    return transitions.limit_marker(
        assessment, person=marker, question=question, paused=typed.paused, cap=_number(typed.cap), reason=typed.reason,
        version=sent_version(request), by=request.user,
    )  # fmt: skip


def _said(limit: MarkerLimit) -> str:
    name = person_name(limit.person)
    if limit.paused:
        return _("%(name)s is paused. What they have in hand they may finish.") % {"name": name}
    if limit.cap is not None:
        return _("%(name)s marks at most %(cap)s answers.") % {"name": name, "cap": limit.cap}
    return _("%(name)s marks without a limit again.") % {"name": name}
