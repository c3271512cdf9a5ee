"""The life of a case: opened with an answer, decided by proof or handed to a person, and closed once.

Every verb is a conditional update on owner, epoch and version. Exactly one row changes, or the caller is told that
someone was faster. From HANDOFF_PENDING on the machine cannot get the case back within this life cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from config.foundation import jobs, trail
from config.foundation.canonical import document_hash, number_text
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster
from itembank.domain.rules import read_rules

from .. import queries
from ..chains import MACHINE, actor_of, case_chain
from ..domain.credited import keyed
from ..domain.decisions import check_decision
from ..domain.packet import packet_document
from ..models import (
    Assessment,
    Case,
    JudgeRun,
    Mark,
    MarkSource,
    Owner,
    Packet,
    PacketEntry,
    Response,
    Touch,
)

CLAIM = timedelta(minutes=15)
SKIP = timedelta(minutes=30)


def _faster(case: Case) -> SomeoneWasFaster:
    return SomeoneWasFaster(
        "case.moved",
        f"密号 {case.response.code} 的这份作答刚被别人处理，您的操作没有生效。请查看最新情况。",
        f"Answer {case.response.code} was changed by someone else just now; nothing of yours was saved. See its present state.",
        case=case.public_id,
    )


def _move(case: Case, expected: Q, **changes: Any) -> None:
    """One conditional update of the case as the caller saw it; refreshes ``case`` or raises SomeoneWasFaster."""
    row = Case.objects.filter(expected, pk=case.pk, owner_epoch=case.owner_epoch, version=case.version)
    if row.update(version=F("version") + 1, **changes) != 1:
        raise _faster(case)
    case.refresh_from_db()


def touch(response: Response, *, person: Any, role: str) -> None:
    """Note that a person has had an answer in hand; once for each person, whatever the role."""
    Touch.objects.get_or_create(response=response, person=person, defaults={"role": role, "at": timezone.now()})


@transaction.atomic
def open_case(response: Response) -> Case:
    """The case of an answer; the same answer twice has one case."""
    case, made = Case.objects.get_or_create(response=response, defaults={"created_at": timezone.now()})
    if made:
        trail.append(case_chain(case), "open_case", actor=MACHINE, response=response.public_id, owner=case.owner)
    return case


def _record(case: Case, document: dict[str, Any], *, epoch: int, used: bool, reading_by: Any = None) -> JudgeRun:
    verdict, provenance = document["verdict"], document["provenance"]
    return JudgeRun.objects.create(
        case=case,
        life_cycle=case.life_cycle,
        owner_epoch=epoch,
        idempotency_key=jobs.idempotency_key(case.public_id, str(case.life_cycle), provenance["idempotency_key"]),
        judge=str(provenance["judge"])[:40],
        reading_by=reading_by,
        document=document,
        document_sha256=document_hash(document),
        decision=document["decision"],
        total=Decimal(str(verdict["total_score"])),
        used=used,
        cost=Decimal(str(provenance.get("cost") or 0)),
        created_at=timezone.now(),
    )


def failed_rules(document: dict[str, Any]) -> list[str]:
    """Names of the gate rules that sent an answer to a person, in the gate's order, each once."""
    names = [each["rule"] for each in document["gate"] if each["outcome"] in {"fails", "not_evaluated"}]
    return list(dict.fromkeys(names))


def record_run(case: Case, document: dict[str, Any], *, epoch: int, lease: jobs.Lease | None = None) -> JudgeRun:
    """Take in the verdict document of a finished run: accept, hand off, or keep it as a late result.

    ``epoch`` is the owner epoch the run started with. The same run twice changes nothing. The end of the job is part
    of the transaction, so that a killed worker leaves either both or neither.
    """
    with transaction.atomic():
        run = _take_in(case, document, epoch=epoch)
        if lease is not None:
            jobs.finish(lease)
    if case.owner == Owner.HANDOFF_PENDING:
        queue_for_people(case)
    return run


