"""Drafts of unfinished marks: saved as people type, gone with the mark they became.

Two open pages of one person never overwrite each other unseen: a page that does not know the draft's present version is
refused unless it wrote that version itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster
from grading.models import AssessmentState, Case, Mark, Owner, Touch
from grading.transitions import decide

from ..domain.drafts import Fields
from ..models import Draft


def _elsewhere(case: Case) -> SomeoneWasFaster:
    return SomeoneWasFaster(
        "draft.elsewhere",
        f"您在另一个窗口继续了密号 {case.response.code} 的阅卷，那里的内容较新；这个窗口的内容没有覆盖它。",
        f"You went on with answer {case.response.code} in another window, which is newer; nothing there was overwritten.",
        case=case.public_id,
    )


@transaction.atomic
def save_draft(
    case: Case, *, by: Any, fields: Fields, beside: str, known: int, window: str, auditing: bool = False
) -> Draft:
    """Keep what a person has typed. ``known`` is the draft's version their page has seen (0: none).

    ``beside`` is the public id of the run whose proposal it was typed beside, empty where there was none.

    Raises SomeoneWasFaster when another window of theirs has saved since, NotAllowedNow when they never had the answer
    in hand. A draft is kept also when a colleague has taken or decided the answer: to copy from. ``auditing``: an auditor
    has had nothing in hand before they commit; whoever calls has asked whether the answer is theirs to audit.
    """
    if not auditing and not Touch.objects.filter(response=case.response, person=by).exists():
        raise NotAllowedNow(
            "draft.not_in_hand",
            "请先领取这份作答，再填写。",
            "Take this answer in hand before you fill in its sheet.",
        )
    now = timezone.now()
    # PostgreSQL refuses a NUL even in a question; a public id is letters and digits.
    run = case.runs.filter(public_id=beside).first() if beside.isalnum() else None
    fresh = {"fields": fields, "run": run, "window": window, "saved_at": now}
    draft = Draft.objects.filter(case=case, person=by).first()
    if draft is None:
        try:
            with transaction.atomic():
                return Draft.objects.create(case=case, person=by, version=known + 1, **fresh)
        except IntegrityError:
            raise _elsewhere(case) from None
    if draft.version != known and (not window or draft.window != window):
        raise _elsewhere(case)
    row = Draft.objects.filter(pk=draft.pk, version=draft.version)
    if row.update(version=F("version") + 1, **fresh) != 1:
        raise _elsewhere(case)
    draft.refresh_from_db()
    return draft


def erase_drafts(*, now: datetime | None = None) -> int:
    """Remove drafts older than ``WENSHU_DRAFT_DAYS`` and those of released answers; how many. Twice is once.

    Never while somebody has the answer in hand, whoever's draft it is: one statement, so that nobody takes it between.
    """
    limit = (now or timezone.now()) - timedelta(days=settings.DRAFT_DAYS)
    ended = Q(saved_at__lt=limit) | Q(case__response__question__assessment__state=AssessmentState.RELEASED)
    removed, _ = Draft.objects.filter(ended).exclude(case__owner=Owner.HUMAN, case__closed_at__isnull=True).delete()
    return removed


@transaction.atomic
def discard_draft(case: Case, *, by: Any) -> None:
    """Back to the proposal: the person gives up what they had entered."""
    Draft.objects.filter(case=case, person=by).delete()


def hand_in(
    case: Case, *, by: Any, version: int, known: int, window: str, steps: Sequence[dict[str, Any]], total: Decimal,
    reason: str, blind: bool = False,
) -> Mark | None:  # fmt: skip
    """The mark, and with it the end of the draft; else as ``decide``. Raises also when another window is newer."""
    return ending_draft(
        case, by=by, known=known, window=window,
        work=lambda: decide(case, by=by, version=version, steps=steps, total=total, reason=reason, blind=blind),
    )  # fmt: skip


@transaction.atomic
def ending_draft[Done](case: Case, *, by: Any, known: int, window: str, work: Callable[[], Done]) -> Done:
    """Do what a draft was for, and with it the draft ends. Raises as ``work``, or when another window is newer."""
    kept = Draft.objects.filter(case=case, person=by)
    draft = kept.only("version", "window").first()
    if draft is not None and draft.version != known and (not window or draft.window != window):
        raise _elsewhere(case)
    done = work()
    if draft is not None:
        kept.delete()
    return done
