"""Appeals: the list, filing one, the ledger of its claims, and the page on which a fresh person decides them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.foundation.errors import SomeoneWasFaster, UnusableInput
from grading import access, queries, rounds
from grading.domain.roles import Right
from itembank.domain.rules import Rules

from .. import presentation, transitions
from .. import queries as review_queries
from ..access import appeal_for
from ..domain import appeals
from ..domain.appeals import Claim, Goal, Outcome, Settled, Style, Tone
from ..domain.marking_sheet import chosen_paths, make_sheet
from ..drawn import drawn_on
from ..forms import SheetForm, read_sheet, wanted_paths
from ..models import Appeal
from ..words import CLAIM_OUTCOMES, GOALS, STATUSES
from .desk import prolonged, rules_of, sent_fields, stale_page
from .screen import screen_token
from .sent import drafted, gone_to, keep, sent_draft, sent_version, sent_window, version_beside_image

FILERS = (Right.ADMINISTER, Right.LEAD)


@require_safe
@never_cache
def listing(request: HttpRequest, public_id: str) -> HttpResponse:
    """The appeals of an assessment, open ones first."""
    assessment = access.assessment_for(request.user, public_id, *FILERS, Right.ARBITRATE)
    held = access.rights_in(request.user, assessment)
    found = list(review_queries.appeals_of(assessment))
    context = {
        "assessment": assessment,
        "appeals": found,
        "n_open": sum(appeal.closed_at is None for appeal in found),
        "may_file": bool(held.intersection(FILERS)),
        "today": timezone.localdate(),
    }
    return render(request, "review/appeals.html", context)


def _typed_claims(sent: QueryDict) -> list[dict[str, str]]:
    """The rows of the form; a fresh form has three empty ones."""
    rows = []
    for number in range(1, appeals.MOST_CLAIMS + 1):
        names = ("goal", "step", "words", "after", "evidence", "uncovered")
        row = {name: sent.get(f"{name}:{number}", "").strip()[:1200] for name in names}
        rows.append(row | {"number": str(number)})
    last = max((int(row["number"]) for row in rows if row["words"]), default=0)
    return rows[: max(3, min(appeals.MOST_CLAIMS, last + 1))]


def _read_claims(rows: list[dict[str, str]], rules: Rules) -> list[Claim]:
    """The claims that carry words. Raises UnusableInput for a goal, step or condition that cannot be."""
    known = {
        f"{path.path_id}:{step.step_id}": (path.path_id, step.step_id) for path in rules.paths for step in path.steps
    }
    claims: list[Claim] = []
    # Empty rows are left out, so the number of a claim may be smaller than that of its row.
    numbers: dict[str, int] = {}
    for row in rows:
        if not row["words"]:
            continue
        numbers[row["number"]] = len(claims) + 1
        claims.append(
            Claim(
                number=len(claims) + 1,
                goal=Goal(row["goal"]) if row["goal"] in set(Goal) else Goal.STEP,
                step=known.get(row["step"]) if row["goal"] in (Goal.STEP, "") else None,
                words=row["words"],
                after=numbers.get(row["after"], 0) if row["after"] else None,
                evidence=row["evidence"],
                covered=row["uncovered"] != "on",
            )
        )
    return claims


def _filing_page(request: HttpRequest, public_id: str, *, status: int = 200, error: str = "") -> HttpResponse:
    assessment = access.assessment_for(request.user, public_id, *FILERS)
    given = request.POST if request.method == "POST" else request.GET
    code, question = given.get("code", "").strip()[:8], given.get("question", "")[:16]
    case = review_queries.decided_answer(assessment, code=code, question=question) if code else None
    if code and case is None and not error:
        status, error = 422, _("No decided answer has this anonymous code and question.")
    rules = rules_of(case) if case else None
    context = {
        "assessment": assessment,
        "questions": list(assessment.questions.all()),
        "code": code,
        "chosen": question,
        "case": case,
        "standing": queries.standing_mark(case) if case else None,
        "steps": [(path, step) for path in rules.paths for step in path.steps] if rules else [],
        "rows": _typed_claims(request.POST if request.method == "POST" else QueryDict()),
        "goals": list(GOALS.items()),
        "typed": {name: given.get(name, "") for name in ("tone", "words")},
        "error": error,
        "version": given.get("version") or (case.version if case else 0),
    }
    return render(request, "review/appeal_file.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def file(request: HttpRequest, public_id: str) -> HttpResponse:
    """Find the answer by anonymous code and question, then write down the claims."""
    assessment = access.assessment_for(request.user, public_id, *FILERS)
    if request.method != "POST":
        return _filing_page(request, public_id)
    case = review_queries.decided_answer(
        assessment, code=request.POST.get("code", "")[:8], question=request.POST.get("question", "")[:16]
    )
    if case is None:
        return _filing_page(request, public_id)
    try:
        claims = _read_claims(_typed_claims(request.POST), rules_of(case))
        tone = Tone.UPSET if request.POST.get("tone") == Tone.UPSET else Tone.CALM
        appeal = transitions.file_appeal(
            case, by=request.user, version=sent_version(request), tone=tone, words=request.POST.get("words", ""),
            claims=claims,
        )  # fmt: skip
    except UnusableInput as error:
        return _filing_page(request, public_id, status=422, error=presentation.sentence_of(error))
    messages.success(request, _("The appeal is filed; the answer is open again for somebody who has never had it."))
    return redirect("review:appeal", appeal.public_id)


def _findings(sent: QueryDict, appeal: Appeal) -> tuple[dict[int, Outcome], dict[int, str]]:
    numbers = list(appeal.claims.values_list("number", flat=True))
    found = {number: sent.get(f"outcome:{number}", "") for number in numbers}
    findings = {number: Outcome(value) for number, value in found.items() if value in set(Outcome)}
    return findings, {number: sent.get(f"reason:{number}", "").strip()[:500] for number in numbers}


def _ledger(appeal: Appeal, sent: QueryDict | None) -> list[dict[str, Any]]:
    """Each claim with its route, its outcome or what has been entered for it so far."""
    claims = review_queries.as_claims(appeal)
    findings, reasons = _findings(sent, appeal) if sent is not None else ({}, {})
    entered = appeals.outcomes_of(claims, findings)
    placed = appeals.placed(claims)
    steps = {(path.path_id, step.step_id): step for path in rules_of(appeal.case).paths for step in path.steps}
    rows = []
    for row in appeal.claims.order_by("number"):
        outcome = row.outcome or (entered[row.number] or "")
        step = steps.get((row.path_id, row.step_id))
        rows.append(
            {
                "claim": row,
                "goal": GOALS[row.goal],
                "step": step,
                "by_rules": placed[row.number].route is appeals.Route.BY_RULES,
                "outcome": outcome,
                "shown": CLAIM_OUTCOMES[outcome],
                "chosen": findings.get(row.number, ""),
                "reason": row.reason or reasons.get(row.number, ""),
            }
        )
    return rows


def _sheet_context(appeal: Appeal, form: SheetForm) -> dict[str, Any]:
    return {
        "form": form,
        "parts": presentation.parts_shown(form.sheet, None, None, ()),
        "statuses": list(STATUSES.values()),
        "recalculate_url": reverse("review:appeal-total", args=[appeal.public_id]),
        "blind": True,
        "editable": True,
        "submit_words": _("Settle the appeal"),
    }


def _standing_form(appeal: Appeal, request: HttpRequest) -> SheetForm:
    """The sheet as the person left it, else as the old mark has it."""
    rules = rules_of(appeal.case)
    kept, _keeping = drafted(request, appeal.case, rules)
    if kept is not None:
        return kept
    old = review_queries.steps_by_key(appeal.old_mark.steps)
    own = {rules.path(path_id).part: path_id for path_id, _step in old}
    statuses: dict[Any, Any] = {key: STATUSES[status].status for key, (status, _score) in old.items()}
    scores: dict[Any, Any] = {key: score for key, (_status, score) in old.items()}
    chosen = chosen_paths(rules, {**own, **wanted_paths(request.GET, rules)})
    form = SheetForm(make_sheet(rules, chosen, statuses, given=scores), "", [], set())
    if not old:
        form.direct, form.direct_total = True, appeal.old_mark.total
        form.direct_typed = f"{appeal.old_mark.total.normalize():f}"
    return form


def _reply(appeal: Appeal, style: Style) -> str:
    if appeal.new_mark is None:
        return ""
    settled = [
        Settled(row.number, row.words, Outcome(row.outcome), row.reason, row.after)
        for row in appeal.claims.order_by("number")
    ]
    language = "en" if (get_language() or "").startswith("en") else "zh"
    return appeals.reply_draft(
        settled, before=appeal.old_mark.total, after=appeal.new_mark.total, style=style, language=language
    )


def _page(
    request: HttpRequest, appeal: Appeal, form: SheetForm | None = None, *, status: int = 200, error: str = ""
) -> HttpResponse:
    case = appeal.case
    pages = list(case.response.pages.order_by("number"))
    held = access.rights_in(request.user, case.response.question.assessment)
    mine = appeal.closed_at is None and case.claimed_by_id == request.user.pk
    _form, keeping = drafted(request, case, rules_of(case)) if mine else (None, {})
    kept = keeping.get("kept")
    typed = request.POST if request.method == "POST" else sent_fields(kept.draft.fields) if kept else None
    given = request.GET.get("style", "")
    style = Style(given) if given in set(Style) else appeals.style_for(Tone(appeal.tone))
    context = {
        **_sheet_context(appeal, form or _standing_form(appeal, request)),
        **keeping,
        "appeal": appeal,
        "case": case,
        "assessment": case.response.question.assessment,
        "question": case.response.question,
        "rules": rules_of(case),
        "ledger": _ledger(appeal, typed),
        "outcomes": [(each, CLAIM_OUTCOMES[each][2]) for each in (Outcome.UPHELD.value, Outcome.REJECTED.value)],
        "mine": mine,
        "held_by": case.claimed_by if appeal.closed_at is None else None,
        "may_decide": Right.ARBITRATE in held and appeal.filed_by_id != request.user.pk,
        "touched": rounds.touched_otherwise(case, request.user) if appeal.closed_at is None else False,
        "pages": presentation.pages_shown(pages, (), drawn=drawn_on(case, request.user) if mine else ()),
        "screen": screen_token(case, pages) if mine else "",
        "screen_forms": ("marking",),
        "beside": _beside(appeal),
        "reply": _reply(appeal, style),
        "style": style.value,
        "error": error,
        "marks": list(queries.marks_of(case)),
    }
    template = "review/appeal_decide.html" if mine else "review/appeal.html"
    return render(request, template, context, status=status)


def _beside(appeal: Appeal) -> list[Any]:
    """The steps of the old mark and of the new one, changed ones first."""
    if appeal.new_mark is None:
        return []
    rows = presentation.marks_beside(rules_of(appeal.case), appeal.old_mark.steps, appeal.new_mark.steps)
    return sorted(rows, key=lambda row: not row.differs)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def appeal(request: HttpRequest, public_id: str) -> HttpResponse:
    """The ledger of an appeal; for whoever has it in hand, the page that decides it."""
    if request.method != "POST":
        return _page(request, appeal_for(request.user, public_id))
    found = appeal_for(request.user, public_id, Right.ARBITRATE)
    form = read_sheet(request.POST, rules_of(found.case), None, blind=True)
    findings, reasons = _findings(request.POST, found)
    if not form.check_complete():
        return _page(request, found, form, status=422)
    try:
        mark = transitions.ending_draft(
            found.case, by=request.user, known=sent_draft(request), window=sent_window(request),
            work=lambda: transitions.decide_appeal(
                found, by=request.user, version=version_beside_image(request, found.case), findings=findings,
                reasons=reasons, steps=form.steps(), total=form.total, reason=form.reason or _("Decision of an appeal"),
            ),
        )  # fmt: skip
    except SomeoneWasFaster as error:
        found.case.refresh_from_db()
        keep(request, found.case)
        why = "elsewhere" if error.code == "draft.elsewhere" else "moved"
        return stale_page(request, found.case, form, draft=review_queries.draft_of(found.case, request.user), why=why)
    except UnusableInput as refused:
        return _page(request, found, form, status=422, error=presentation.sentence_of(refused))
    messages.success(request, _("The appeal is decided: %(total)s points.") % {"total": f"{mark.total.normalize():f}"})
    return gone_to(request, reverse("review:appeal", args=[public_id]))


@require_POST
def take(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take an appeal in hand."""
    transitions.take_appeal(appeal_for(request.user, public_id, Right.ARBITRATE), by=request.user)
    return redirect("review:appeal", public_id)


@require_POST
def recalculate(request: HttpRequest, public_id: str) -> HttpResponse:
    """The sheet with scores and total computed anew; the claims as they are entered stay on the page."""
    found = appeal_for(request.user, public_id, Right.ARBITRATE)
    prolonged(found.case, request.user)
    form = read_sheet(request.POST, rules_of(found.case), None, blind=True)
    if getattr(request, "htmx", False):
        return render(request, "review/_sheet.html", _sheet_context(found, form))
    return _page(request, found, form)
