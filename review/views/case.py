"""The verbs of a marker on one answer: look, take, put back, fill in, mark, correct the reading, read its trail."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from config.foundation.templatetags.people import person_name
from grading import access, queries, rounds, transitions
from grading.domain.roles import Right
from grading.domain.schemes import Place
from grading.models import Case
from grading.rounds import NotYetSeen

from .. import presentation
from .. import queries as review_queries
from .. import transitions as review_transitions
from ..access import case_with_trail
from ..domain.drafts import kept_fields, merged
from ..domain.marking_sheet import proposed_sheet
from ..forms import SheetForm, corrected_reading, read_sheet
from . import ahead
from .desk import claim_state, desk_page, filters_here, opening_form, prolonged, rules_of, sheet_context, stale_page
from .queue import claim_following, to_next
from .sent import beside_its_image, form_in_hand, sent_draft, sent_version, sent_window
from .timeline import timeline_of


def onward(request: HttpRequest, case: Case) -> HttpResponse:
    """Claim the next answer and go there: a redirect, or for the desk's own script the page itself in one answer,
    of which it may have all but a few parts already."""
    filters, assessment = filters_here(request, case), case.response.question.assessment
    if not request.headers.get("X-Desk"):
        return to_next(request, assessment, filters, after=case)
    known = ahead.announced(request, case, filters)
    following = claim_following(request, assessment, filters, after=case, announced=known.case if known else None)
    if following is None:
        address = reverse("review:queue", args=[assessment.public_id]) + filters.query
        return HttpResponse(status=204, headers={"X-Location": address})
    if rounds.blind_to(following, request.user):
        return HttpResponse(status=204, headers={"X-Location": reverse("review:blind", args=[following.public_id])})
    address = reverse("review:case", args=[following.public_id]) + filters.query
    if known is not None and following is known.case:
        page = ahead.answer(request, known)
    else:
        draft = review_queries.draft_of(following, request.user)
        page = desk_page(request, following, opening_form(request, following, draft), draft=draft)
    page["X-Location"] = address
    return page


@require_safe
@never_cache
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The review page; looking claims nothing. Who must not see the verdict yet is shown the blind page instead."""
    try:
        case = access.case_for(request.user, public_id, Right.MARK)
    except NotYetSeen:
        return redirect("review:blind", public_id)
    draft = review_queries.draft_of(case, request.user)
    return desk_page(request, case, opening_form(request, case, draft), draft=draft)


