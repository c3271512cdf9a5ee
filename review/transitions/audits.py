"""Audits: drawing a sample, committing a blind mark."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import number_text
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading.chains import actor_of, assessment_chain, case_chain
from grading.domain.decisions import check_decision
from grading.models import Assessment, Mark
from grading.transitions import touch_with_fresh_eyes

from .. import queries
from ..models import AuditItem, AuditSample

SOURCES = ("ANY", "MACHINE", "PERSON")
LARGEST = 500


def sampled(marks: Sequence[Mark], *, size: int, seed: str) -> list[Mark]:
    """The same marks and seed give the same sample on any machine: order by the hash of seed and mark, take the first."""

    def place(mark: Mark) -> str:
        return hashlib.sha256(f"{seed}\n{mark.public_id}".encode()).hexdigest()

    return sorted(marks, key=place)[:size]


@transaction.atomic
def draw_sample(assessment: Assessment, *, size: int, seed: str, source: str, by: Any) -> AuditSample:
    """Draw decided answers that ``by`` has not had in hand. Raises UnusableInput for a bad size, seed or source."""
    if not 1 <= size <= LARGEST:
        raise UnusableInput(
            "audit.size", f"抽查份数必须在 1 到 {LARGEST} 之间。", f"The sample size must be between 1 and {LARGEST}."
        )
    if source not in SOURCES:
        raise UnusableInput("audit.source", "请选择抽查哪些评分。", "Choose whose marks are sampled.")
    if not seed or len(seed) > 40:
        raise UnusableInput("audit.seed", "随机种子为 1 到 40 个字符。", "The seed has between 1 and 40 characters.")
    population = list(queries.auditable_marks(assessment, source=source, auditor=by))
    if not population:
        raise NotAllowedNow(
            "audit.nothing", "还没有可抽查的已定分作答。", "There are no decided answers to sample yet."
        )
    chosen = sampled(population, size=size, seed=seed)
    sample = AuditSample.objects.create(
        assessment=assessment,
        seed=seed,
        source=source,
        population=len(population),
        size=len(chosen),
        drawn_by=by,
        created_at=timezone.now(),
    )
    AuditItem.objects.bulk_create(
        AuditItem(sample=sample, position=number, mark=mark) for number, mark in enumerate(chosen, start=1)
    )
    trail.append(
        assessment_chain(assessment),
        "draw_sample",
        actor=actor_of(by),
        sample=sample.public_id,
        seed=seed,
        source=source,
        population=sample.population,
        size=sample.size,
        marks=[mark.public_id for mark in chosen],
    )
    return sample


@transaction.atomic
def commit_audit(
    item: AuditItem, *, by: Any, steps: Sequence[dict[str, Any]], total: Decimal, comment: str
) -> AuditItem:
    """An auditor's blind mark, once and for good; the mark that it audits stays as it is.

    Raises NotAllowedNow when the person has had the answer in hand, SomeoneWasFaster when it is audited already,
    UnusableInput when scores and rules disagree.
    """
    response = item.mark.case.response
    if AuditItem.objects.filter(pk=item.pk, committed_at__isnull=False).exists():
        raise audited_already()
    touch_with_fresh_eyes(response, person=by, role="auditor")
    rules = item.mark.rules.read()
    # Nothing was proposed to a blind marker, so only a mark without steps needs its reason here.
    check_decision(rules, steps=steps, total=total, reason=comment or ("-" if steps else ""), proposed=None)
    fresh = AuditItem.objects.filter(pk=item.pk, committed_at__isnull=True).update(
        total=total,
        steps=[{**step, "score": str(step["score"])} for step in steps],
        comment=comment,
        auditor=by,
        committed_at=timezone.now(),
    )
    if fresh != 1:
        raise audited_already()
    item.refresh_from_db()
    trail.append(
        case_chain(item.mark.case),
        "audit",
        actor=actor_of(by),
        item=item.public_id,
        mark=item.mark.public_id,
        marked=number_text(item.mark.total),
        audited=number_text(total),
        has_comment=bool(comment),
    )
    return item


def audited_already() -> SomeoneWasFaster:
    """The refusal of an audit that somebody else has committed."""
    return SomeoneWasFaster("audit.done", "这份作答已经抽查过了。", "This answer has been audited already.")
