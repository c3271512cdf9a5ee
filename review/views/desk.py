"""The marking desk as one page: what stands on it, what the person had typed, and the page that says it changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse

from grading import access, queries, transitions
from grading.annotations import pages_told
from grading.domain.roles import Right
from grading.models import Case
from itembank.domain.rules import Rules

from .. import presentation
from .. import queries as review_queries
from ..domain.marking_sheet import proposed_sheet
from ..drawn import drawn_on
from ..exemplars import change_since, exemplar_of
from ..forms import SheetForm, read_sheet, typed_reading, wanted_paths
from ..models import Draft
from ..words import FINDINGS, PROBLEMS, STATUSES
from .queue import Filters, filters_of
from .screen import screen_token
from .timeline import timeline_of


def filters_here(request: HttpRequest, case: Case) -> Filters:
    """The part of the queue the person works through, as their page carries it."""
    return filters_of(request.POST if request.method == "POST" else request.GET, case.response.question.assessment)


def rules_of(case: Case) -> Rules:
    """The rules that the answer is marked under."""
    return case.rules.read()


def claim_state(case: Case, person: Any) -> str:
    """``closed``, ``machine``, ``mine``, ``other`` or ``free``."""
    if case.closed_at is not None:
        return "closed"
    if case.owner in ("AI", "HANDOFF_PENDING"):
        return "machine"
    if case.claimed_by_id == person.pk:
        return "mine"
    return "other" if review_queries.in_hand(case) else "free"


def prolonged(case: Case, person: Any) -> Case:
    """The case with the person's claim on it prolonged, since they work on it; as it is where they have none."""
    return transitions.claim(case, by=person) if claim_state(case, person) == "mine" else case


def sent_fields(fields: dict[str, list[str]]) -> QueryDict:
    """Kept fields as the form that would send them."""
    sent = QueryDict(mutable=True)
    for name, values in fields.items():
        sent.setlist(name, values)
    return sent


def opening_form(request: HttpRequest, case: Case, draft: Draft | None = None) -> SheetForm:
    """The sheet as proposed, or as the person left it. Of a draft made beside another proposal only the reason stays."""
    rules = rules_of(case)
    document = queries.verdict_of(case)
    if draft is not None and draft.run_id == case.run_id:
        form = read_sheet(sent_fields(draft.fields), rules, document)
        form.errors.clear()
        form.wrong_fields.clear()
        return form
    reason = "".join(draft.fields.get("reason", [""])[:1]) if draft else ""
    return SheetForm(proposed_sheet(rules, document, wanted_paths(request.GET, rules)), reason, [], set())


def sheet_context(case: Case, form: SheetForm, lines: Any) -> dict[str, Any]:
    """What the sheet alone needs: it is swapped by itself when a step changes."""
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


@dataclass(frozen=True)
class Kept:
    """A draft as the page shows it: restored into the sheet, or beside it to copy from."""

    draft: Draft
    restored: bool
    reading_restored: bool


def _kept(case: Case, draft: Draft | None, state: str) -> Kept | None:
    if draft is None:
        return None
    fits = state == "mine" and draft.run_id == case.run_id
    return Kept(draft, fits, fits and any(name.startswith("line:") for name in draft.fields))


def desk_page(
    request: HttpRequest, case: Case, form: SheetForm, *, draft: Draft | None = None, status: int = 200, **extra: Any
) -> HttpResponse:
    """The whole page of one answer. ``draft`` is what is kept of it for this person, if anything."""
    context = desk_context(request, case, form, draft=draft) | extra
    return render(request, "review/case.html", context, status=status)


@dataclass(frozen=True)
class Figures:
    """How far the assessment is and how fast the person goes: the same on the page of every answer."""

    progress: queries.ToReview
    pace: review_queries.OwnPace

    def on_page_of(self, case: Case) -> dict[str, Any]:
        """As the page of one answer shows them."""
        return {
            "progress": self.progress,
            "forecast": self.pace.forecast(self.progress.theirs),
            "last": self.pace.last if self.pace.last != case.public_id else "",
        }


def figures_of(case: Case, person: Any) -> Figures:
    """The figures of the assessment that a case belongs to; two queries."""
    assessment = case.response.question.assessment
    return Figures(queries.to_review(assessment, person), review_queries.own_pace(assessment, person))