@require_POST
def claim(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take this answer in hand."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    transitions.claim(case, by=request.user)
    return redirect(reverse("review:case", args=[public_id]) + filters_here(request, case).query)


@require_POST
def release(request: HttpRequest, public_id: str) -> HttpResponse:
    """Put this answer back into the queue."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    transitions.release(case, by=request.user)
    messages.success(request, _("Answer %(code)s is back in the queue.") % {"code": case.response.code})
    queue = reverse("review:queue", args=[case.response.question.assessment.public_id])
    return redirect(queue + filters_here(request, case).query)


@require_POST
def skip(request: HttpRequest, public_id: str) -> HttpResponse:
    """暂不打分: put it back for half an hour and go on with the next."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    transitions.skip(case, by=request.user)
    return onward(request, case)


@require_POST
def recalculate(request: HttpRequest, public_id: str) -> HttpResponse:
    """The sheet with scores and total computed anew; a part of the page for htmx, else the whole page.

    Working on the sheet shows that the person is still there, so it prolongs their claim.
    """
    case = prolonged(access.case_for(request.user, public_id, Right.MARK), request.user)
    form = read_sheet(request.POST, rules_of(case), queries.verdict_of(case))
    if getattr(request, "htmx", False):
        pages = list(case.response.pages.order_by("number"))
        lines = presentation.lines_of(queries.verdict_of(case), pages)
        context = {**sheet_context(case, form, lines), "editable": True, "filters": filters_here(request, case)}
        return render(request, "review/_sheet.html", context)
    return desk_page(request, case, form, draft=review_queries.draft_of(case, request.user))


def _keep(request: HttpRequest, case: Case) -> None:
    """Keep what a refused form carried: nobody types it twice. A draft of a newer window stays as it is."""
    before = review_queries.draft_of(case, request.user)
    fields = merged(before.fields if before else {}, kept_fields(request.POST.lists()))
    known, beside = sent_draft(request), request.POST.get("run", "")[:16]
    try:
        review_transitions.save_draft(
            case, by=request.user, fields=fields, beside=beside, known=known, window=sent_window(request)
        )
    except (SomeoneWasFaster, NotAllowedNow):
        return


def _stale(request: HttpRequest, case: Case, form: SheetForm, why: str = "moved") -> HttpResponse:
    case.refresh_from_db()
    if "accept" not in request.POST:
        _keep(request, case)
    return stale_page(request, case, form, draft=review_queries.draft_of(case, request.user), why=why)


@require_POST
@never_cache
def draft(request: HttpRequest, public_id: str) -> HttpResponse:
    """Keep what is typed, as JSON for the page's script. Typing shows that the person is there: it prolongs their claim."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    fields = kept_fields(request.POST.lists())
    state = claim_state(case, request.user)
    case = prolonged(case, request.user)
    known, beside = sent_draft(request), request.POST.get("run", "")[:16]
    try:
        saved = review_transitions.save_draft(
            case, by=request.user, fields=fields, beside=beside, known=known, window=sent_window(request)
        )
    except (SomeoneWasFaster, NotAllowedNow) as error:
        latest = review_queries.draft_of(case, request.user)
        sentence, version = presentation.sentence_of(error), latest.version if latest else 0
        return JsonResponse({"code": error.code, "sentence": sentence, "version": version}, status=409)
    moved = state != "mine" or case.version != sent_version(request)
    answer = {"version": saved.version, "at": f"{timezone.localtime(saved.saved_at):%H:%M}"} | _hold(
        case, state, moved, hidden=rounds.blind_to(case, request.user)
    )
    return JsonResponse(answer)


@require_POST
@never_cache
def hold(request: HttpRequest, public_id: str) -> HttpResponse:
    """The open page says that the person is still there: their claim is prolonged, or they learn what happened."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    state = claim_state(case, request.user)
    case = prolonged(case, request.user)
    moved = state != "mine" or case.version != sent_version(request)
    return JsonResponse(_hold(case, state, moved, hidden=rounds.blind_to(case, request.user)))


def _hold(case: Case, state: str, moved: bool, *, hidden: bool) -> dict[str, Any]:
    """Whether the person still has the answer, until when, and else in one sentence what happened.

    ``hidden``: they may be asked to mark it blind and do not learn who else has it.
    """
    until = f"{timezone.localtime(case.claim_until):%H:%M}" if case.claim_until else ""
    if not moved:
        return {"state": state, "until": until, "sentence": ""}
    if state == "closed":
        sentence = _("This answer has been decided meanwhile. What you typed is kept as a draft.")
    elif state == "other":
        sentence = _("%(holder)s has taken this answer meanwhile. What you typed is kept as a draft.") % {
            "holder": _("Somebody") if hidden else person_name(case.claimed_by)
        }
    elif state == "mine":
        sentence = _("You changed this answer in another window. What you typed is kept as a draft.")
    else:
        sentence = _("Your time in hand ran out and the answer is in the queue. What you typed is kept as a draft.")
    return {"state": state if state != "mine" else "moved", "until": until, "sentence": sentence}


@require_POST
def discard(request: HttpRequest, public_id: str) -> HttpResponse:
    """Back to the proposal: give up what was entered."""
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    review_transitions.discard_draft(case, by=request.user)
    if request.POST.get("page") == "change":
        return redirect("review:change", public_id)
    if case.need == Place.APPEAL and (appeal := case.appeals.filter(closed_at__isnull=True).first()):
        return redirect("review:appeal", appeal.public_id)
    page = "review:arbitrate" if case.need in (Place.ARBITER, Place.REVIEW) else "review:case"
    return redirect(reverse(page, args=[public_id]) + filters_here(request, case).query)


def _refusal(request: HttpRequest, case: Case, version: int, epoch: int) -> str:
    """Why a form that was sent may not change this case; empty when it may."""
    if version != case.version or claim_state(case, request.user) != "mine":
        return "moved"
    return "" if beside_its_image(request, case, epoch) else "screen"


def refused_form(request: HttpRequest, case: Case, version: int, epoch: int) -> HttpResponse | None:
    """The page that says why a form may not change this case, or None."""
    why = _refusal(request, case, version, epoch)
    return _stale(request, case, opening_form(request, case), why) if why else None


def _incomplete(request: HttpRequest, case: Case, form: SheetForm) -> HttpResponse:
    """422: the page as it was sent, with what is missing."""
    return desk_page(request, case, form, draft=review_queries.draft_of(case, request.user), status=422)


@require_POST
def decide(request: HttpRequest, public_id: str) -> HttpResponse:
    """Submit the mark and open the next answer. 422 keeps what was typed; 409 says what happened meanwhile."""
    case = access.case_for(request.user, public_id, Right.MARK)
    document = queries.verdict_of(case)
    rules = rules_of(case)
    if "accept" in request.POST and document is not None:
        form = SheetForm(proposed_sheet(rules, document), "", [], set())
    else:
        form = read_sheet(request.POST, rules, document)
    version, epoch = form_in_hand(request, case)
    if why := _refusal(request, case, version, epoch):
        return _stale(request, case, form, why)
    if not form.check_complete():
        return _incomplete(request, case, form)
    try:
        review_transitions.hand_in(
            case,
            by=request.user,
            version=version,
            known=sent_draft(request),
            window=sent_window(request),
            steps=form.steps(),
            total=form.total,
            reason=form.reason,
        )
    except UnusableInput as error:
        form.errors.append(presentation.sentence_of(error))
        if error.code == "decision.reason":
            form.wrong_fields.add("reason")
        return _incomplete(request, case, form)
    except (SomeoneWasFaster, NotAllowedNow) as error:
        return _stale(request, case, form, "elsewhere" if error.code == "draft.elsewhere" else "moved")
    messages.success(
        request,
        _("Answer %(code)s: %(total)s of %(most)s points saved.")
        % {"code": case.response.code, "total": form.total, "most": rules.max_score},
    )
    return onward(request, case)


@require_POST
def judge_again(request: HttpRequest, public_id: str) -> HttpResponse:
    """Judge the answer with the corrected reading; the earlier proposal stays beside the new one."""
    case = access.case_for(request.user, public_id, Right.MARK)
    document = queries.verdict_of(case)
    given = document["reading"] if document else {"pages": [], "lines": []}
    version, epoch = form_in_hand(request, case)
    if why := _refusal(request, case, version, epoch):
        return _stale(request, case, opening_form(request, case), why)
    reading, changed = corrected_reading(request.POST, given)
    if not changed:
        messages.info(request, _("No line of the reading was changed, so nothing was judged again."))
        return redirect(reverse("review:case", args=[public_id]) + filters_here(request, case).query)
    draft = review_queries.draft_of(case, request.user)
    try:
        run = transitions.judge_again(case, by=request.user, version=version, reading=reading)
    except UnusableInput as error:
        form, sentence = opening_form(request, case, draft), presentation.sentence_of(error)
        return desk_page(request, case, form, draft=draft, status=422, reading_open=True, reading_error=sentence)
    except (SomeoneWasFaster, NotAllowedNow):
        return _stale(request, case, opening_form(request, case))
    messages.success(
        request,
        _("Judged again with %(lines)s corrected lines: the proposal is now %(total)s points.")
        % {"lines": changed, "total": run.total},
    )
    return redirect(reverse("review:case", args=[public_id]) + filters_here(request, case).query)


@require_safe
@never_cache
def trail(request: HttpRequest, public_id: str) -> HttpResponse:
    """Why the system says so: every event of the case, and the chain recomputed now."""
    case = case_with_trail(request.user, public_id)
    transitions.note_sight(case, by=request.user)
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
