"""Same answers together: the groups of a question, one group as a contact sheet, its mark for all, and the whole undone."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.foundation.errors import SomeoneWasFaster, UnusableInput
from grading import access, transitions
from grading.domain.roles import Right
from grading.models import Case, Question
from grading.rounds import NotYetSeen

from .. import presentation
from .. import queries as review_queries
from .. import transitions as review_transitions
from ..access import marked_group_for
from ..contact_sheet import CommonStep, common_steps, first_document, tiles
from ..domain.group_marks import MemberOutcome, Shown
from ..domain.marking_sheet import proposed_sheet
from ..forms import SheetForm, read_sheet
from ..like_answers import ContactSheet, LikeAnswers, groups_of, sheet_of
from ..models import MarkedGroup
from ..words import APART, STATUSES
from .desk import rules_of

SALT = "review.group"
LONGEST_AGE = 24 * 60 * 60
LONGEST_TOKEN = 16_000


@dataclass(frozen=True)
class Row:
    """One group in the list."""

    group: LikeAnswers
    steps: list[CommonStep]
    share: Decimal  # of the answers that wait, 0 to 1

    @property
    def result(self) -> str:
        """What the last step that states something comes to."""
        return next((step.stated[0] for step in reversed(self.steps) if step.stated), "")


@require_safe
@never_cache
def listing(request: HttpRequest, public_id: str) -> HttpResponse:
    """The groups of one question: how large, what they come to, and why the other answers are marked one by one."""
    assessment = access.assessment_for(request.user, public_id, Right.MARK)
    questions = list(assessment.questions.select_related("rules", "assessment"))
    wanted = review_queries.question_named(assessment, request.GET.get("question", ""))
    question = next(
        (each for each in questions if wanted and each.pk == wanted.pk), questions[0] if questions else None
    )
    context = {"assessment": assessment, "questions": questions, "question": question}
    if question is not None:
        context |= _found(question, request.user)
    return render(request, "review/groups.html", context)


def _found(question: Question, person: Any) -> dict[str, Any]:
    found, rules = groups_of(question, person), question.rules.read()
    waiting = max(1, found.waiting)
    return {
        "found": found,
        "rows": [
            Row(group, common_steps(group.like, rules), Decimal(len(group.cases)) / waiting) for group in found.groups
        ],
        "share": Decimal(found.covered) / waiting,
        "alone": [(APART[name], count) for name, count in found.alone],
    }


def _signed(question: Question, person: Any, sheet: ContactSheet) -> str:
    """The token of a screen: whose it is, what it may mark, and a name of its own so that it marks once."""
    said = {
        "u": person.pk,
        "q": question.public_id,
        "n": secrets.token_urlsafe(18),
        "m": [asdict(one) for one in sheet.shown],
    }
    return signing.dumps(said, salt=SALT, compress=True)


def _read(token: str, question: Question, person: Any) -> tuple[str, list[Shown]]:
    """Name of the screen and the answers on it. Raises SomeoneWasFaster for a token that is not this person's, or too old."""
    try:
        said = signing.loads(token[:LONGEST_TOKEN], salt=SALT, max_age=LONGEST_AGE)
    except signing.BadSignature:
        said = {}
    if (said.get("u"), said.get("q")) != (person.pk, question.public_id):
        raise SomeoneWasFaster(
            "group.screen", "这一页已经失效，没有保存任何分数。请重新打开这组作答。",
            "This page is no longer valid; no mark was saved. Open the group again.",
        )  # fmt: skip
    return said["n"], [Shown(**one) for one in said["m"]]


def _group_here(request: HttpRequest, case: Case) -> LikeAnswers | None:
    return groups_of(case.response.question, request.user).group_of(case)


def _gone(request: HttpRequest, question: Question) -> HttpResponse:
    messages.info(request, _("This answer stands in no group any more; here are the groups as they are now."))
    return redirect(f"{reverse('review:groups', args=[question.assessment.public_id])}?question={question.public_id}")


def _sheet_context(case: Case, form: SheetForm, document: Any) -> dict[str, Any]:
    return {
        "case": case,
        "form": form,
        "parts": presentation.parts_shown(form.sheet, document, None, ()),
        "statuses": list(STATUSES.values()),
        "verdict": document["verdict"],
        "recalculate_url": reverse("review:alike-total", args=[case.public_id]),
        "submit_words": _("Give this mark to all"),
        "editable": True,
    }


