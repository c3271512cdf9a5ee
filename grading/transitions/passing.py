"""转交: an answer in one's hand goes to a named colleague or leader, with a note for whoever has it next."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import UnusableInput

from .. import limits, queries, rounds
from ..chains import actor_of, case_chain
from ..models import LONGEST_PASS_NOTE, Case, Owner, PassedOn
from .cases import move, moved_on


def _note(text: str) -> str:
    said = text.replace("\x00", "").strip()
    if not 0 < len(said) <= LONGEST_PASS_NOTE:
        raise UnusableInput(
            "pass.note", f"请写明转交的说明（不超过 {LONGEST_PASS_NOTE} 字）。",
            f"Write a note for whoever has it next (at most {LONGEST_PASS_NOTE} characters).",
        )  # fmt: skip
    return said


@transaction.atomic
def pass_on(case: Case, *, by: Any, version: int, to: Any, note: str) -> PassedOn:
    """Give up one's claim for a named person, who is dealt the answer before all others; the passer is not dealt it again.

    Others are not dealt it for a day, or until it has been taken in hand once. The note stands with the answer for its
    life cycle. Raises SomeoneWasFaster when the case moved on, UnusableInput without a note or for a person who does not
    mark in this assessment.
    """
    if case.version != version or case.owner != Owner.HUMAN or case.claimed_by_id != by.pk:
        raise moved_on(case)
    said = _note(note)
    if to is None or to.pk == by.pk or to not in queries.markers_and_leaders(case.response.question.assessment):
        raise UnusableInput("pass.to", "请选择转交给谁。", "Choose to whom you pass the answer on.")
    marked = any(mark.by_id == to.pk for mark in rounds.given_marks(case))
    move(
        case, Q(owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True), owner=Owner.QUEUED_HUMAN,
        owner_epoch=case.owner_epoch + 1, claimed_by=None, claim_until=None, skipped_until=None,
    )  # fmt: skip
    passed = PassedOn.objects.create(
        case=case,
        life_cycle=case.life_cycle,
        owner_epoch=case.owner_epoch,
        by=by,
        to=to,
        # Somebody who cannot mark it must not keep it from others; the passer is not told, it may be a blind round.
        kept=not marked and not rounds.has_seen_too_much(case, to) and not limits.held(case, to),
        note=said,
        at=timezone.now(),
    )
    trail.append(
        case_chain(case), "pass_on", actor=actor_of(by), to=actor_of(to), owner=case.owner,
        owner_epoch=case.owner_epoch, has_note=True,
    )  # fmt: skip
    return passed