def _take_in(case: Case, document: dict[str, Any], *, epoch: int) -> JudgeRun:
    key = jobs.idempotency_key(case.public_id, str(case.life_cycle), document["provenance"]["idempotency_key"])
    known = JudgeRun.objects.filter(idempotency_key=key).first()
    if known is not None:
        return known
    case.refresh_from_db()
    if case.owner != Owner.AI or case.owner_epoch != epoch or case.decision:
        return _keep_late(case, document, epoch=epoch)
    run = _record(case, document, epoch=epoch, used=True)
    if document["decision"] == "ACCEPT":
        accept(case, run)
    else:
        hand_off(case, run=run, reasons=failed_rules(document))
    return run


def _keep_late(case: Case, document: dict[str, Any], *, epoch: int) -> JudgeRun:
    """A result that came after the machine had lost the case: evidence, never a mark."""
    run = _record(case, document, epoch=epoch, used=False)
    packet = Packet.objects.filter(case=case, life_cycle=case.life_cycle).first()
    if packet is not None:
        _add_entry(
            packet, "late_result", {"run": run.public_id, "decision": run.decision, "total": number_text(run.total)}
        )
    trail.append(
        case_chain(case), "refuse_late_run", actor=MACHINE, run=run.public_id, run_sha256=run.document_sha256,
        started_epoch=epoch, owner=case.owner, owner_epoch=case.owner_epoch,
    )  # fmt: skip
    return run


def accept(case: Case, run: JudgeRun) -> Mark:
    """The gate's proof holds: the first edition of the mark is the machine's and the case closes."""
    document = run.document
    _move(
        case, Q(owner=Owner.AI, closed_at__isnull=True), decision="ACCEPT", reasons=[], run=run,
        closed_at=timezone.now(), service_ended_at=timezone.now(),
    )  # fmt: skip
    mark = Mark.objects.create(
        case=case,
        edition=_next_edition(case),
        source=MarkSource.MACHINE,
        run=run,
        total=run.total,
        max_score=Decimal(str(document["verdict"]["max_score"])),
        steps=_decided_steps(document),
        created_at=timezone.now(),
    )
    trail.append(
        case_chain(case), "accept", actor=MACHINE, run=run.public_id, run_sha256=run.document_sha256,
        total=number_text(mark.total), edition=mark.edition, **_versions(document),
    )  # fmt: skip
    return mark


def _versions(document: dict[str, Any]) -> dict[str, Any]:
    provenance = document["provenance"]
    return {
        "judge": str(provenance["judge"]),
        "engine": provenance.get("engine"),
        "rules_sha256": document_hash(document["rules"]),
        "policy_sha256": document_hash(document["policy"]),
        "images": [image["stored_sha256"] for image in provenance.get("images", [])],
    }


def _decided_steps(document: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {
            "path_id": path_id, "step_id": step["step_id"], "status": step["status"],
            "score": number_text(Decimal(step["score"])),
        }
        for (path_id, _), step in keyed(document, document["verdict"]["step_details"])
    ]  # fmt: skip


def _next_edition(case: Case) -> int:
    return Mark.objects.filter(case=case).count() + 1


def hand_off(case: Case, *, run: JudgeRun | None, reasons: Sequence[str]) -> None:
    """The machine gives the case up for good; latched until it stands in the people's queue."""
    _move(
        case, Q(owner=Owner.AI, closed_at__isnull=True), owner=Owner.HANDOFF_PENDING, owner_epoch=F("owner_epoch") + 1,
        decision="MANUAL_REVIEW", reasons=list(reasons), run=run, service_ended_at=timezone.now(),
    )  # fmt: skip
    versions = _versions(run.document) if run else {}
    trail.append(
        case_chain(case), "hand_off", actor=MACHINE, reasons=list(reasons), run=run.public_id if run else None,
        run_sha256=run.document_sha256 if run else None, owner=case.owner, owner_epoch=case.owner_epoch, **versions,
    )  # fmt: skip