def desk_context(
    request: HttpRequest, case: Case, form: SheetForm, *, draft: Draft | None = None, filters: Filters | None = None,
    figures: Figures | None = None,
) -> dict[str, Any]:  # fmt: skip
    """All that stands on the page of one answer."""
    filters = filters or filters_here(request, case)
    transitions.note_sight(case, by=request.user)
    document = queries.verdict_of(case)
    pages, any_drawn = pages_told(case)
    drawn = drawn_on(case, request.user) if any_drawn else []
    lines = presentation.lines_of(document, pages)
    gate = presentation.gate_shown(document)
    assessment = case.response.question.assessment
    state = claim_state(case, request.user)
    kept = _kept(case, draft, state)
    typed: QueryDict | None = request.POST if request.method == "POST" else None
    if typed is None and kept and kept.restored:
        typed = sent_fields(kept.draft.fields)
    reading = typed_reading(typed, lines)
    problems = queries.problems_of_case(case)
    return {
        **sheet_context(case, form, lines),
        "page_address": reverse("review:case", args=[case.public_id]) + filters.query,
        "assessment": assessment,
        "question": case.response.question,
        "rules": form.sheet.rules,
        "page_rows": pages,
        "pages": presentation.pages_shown(pages, lines, document, drawn),
        "drawable": state == "mine",
        "screen": screen_token(case, pages),
        "screen_forms": ("marking", "accepting", "reading-form", "problem-form"),
        "problem_rows": problems,
        "problems": [(each, PROBLEMS[each.kind], FINDINGS.get(each.finding, "")) for each in problems],
        "reasons_used": review_queries.reasons_used(case.response.question, request.user),
        "problem_kinds": list(PROBLEMS.values()),
        "lines": lines,
        "reading": reading,
        "gate": gate,
        "failing": presentation.failing(gate),
        "document": document,
        "state": state,
        "editable": state == "mine",
        "filters": filters,
        **(figures or figures_of(case, request.user)).on_page_of(case),
        "standing": queries.standing_mark(case) if state == "closed" else None,
        **(_as_exemplar(case, request.user) if state == "closed" else {}),
        "reading_open": reading.changed,
        "kept": kept,
        "known": request.POST.get("draft", "0") if request.method == "POST" else draft.version if draft else 0,
        "entered": entered(case, draft) if kept and not kept.restored else None,
    }


def _as_exemplar(case: Case, person: Any) -> dict[str, Any]:
    """Of a decided answer: the exemplar it is, and whether the person may name or withdraw one."""
    exemplar = exemplar_of(case)
    return {
        "exemplar": exemplar,
        "exemplar_changed": change_since(case, exemplar) if exemplar else "",
        "leads": Right.LEAD in access.rights_in(person, case.response.question.assessment),
    }


@dataclass(frozen=True)
class Entered:
    """What a person had typed, in words to copy from."""

    steps: list[tuple[Any, Any]]
    reason: str
    reading: list[str]


def entered(case: Case, draft: Draft | None, form: SheetForm | None = None) -> Entered:
    """The steps, the reason and the corrected lines of a form or a kept draft."""
    fields = draft.fields if draft else {}
    shown = form or read_sheet(sent_fields(fields), rules_of(case), queries.verdict_of(case))
    document = draft.run.document if draft and draft.run else queries.verdict_of(case)
    was = {
        line["line_id"]: line.get("latex", line.get("text", ""))
        for line in (document or {}).get("reading", {}).get("lines", [])
    }
    corrected = [
        values[0]
        for name, values in fields.items()
        if name.startswith("line:") and values and was.get(name.removeprefix("line:")) != values[0]
    ]
    return Entered(
        [(each, STATUSES[each.status.value] if each.status else None) for each in shown.sheet.steps],
        shown.reason,
        [*corrected, *(each for each in fields.get("new_line", []) if each.strip())],
    )


def stale_page(
    request: HttpRequest, case: Case, form: SheetForm, *, draft: Draft | None, why: str = "moved"
) -> HttpResponse:
    """409, nothing was saved: what happened since the page was opened, and what the person had entered.

    ``why``: ``moved`` (the case changed), ``elsewhere`` (their own other window is newer) or ``screen`` (the sheet was
    not filled in beside the image this answer has).
    """
    context = {
        "case": case,
        "assessment": case.response.question.assessment,
        "entered": entered(case, draft, form),
        "events": timeline_of(case)[-4:],
        "why": why,
        "state": claim_state(case, request.user),
        "standing": queries.standing_mark(case),
        "filters": filters_here(request, case),
    }
    return render(request, "review/stale.html", context, status=409)
