"""How each question is marked by people: the scheme, its tolerance, rounding and arbiter, and the share marked blind."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from config.foundation.errors import UnusableInput
from grading import access, queries, rounds, transitions
from grading.domain.roles import ROLES, Right
from grading.domain.schemes import Kind, Rounding
from grading.models import MarkingScheme, Question

from .. import presentation
from ..domain.marking_sheet import exact_number
from ..words import ROUNDINGS, SCHEMES


@require_safe
@never_cache
def overview(request: HttpRequest, public_id: str) -> HttpResponse:
    """The schemes of all questions of an assessment, for everybody who marks it."""
    assessment = access.assessment_for(request.user, public_id)
    questions = list(assessment.questions.select_related("rules"))
    newest = rounds.newest_schemes(questions)
    rows = [(question, newest.get(question.pk)) for question in questions]
    held = access.rights_in(request.user, assessment)
    context = {
        "assessment": assessment,
        "rows": [(question, stored, *_words(stored)) for question, stored in rows],
        "roundings": ROUNDINGS,
        "may_change": bool(held & {Right.LEAD, Right.ADMINISTER}),
        "may_see_share": bool(held & {Right.LEAD, Right.ADMINISTER, Right.AUDIT}),
    }
    return render(request, "review/schemes.html", context)


def _words(stored: MarkingScheme | None) -> tuple[Any, Any]:
    return SCHEMES[Kind(stored.kind) if stored else Kind.SINGLE]


def _arbiters(question: Question) -> list[Any]:
    """People who may arbitrate in the question's assessment, each once."""
    found: dict[int, Any] = {}
    for key, role in ROLES.items():
        if Right.ARBITRATE in role.rights:
            found |= {person.pk: person for person in queries.holders_of(question.assessment, key)}
    return list(found.values())


def _typed(stored: MarkingScheme | None) -> dict[str, str]:
    if stored is None:
        return {"kind": "1", "tolerance": "0", "rounding": "HALF_UP", "arbiter": "", "blind_share": "0", "version": "0"}
    return {
        "kind": stored.kind,
        "tolerance": f"{stored.tolerance.normalize():f}",
        "rounding": stored.rounding,
        "arbiter": stored.arbiter.get_username() if stored.arbiter else "",
        "blind_share": str(stored.blind_share),
        "version": str(stored.version),
    }


def _page(
    request: HttpRequest, found: Question, typed: dict[str, str], *, status: int = 200, **extra: Any
) -> HttpResponse:
    context = {
        "question": found,
        "assessment": found.assessment,
        "typed": typed,
        "kinds": [(kind.value, *SCHEMES[kind]) for kind in Kind],
        "roundings": [(each.value, ROUNDINGS[each.value]) for each in Rounding],
        "arbiters": _arbiters(found),
        "versions": [
            (each, SCHEMES[Kind(each.kind)][0], ROUNDINGS[each.rounding]) for each in rounds.versions_of(found)
        ],
        **extra,
    }
    return render(request, "review/scheme.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def question(request: HttpRequest, public_id: str) -> HttpResponse:
    """The setting of one question, with all its versions, for marking leaders and school staff."""
    found = access.question_for(request.user, public_id, Right.LEAD, Right.ADMINISTER)
    if request.method != "POST":
        return _page(request, found, _typed(rounds.newest_scheme(found)))
    typed = {name: request.POST.get(name, "").strip()[:40] for name in _typed(None)}
    try:
        scheme = transitions.set_scheme(found, **_read(found, typed), by=request.user)
    except UnusableInput as error:
        return _page(request, found, typed, status=422, error=presentation.sentence_of(error), wrong=error.code)
    messages.success(
        request, _("%(label)s is marked %(kind)s from now on.") % {"label": found.label, "kind": scheme.kind}
    )
    return redirect("review:schemes", found.assessment.public_id)


def _read(found: Question, typed: dict[str, str]) -> dict[str, Any]:
    """The setting as typed. Raises UnusableInput for what cannot be one."""
    if typed["kind"] not in set(Kind) or typed["rounding"] not in set(Rounding):
        raise UnusableInput("scheme.unknown", "请选择一种评卷方式和取整规则。", "Choose a scheme and a rounding rule.")
    arbiter = {person.get_username(): person for person in _arbiters(found)}.get(typed["arbiter"])
    if typed["arbiter"] and arbiter is None:
        raise UnusableInput(
            "scheme.arbiter", "所选的人没有仲裁权限。", "The person chosen may not arbitrate in this assessment."
        )
    try:
        tolerance = exact_number(typed["tolerance"])
    except ValueError:
        tolerance = None
    share, version = typed["blind_share"], typed["version"]
    return {
        "kind": Kind(typed["kind"]),
        # NaN is refused with the sentence that says what a tolerance may be.
        "tolerance": Decimal("NaN") if tolerance is None else tolerance,
        "rounding": Rounding(typed["rounding"]),
        "arbiter": arbiter,
        "blind_share": int(share) if share.isascii() and share.isdigit() and len(share) < 4 else -1,
        "version": int(version) if version.isascii() and version.isdigit() and len(version) < 9 else -1,
    }
