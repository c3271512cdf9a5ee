"""The first page after signing in: each assessment with what to do next."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from grading import access, queries
from grading.domain.problems import desks
from grading.domain.roles import Right
from grading.models import Assessment

from .. import queries as review_queries
from ..samples import OpenSample, open_samples
from ..words import Words


@dataclass(frozen=True)
class Card:
    """One assessment as the person sees it."""

    assessment: Assessment
    progress: queries.Progress
    may_mark: bool
    may_audit: bool
    may_administer: bool
    samples: int
    open_samples: list[OpenSample]
    links: tuple[tuple[Words, str, int | None], ...]
    may_settle: bool
    problems: int  # problem papers that wait at the person's desk

    @property
    def waiting(self) -> int:
        return self.progress.to_review + self.progress.in_hand

    @property
    def closed_share(self) -> int:
        """Decided answers in per cent of all, rounded down."""
        return self.progress.closed * 100 // max(1, self.progress.total_responses)


def _links(assessment: Assessment, held: frozenset[Right]) -> tuple[tuple[Words, str, int | None], ...]:
    """Further pages the person may open, with how much waits on each where something can wait."""
    found: list[tuple[Words, str, int | None]] = []
    if Right.ARBITRATE in held:
        waiting = queries.cases_to_arbitrate(assessment).count()
        found.append((_("Arbitration"), reverse("review:arbitrations", args=[assessment.public_id]), waiting))
    if held & {Right.ARBITRATE, Right.LEAD, Right.ADMINISTER}:
        waiting = review_queries.appeals_of(assessment).filter(closed_at__isnull=True).count()
        found.append((_("Appeals"), reverse("review:appeals", args=[assessment.public_id]), waiting))
    found.append((_("How questions are marked"), reverse("review:schemes", args=[assessment.public_id]), None))
    if held & {Right.LEAD, Right.AUDIT}:
        found.append((_("Blind against shown"), reverse("review:anchoring", args=[assessment.public_id]), None))
    return tuple(found)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Cards by role, newest assessment first."""
    cards = []
    for assessment in access.assessments_of(request.user):
        held = access.rights_in(request.user, assessment)
        kinds = [kind.value for kind in desks(held)]
        cards.append(
            Card(
                assessment=assessment,
                progress=queries.progress_of(assessment),
                may_mark=Right.MARK in held,
                may_audit=Right.AUDIT in held,
                may_administer=Right.ADMINISTER in held,
                samples=review_queries.samples_of(assessment).count() if Right.AUDIT in held else 0,
                open_samples=open_samples(assessment, request.user) if Right.AUDIT in held else [],
                links=_links(assessment, held),
                may_settle=bool(kinds),
                problems=queries.problems_of(assessment, kinds).count() if kinds else 0,
            )
        )
    context = {"cards": cards, "may_create": access.may_create_assessments(request.user)}
    return render(request, "home.html", context)
