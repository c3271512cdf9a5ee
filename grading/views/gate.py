"""The rules under which answers of an assessment pass without a person: meaning, policy values, versions. Read only."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from .. import access, queries
from ..domain.gate import RULES, RuleEntry
from ..domain.gate.guarded import GUARDED
from ..domain.policy import LEAST_CONFIDENCE, Policy, read_policy
from ..domain.roles import Right
from ..judges.versions import Part, parts_in_use

READERS = (Right.ADMINISTER, Right.LEAD, Right.AUDIT)

Words = str | Promise

FIELDS: dict[str, tuple[Words, Words]] = {
    "allow_uncertified": (
        _("Without a certificate"),
        _("whether an answer may pass whose question was not measured yet, when algebra proves every step"),
    ),
    "step_confidence": (_("Least confidence in a step"), _("a judge less sure of any step hands the answer over")),
    "line_confidence": (_("Least confidence in a line"), _("a reader may ask for more; the higher figure counts")),
    "second_judge": (_("Second judge"), _("whether every answer needs two judges who agree")),
    "alternatives_limit": (_("Doubtful readings tried"), _("an answer with more of them goes to a person untried")),
}
PARTS: dict[str, Words] = {
    "gate": _("Gate"),
    "algebra": _("Algebra"),
    "judge": _("Judge"),
    "reader": _("Reader"),
    "prompt": _("Prompt"),
}


@dataclass(frozen=True)
class Value:
    """One value of the policy in words; `is_default`: nobody set it for this assessment."""

    field: str
    label: Words
    meaning: Words
    shown: Words
    is_default: bool


@dataclass(frozen=True)
class Row:
    """One rule of the gate in the reader's language, with the values it looks at and how often it stops an answer."""

    number: int
    rule: str
    title: str
    meaning: str
    guards: str
    values: list[Value]
    stops: int


def values_of(policy: Policy, given: Any) -> dict[str, Value]:
    """Every value of a policy by its field, in the order in which people read them."""
    found = {}
    for field, (label, meaning) in FIELDS.items():
        value = getattr(policy, field)
        shown: Words = (_("yes") if value else _("no")) if isinstance(value, bool) else f"{value}"
        found[field] = Value(field, label, meaning, shown, field not in given)
    return found


def _row(number: int, entry: RuleEntry, values: dict[str, Value], stops: int, *, english: bool) -> Row:
    guarded = GUARDED[entry.rule]
    return Row(
        number=number,
        rule=entry.rule,
        title=entry.title_en if english else entry.title_zh,
        meaning=entry.meaning_en if english else entry.meaning_zh,
        guards=guarded.en if english else guarded.zh,
        values=[values[field] for field in guarded.policy],
        stops=stops,
    )


def _named(part: Part) -> tuple[Words, Part]:
    return PARTS[part.kind], part


@require_safe
def show(request: HttpRequest, public_id: str) -> HttpResponse:
    """All rules in the order in which the gate asks them."""
    assessment = access.assessment_for(request.user, public_id, *READERS)
    rights = access.rights_in(request.user, assessment)
    policy = read_policy(assessment.policy)
    values = values_of(policy, assessment.policy)
    stops = dict(queries.reasons_of(assessment))
    english = (get_language() or "").startswith("en")
    context = {
        "assessment": assessment,
        "administers": Right.ADMINISTER in rights,
        "policy": policy,
        "values": list(values.values()),
        "least_confidence": Decimal(LEAST_CONFIDENCE),
        "rows": [
            _row(number, entry, values, stops.get(entry.rule, 0), english=english)
            for number, entry in enumerate(RULES, start=1)
        ],
        "parts": [_named(part) for part in parts_in_use(assessment.judge)],
        "questions": assessment.questions.select_related("rules"),
    }
    return render(request, "grading/gate.html", context)
