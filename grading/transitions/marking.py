"""The person's half of a case's life: taken in hand, given back, judged again with a corrected reading, marked.

A claim ends by itself; what a slow marker hands in still counts while nobody else took the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import document_hash, number_text
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster

from .. import limits, queries, rounds
from ..chains import MACHINE, actor_of, case_chain
from ..domain.confidence import Band
from ..domain.decisions import check_decision
from ..domain.schemes import FRESH_ROLES, MARKERS_PLACES, SEEING_PLACES, Place
from ..models import Assessment, Case, JudgeRun, Mark, Owner, Packet
from .cases import add_entry, failed_rules, move, moved_on, record, run_key, touch, touch_with_fresh_eyes
from .rounds import give_mark

CLAIM = timedelta(minutes=15)
SKIP = timedelta(minutes=30)


def claim(case: Case, *, by: Any) -> Case:
    """Take a queued case in hand, or renew one's own claim, or take over one whose claim ran out.

    Raises NotAllowedNow for a closed case, one still with the machine, one that waits for an arbiter or one whose
    scheme asks for another person's mark than this one's; SomeoneWasFaster when another person has it.
    """
    if case.claimed_by_id != by.pk and Place(case.need) not in MARKERS_PLACES and case.closed_at is None:
        raise NotAllowedNow(
            "case.not_for_markers", "这份作答在等仲裁、复核或申诉处理，不在阅卷队列里。",
            "This answer waits for an arbiter, a review or an appeal; it is not in the markers' queue.",
        )  # fmt: skip
    return _take(case, by=by)


def take_seeing(case: Case, *, by: Any) -> Case:
    """Take in hand a case whose marks one is to see: an arbitration, a leader's review of 1+1, an appeal.

    Raises NotAllowedNow for anybody who has had the answer in hand otherwise, for anybody but the arbiter that the
    scheme names, and where no such decision is due.
    """
    if Place(case.need) not in SEEING_PLACES:
        raise NotAllowedNow(
            "case.nothing_to_arbitrate", "这份作答不需要仲裁或复核。", "This answer needs no arbitration or review."
        )
    if not rounds.may_arbitrate(case, by):
        raise NotAllowedNow(
            "case.other_arbiter", "这道题指定了仲裁员，请由其处理。",
            "An arbiter is named for this question; this answer waits for them.",
        )  # fmt: skip
    return _take(case, by=by)


@transaction.atomic
def _take(case: Case, *, by: Any, resumed: bool = False) -> Case:
    """``resumed``: only the clock had taken the case, which somebody who was paused meanwhile may still finish."""
    now = timezone.now()
    if case.closed_at is not None:
        raise NotAllowedNow("case.closed", "这份作答已经定分。", "This answer has been decided.")
    if case.owner == Owner.HUMAN and case.claimed_by_id == by.pk:
        own = Case.objects.filter(pk=case.pk, claimed_by=by, owner_epoch=case.owner_epoch, closed_at__isnull=True)
        if own.update(claim_until=now + CLAIM) != 1:
            raise moved_on(case)
        case.refresh_from_db()
        return case
    if case.owner not in {Owner.QUEUED_HUMAN, Owner.HUMAN}:
        raise NotAllowedNow(
            "case.with_machine", "这份作答还在自动阅卷，请稍后。", "This answer is still being judged by the machine."
        )
    if case.problem:
        raise NotAllowedNow(
            "case.put_aside", "这份作答是问题卷，处理之前不能评阅。",
            "This answer is a problem paper; it is not marked before somebody has looked at it.",
        )  # fmt: skip
    marks = rounds.given_marks(case)
    if any(mark.by_id == by.pk for mark in marks):
        raise NotAllowedNow(
            "case.marked_by_you", "您已经给这份作答评过分，下一个分数须由别人给。",
            "You have marked this answer already; the next mark must be somebody else's.",
        )  # fmt: skip
    kept = rounds.what_keeps(case, by)
    if kept.seen_too_much:
        raise rounds.SeenAlready
    if kept.limited:
        limits.refuse_held(case, by, resumed=resumed)
    free = Q(owner=Owner.QUEUED_HUMAN) | Q(owner=Owner.HUMAN, claim_until__lt=now)
    move(
        case, free & Q(closed_at__isnull=True, problem=""), owner=Owner.HUMAN, owner_epoch=case.owner_epoch + 1, claimed_by=by,
        claim_until=now + CLAIM, skipped_until=None,
    )  # fmt: skip
    rounds.keep_marks(case, marks)
    fresh_role = FRESH_ROLES.get(Place(case.need))
    if fresh_role:
        touch_with_fresh_eyes(case.response, person=by, role=fresh_role)
    else:
        touch(case.response, person=by, role="marker")
    trail.append(case_chain(case), "claim", actor=actor_of(by), owner=case.owner, owner_epoch=case.owner_epoch)
    return case


def claim_next(
    assessment: Assessment, *, by: Any, reason: str | None = None, question: Any = None, after: Case | None = None,
    band: Band | None = None, announced: Case | None = None,
) -> Case | None:  # fmt: skip
    """Take the next free case of a queue; one already in hand comes first. None when the queue is empty.

    ``announced``: what stood first in this queue a moment ago, as it was then. While nobody has moved it, it is dealt
    as announced, without going through the queue again. Raises MarkerHeld where nothing is left but what the marking
    leader keeps from this person for now.
    """
    own = queries.in_hand_of(assessment, by)
    if after is not None:
        own = own.exclude(pk=after.pk)
    mine = own.order_by("pk").values_list("pk", flat=True).first()
    if mine is not None:
        return claim(queries.whole_case(mine), by=by)
    if announced is not None:
        with suppress(SomeoneWasFaster, NotAllowedNow):
            return claim(announced, by=by)
    waiting = queries.free_cases(assessment, reason=reason, question=question, person=by, band=band)
    if after is not None:
        waiting = waiting.exclude(pk=after.pk)
    held: limits.MarkerHeld | None = None
    while True:
        try:
            found = _first_of(waiting, by=by)
        except limits.MarkerHeld as refused:
            # The same holds for every answer to that question; those to the others may still come.
            held, waiting = refused, waiting.exclude(response__question=refused.question)
            continue
        if found is None and held is not None:
            raise held
        return found


def _first_of(waiting: QuerySet[Case], *, by: Any) -> Case | None:
    # Only the keys of those that may come: each case carries a verdict document.
    for key in waiting.values_list("pk", flat=True)[:20]:
        try:
            return claim(queries.whole_case(key), by=by)
        except limits.MarkerHeld:
            raise
        except (SomeoneWasFaster, NotAllowedNow):
            continue
    return None


def _give_back(case: Case, verb: str, *, by: Any, skipped_until: Any) -> Case:
    move(
        case, Q(owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True), owner=Owner.QUEUED_HUMAN,
        owner_epoch=case.owner_epoch + 1, claimed_by=None, claim_until=None, skipped_until=skipped_until,
    )  # fmt: skip
    trail.append(case_chain(case), verb, actor=actor_of(by), owner=case.owner, owner_epoch=case.owner_epoch)
    return case


@transaction.atomic
def release(case: Case, *, by: Any) -> Case:
    """Put one's case back into the queue undecided."""
    return _give_back(case, "release", by=by, skipped_until=None)


