"""Who has had the machine's verdict on an answer before their eyes: noted by every page that shows it."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from ..models import Case, Sight


def note_sight(case: Case, *, by: Any) -> None:
    """Note that a person is shown what the machine made of an answer; twice is once. One statement.

    Also of a decided answer: it may be returned to be marked again.
    """
    if case.run_id is not None:
        Sight.objects.bulk_create([Sight(case=case, person=by, at=timezone.now())], ignore_conflicts=True)
