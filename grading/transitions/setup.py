"""Setting up an assessment: the assessment itself, its questions, classes and candidates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from itembank.domain.rules import read_rules
from itembank.models import ScoringRules

from ..chains import actor_of, assessment_chain
from ..domain.policy import read_policy
from ..domain.roster import RosterRow
from ..models import Assessment, AssessmentState, Candidate, Question, Response, SchoolClass
from .people import give_role

CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,39}")


@dataclass(frozen=True)
class RosterOutcome:
    """What an import changed."""

    created: int
    moved: int
    unchanged: int
    classes: tuple[str, ...]


@transaction.atomic
def create_assessment(*, code: str, title: str, judge: str, policy: dict[str, Any], by: Any) -> Assessment:
    """Set up an assessment; the person who does becomes its school staff.

    Raises UnusableInput for a code that is malformed or taken, or a policy that cannot be read.
    """
    if not CODE.fullmatch(code):
        raise UnusableInput(
            "assessment.code", "代号只能用字母、数字、- 和 _，2 到 40 个字符。",
            "A code has 2 to 40 letters, digits, hyphens or underscores.",
        )  # fmt: skip
    read_policy(policy)
    try:
        with transaction.atomic():
            assessment = Assessment.objects.create(
                code=code, title=title.strip() or code, judge=judge, policy=policy, created_at=timezone.now()
            )
    except IntegrityError:
        raise UnusableInput("assessment.taken", f"代号 {code} 已被使用。", f"The code {code} is taken.") from None
    trail.append(
        assessment_chain(assessment), "create_assessment", actor=actor_of(by), code=code, judge=judge, policy=policy
    )
    if by is not None:
        give_role(assessment, by, "school_staff", by=by)
    return assessment


def _still_preparing(assessment: Assessment) -> None:
    if Response.objects.filter(question__assessment=assessment).exists():
        raise NotAllowedNow(
            "assessment.has_answers", "已有作答上传，不能再改动试题。",
            "Answers have been uploaded; the questions can no longer be changed.",
        )  # fmt: skip


@transaction.atomic
def add_question(assessment: Assessment, *, number: int, label: str, rules: ScoringRules, by: Any) -> Question:
    """Add a question with a pinned version of scoring rules. Raises NotAllowedNow once answers exist."""
    _still_preparing(assessment)
    try:
        with transaction.atomic():
            question = Question.objects.create(
                assessment=assessment, number=number, label=label.strip() or str(number), rules=rules,
                max_score=read_rules(rules.document).max_score,
            )  # fmt: skip
    except IntegrityError:
        raise UnusableInput(
            "question.taken", f"已有第 {number} 题。", f"There already is a question {number}."
        ) from None
    trail.append(
        assessment_chain(assessment), "add_question", actor=actor_of(by), number=number, rules_sha256=rules.sha256,
        rules_version=rules.version,
    )  # fmt: skip
    return question


@transaction.atomic
def attach_classes(assessment: Assessment, classes: Iterable[SchoolClass], *, by: Any) -> None:
    """Let classes sit the assessment."""
    chosen = sorted(classes, key=lambda each: each.name)
    assessment.classes.add(*chosen)
    trail.append(
        assessment_chain(assessment), "attach_classes", actor=actor_of(by), classes=[each.public_id for each in chosen]
    )


@transaction.atomic
def import_roster(rows: Sequence[RosterRow], *, by: Any, assessment: Assessment | None = None) -> RosterOutcome:
    """Create candidates and classes, or move candidates to the class and name in the list; the same list twice is once."""
    names = sorted({row.school_class for row in rows})
    SchoolClass.objects.bulk_create([SchoolClass(name=name) for name in names], ignore_conflicts=True)
    classes = {each.name: each for each in SchoolClass.objects.filter(name__in=names)}
    known = Candidate.objects.in_bulk([row.number for row in rows], field_name="number")
    fresh, moved = [], 0
    for row in rows:
        school_class = classes[row.school_class]
        candidate = known.get(row.number)
        if candidate is None:
            fresh.append(Candidate(number=row.number, name=row.name, school_class=school_class))
        elif (candidate.name, candidate.school_class_id) != (row.name, school_class.pk):
            moved += Candidate.objects.filter(pk=candidate.pk).update(name=row.name, school_class=school_class)
    try:
        with transaction.atomic():
            Candidate.objects.bulk_create(fresh)
    except IntegrityError:
        raise SomeoneWasFaster(
            "roster.moved", "另有人正在导入同样的考生，请稍后再导入一次。",
            "Someone else imported some of these candidates just now; import the list once more.",
        ) from None  # fmt: skip
    if assessment is not None:
        attach_classes(assessment, classes.values(), by=by)
    chain = assessment_chain(assessment) if assessment else "people"
    trail.append(chain, "import_roster", actor=actor_of(by), created=len(fresh), moved=moved, rows=len(rows))
    return RosterOutcome(len(fresh), moved, len(rows) - len(fresh) - moved, tuple(names))


@transaction.atomic
def start_marking(assessment: Assessment, *, by: Any) -> None:
    """From the first judging on the assessment is being marked; twice is once."""
    changed = Assessment.objects.filter(pk=assessment.pk, state=AssessmentState.PREPARING).update(
        state=AssessmentState.MARKING
    )
    if changed:
        trail.append(assessment_chain(assessment), "start_marking", actor=actor_of(by))
