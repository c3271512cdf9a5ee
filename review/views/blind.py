"""Blind marking: the image and the rules alone, until the person has committed; then what the machine had proposed."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.foundation.errors import UnusableInput
from grading import access, queries, rounds, transitions
from grading.domain.roles import Right
from grading.models import Case

from .. import presentation
from .. import queries as review_queries
from .. import transitions as review_transitions
from ..domain.marking_sheet import blank_sheet
from ..drawn import drawn_on
from ..forms import SheetForm, read_sheet, wanted_paths
from ..words import FINDINGS, PROBLEMS, STATUSES
from .desk import prolonged, rules_of
from .queue import filters_of, to_next
from .screen import screen_token
from .sent import drafted, sent_draft, sent_window, version_beside_image


def _sheet_context(case: Case, form: SheetForm) -> dict[str, Any]:
    return {
        "form": form,
        "parts": presentation.parts_shown(form.sheet, None, None, ()),
        "statuses": list(STATUSES.values()),
        "recalculate_url": reverse("review:blind-total", args=[case.public_id]),
        "blind": True,
        "editable": True,
    }


def blind_page(request: HttpRequest, case: Case, *, status: int = 200, **extra: Any) -> HttpResponse:
    """The page as the person left it."""
    rules = rules_of(case)
    kept, _keeping = drafted(request, case, rules)
    fresh = SheetForm(blank_sheet(rules, wanted_paths(request.GET, rules)), "", [], set())
    return _page(request, case, kept or fresh, status=status, **extra)


def _page(request: HttpRequest, case: Case, form: SheetForm, *, status: int = 200, **extra: Any) -> HttpResponse:
    assessment = case.response.question.assessment
    given = request.POST if request.method == "POST" else request.GET
    progress = queries.progress_of(assessment)
    pages = list(case.response.pages.order_by("number"))
    _form, keeping = drafted(request, case, form.sheet.rules)
    context = {
        **keeping,
        **_sheet_context(case, form),
        "case": case,
        "mine": case.claimed_by_id == request.user.pk,
        "seen": rounds.has_seen_too_much(case, request.user),
        "assessment": assessment,
        "question": case.response.question,
        "rules": form.sheet.rules,
        "pages": presentation.pages_shown(pages, (), drawn=drawn_on(case, request.user)),
        "drawable": case.claimed_by_id == request.user.pk,
        "screen": screen_token(case, pages),
        "screen_forms": ("marking", "problem-form"),
        # What others reported may speak of the work; the person is shown what became of their own reports.
        "problems": [
            (each, PROBLEMS[each.kind], FINDINGS.get(each.finding, ""))
            for each in queries.problems_of_case(case)
            if each.raised_by_id == request.user.pk
        ],
        "problem_kinds": list(PROBLEMS.values()),
        "filters": filters_of(given, assessment),
        "waiting": progress.to_review + progress.in_hand,
        "progress": progress,
    }
    return render(request, "review/blind.html", context | extra, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def blind(request: HttpRequest, public_id: str) -> HttpResponse:
    """The blind page of an answer, and the commit. Who may see the verdict is sent to the ordinary page."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    rules = rules_of(case)
    if request.method != "POST":
        if not rounds.blind_to(case, request.user):
            return redirect("review:case", public_id)
        return blind_page(request, case)
    form = read_sheet(request.POST, rules, None, blind=True)
    version = version_beside_image(request, case)
    if not form.check_complete():
        return _page(request, case, form, status=422)
    try:
        mark = review_transitions.hand_in(
            case, by=request.user, version=version, known=sent_draft(request), window=sent_window(request),
            steps=form.steps(), total=form.total, reason=form.reason, blind=True,
        )  # fmt: skip
    except UnusableInput as error:
        form.errors.append(presentation.sentence_of(error))
        return _page(request, case, form, status=422)
    if mark is not None and mark.by_id == request.user.pk and review_queries.revealed_to(case, request.user):
        return redirect(reverse("review:reveal", args=[public_id]))
    code, most = case.response.code, rules.max_score
    messages.success(
        request,
        _("Answer %(code)s: %(total)s of %(most)s points saved.") % {"code": code, "total": form.total, "most": most},
    )
    assessment = case.response.question.assessment
    return to_next(request, assessment, filters_of(request.POST, assessment), after=case)


@require_POST
def claim(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take this answer in hand to mark it blind."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    transitions.claim(case, by=request.user)
    return redirect(reverse("review:blind", args=[public_id]))


@require_POST
def recalculate(request: HttpRequest, public_id: str) -> HttpResponse:
    """The blind sheet with scores and total computed anew; it shows that the person is there and prolongs their claim."""
    case = prolonged(access.unseen_case_for(request.user, public_id, Right.MARK), request.user)
    form = read_sheet(request.POST, rules_of(case), None, blind=True)
    if getattr(request, "htmx", False):
        return render(request, "review/_sheet.html", _sheet_context(case, form))
    return _page(request, case, form)


@require_safe
@never_cache
def reveal(request: HttpRequest, public_id: str) -> HttpResponse:
    """After the commit: the person's blind mark beside the machine's proposal, differing steps first."""
    case = access.case_for(request.user, public_id, Right.MARK)
    revealed = review_queries.revealed_to(case, request.user)
    if revealed is None:
        raise Http404
    assessment = case.response.question.assessment
    pages = list(case.response.pages.order_by("number"))
    lines = presentation.lines_of(revealed.document, pages)
    context = {
        "case": case,
        "assessment": assessment,
        "question": case.response.question,
        "given": revealed.given,
        "proposal": revealed.run,
        "difference": revealed.given.total - revealed.run.total,
        "pages": presentation.pages_shown(pages, lines, drawn=drawn_on(case, request.user)),
        "lines": lines,
        "rows": presentation.steps_beside(rules_of(case), revealed.given.steps, revealed.document),
        "filters": filters_of(request.GET, assessment),
    }
    return render(request, "review/reveal.html", context)
