"""Who has had the machine's verdict on an answer before their eyes: noted by every page that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from ..models import Case, Sight


def note_sight(case: Case, *, by: Any) -> None:
    """Note that a person is shown what the machine made of an answer; twice is once. One statement.

    Also of a decided answer: it may be returned to be marked again.
    """
    note_sights([case], by=by)


def note_sights(cases: Iterable[Case], *, by: Any) -> None:
    """The same for several answers on one page, in one statement."""
    now = timezone.now()
    sights = [Sight(case=case, person=by, at=now) for case in cases if case.run_id is not None]
    Sight.objects.bulk_create(sights, ignore_conflicts=True)