@transaction.atomic
def skip(case: Case, *, by: Any) -> Case:
    """暂不打分: put the case back and let others come first for half an hour."""
    return _give_back(case, "skip", by=by, skipped_until=timezone.now() + SKIP)


@transaction.atomic
def end_claim(case: Case) -> Case:
    """A claim that ran out ends and the case is free in the queue again. Raises SomeoneWasFaster when it was renewed."""
    holder, version = case.claimed_by, case.version
    move(
        case, Q(owner=Owner.HUMAN, closed_at__isnull=True, claim_until__lt=timezone.now()), owner=Owner.QUEUED_HUMAN,
        owner_epoch=case.owner_epoch + 1, claimed_by=None, claim_until=None,
    )  # fmt: skip
    trail.append(
        case_chain(case), "end_claim", actor=MACHINE, person=actor_of(holder), version=version, owner=case.owner,
        owner_epoch=case.owner_epoch,
    )  # fmt: skip
    return case


def take_up_again(case: Case, *, by: Any, version: int) -> bool:
    """Give a slow marker their case back if only the clock has taken it: nobody loses a page of work to a long thought.

    ``version`` is that of the page they worked on. False, and nothing changed, when anything else happened since.
    """
    if case.owner != Owner.QUEUED_HUMAN or case.closed_at is not None:
        return False
    return _taken_up_again(case, by=by, version=version)


