"""The marking leader's board: how the marking goes, who or what needs the leader, every mark looked up, one returned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from config.foundation.errors import UnusableInput
from grading import access, rounds, transitions
from grading.domain.roles import Right
from grading.models import GivenMark

from .. import board as leading
from .. import queries as review_queries
from ..charts import Distribution, distribution, severity_chart, tallest
from ..presentation import sentence_of

PER_PAGE = 50


@dataclass(frozen=True)
class MarkerCard:
    """One marker's small multiple."""

    row: leading.MarkerRow
    chart: Distribution


@require_safe
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The board, for all questions or one."""
    assessment = access.assessment_for(request.user, public_id, Right.LEAD)
    question = review_queries.question_named(assessment, request.GET.get("question", ""))
    board = leading.board_of(assessment, question)
    top = tallest([board.group, *(row.figures for row in board.markers)])
    top_of_questions = tallest([row.standing for row in board.questions])
    context = {
        "assessment": assessment,
        "question": question,
        "board": board,
        "questions": [(row, distribution(row.standing, None, top_of_questions)) for row in board.questions],
        "cards": [MarkerCard(row, distribution(row.figures, board.group, top)) for row in board.markers],
        "severity": severity_chart([(row.person, row.figures.severity) for row in board.markers]),
    }
    return render(request, "review/board.html", context)


@require_safe
def marks(request: HttpRequest, public_id: str) -> HttpResponse:
    """The marks of one marker, question or both, newest first; each leads to its answer."""
    assessment = access.assessment_for(request.user, public_id, Right.LEAD)
    question = review_queries.question_named(assessment, request.GET.get("question", ""))
    markers = leading.markers_of(assessment)
    marker = next((person for person in markers if person.get_username() == request.GET.get("marker")), None)
    found = leading.marks_given(assessment, question)
    if marker is not None:
        found = found.filter(by=marker)
    found = found.select_related("case__response__question__assessment", "by", "run")
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "assessment": assessment,
        "question": question,
        "marker": marker,
        "markers": markers,
        "questions": assessment.questions.all(),
        "page": page,
        # A leader may have to mark such an answer themselves, without having seen what others gave.
        "blind": rounds.blind_to_each({mark.case for mark in page.object_list}, request.user),
    }
    return render(request, "review/board_marks.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def return_answer(request: HttpRequest, public_id: str) -> HttpResponse:
    """打回: say why, and the answer is marked again."""
    case = access.case_for(request.user, public_id, Right.LEAD)
    typed = request.POST.get("reason", "")
    error = ""
    if request.method == "POST":
        version = request.POST.get("version", "")
        try:
            transitions.return_mark(
                case, by=request.user, version=int(version) if version.isdecimal() else -1, reason=typed
            )
        except UnusableInput as problem:
            error = sentence_of(problem)
        else:
            messages.success(request, _("Answer %(code)s goes back to be marked again.") % {"code": case.response.code})
            return redirect(reverse("review:board", args=[case.response.question.assessment.public_id]))
    given: list[GivenMark] = list(case.given_marks.select_related("by").order_by("pk"))
    context: dict[str, Any] = {
        "case": case,
        "assessment": case.response.question.assessment,
        "editions": case.marks.select_related("by").order_by("edition"),
        "given": given,
        "typed": typed,
        "error": error,
    }
    return render(request, "review/return.html", context, status=422 if error else 200)
