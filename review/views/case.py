"""The review page of one answer: image, steps, reading, and the verbs of a marker."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import access, queries, transitions
from grading.domain.roles import Right
from grading.models import Case
from itembank.domain.rules import Rules, read_rules

from .. import presentation
from .. import queries as review_queries
from ..access import case_with_trail
from ..domain.marking_sheet import proposed_sheet
from ..forms import NEW_LINES, SheetForm, corrected_reading, read_sheet, wanted_paths
from ..words import STATUSES
from .queue import Filters, filters_of, to_next
from .timeline import timeline_of


def _filters(request: HttpRequest, case: Case) -> Filters:
    return filters_of(request.POST if request.method == "POST" else request.GET, case.response.question.assessment)


def _rules(case: Case) -> Rules:
    return read_rules(case.response.question.rules.document)


def _claim_state(case: Case, person: Any) -> str:
    """``closed``, ``machine``, ``mine``, ``other`` or ``free``."""
    if case.closed_at is not None:
        return "closed"
    if case.owner in ("AI", "HANDOFF_PENDING"):
        return "machine"
    if case.claimed_by_id is None or (case.claim_until is not None and case.claim_until < timezone.now()):
        return "mine" if case.claimed_by_id == person.pk else "free"
    return "mine" if case.claimed_by_id == person.pk else "other"


def _sheet_context(case: Case, form: SheetForm, lines: Any) -> dict[str, Any]:
    document = queries.verdict_of(case)
    earlier = presentation.earlier_run(case)
    verdict = document["verdict"] if document else None
    return {
        "case": case,
        "form": form,
        "parts": presentation.parts_shown(form.sheet, document, earlier.document if earlier else None, lines),
        "statuses": list(STATUSES.values()),
        "verdict": verdict,
        "recognised": verdict is not None and verdict["matched_path_id"] != "UNKNOWN",
        "earlier": earlier,
        "recalculate_url": reverse("review:recalculate", args=[case.public_id]),
    }


def _page(request: HttpRequest, case: Case, form: SheetForm, *, status: int = 200, **extra: Any) -> HttpResponse:
    document = queries.verdict_of(case)
    pages = list(case.response.pages.order_by("number"))
    lines = presentation.lines_of(document, pages)
    gate = presentation.gate_shown(document)
    assessment = case.response.question.assessment
    progress = queries.progress_of(assessment)
    waiting = progress.to_review + progress.in_hand
    marks = list(queries.marks_of(case))
    state = _claim_state(case, request.user)
    context = {
        **_sheet_context(case, form, lines),
        "assessment": assessment,
        "question": case.response.question,
        "rules": form.sheet.rules,
        "pages": presentation.pages_shown(pages, lines),
        "lines": lines,
        "gate": gate,
        "failing": presentation.failing(gate),
        "document": document,
        "state": state,
        "editable": state == "mine",
        "filters": _filters(request, case),
        "progress": progress,
        "waiting": waiting,
        "forecast": review_queries.forecast(assessment, request.user, waiting),
        "marks": marks,
        "standing": marks[-1] if marks else None,
        "last": review_queries.last_decided_by(assessment, request.user),
        "new_lines": range(NEW_LINES),
        "reading_open": False,
        **extra,
    }
    return render(request, "review/case.html", context, status=status)


def _fresh_form(request: HttpRequest, case: Case) -> SheetForm:
    rules = _rules(case)
    sheet = proposed_sheet(rules, queries.verdict_of(case), wanted_paths(request.GET, rules))
    return SheetForm(sheet, "", [], set())


@require_safe
@never_cache
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The review page; looking claims nothing."""
    case = access.case_for(request.user, public_id, Right.MARK)
    return _page(request, case, _fresh_form(request, case))


