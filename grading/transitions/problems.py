"""Problem papers: reported by the marker who has the answer, settled by a leader or the staff. None becomes a mark."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput

from ..chains import actor_of, case_chain
from ..domain.problems import HANDLING, LONGEST_NOTE, Finding, ProblemKind
from ..models import Case, Owner, Problem
from .cases import move, moved_on, touch


def _note(text: str) -> str:
    cleaned = text.replace("\x00", "").strip()
    if len(cleaned) > LONGEST_NOTE:
        raise UnusableInput(
            "problem.note", f"说明不能超过 {LONGEST_NOTE} 字。", f"The note may have at most {LONGEST_NOTE} characters."
        )
    return cleaned


@transaction.atomic
def report_problem(case: Case, *, by: Any, version: int, kind: ProblemKind, note: str) -> Problem:
    """Report an answer in one's hand. Kinds that put it aside take it out of every queue until it is settled.

    Raises SomeoneWasFaster when the case moved on, NotAllowedNow when the same problem is open already, UnusableInput
    for a note that is too long.
    """
    if case.version != version or case.owner != Owner.HUMAN or case.claimed_by_id != by.pk:
        raise moved_on(case)
    try:
        with transaction.atomic():
            problem = Problem.objects.create(
                case=case, kind=kind.value, note=_note(note), raised_by=by, raised_at=timezone.now()
            )
    except IntegrityError:
        raise NotAllowedNow(
            "problem.open",
            "这个问题已经上报，正在等待处理。",
            "This problem has been reported and waits to be settled.",
        ) from None
    if HANDLING[kind].puts_aside:
        move(
            case, Q(owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True), owner=Owner.QUEUED_HUMAN,
            owner_epoch=case.owner_epoch + 1, claimed_by=None, claim_until=None, problem=kind.value,
        )  # fmt: skip
    trail.append(
        case_chain(case), "report_problem", actor=actor_of(by), kind=kind.value, problem=problem.public_id,
        put_aside=HANDLING[kind].puts_aside, owner=case.owner, owner_epoch=case.owner_epoch,
    )  # fmt: skip
    return problem


@transaction.atomic
def settle_problem(problem: Problem, *, by: Any, finding: Finding, answer: str) -> Problem:
    """Say what was found, with a reason; an answer that was put aside goes back to the markers' queue, unmarked.

    Raises UnusableInput without a reason, SomeoneWasFaster when it has been settled meanwhile.
    """
    words = _note(answer)
    if not words:
        raise UnusableInput("problem.answer", "请写明查看的结果。", "Say in words what you found.")
    row = Problem.objects.filter(pk=problem.pk, finding="")
    settled = {"finding": finding.value, "answer": words, "settled_by": by, "settled_at": timezone.now()}
    if row.update(**settled) != 1:
        raise SomeoneWasFaster(
            "problem.settled", "这份问题卷刚被别人处理。", "Somebody else has just settled this problem."
        )
    problem.refresh_from_db()
    case = problem.case
    if case.problem == problem.kind:
        move(case, Q(problem=problem.kind, closed_at__isnull=True), problem="", skipped_until=None)
    touch(case.response, person=by, role="marker")
    trail.append(
        case_chain(case), "settle_problem", actor=actor_of(by), kind=problem.kind, problem=problem.public_id,
        finding=problem.finding, owner=case.owner, owner_epoch=case.owner_epoch,
    )  # fmt: skip
    return problem
