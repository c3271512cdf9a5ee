"""Questions of an assessment: adding one with its rules, and the readable page of the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

import itembank.domain
from config.foundation import strict_json
from config.foundation.errors import NotAllowedNow, UnusableInput
from itembank.domain.faults import UnusableRules
from itembank.domain.presentation import rules_view
from itembank.transitions import publish_rules

from .. import access, queries, transitions
from ..domain.roles import Right
from ..forms import MAX_RULES_BYTES, QuestionForm
from ..models import Assessment
from .responses import sent, sentence

MOST_FAULTS_SHOWN = 40
EXAMPLE = Path(itembank.domain.__file__).parent / "scoring_rules.example.json"


@require_http_methods(["GET", "HEAD", "POST"])
def listing(request: HttpRequest, public_id: str) -> HttpResponse:
    """The questions, and a form that adds one."""
    assessment = access.assessment_for(request.user, public_id, Right.ADMINISTER)
    taken = set(assessment.questions.values_list("number", flat=True))
    free = next(number for number in range(1, 101) if number not in taken)
    form = QuestionForm(*sent(request), initial={"number": free})
    faults: list[str] = []
    if request.method == "POST" and form.is_valid():
        faults = _add(request, assessment, form)
        if not faults and not form.errors:
            return redirect("grading:questions", public_id)
    context = {
        "assessment": assessment,
        "questions": assessment.questions.select_related("rules"),
        "form": form,
        "faults": faults[:MOST_FAULTS_SHOWN],
        "more_faults": max(0, len(faults) - MOST_FAULTS_SHOWN),
        "locked": queries.has_answers(assessment),
    }
    return render(request, "grading/questions.html", context, status=422 if faults or form.errors else 200)


def _add(request: HttpRequest, assessment: Assessment, form: QuestionForm) -> list[str]:
    """Publish the rules and add the question; the faults in the reader's language when they cannot be used."""
    given: dict[str, Any] = form.cleaned_data
    name = getattr(request.FILES["rules"], "name", "")
    language = "en" if (get_language() or "").startswith("en") else "zh"
    try:
        document = strict_json.loads(given["rules"], max_bytes=MAX_RULES_BYTES, allow_controls="\n\t")
        rules = publish_rules(document, by=request.user)  # type: ignore[arg-type]
        question = transitions.add_question(
            assessment,
            number=given["number"],
            label=given["label"].strip() or f"第{given['number']}题",
            rules=rules,
            by=request.user,
        )
    except UnusableRules as error:
        return [f"{name}: {fault.line(language)}" for fault in error.faults]
    except NotAllowedNow as error:
        return [sentence(error)]
    except UnusableInput as error:
        if error.code == "question.taken":
            form.add_error("number", sentence(error))
            return []
        return [f"{name}: {sentence(error)}"]
    messages.success(request, _("Question %(label)s was added.") % {"label": question.label})
    return []


@require_safe
def example(request: HttpRequest) -> HttpResponse:
    """The hand-worked example of scoring rules, as a file to start from."""
    headers = {"Content-Disposition": 'attachment; filename="scoring-rules-example.json"'}
    return HttpResponse(EXAMPLE.read_bytes(), content_type="application/json", headers=headers)


@require_safe
def rules(request: HttpRequest, public_id: str) -> HttpResponse:
    """The scoring rules of a question, readable, for everybody who works on the assessment."""
    question = access.question_for(request.user, public_id)
    view = rules_view(question.rules.read())
    administers = Right.ADMINISTER in access.rights_in(request.user, question.assessment)
    return render(request, "grading/rules.html", {"question": question, "view": view, "administers": administers})
