"""The problem desk: what markers report beyond the mathematics, and what the leader or the staff find."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.foundation.errors import UnusableInput
from grading import access, queries, rounds, transitions
from grading.domain.problems import HANDLING, Finding, ProblemKind, desks
from grading.domain.roles import Right
from grading.models import Assessment, Case, Problem

from .. import presentation
from .. import queries as review_queries
from ..words import FINDINGS, PROBLEMS, ProblemWords, Words
from .blind import blind_page
from .case import onward, refused_form
from .desk import desk_page, filters_here, opening_form
from .queue import to_next
from .sent import form_in_hand, version_beside_image

SHOWN_SETTLED = 50


@dataclass(frozen=True)
class Paper:
    """One problem paper as shown."""

    problem: Problem
    words: ProblemWords
    finding: Words
    typed: str = ""
    error: str = ""


def _kind(value: str) -> ProblemKind:
    if value not in set(ProblemKind):
        raise UnusableInput("problem.kind", "请选择问题的种类。", "Choose what is wrong with the answer.")
    return ProblemKind(value)


@require_POST
def report(request: HttpRequest, public_id: str) -> HttpResponse:
    """Report the answer in hand; where that puts it aside, go on with the next."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    if rounds.blind_to(case, request.user):
        return _report_blindly(request, case)
    version, epoch = form_in_hand(request, case)
    if refusal := refused_form(request, case, version, epoch):
        return refusal
    try:
        kind = _kind(request.POST.get("kind", ""))
        transitions.report_problem(case, by=request.user, version=version, kind=kind, note=request.POST.get("note", ""))
    except UnusableInput as error:
        draft = review_queries.draft_of(case, request.user)
        form, sentence = opening_form(request, case, draft), presentation.sentence_of(error)
        return desk_page(request, case, form, draft=draft, status=422, problem_error=sentence)
    if _tell(request, case, kind):
        return onward(request, case)
    return redirect(reverse("review:case", args=[public_id]) + filters_here(request, case).query)


def _report_blindly(request: HttpRequest, case: Case) -> HttpResponse:
    """The same by somebody who marks blind: no page that comes back shows the verdict, refusals included."""
    version = version_beside_image(request, case)
    try:
        kind = _kind(request.POST.get("kind", ""))
        transitions.report_problem(case, by=request.user, version=version, kind=kind, note=request.POST.get("note", ""))
    except UnusableInput as error:
        return blind_page(request, case, status=422, problem_error=presentation.sentence_of(error))
    filters = filters_here(request, case)
    if _tell(request, case, kind):
        return to_next(request, case.response.question.assessment, filters, after=case)
    return redirect(reverse("review:blind", args=[case.public_id]) + filters.query)


def _tell(request: HttpRequest, case: Case, kind: ProblemKind) -> bool:
    """Say what became of the report; whether the answer is put aside."""
    words = {"code": case.response.code, "problem": PROBLEMS[kind.value].name, "desk": PROBLEMS[kind.value].desk}
    if HANDLING[kind].puts_aside:
        messages.success(request, _("Answer %(code)s is put aside: %(problem)s. It waits with the %(desk)s.") % words)
        return True
    messages.success(
        request, _("Answer %(code)s is reported to the %(desk)s: %(problem)s. Mark it on its content.") % words
    )
    return False


def _papers_of(request: HttpRequest, assessment: Assessment) -> list[str]:
    kinds = desks(access.rights_in(request.user, assessment))
    if not kinds:
        raise PermissionDenied
    return [kind.value for kind in kinds]


def _desk(
    request: HttpRequest, assessment: Assessment, *, refused: tuple[Problem, str, str] | None = None, status: int = 200
) -> HttpResponse:
    kinds = _papers_of(request, assessment)
    waiting = list(queries.problems_of(assessment, kinds))
    counts = {kind: sum(problem.kind == kind for problem in waiting) for kind in kinds}
    wanted = request.GET.get("kind", "")
    papers = [_paper(each, refused) for each in waiting if wanted not in kinds or each.kind == wanted]
    settled = queries.problems_of(assessment, kinds, settled=True)[:SHOWN_SETTLED]
    context = {
        "assessment": assessment,
        "papers": papers,
        "total": len(waiting),
        "wanted": wanted if wanted in kinds else "",
        "kinds": [(kind, PROBLEMS[kind], counts[kind]) for kind in kinds],
        "settled": [_paper(each) for each in settled],
        "findings": [(finding.value, FINDINGS[finding.value]) for finding in Finding],
        "may_mark": Right.MARK in access.rights_in(request.user, assessment),
    }
    return render(request, "review/problems.html", context, status=status)


def _paper(problem: Problem, refused: tuple[Problem, str, str] | None = None) -> Paper:
    words, finding = PROBLEMS[problem.kind], FINDINGS.get(problem.finding, "")
    if refused and refused[0].pk == problem.pk:
        return Paper(problem, words, finding, typed=refused[1], error=refused[2])
    return Paper(problem, words, finding)


@require_safe
@never_cache
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """What waits at the person's desk, oldest first, and what was settled lately."""
    return _desk(request, access.assessment_for(request.user, public_id))


@require_POST
def settle(request: HttpRequest, public_id: str) -> HttpResponse:
    """Say what was found; an answer that was put aside goes back to the markers."""
    problem = access.problem_for(request.user, public_id)
    assessment = problem.case.response.question.assessment
    finding, answer = request.POST.get("finding", ""), request.POST.get("answer", "")
    try:
        if finding not in set(Finding):
            raise UnusableInput("problem.finding", "请选择查看的结论。", "Choose what you found.")
        transitions.settle_problem(problem, by=request.user, finding=Finding(finding), answer=answer)
    except UnusableInput as error:
        refused = (problem, answer, presentation.sentence_of(error))
        return _desk(request, assessment, refused=refused, status=422)
    code = problem.case.response.code
    if HANDLING[ProblemKind(problem.kind)].puts_aside:
        messages.success(request, _("Answer %(code)s is back in the markers' queue.") % {"code": code})
    else:
        messages.success(request, _("The report on answer %(code)s is settled.") % {"code": code})
    return redirect("review:problems", assessment.public_id)
