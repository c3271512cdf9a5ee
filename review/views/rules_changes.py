"""Rules that change while a question is being marked: a newer version or a proposed path, its preview, the choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.foundation.errors import UnusableInput
from grading import access
from grading.domain.roles import Right
from grading.domain.rules_changes import Choice
from grading.models import Case, Question
from itembank.domain.presentation import latex_name
from itembank.domain.rules import UnusableRules, read_rules, rules_document
from itembank.domain.rules_difference import rules_difference

from .. import rules_changes as reads
from .. import transitions
from ..access import rules_change_for
from ..domain.rules_changes import MOST_STEPS, ChangeState, path_of_form, path_of_json
from ..models import RulesChange
from ..presentation import sentence_of
from ..words import CARRIED, CHANGE_STATES, CHOICES, EFFECTS, RULES_FIELDS

PER_PAGE = 50
MOST_FAULTS_SHOWN = 40
MOST_BYTES = 256 * 1024
READERS = (Right.LEAD, Right.ADMINISTER)
WRITERS = (Right.LEAD, Right.ADMINISTER, Right.MARK)


def _faults(error: UnusableInput) -> list[str]:
    """What is wrong, a sentence each, in the reader's language."""
    if isinstance(error, UnusableRules):
        language = "en" if (get_language() or "").startswith("en") else "zh"
        return [fault.line(language) for fault in error.faults][:MOST_FAULTS_SHOWN]
    return [sentence_of(error)]


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def question(request: HttpRequest, public_id: str) -> HttpResponse:
    """The changes of one question's rules, with a form for a newer version and one for a path somebody found."""
    found = access.question_for(request.user, public_id, *WRITERS)
    held = access.rights_in(request.user, found.assessment)
    faults: list[str] = []
    if request.method == "POST":
        if not held.intersection(READERS):
            raise PermissionDenied
        try:
            change = transitions.propose_rules(found, rules_document(_file_of(request)), by=request.user)
        except UnusableInput as error:
            faults = _faults(error)
        else:
            return redirect("review:rules-change", change.public_id)
    return _question_page(request, found, held, faults=faults)


def _file_of(request: HttpRequest) -> bytes:
    file: Any = request.FILES.get("rules")
    if file is None or file.size > MOST_BYTES:
        raise UnusableInput(
            "rules.file", "请选择不超过 256 KB 的细则文件。", "Choose a file of rules of at most 256 KB."
        )
    content: bytes = file.read()
    return content


def _question_page(
    request: HttpRequest,
    found: Question,
    held: frozenset[Right],
    *,
    faults: list[str],
    path_faults: list[str] | None = None,
) -> HttpResponse:
    leads = bool(held.intersection(READERS))
    changes = list(reads.changes_of(found))
    if not leads:
        changes = [change for change in changes if reads.may_be_read_by(change, request.user)]
    typed = request.POST if path_faults else None
    context = {
        "question": found,
        "assessment": found.assessment,
        "changes": [(change, CHANGE_STATES[change.state]) for change in changes],
        "reads": leads,
        "proposes": bool(held & {Right.MARK, Right.LEAD}),
        "faults": faults,
        "path_faults": path_faults or [],
        "typed": typed,
        "rows": _typed_steps(request) if typed else [(number, {}) for number in range(1, 5)],
        "of": (typed or request.GET).get("of", "")[:16],
    }
    return render(request, "review/rules_changes.html", context, status=422 if faults or path_faults else 200)


def _typed_steps(request: HttpRequest) -> list[tuple[int, dict[str, str]]]:
    return [
        (number, {field: request.POST.get(f"{field}_{number}", "")[:2000] for field in ("desc", "points", "expects")})
        for number in range(1, MOST_STEPS + 1)
        if number < 5 or request.POST.get(f"desc_{number}") or request.POST.get(f"points_{number}")
    ]


