"""The next answer's page made ahead of time, while the person still looks at the present one.

Looking ahead claims nothing and gives away nothing that the person could not open: an answer they may have to mark blind
is not made ready. What was made ready is shown only if, once the answer is really claimed, it would be made just the same
again (``stamp_of``); what the claim itself decides, the token of the image above all, comes with the answer to the hop.
What tells of the person's work as a whole follows when they look ahead from there: nobody has to wait for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.foundation.canonical import document_hash
from config.foundation.templatetags.people import person_name
from grading import access, queries, rounds
from grading.domain.roles import Right
from grading.models import Case, Owner, Page
from grading.transitions.marking import CLAIM

from .. import queries as review_queries
from .desk import Figures, desk_context, figures_of, filters_here, opening_form
from .queue import Filters
from .screen import screen_token

HEADER = "X-Prepared"


@require_safe
@never_cache
def upcoming(request: HttpRequest, public_id: str) -> HttpResponse:
    """What probably comes next, to be loaded ahead: images of two answers, and the page of the first.

    With it come the parts of the present page that the hop to it left as they had been made ready.
    """
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    filters = filters_here(request, case)
    likely = review_queries.likely_next(case, request.user, filters.reason, filters.question, filters.band)
    images = [reverse("page-image", args=[page.public_id, "screen"]) for page in likely.pages]
    figures = figures_of(case, request.user)
    page = _prepared(request, likely.case, filters, figures) if likely.case else None
    return JsonResponse({"images": images, "page": page, "parts": _parts(case, request.user, figures)})


def _parts(case: Case, person: Any, figures: Figures) -> dict[str, str]:
    """The parts of a page that other answers' marks change, by the id of their place."""
    shown = {**figures.on_page_of(case), "reasons_used": review_queries.reasons_used(case.response.question, person)}
    return {
        "desk-progress": render_to_string("review/_progress.html", shown),
        "my-last": render_to_string("review/_last.html", shown),
        "reasons-offered": render_to_string("review/_reasons_used.html", shown),
    }


def _prepared(request: HttpRequest, case: Case, filters: Filters, figures: Figures) -> dict[str, str] | None:
    """The page of an answer as it will be once claimed, without what only the claim decides."""
    if rounds.blind_to(case, request.user) or review_queries.draft_of(case, request.user) is not None:
        return None
    pages, problems = list(case.response.pages.order_by("number")), queries.problem_states(case)
    stamp = stamp_of(request, case, filters, pages=pages, problems=problems)
    _as_if_claimed(case, request.user)
    context = desk_context(request, case, opening_form(request, case), filters=filters, figures=figures)
    html = render_to_string("review/case.html", context | {"screen": "", "messages": []}, request)
    return {"case": case.public_id, "stamp": stamp, "html": html}


def _as_if_claimed(case: Case, person: Any) -> None:
    """The case in memory as a claim would leave it. It is shown and never saved."""
    case.owner = Owner.HUMAN
    case.owner_epoch += 1
    case.version += 1
    case.claimed_by = person
    case.claim_until = timezone.now() + CLAIM


def stamp_of(
    request: HttpRequest, case: Case, filters: Filters, *, pages: Sequence[Page], problems: Sequence[Sequence[str]]
) -> str:
    """A hash of all that the page of a case without a draft will be made of once it is claimed, but for what ``answer``
    and ``_parts`` send anew.

    The version stands for the case with its run, marks and returns; runs and rules are never changed. It stands for what
    is drawn on the image too: others' drawings show from the moment their mark is given, one's own change in one's hand only.
    """
    question, person = case.response.question, request.user
    single, keys = review_queries.keys_of(person)
    return document_hash(
        [
            [case.public_id, case.version, case.owner_epoch, case.life_cycle, case.run.public_id if case.run else None],
            [question.public_id, question.label, case.rules.sha256, question.assessment.version],
            [question.assessment.public_id, question.assessment.title],
            [[page.public_id, page.number, page.stored_sha256, page.screen_sha256] for page in pages],
            [list(each) for each in problems],
            [person.pk, person_name(person), single, keys, get_language(), filters.query],
        ]
    )


@dataclass(frozen=True)
class Announced:
    """The answer that a page has ready, still as it was then, and its pages."""

    case: Case
    pages: list[Page]


def announced(request: HttpRequest, after: Case, filters: Filters) -> Announced | None:
    """The answer whose page the sender has ready; None where it has none, or it would be made otherwise by now."""
    name, _, stamp = request.headers.get(HEADER, "").partition(".")
    case = queries.whole_case_named(name) if name.isascii() and name.isalnum() else None
    if case is None or case.pk == after.pk:
        return None
    if case.response.question.assessment_id != after.response.question.assessment_id:
        return None
    pages, problems = list(case.response.pages.order_by("number")), queries.problem_states(case)
    if stamp != stamp_of(request, case, filters, pages=pages, problems=problems):
        return None
    return None if review_queries.has_draft(case, request.user) else Announced(case, pages)


def answer(request: HttpRequest, known: Announced) -> HttpResponse:
    """For a page that has the answer ready, which is claimed now: what was not known before."""
    case = known.case
    fields = {
        "csrfmiddlewaretoken": get_token(request),
        "version": str(case.version),
        "screen": screen_token(case, known.pages),
    }
    parts = {"until": f"{timezone.localtime(case.claim_until):%H:%M}" if case.claim_until else ""}
    messages = render_to_string("_messages.html", {"messages": get_messages(request)})
    found = JsonResponse({"fields": fields, "parts": parts, "messages": messages})
    found[HEADER] = case.public_id
    return found