@transaction.atomic
def queue_for_people(case: Case) -> Packet:
    """Make the packet of this life cycle (once) and put the case into the people's queue; twice is once."""
    document = packet_document(case.run.document if case.run else None, reasons=case.reasons)
    packet, _ = Packet.objects.get_or_create(
        idempotency_key=jobs.idempotency_key("packet", case.public_id, str(case.life_cycle)),
        defaults={
            "case": case, "life_cycle": case.life_cycle, "document": document, "created_at": timezone.now(),
        },
    )  # fmt: skip
    if case.owner == Owner.HANDOFF_PENDING:
        try:
            _move(case, Q(owner=Owner.HANDOFF_PENDING), owner=Owner.QUEUED_HUMAN, owner_epoch=F("owner_epoch") + 1)
        except SomeoneWasFaster:
            # The sweep and the worker may meet here; whoever comes second finds the work done.
            case.refresh_from_db()
            if case.owner == Owner.HANDOFF_PENDING:
                raise
            return packet
        trail.append(
            case_chain(case), "queue_for_people", actor=MACHINE, packet_sha256=document_hash(packet.document),
            owner=case.owner, owner_epoch=case.owner_epoch,
        )  # fmt: skip
    return packet


def _add_entry(packet: Packet, kind: str, document: dict[str, Any]) -> PacketEntry:
    return PacketEntry.objects.create(
        packet=packet, number=packet.entries.count() + 1, kind=kind, document=document, created_at=timezone.now()
    )


@transaction.atomic
def claim(case: Case, *, by: Any) -> Case:
    """Take a queued case in hand, or renew one's own claim, or take over one whose claim ran out.

    Raises NotAllowedNow for a closed case or one still with the machine, SomeoneWasFaster when another person has it.
    """
    now = timezone.now()
    if case.closed_at is not None:
        raise NotAllowedNow("case.closed", "这份作答已经定分。", "This answer has been decided.")
    if case.owner == Owner.HUMAN and case.claimed_by_id == by.pk:
        own = Case.objects.filter(pk=case.pk, claimed_by=by, owner_epoch=case.owner_epoch, closed_at__isnull=True)
        if own.update(claim_until=now + CLAIM) != 1:
            raise _faster(case)
        case.refresh_from_db()
        return case
    if case.owner not in {Owner.QUEUED_HUMAN, Owner.HUMAN}:
        raise NotAllowedNow(
            "case.with_machine", "这份作答还在自动阅卷，请稍后。", "This answer is still being judged by the machine."
        )
    free = Q(owner=Owner.QUEUED_HUMAN) | Q(owner=Owner.HUMAN, claim_until__lt=now)
    _move(
        case, free & Q(closed_at__isnull=True), owner=Owner.HUMAN, owner_epoch=F("owner_epoch") + 1, claimed_by=by,
        claim_until=now + CLAIM, skipped_until=None,
    )  # fmt: skip
    touch(case.response, person=by, role="marker")
    trail.append(case_chain(case), "claim", actor=actor_of(by), owner=case.owner, owner_epoch=case.owner_epoch)
    return case


def claim_next(
    assessment: Assessment, *, by: Any, reason: str | None = None, question: Any = None, after: Case | None = None
) -> Case | None:
    """Take the next free case of a queue; one already in hand comes first. None when the queue is empty."""
    own = Case.objects.filter(
        response__question__assessment=assessment, owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True
    )
    if after is not None:
        own = own.exclude(pk=after.pk)
    mine = own.order_by("pk").first()
    if mine is not None:
        return claim(mine, by=by)
    waiting = queries.free_cases(assessment, reason=reason, question=question)
    if after is not None:
        waiting = waiting.exclude(pk=after.pk)
    for case in waiting[:20]:
        try:
            return claim(case, by=by)
        except (SomeoneWasFaster, NotAllowedNow):
            continue
    return None


