"""The queue of one assessment: what to do next, why answers wait, and the list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from grading import access, limits, queries, rounds, transitions
from grading.domain.confidence import Band
from grading.domain.roles import Right
from grading.models import Assessment, Case, Question

from .. import queries as review_queries
from ..own_marks import standing_by_question
from ..presentation import sentence_of
from ..samples import open_samples
from ..words import BANDS, Words, rule_failing, rule_tag

PER_PAGE = 50


@dataclass(frozen=True)
class Filters:
    """Which part of the queue the person works through; carried along from answer to answer."""

    reason: str
    question: Question | None
    band: Band | None = None

    @property
    def query(self) -> str:
        """The filters as a query string, with its question mark; empty without filters."""
        chosen = {
            "only": self.reason,
            "question": self.question.public_id if self.question else "",
            "band": self.band.value if self.band else "",
        }
        given = {name: value for name, value in chosen.items() if value}
        return f"?{urlencode(given)}" if given else ""


def filters_of(given: Any, assessment: Assessment) -> Filters:
    """The filters named in a query string or form; unknown ones are no filters."""
    reason = str(given.get("only", ""))[:40]
    question = review_queries.question_named(assessment, given.get("question", ""))
    band = given.get("band", "")
    return Filters(
        reason if reason.replace("-", "").isalpha() else "", question, Band(band) if band in set(Band) else None
    )


@dataclass(frozen=True)
class Row:
    """One waiting answer."""

    case: Case
    reasons: list[tuple[str, Words]]
    waiting: timedelta
    held: bool
    mine: bool
    blind: bool


@require_safe
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The queue page."""
    person: Any = request.user
    assessment = access.assessment_for(person, public_id, Right.MARK)
    held = access.rights_in(person, assessment)
    filters = filters_of(request.GET, assessment)
    progress = queries.progress_of(assessment)
    waiting = progress.to_review + progress.in_hand
    pace = review_queries.own_pace(assessment, person)
    page = Paginator(
        queries.open_cases(assessment, reason=filters.reason or None, question=filters.question, band=filters.band),
        PER_PAGE,
    ).get_page(request.GET.get("page"))
    free = queries.free_cases(
        assessment, reason=filters.reason or None, question=filters.question, band=filters.band
    ).count()
    mine = queries.open_cases(assessment).filter(claimed_by=person)
    context = {
        "assessment": assessment,
        "progress": progress,
        "waiting": waiting,
        "free": free,
        "mine": list(mine[:5]),
        "filters": filters,
        "questions": list(assessment.questions.all()),
        "reasons": [
            (rule, rule_failing(rule), count, Filters(rule, filters.question).query)
            for rule, count in queries.reasons_of(assessment)
        ],
        "bands": [
            (BANDS[band], count, Filters("", filters.question, band).query, band == filters.band)
            for band, count in queries.bands_of(assessment, filters.question)
        ],
        "standing": standing_by_question(assessment, pace, person),
        "page": page,
        "rows": _rows(list(page.object_list), person),
        "leads": Right.LEAD in held,
        "samples": open_samples(assessment, person) if Right.AUDIT in held else [],
        "forecast": pace.forecast(queries.to_review(assessment, person).theirs),
        "limits": limits.in_force(assessment, person),
        "last": pace.last,
    }
    return render(request, "review/queue.html", context)


def _rows(cases: list[Case], person: Any) -> list[Row]:
    """Rows of the list; nothing of the machine's verdict on those that the person may be asked to mark blind."""
    blind = rounds.blind_to_each(cases, person)
    return [_row(case, person, blind=case.pk in blind) for case in cases]


def _row(case: Case, person: Any, *, blind: bool) -> Row:
    held = review_queries.in_hand(case)
    return Row(
        case=case,
        reasons=[] if blind else [(rule, rule_tag(rule)) for rule in case.reasons],
        waiting=review_queries.age_of(case.service_ended_at),
        held=held,
        mine=held and case.claimed_by_id == person.pk,
        blind=blind,
    )


@require_POST
def take_next(request: HttpRequest, public_id: str) -> HttpResponse:
    """Claim the next answer of the (filtered) queue and open it."""
    assessment = access.assessment_for(request.user, public_id, Right.MARK)
    return to_next(request, assessment, filters_of(request.POST, assessment))


def to_next(
    request: HttpRequest, assessment: Assessment, filters: Filters, *, after: Case | None = None
) -> HttpResponseRedirect:
    """Claim and open the next answer, or go back to the queue with a sentence when none is left."""
    case = claim_following(request, assessment, filters, after=after)
    if case is None:
        return redirect(reverse("review:queue", args=[assessment.public_id]) + filters.query)
    return redirect(reverse("review:case", args=[case.public_id]) + filters.query)


def claim_following(
    request: HttpRequest, assessment: Assessment, filters: Filters, *, after: Case | None, announced: Case | None = None
) -> Case | None:
    """Claim the next answer; None, and a sentence for the queue's page, when none is left for this person.

    ``announced``: the one that the person's page was told of, unchanged since.
    """
    try:
        case = transitions.claim_next(
            assessment,
            by=request.user,
            reason=filters.reason or None,
            question=filters.question,
            after=after,
            band=filters.band,
            announced=announced,
        )
    except limits.MarkerHeld as held:
        messages.warning(request, sentence_of(held))
        return None
    if case is None:
        messages.info(request, _("Nothing is left to mark in this queue."))
    return case