@require_POST
def claim(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take this answer in hand."""
    case = access.case_for(request.user, public_id, Right.MARK)
    transitions.claim(case, by=request.user)
    return redirect(reverse("review:case", args=[public_id]) + _filters(request, case).query)


@require_POST
def release(request: HttpRequest, public_id: str) -> HttpResponse:
    """Put this answer back into the queue."""
    case = access.case_for(request.user, public_id, Right.MARK)
    transitions.release(case, by=request.user)
    messages.success(request, _("Answer %(code)s is back in the queue.") % {"code": case.response.code})
    queue = reverse("review:queue", args=[case.response.question.assessment.public_id])
    return redirect(queue + _filters(request, case).query)


@require_POST
def skip(request: HttpRequest, public_id: str) -> HttpResponse:
    """暂不打分: put it back for half an hour and go on with the next."""
    case = access.case_for(request.user, public_id, Right.MARK)
    transitions.skip(case, by=request.user)
    return to_next(request, case.response.question.assessment, _filters(request, case), after=case)


@require_POST
def recalculate(request: HttpRequest, public_id: str) -> HttpResponse:
    """The sheet with scores and total computed anew; a part of the page for htmx, else the whole page.

    Working on the sheet shows that the person is still there, so it prolongs their claim.
    """
    case = access.case_for(request.user, public_id, Right.MARK)
    if _claim_state(case, request.user) == "mine":
        case = transitions.claim(case, by=request.user)
    form = read_sheet(request.POST, _rules(case), queries.verdict_of(case))
    if getattr(request, "htmx", False):
        pages = list(case.response.pages.order_by("number"))
        lines = presentation.lines_of(queries.verdict_of(case), pages)
        context = {**_sheet_context(case, form, lines), "editable": True, "filters": _filters(request, case)}
        return render(request, "review/_sheet.html", context)
    return _page(request, case, form, reading_open=False)


def _sent_version(request: HttpRequest) -> int:
    version = request.POST.get("version", "")
    return int(version) if version.isascii() and version.isdigit() and len(version) < 10 else -1


def _version_in_hand(request: HttpRequest, case: Case) -> int:
    """The version of the page that was sent; the present one where nothing but the clock has taken the case away."""
    sent = _sent_version(request)
    return case.version if transitions.take_up_again(case, by=request.user, version=sent) else sent


@require_POST
def decide(request: HttpRequest, public_id: str) -> HttpResponse:
    """Submit the mark and open the next answer. 422 keeps what was typed; 409 says what happened meanwhile."""
    case = access.case_for(request.user, public_id, Right.MARK)
    document = queries.verdict_of(case)
    rules = _rules(case)
    if "accept" in request.POST and document is not None:
        form = SheetForm(proposed_sheet(rules, document), "", [], set())
    else:
        form = read_sheet(request.POST, rules, document)
    version = _version_in_hand(request, case)
    if version != case.version or _claim_state(case, request.user) != "mine":
        return _stale(request, case, form)
    if not form.check_complete():
        return _page(request, case, form, status=422)
    try:
        transitions.decide(
            case,
            by=request.user,
            version=version,
            steps=form.steps(),
            total=form.total,
            reason=form.reason,
        )
    except UnusableInput as error:
        form.errors.append(presentation.sentence_of(error))
        if error.code == "decision.reason":
            form.wrong_fields.add("reason")
        return _page(request, case, form, status=422)
    except (SomeoneWasFaster, NotAllowedNow):
        case.refresh_from_db()
        return _stale(request, case, form)
    messages.success(
        request,
        _("Answer %(code)s: %(total)s of %(most)s points saved.")
        % {"code": case.response.code, "total": form.total, "most": rules.max_score},
    )
    return to_next(request, case.response.question.assessment, _filters(request, case), after=case)


def _stale(request: HttpRequest, case: Case, form: SheetForm) -> HttpResponse:
    """Nothing was saved: what happened since the page was opened, and what the person had entered."""
    seen = _sent_version(request)
    events = timeline_of(case)
    context = {
        "case": case,
        "assessment": case.response.question.assessment,
        "form": form,
        "steps": [(each, STATUSES[each.status.value] if each.status else None) for each in form.sheet.steps],
        "events": events[-4:],
        "seen": seen,
        "state": _claim_state(case, request.user),
        "standing": queries.standing_mark(case),
        "filters": _filters(request, case),
    }
    return render(request, "review/stale.html", context, status=409)


@require_POST
def judge_again(request: HttpRequest, public_id: str) -> HttpResponse:
    """Judge the answer with the corrected reading; the earlier proposal stays beside the new one."""
    case = access.case_for(request.user, public_id, Right.MARK)
    document = queries.verdict_of(case)
    given = document["reading"] if document else {"pages": [], "lines": []}
    version = _version_in_hand(request, case)
    if version != case.version or _claim_state(case, request.user) != "mine":
        return _stale(request, case, _fresh_form(request, case))
    reading, changed = corrected_reading(request.POST, given)
    if not changed:
        messages.info(request, _("No line of the reading was changed, so nothing was judged again."))
        return redirect(reverse("review:case", args=[public_id]) + _filters(request, case).query)
    try:
        run = transitions.judge_again(case, by=request.user, version=version, reading=reading)
    except UnusableInput as error:
        form = _fresh_form(request, case)
        sentence = presentation.sentence_of(error)
        return _page(request, case, form, status=422, reading_open=True, reading_error=sentence, typed=reading)
    except (SomeoneWasFaster, NotAllowedNow):
        case.refresh_from_db()
        return _stale(request, case, _fresh_form(request, case))
    messages.success(
        request,
        _("Judged again with %(lines)s corrected lines: the proposal is now %(total)s points.")
        % {"lines": changed, "total": run.total},
    )
    return redirect(reverse("review:case", args=[public_id]) + _filters(request, case).query)


@require_safe
@never_cache
def trail(request: HttpRequest, public_id: str) -> HttpResponse:
    """Why the system says so: every event of the case, and the chain recomputed now."""
    case = case_with_trail(request.user, public_id)
    context = {
        "case": case,
        "assessment": case.response.question.assessment,
        "question": case.response.question,
        "events": timeline_of(case),
        "replay": review_queries.replay_of(case),
        "runs": list(queries.runs_of(case)),
        "marks": list(queries.marks_of(case)),
        "may_mark": Right.MARK in access.rights_in(request.user, case.response.question.assessment),
    }
    return render(request, "review/trail.html", context)
