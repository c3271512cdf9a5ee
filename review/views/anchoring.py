"""The report of blind against shown: does the sight of the machine's proposal pull people's marks towards it?"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from grading import access
from grading.domain.roles import Right

from .. import queries
from ..domain.anchoring import anchoring_of


@require_safe
@never_cache
def report(request: HttpRequest, public_id: str) -> HttpResponse:
    """Both arms with exact intervals, for the whole assessment and for each question with blind marks."""
    assessment = access.assessment_for(request.user, public_id, Right.LEAD, Right.AUDIT)
    pairs = queries.pairs_with_machine(assessment)
    blind_questions = [question for question in pairs if any(pair.blind for pair in pairs[question])]
    context = {
        "assessment": assessment,
        # Only questions that have both arms can be compared; others would lend their own difficulty to one side.
        "whole": anchoring_of(pair for question in blind_questions for pair in pairs[question]),
        "rows": [(question, anchoring_of(pairs[question])) for question in blind_questions],
    }
    return render(request, "review/anchoring.html", context)
