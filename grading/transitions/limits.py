"""A marking leader pauses or caps a marker, or lets them mark freely again."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import SomeoneWasFaster, UnusableInput

from .. import limits, queries
from ..chains import actor_of, assessment_chain
from ..models import LONGEST_LIMIT_REASON, Assessment, MarkerLimit, PassedOn, Question

LARGEST_CAP = 1_000_000


@transaction.atomic
def limit_marker(
    assessment: Assessment, *, person: Any, question: Question | None, paused: bool, cap: int | None, reason: str,
    version: int, by: Any,
) -> MarkerLimit:  # fmt: skip
    """A new version of what a marker may take: nothing (``paused``), at most ``cap`` answers, or everything (neither).

    ``question`` None: of the whole assessment. ``version`` is the one the leader looked at, 0 where there was none. What the
    marker has in hand stays theirs to finish; answers that were kept for a paused one are dealt to others. Raises
    UnusableInput without a reason, for a cap that is no number of answers, for somebody who does not mark here;
    SomeoneWasFaster when there is a newer version by now.
    """
    said = reason.strip()
    if not 0 < len(said) <= LONGEST_LIMIT_REASON:
        raise UnusableInput(
            "limit.reason", f"请写明理由（不超过 {LONGEST_LIMIT_REASON} 字），阅卷员会看到。",
            f"Say why (at most {LONGEST_LIMIT_REASON} characters); the marker reads it.",
        )  # fmt: skip
    if cap is not None and not 1 <= cap <= LARGEST_CAP:
        raise UnusableInput(
            "limit.cap", f"上限须是 1 到 {LARGEST_CAP} 之间的整数；要停止分配请选暂停。",
            f"A cap is a whole number from 1 to {LARGEST_CAP}; to deal nothing at all, pause the marker.",
        )  # fmt: skip
    if question is not None and question.assessment_id != assessment.pk:
        raise UnusableInput("limit.question", "这道题不属于本场考试。", "This question is not of this assessment.")
    if person is None or person not in queries.markers_and_leaders(assessment):
        raise UnusableInput("limit.person", "此人不在本场考试阅卷。", "This person does not mark in this assessment.")
    before = limits.versions_of(assessment, person, question).first()
    if (before.version if before else 0) != version:
        raise _changed()
    try:
        with transaction.atomic():
            limit = MarkerLimit.objects.create(
                assessment=assessment, question=question, person=person, version=version + 1, paused=paused, cap=cap,
                reason=said, by=by, at=timezone.now(),
            )  # fmt: skip
    except IntegrityError:
        raise _changed() from None
    if paused:
        kept = PassedOn.objects.filter(to=person, kept=True, case__response__question__assessment=assessment)
        (kept if question is None else kept.filter(case__response__question=question)).update(kept=False)
    trail.append(
        assessment_chain(assessment), "limit_marker", actor=actor_of(by), person=actor_of(person), limit=limit.public_id,
        question=question.public_id if question else None, version=limit.version, before=_told(before), after=_told(limit),
        has_reason=True,
    )  # fmt: skip
    return limit


def _told(limit: MarkerLimit | None) -> dict[str, Any]:
    return {"paused": bool(limit and limit.paused), "cap": limit.cap if limit else None}


def _changed() -> SomeoneWasFaster:
    return SomeoneWasFaster(
        "limit.moved", "刚有人改过对这位阅卷员的限制，您的修改没有保存。请查看最新设置。",
        "Someone else just changed what this marker may take; nothing of yours was saved. See the present setting.",
    )  # fmt: skip
