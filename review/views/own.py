"""回评: a person's own last marks, newest first, and the page on which they change one of them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.foundation.canonical import number_text
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import access, queries, transitions
from grading.domain.roles import Right
from grading.models import Case, Mark
from grading.transitions.cases import moved_on

from .. import presentation
from .. import queries as review_queries
from .. import transitions as review_transitions
from ..domain.marking_sheet import blank_sheet
from ..drawn import drawn_on
from ..forms import SheetForm, read_sheet, wanted_paths
from ..opinions import sheet_between
from ..own_marks import given_by, own_marks, standing_by_question
from ..words import FIXED, STATUSES
from .desk import rules_of, stale_page
from .screen import screen_token
from .sent import drafted, gone_to, keep, not_kept, refuse_other_image, sent_draft, sent_version, sent_window

PER_PAGE = 30


@require_safe
@never_cache
def mine(request: HttpRequest, public_id: str) -> HttpResponse:
    """The marks the person gave, of one question or all, newest first."""
    assessment = access.assessment_for(request.user, public_id, Right.MARK)
    question = review_queries.question_named(assessment, request.GET.get("question", ""))
    page = Paginator(given_by(assessment, request.user, question), PER_PAGE).get_page(request.GET.get("page"))
    pace = review_queries.own_pace(assessment, request.user)
    context = {
        "assessment": assessment,
        "question": question,
        "questions": list(assessment.questions.all()),
        "page": page,
        "rows": [(row, FIXED.get(row.fixed, "")) for row in own_marks(list(page.object_list), request.user)],
        "standing": standing_by_question(assessment, pace, request.user),
    }
    return render(request, "review/own_marks.html", context)


def _case(request: HttpRequest, public_id: str) -> Case:
    return access.case_for(request.user, public_id, Right.MARK)


def _sheet_context(case: Case, form: SheetForm) -> dict[str, Any]:
    return {
        "form": form,
        "parts": presentation.parts_shown(form.sheet, None, None, ()),
        "statuses": list(STATUSES.values()),
        "recalculate_url": reverse("review:change-total", args=[case.public_id]),
        "blind": True,
        "editable": True,
        "reason_due": True,
        "submit_words": _("Save as a new edition"),
    }


def _page(request: HttpRequest, case: Case, form: SheetForm, *, status: int = 200) -> HttpResponse:
    pages = list(case.response.pages.order_by("number"))
    lines = presentation.lines_of(queries.verdict_of(case), pages)
    _form, keeping = drafted(request, case, form.sheet.rules)
    context = {
        **_sheet_context(case, form),
        **keeping,
        "draft_address": reverse("review:change-draft", args=[case.public_id]),
        "draft_key": f"{case.public_id}.change",
        "case": case,
        "assessment": case.response.question.assessment,
        "question": case.response.question,
        "rules": form.sheet.rules,
        "lines": lines,
        "pages": presentation.pages_shown(pages, lines, drawn=drawn_on(case, request.user)),
        "screen": screen_token(case, pages),
        "screen_forms": ("marking",),
        "editions": list(queries.marks_of(case)),
    }
    return render(request, "review/change.html", context, status=status)


def _opening_form(request: HttpRequest, case: Case, mark: Mark) -> SheetForm:
    """The sheet as the standing mark has it; open where the rules no longer hold its steps."""
    rules = rules_of(case)
    kept, _keeping = drafted(request, case, rules)
    if kept is not None:
        return kept
    wanted = wanted_paths(request.GET, rules)
    known = {(path.path_id, step.step_id) for path in rules.paths for step in path.steps}
    fits = all((each["path_id"], each["step_id"]) in known for each in mark.steps)
    form = SheetForm(sheet_between(rules, [mark], wanted) if fits else blank_sheet(rules, wanted), "", [], set())
    if not mark.steps:
        form.direct, form.direct_total, form.direct_typed = True, mark.total, number_text(mark.total)
    return form


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def change(request: HttpRequest, public_id: str) -> HttpResponse:
    """The person's own mark, to be changed with a reason. What is not theirs to change is refused with the cause."""
    case = _case(request, public_id)
    mark = queries.standing_mark(case)
    if request.method != "POST":
        refused = transitions.fixed(case, mark, request.user)
        if refused is not None or mark is None:
            messages.warning(request, str(FIXED[refused]) if refused else _("This answer has no mark yet."))
            return redirect("review:case", public_id)
        return _page(request, case, _opening_form(request, case, mark))
    form = read_sheet(request.POST, rules_of(case), None, blind=True)
    version = sent_version(request)
    if version != case.version:
        return _stale(request, case, form)
    refuse_other_image(request, case, version, case.owner_epoch)
    if not form.check_complete():
        return _page(request, case, form, status=422)
    try:
        edition = review_transitions.ending_draft(
            case, by=request.user, known=sent_draft(request), window=sent_window(request),
            work=lambda: transitions.change_own_mark(
                case, by=request.user, version=version, steps=form.steps(), total=form.total, reason=form.reason
            ),
        )  # fmt: skip
    except SomeoneWasFaster as error:
        return _stale(request, case, form, "elsewhere" if error.code == "draft.elsewhere" else "moved")
    except UnusableInput as error:
        form.errors.append(presentation.sentence_of(error))
        if error.code == "own_mark.reason":
            form.wrong_fields.add("reason")
        return _page(request, case, form, status=422)
    messages.success(
        request,
        _("Answer %(code)s: %(total)s points, edition %(edition)s; the earlier ones stay beside it.")
        % {"code": case.response.code, "total": number_text(edition.total), "edition": edition.edition},
    )
    question = case.response.question
    listed = reverse("review:own-marks", args=[question.assessment.public_id])
    return gone_to(request, f"{listed}?question={question.public_id}")


def _stale(request: HttpRequest, case: Case, form: SheetForm, why: str = "moved") -> HttpResponse:
    """409, nothing was saved: what happened to the answer meanwhile, and what the person had entered."""
    case.refresh_from_db()
    return stale_page(request, case, form, draft=None, why=why)


@require_POST
@never_cache
def draft(request: HttpRequest, public_id: str) -> HttpResponse:
    """Keep what is typed for the change of one's own mark, as JSON for the page's script.

    On a page that is out of date nothing more is kept: it still stands there, and what happened is said.
    """
    case = _case(request, public_id)
    try:
        if case.version != sent_version(request):
            raise moved_on(case)
        transitions.refuse_fixed(case, by=request.user)
    except (SomeoneWasFaster, NotAllowedNow) as error:
        return not_kept(error)
    return keep(request, case)


@require_POST
def recalculate(request: HttpRequest, public_id: str) -> HttpResponse:
    """The sheet with scores and total computed anew."""
    case = _case(request, public_id)
    form = read_sheet(request.POST, rules_of(case), None, blind=True)
    if getattr(request, "htmx", False):
        return render(request, "review/_sheet.html", _sheet_context(case, form))
    return _page(request, case, form)
