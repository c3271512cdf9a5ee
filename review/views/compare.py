"""Side by side: two runs, two editions, a machine's and a person's mark, two answers, an answer and the reference solution
or an exemplar.

Looking changes no case. Each answer comes through the same door as its own page, so that whoever must still mark it
blind gets neither its verdict nor another person's mark by this way: only its pages, beside the reference or an exemplar that is
another answer.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from grading import access, queries, rounds, transitions
from grading.domain.roles import Right
from grading.models import Case
from grading.rounds import NotYetSeen

from .. import sides
from .desk import rules_of

MOST_LISTED = 200
LONGEST_CODE = 8


def address_of(case: Case, left: Any, right: Any) -> str:
    """Where two sides stand beside each other."""
    query = urlencode({"left": str(left), "right": str(right)})
    return f"{reverse('review:compare', args=[case.public_id])}?{query}"


def _named(request: HttpRequest, case: Case, text: str) -> sides.Side:
    """The side that the address names. Raises 404 for none, also for an answer to another question."""
    name = sides.read_name(text)
    if name is None:
        raise Http404
    if not name.case:
        return sides.reference_of(rules_of(case))
    other = case if name.case == case.public_id else access.case_for(request.user, name.case, Right.MARK)
    side = sides.side_of(other, name) if other.response.question_id == case.response.question_id else None
    if side is None:
        raise Http404
    if side.judges:
        transitions.note_sight(other, by=request.user)
    return side


def _named_blind(request: HttpRequest, case: Case, text: str) -> sides.Side | None:
    """The same for whoever must still mark ``case`` blind; None for whatever they may not have beside it."""
    name = sides.read_name(text)
    if name is None or (name.case == case.public_id) is not (name.kind == sides.ANSWER):
        return None
    if name.kind == sides.ANSWER:
        return sides.side_of(case, name)
    return _named(request, case, text) if name.kind in (sides.REFERENCE, "exemplar") else None


def _others(case: Case, person: Any) -> list[Case]:
    """Further answers to the same question that have something to show and that the person need not mark blind."""
    found = (
        queries.cases_of(case.response.question.assessment)
        .filter(response__question=case.response.question, run__isnull=False)
        .exclude(pk=case.pk)
        .select_related("response__question", "run")
        .defer("run__document")
        .order_by("response__code")
    )
    listed = list(found[:MOST_LISTED])
    hidden = rounds.blind_to_each(listed, person)
    return [each for each in listed if each.pk not in hidden]


def _by_code(case: Case, code: str) -> Case | None:
    wanted = code.strip()
    if not (wanted.isascii() and wanted.isalnum() and len(wanted) <= LONGEST_CODE):
        return None
    return (
        queries.cases_of(case.response.question.assessment)
        .filter(response__question=case.response.question, response__code__iexact=wanted)
        .select_related("response__question__assessment", "rules", "run")
        .first()
    )


def _with_answer(request: HttpRequest, case: Case, left: Any) -> HttpResponse | str:
    """To the answer of the anonymous code that was typed, on the right; a sentence where there is none to see."""
    code = request.GET.get("code", "")
    other = _by_code(case, code)
    if other is None:
        return _("There is no answer %(code)s to this question.") % {"code": code.strip()[:20]}
    if rounds.blind_to(other, request.user):
        return NotYetSeen().message(getattr(request, "LANGUAGE_CODE", None))
    newest = sides.newest_of(other)
    if newest is None:
        return _("Answer %(code)s has no verdict and no mark yet.") % {"code": other.response.code}
    return redirect(address_of(case, left, newest))


@require_safe
@never_cache
def compare(request: HttpRequest, public_id: str) -> HttpResponse:
    """The two panes. ``left`` and ``right`` name them; without them the answer stands beside the reference."""
    try:
        case = access.case_for(request.user, public_id, Right.MARK)
    except NotYetSeen:
        return _compare_blind(request, access.unseen_case_for(request.user, public_id, Right.MARK))
    own = sides.newest_of(case) or sides.Name()
    left = _named(request, case, request.GET.get("left") or str(own))
    right = _named(request, case, request.GET.get("right") or sides.REFERENCE)
    trouble = ""
    if request.GET.get("code", "").strip():
        answer = _with_answer(request, case, left.name)
        if not isinstance(answer, str):
            return answer
        trouble = answer
    shown = {each.name.case for each in (left, right)} - {"", case.public_id}
    others = _others(case, request.user)
    context = {
        **_beside(case, left, right),
        "choices": [(case.response.code, sides.choices_of(case))]
        + [(each.response.code, sides.choices_of(each)) for each in others if each.public_id in shown],
        "exemplars": sides.exemplar_choices(case, request.user, own=True),
        "others": others,
        "trouble": trouble,
    }
    return render(request, "review/compare.html", context, status=422 if trouble else 200)


def _compare_blind(request: HttpRequest, case: Case) -> HttpResponse:
    """The pages of an answer that the person must mark blind, beside the reference or an exemplar that is another answer."""
    left, right = (_named_blind(request, case, request.GET.get(place, "")) for place in ("left", "right"))
    if left is None or right is None:
        return redirect("review:blind", case.public_id)
    alone = sides.Choice(str(sides.Name(case.public_id, sides.ANSWER, 1)), _("Answer"))
    context = {
        **_beside(case, left, right),
        "blind": True,
        "choices": [(case.response.code, [alone])],
        "exemplars": sides.exemplar_choices(case, request.user, own=False),
    }
    return render(request, "review/compare.html", context)


def _beside(case: Case, left: sides.Side, right: sides.Side) -> dict[str, Any]:
    """What stands on the page of two sides, whoever looks."""
    rules = rules_of(case)
    rows = sides.rows_of(rules, left, right)
    return {
        "case": case,
        "assessment": case.response.question.assessment,
        "question": case.response.question,
        "rules": rules,
        "panes": [("left", left), ("right", right)],
        "left": left,
        "right": right,
        "rows": rows,
        "differing": sum(row.differs for row in rows),
        "totals_differ": left.total is not None and right.total is not None and left.total != right.total,
        "paths_differ": bool(left.paths and right.paths) and left.paths != right.paths,
        "compared": left.judges and right.judges,
        "swapped": address_of(case, right.name, left.name),
        "viewing": ("previous", "next", "rotate", "in", "out"),
    }