def _page(
    request: HttpRequest, case: Case, group: LikeAnswers, form: SheetForm | None = None, *, status: int = 200
) -> HttpResponse:
    """The contact sheet. ``case`` is the answer by which it is addressed."""
    question, sheet = case.response.question, sheet_of(group)
    transitions.note_sights(sheet.cases, by=request.user)
    document, rules = first_document(sheet), rules_of(case)
    shown = form or SheetForm(proposed_sheet(rules, document), "", [], set())
    without = request.POST.getlist("without") if request.method == "POST" else []
    context = {
        **_sheet_context(case, shown, document),
        "assessment": question.assessment,
        "question": question,
        "rules": rules,
        "group": group,
        "sheet": sheet,
        "common": common_steps(group.like, rules),
        "tiles": tiles(sheet, without),
        "token": _signed(question, request.user, sheet),
        "reasons_used": review_queries.reasons_used(question, request.user),
    }
    return render(request, "review/group.html", context, status=status)


@require_safe
@never_cache
def alike(request: HttpRequest, public_id: str) -> HttpResponse:
    """The group in which an answer stands, as a contact sheet; looking claims nothing, but whoever looked has seen."""
    try:
        case = access.case_for(request.user, public_id, Right.MARK)
    except NotYetSeen:
        return _gone(request, access.unseen_case_for(request.user, public_id, Right.MARK).response.question)
    group = _group_here(request, case)
    return _page(request, case, group) if group else _gone(request, case.response.question)


@require_POST
@never_cache
def recalculate(request: HttpRequest, public_id: str) -> HttpResponse:
    """What a changed step comes to, before it is given to all: the sheet for htmx, else the whole page."""
    case = access.case_for(request.user, public_id, Right.MARK)
    document = case.run.document if case.run else None
    if document is None:
        return _gone(request, case.response.question)
    form = read_sheet(request.POST, rules_of(case), document)
    if getattr(request, "htmx", False):
        return render(request, "review/_sheet.html", _sheet_context(case, form, document))
    group = _group_here(request, case)
    return _page(request, case, group, form) if group else _gone(request, case.response.question)


@require_POST
@never_cache
def mark(request: HttpRequest, public_id: str) -> HttpResponse:
    """Confirm the group as proposed, or give it the mark of the sheet; the answers are those the signed screen showed."""
    question = access.question_for(request.user, public_id, Right.MARK)
    key, shown = _read(request.POST.get("group", ""), question, request.user)
    if known := review_queries.marked_from(key, request.user):
        return redirect("review:marked-group", known.public_id)
    first = review_queries.unchanged_member(question, shown)
    if first is None or first.run is None:
        return _gone(request, question)
    document, rules = first.run.document, question.rules.read()
    accepted = "accept" in request.POST
    proposed = SheetForm(proposed_sheet(rules, document), "", [], set())
    form = proposed if accepted else read_sheet(request.POST, rules, document)
    if form.check_complete():
        try:
            marked = review_transitions.mark_group(
                question,
                by=request.user,
                key=key,
                shown=shown,
                without=request.POST.getlist("without"),
                steps=form.steps(),
                total=form.total,
                reason=form.reason,
            )
            return redirect("review:marked-group", marked.public_id)
        except UnusableInput as error:
            form.errors.append(presentation.sentence_of(error))
            if error.code == "decision.reason":
                form.wrong_fields.add("reason")
    group = _group_here(request, first)
    return _page(request, first, group, form, status=422) if group else _gone(request, question)


@require_safe
@never_cache
def marked(request: HttpRequest, public_id: str) -> HttpResponse:
    """What became of each answer of a group that the person has marked."""
    group = marked_group_for(request.user, public_id)
    members = list(group.members.select_related("case__response"))
    counts = {outcome: sum(each.outcome == outcome for each in members) for outcome in MemberOutcome}
    question = group.question
    left = groups_of(question, request.user).groups
    context = {
        "group": group,
        "question": question,
        "assessment": question.assessment,
        "members": members,
        "counts": {outcome.value: count for outcome, count in counts.items()},
        "following": left[0] if left else None,
        "steps": presentation.marks_beside(question.rules.read(), group.steps, []),
    }
    return render(request, "review/marked_group.html", context)


@require_POST
def undo(request: HttpRequest, public_id: str) -> HttpResponse:
    """Take back the marks of the whole group; those that somebody has touched since stay and are named."""
    group: MarkedGroup = review_transitions.take_back_group(marked_group_for(request.user, public_id), by=request.user)
    count = group.members.filter(outcome=MemberOutcome.TAKEN_BACK).count()
    messages.info(
        request,
        ngettext("%(count)s answer is back in the queue.", "%(count)s answers are back in the queue.", count)
        % {"count": count},
    )
    return redirect("review:marked-group", public_id)