def _give_back(case: Case, verb: str, *, by: Any, skipped_until: Any) -> Case:
    _move(
        case, Q(owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True), owner=Owner.QUEUED_HUMAN,
        owner_epoch=F("owner_epoch") + 1, claimed_by=None, claim_until=None, skipped_until=skipped_until,
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
    _move(
        case, Q(owner=Owner.HUMAN, closed_at__isnull=True, claim_until__lt=timezone.now()), owner=Owner.QUEUED_HUMAN,
        owner_epoch=F("owner_epoch") + 1, claimed_by=None, claim_until=None,
    )  # fmt: skip
    trail.append(
        case_chain(case), "end_claim", actor=MACHINE, person=actor_of(holder), version=version, owner=case.owner,
        owner_epoch=case.owner_epoch,
    )  # fmt: skip
    return case


@transaction.atomic
def take_up_again(case: Case, *, by: Any, version: int) -> bool:
    """Give a slow marker their case back if only the clock has taken it: nobody loses a page of work to a long thought.

    ``version`` is that of the page they worked on. False, and nothing changed, when anything else happened since.
    """
    if case.owner != Owner.QUEUED_HUMAN or case.closed_at is not None:
        return False
    last = queries.trail_of(case)[-1]
    if last.verb != "end_claim" or (last.body["person"], last.body["version"]) != (actor_of(by), version):
        return False
    try:
        claim(case, by=by)
    except SomeoneWasFaster:
        case.refresh_from_db()
        return False
    return True


@transaction.atomic
def decide(case: Case, *, by: Any, version: int, steps: Sequence[dict[str, Any]], total: Decimal, reason: str) -> Mark:
    """A person's mark: a new edition beside all earlier ones, and the end of the case.

    ``steps``: one dict with path_id, step_id, status, score (Decimal) for each step of the paths marked; empty when no
    path fits, then ``reason`` is needed. Raises UnusableInput when scores and rules disagree or a needed reason is
    missing, SomeoneWasFaster when ``version`` is not the case's present one or the claim was lost.
    """
    if case.version != version or case.owner != Owner.HUMAN or case.claimed_by_id != by.pk:
        raise _faster(case)
    rules = read_rules(case.response.question.rules.document)
    proposed = case.run.document["verdict"] if case.run else None
    check_decision(rules, steps=steps, total=total, reason=reason, proposed=proposed)
    before = number_text(case.run.total) if case.run else None
    _move(
        case, Q(owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True), closed_at=timezone.now(), claimed_by=None,
        claim_until=None,
    )  # fmt: skip
    mark = Mark.objects.create(
        case=case,
        edition=_next_edition(case),
        source=MarkSource.PERSON,
        by=by,
        run=case.run,
        total=total,
        max_score=rules.max_score,
        steps=[{**step, "score": number_text(Decimal(step["score"]))} for step in steps],
        reason=reason.strip(),
        created_at=timezone.now(),
    )
    touch(case.response, person=by, role="marker")
    trail.append(
        case_chain(case), "decide", actor=actor_of(by), before=before, after=number_text(total), edition=mark.edition,
        steps=mark.steps, has_reason=bool(mark.reason), mark=mark.public_id,
    )  # fmt: skip
    return mark


def judge_again(case: Case, *, by: Any, version: int, reading: dict[str, Any]) -> JudgeRun:
    """Judge the answer once more with a reading a person has corrected; the case stays with that person.

    The machine's earlier run stays beside the new one. Raises UnusableInput when the reading cannot be used.
    """
    from ..judging_cases import judge_corrected_reading

    if case.version != version or case.owner != Owner.HUMAN or case.claimed_by_id != by.pk:
        raise _faster(case)
    document = judge_corrected_reading(case, reading)
    with transaction.atomic():
        known = JudgeRun.objects.filter(
            idempotency_key=jobs.idempotency_key(
                case.public_id, str(case.life_cycle), document["provenance"]["idempotency_key"]
            )
        ).first()
        run = known or _record(case, document, epoch=case.owner_epoch, used=True, reading_by=by)
        _move(
            case, Q(owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True), run=run, reasons=failed_rules(document)
        )
        packet = Packet.objects.filter(case=case, life_cycle=case.life_cycle).first()
        if packet is not None:
            _add_entry(packet, "corrected_reading", {"run": run.public_id, "decision": run.decision})
        trail.append(
            case_chain(case), "judge_again", actor=actor_of(by), run=run.public_id, run_sha256=run.document_sha256,
            reading_sha256=document_hash(document["reading"]), proposal=number_text(run.total),
        )  # fmt: skip
    return run
