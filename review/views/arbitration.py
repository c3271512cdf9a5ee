"""Arbitration: the answers whose marks do not agree, and the page on which one person decides between them."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.foundation.canonical import number_text
from config.foundation.errors import UnusableInput
from grading import access, queries, rounds, transitions
from grading.domain.roles import Right
from grading.domain.schemes import SEEING_PLACES, Place
from grading.models import Assessment, Case, GivenMark

from .. import presentation
from .. import queries as review_queries
from .. import transitions as review_transitions
from ..drawn import drawn_on
from ..forms import SheetForm, read_sheet, wanted_paths
from ..opinions import PLACES, largest_difference, opinions_of, sheet_between
from ..words import STATUSES
from .desk import prolonged, rules_of
from .screen import screen_token
from .sent import drafted, sent_draft, sent_window, version_beside_image


@dataclass(frozen=True)
class Row:
    """One answer that waits for a decision."""

    case: Case
    marks: list[GivenMark]
    difference: Decimal | None
    tolerance: Decimal
    review: bool
    holder: Any
    mine: bool
    free: bool  # this person may take it


def row_of(case: Case, person: Any) -> Row:
    """What the list says of one case."""
    marks = rounds.given_marks(case)
    scheme = rounds.scheme_of(case, marks)
    held = review_queries.in_hand(case)
    free = not held and rounds.may_arbitrate(case, person) and not rounds.touched_otherwise(case, person)
    return Row(
        case=case,
        marks=marks,
        difference=largest_difference(marks, case),
        tolerance=rounds.as_rule(scheme).tolerance,
        review=case.need == Place.REVIEW,
        holder=case.claimed_by if held else None,
        mine=held and case.claimed_by_id == person.pk,
        free=free,
    )


@require_safe
@never_cache
def waiting(request: HttpRequest, public_id: str) -> HttpResponse:
    """The answers of an assessment that wait for an arbiter or a leader's review."""
    assessment = access.assessment_for(request.user, public_id, Right.ARBITRATE)
    rows = [row_of(case, request.user) for case in queries.cases_to_arbitrate(assessment)]
    return render(request, "review/arbitrations.html", {"assessment": assessment, "rows": rows})


def _next(assessment: Assessment, person: Any, after: Case) -> Case | None:
    for case in queries.cases_to_arbitrate(assessment).exclude(pk=after.pk):
        row = row_of(case, person)
        if row.mine or row.free:
            return case
    return None


def _sheet_context(case: Case, form: SheetForm, person: Any) -> dict[str, Any]:
    document = queries.verdict_of(case)
    pages = list(case.response.pages.order_by("number"))
    lines = presentation.lines_of(document, pages)
    marks = rounds.given_marks(case)
    return {
        "form": form,
        "parts": presentation.parts_shown(form.sheet, None, None, ()),
        "opinions": opinions_of(form.sheet.rules, marks, document, lines),
        "statuses": list(STATUSES.values()),
        "recalculate_url": reverse("review:arbitration-total", args=[case.public_id]),
        "blind": True,
        "editable": True,
        "reason_due": True,
        "marks": [(PLACES[mark.place], mark) for mark in marks],
        "lines": lines,
        "pages": presentation.pages_shown(pages, lines, drawn=drawn_on(case, person)),
        "drawable": case.claimed_by_id == person.pk,
        "screen": screen_token(case, pages),
        "screen_forms": ("marking",),
        "verdict": document["verdict"] if document else None,
    }


def _page(request: HttpRequest, case: Case, form: SheetForm, *, status: int = 200) -> HttpResponse:
    row = row_of(case, request.user)
    scheme = rounds.scheme_of(case)
    _form, keeping = drafted(request, case, form.sheet.rules)
    assessment = case.response.question.assessment
    held = access.rights_in(request.user, assessment)
    context = {
        **_sheet_context(case, form, request.user),
        **keeping,
        "case": case,
        "row": row,
        "mine": row.mine,
        "scheme": scheme,
        "touched": rounds.touched_otherwise(case, request.user),
        "assessment": assessment,
        "may_mark": row.mine and Right.MARK in held,
        "proposes": row.mine and bool(held & {Right.MARK, Right.LEAD}),
        "question": case.response.question,
        "rules": form.sheet.rules,
    }
    return render(request, "review/arbitrate.html", context, status=status)


def _opening_form(request: HttpRequest, case: Case) -> SheetForm:
    """Filled in where the marks agree, or as the mark that the address names."""
    rules = rules_of(case)
    kept, _keeping = drafted(request, case, rules)
    if kept is not None and not request.GET.get("like"):
        return kept
    marks = rounds.given_marks(case)
    like = [mark for mark in marks if mark.public_id == request.GET.get("like")]
    form = SheetForm(sheet_between(rules, like or marks, wanted_paths(request.GET, rules)), "", [], set())
    if like and not like[0].steps:
        form.direct, form.direct_total, form.direct_typed = True, like[0].total, number_text(like[0].total)
    return form


def _case(request: HttpRequest, public_id: str) -> Case:
    return access.case_for(request.user, public_id, Right.ARBITRATE)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def arbitrate(request: HttpRequest, public_id: str) -> HttpResponse:
    """Both marks with their evidence beside the image, and the mark that decides."""
    case = _case(request, public_id)
    if request.method != "POST":
        if case.closed_at is not None or Place(case.need) not in SEEING_PLACES:
            return redirect("review:case", public_id)
        return _page(request, case, _opening_form(request, case))
    form = read_sheet(request.POST, rules_of(case), None, blind=True)
    version = version_beside_image(request, case)
    if not form.check_complete():
        return _page(request, case, form, status=422)
    if not form.reason:
        form.errors.append(_("Say in a sentence why this mark and not the others."))
        form.wrong_fields.add("reason")
        return _page(request, case, form, status=422)
    try:
        review_transitions.hand_in(
            case, by=request.user, version=version, known=sent_draft(request), window=sent_window(request),
            steps=form.steps(), total=form.total, reason=form.reason,
        )  # fmt: skip
    except UnusableInput as error:
        form.errors.append(presentation.sentence_of(error))
        return _page(request, case, form, status=422)
    messages.success(
        request,
        _("Answer %(code)s: %(total)s of %(most)s points, final.")
        % {"code": case.response.code, "total": form.total, "most": number_text(case.response.question.max_score)},
    )
    assessment = case.response.question.assessment
    following = _next(assessment, request.user, case)
    if following is None:
        return redirect("review:arbitrations", assessment.public_id)
    return redirect("review:arbitrate", following.public_id)


@require_POST
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take an answer in hand to decide between its marks."""
    transitions.take_seeing(_case(request, public_id), by=request.user)
    return redirect("review:arbitrate", public_id)


@require_POST
def recalculate(request: HttpRequest, public_id: str) -> HttpResponse:
    """The sheet with scores and total computed anew."""
    case = prolonged(_case(request, public_id), request.user)
    form = read_sheet(request.POST, rules_of(case), None, blind=True)
    if getattr(request, "htmx", False):
        return render(request, "review/_sheet.html", _sheet_context(case, form, request.user))
    return _page(request, case, form)
