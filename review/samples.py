"""The samples drawn for audits, as a queue: how many answers each has, how many are audited, how many wait for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q

from grading.models import Assessment, Touch

from .models import AuditSample


@dataclass(frozen=True)
class OpenSample:
    """A sample that is not audited to its end. Counts are answers."""

    sample: AuditSample
    total: int
    done: int
    theirs: int  # of those that wait: the person has not had them in hand and may audit them

    @property
    def waiting(self) -> int:
        return self.total - self.done


def open_samples(assessment: Assessment, person: Any) -> list[OpenSample]:
    """The samples with answers that wait for an auditor, newest first; one query whatever their number."""
    touched = Exists(Touch.objects.filter(response=OuterRef("items__mark__case__response"), person=person))
    committed = Q(items__committed_at__isnull=False)
    found = (
        AuditSample.objects.filter(assessment=assessment)
        .annotate(done=Count("items", filter=committed), theirs=Count("items", filter=~committed & ~Q(touched)))
        .order_by("-created_at", "-pk")
    )
    rows = [OpenSample(sample, sample.size, sample.done, sample.theirs) for sample in found]
    return [row for row in rows if row.waiting]