@transaction.atomic
def _taken_up_again(case: Case, *, by: Any, version: int) -> bool:
    last = queries.trail_of(case)[-1]
    if last.verb != "end_claim" or (last.body["person"], last.body["version"]) != (actor_of(by), version):
        return False
    try:
        _take(case, by=by, resumed=True)
    except SomeoneWasFaster:
        case.refresh_from_db()
        return False
    return True


@transaction.atomic
def decide(
    case: Case, *, by: Any, version: int, steps: Sequence[dict[str, Any]], total: Decimal, reason: str,
    blind: bool = False, of_appeal: bool = False,
) -> Mark | None:  # fmt: skip
    """A person's mark: a new edition beside all earlier ones, and the end of the case.

    None where the question's scheme asks for another person's mark first; then the case is back in a queue.
    ``steps``: one dict with path_id, step_id, status, score (Decimal) for each step of the paths marked; empty when no
    path fits, then ``reason`` is needed. ``blind``: the person has not seen the machine's verdict. ``of_appeal``: every
    claim of the appeal has its outcome; without it a case under appeal does not close. Raises UnusableInput
    when scores and rules disagree or a needed reason is missing, SomeoneWasFaster when ``version`` is not the case's
    present one or the claim was lost, NotAllowedNow for a sighted mark where a blind one is due.
    """
    if case.version != version or case.owner != Owner.HUMAN or case.claimed_by_id != by.pk:
        raise moved_on(case)
    if (case.need == Place.APPEAL) != of_appeal:
        raise NotAllowedNow(
            "case.under_appeal", "这份作答在申诉中，请在申诉页面逐项处理。",
            "This answer is under appeal; decide its claims on the page of the appeal.",
        )  # fmt: skip
    scheme = rounds.scheme_of(case)
    if blind:
        _refuse_blindness(case, by=by)
    elif Place(case.need) in MARKERS_PLACES and rounds.blind_under(scheme, case, by):
        raise rounds.NotYetSeen
    rules = case.rules.read()
    proposed = case.run.document["verdict"] if case.run and not blind else None
    # Nothing was proposed to a blind marker, so only a mark without steps needs its reason then.
    given_reason = reason or ("-" if blind and steps else "")
    check_decision(rules, steps=steps, total=total, reason=given_reason, proposed=proposed)
    return give_mark(
        case, by=by, blind=blind, scheme=scheme, steps=steps, total=total, max_score=rules.max_score, reason=reason
    )


def _refuse_blindness(case: Case, *, by: Any) -> None:
    """Raise NotAllowedNow where a mark would be stored as blind although its verdict was, or may be, seen."""
    if rounds.has_seen_too_much(case, by):
        raise rounds.SeenAlready
    # Whoever has marked already is told by ``give_mark`` that the case has moved on.
    if not rounds.blind_to(case, by) and all(mark.by_id != by.pk for mark in rounds.given_marks(case)):
        raise NotAllowedNow(
            "case.not_blind",
            "这份作答不是盲评，没有保存。请在评阅页面提交。",
            "This answer is not marked blind; nothing was saved. Submit it on its ordinary page.",
        )


def refuse_sight(case: Case, *, by: Any) -> None:
    """Raise NotAllowedNow while a person must not see, or act on, the machine's verdict of a case."""
    if rounds.blind_to(case, by):
        raise rounds.NotYetSeen


def judge_again(case: Case, *, by: Any, version: int, reading: dict[str, Any]) -> JudgeRun:
    """Judge the answer once more with a reading a person has corrected; the case stays with that person.

    The machine's earlier run stays beside the new one. Raises UnusableInput when the reading cannot be used.
    """
    from ..judging_cases import judge_corrected_reading

    if case.version != version or case.owner != Owner.HUMAN or case.claimed_by_id != by.pk:
        raise moved_on(case)
    refuse_sight(case, by=by)
    document = judge_corrected_reading(case, reading)
    with transaction.atomic():
        known = JudgeRun.objects.filter(idempotency_key=run_key(case, document)).first()
        run = known or record(case, document, epoch=case.owner_epoch, used=True, reading_by=by)
        move(case, Q(owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True), run=run, reasons=failed_rules(document))
        packet = Packet.objects.filter(case=case, life_cycle=case.life_cycle).first()
        if packet is not None:
            add_entry(packet, "corrected_reading", {"run": run.public_id, "decision": run.decision})
        trail.append(
            case_chain(case), "judge_again", actor=actor_of(by), run=run.public_id, run_sha256=run.document_sha256,
            reading_sha256=document_hash(document["reading"]), proposal=number_text(run.total),
        )  # fmt: skip
    return run