@require_POST
def propose(request: HttpRequest, public_id: str) -> HttpResponse:
    """A path that a teacher found, from the simple form or as JSON: a draft until a leader approves it."""
    found = access.question_for(request.user, public_id, Right.MARK, Right.LEAD)
    held = access.rights_in(request.user, found.assessment)
    try:
        written = request.POST.get("json", "").strip()
        if written:
            path = path_of_json(written)
        else:
            known = [path["path_id"] for path in found.rules.document["valid_paths"]]
            steps = [step for _number, step in _typed_steps(request)]
            path = path_of_form(request.POST.get("name", "")[:200], request.POST.get("part", "")[:4], steps, known)
        change = transitions.propose_path(
            found, path, by=request.user, note=request.POST.get("note", ""), case=_case_named(request, found)
        )
    except UnusableInput as error:
        return _question_page(request, found, held, faults=[], path_faults=_faults(error))
    messages.success(request, _("The path is kept as a draft; a leader other than you decides about it."))
    if held.intersection(READERS):
        return redirect("review:rules-change", change.public_id)
    return redirect("review:rules-changes", public_id)


def _case_named(request: HttpRequest, found: Question) -> Case | None:
    named = request.POST.get("of", "")
    return Case.objects.filter(response__question=found, public_id=named).first() if named.isalnum() else None


@require_safe
@never_cache
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """The preview of a change: what differs, whom it touches, the choice; afterwards the report."""
    change = rules_change_for(request.user, public_id, *READERS)
    difference = rules_difference(change.old.read(), read_rules(change.document))
    context = {
        **_progress_context(request, change),
        "fields": [
            (RULES_FIELDS.get(each.name, each.name), _text(each.before), _text(each.after))
            for each in difference.fields
        ],
        "paths": [path for path in difference.paths if path.kind != "same"],
        "same_paths": sum(path.kind == "same" for path in difference.paths),
        "step_fields": RULES_FIELDS,
    }
    return render(request, "review/rules_change.html", context)


def _text(value: Any) -> str:
    """A field of the rules as one line; formulas of a mapping between dollar signs."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return ", ".join(f"${latex_name(name)}={each}$" for name, each in value.items())
    if isinstance(value, tuple):
        return ", ".join(value)
    return "–" if value in (None, "") else str(value)


@require_safe
@never_cache
def progress(request: HttpRequest, public_id: str) -> HttpResponse:
    """Only the figures, asked for again while work goes on."""
    change = rules_change_for(request.user, public_id, *READERS)
    return render(request, "review/rules_change.html#change-figures", _progress_context(request, change))


def _progress_context(request: HttpRequest, change: RulesChange) -> dict[str, Any]:
    chosen = change.state == ChangeState.CHOSEN.value
    effects, outcomes = reads.counted(change, "effect"), reads.counted(change, "outcome")
    leads = Right.LEAD in access.rights_in(request.user, change.question.assessment)
    return {
        "change": change,
        "question": change.question,
        "assessment": change.question.assessment,
        "state": CHANGE_STATES[change.state],
        "standing": reads.standing_of(change),
        "work": reads.work_of(change, carrying=chosen),
        "effects": {effect: effects.get(effect, 0) for effect in EFFECTS},
        "outcomes": [(CARRIED[name], outcomes[name]) for name in CARRIED if outcomes.get(name)],
        "page": Paginator(reads.listed(change), PER_PAGE).get_page(request.GET.get("page")),
        "effect_words": EFFECTS,
        "outcome_words": CARRIED,
        "choices": CHOICES.items(),
        "choice_words": CHOICES.get(change.choice),
        "leads": leads,
        "own": change.author_id == getattr(request.user, "pk", None),
    }


@require_POST
def choose(request: HttpRequest, public_id: str) -> HttpResponse:
    """The leader's choice, once; the answers follow in the background."""
    change = rules_change_for(request.user, public_id, Right.LEAD)
    named = request.POST.get("choice", "")
    if named not in set(Choice):
        raise UnusableInput(
            "rules.choice", "请选择如何处理已评的作答。", "Choose what becomes of the answers marked so far."
        )
    transitions.choose(change, by=request.user, choice=Choice(named))
    messages.success(request, _("The newer version is in force; its answers are being carried over."))
    return redirect("review:rules-change", public_id)


@require_POST
def approve(request: HttpRequest, public_id: str) -> HttpResponse:
    """A leader other than the author makes a proposed path part of a newer version."""
    change = rules_change_for(request.user, public_id, Right.LEAD)
    transitions.approve_path(change, by=request.user)
    return redirect("review:rules-change", public_id)


@require_POST
def refuse(request: HttpRequest, public_id: str) -> HttpResponse:
    """The change is dropped and the question keeps its rules."""
    change = rules_change_for(request.user, public_id, Right.LEAD)
    transitions.refuse_change(change, by=request.user)
    return redirect("review:rules-changes", change.question.public_id)
