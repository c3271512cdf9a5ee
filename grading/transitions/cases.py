"""The machine's half of a case's life: opened with an answer, decided by proof or handed to people for good.

Every verb is a conditional update on owner, epoch and version. Exactly one row changes, or the caller is told that
someone was faster. From HANDOFF_PENDING on the machine cannot get the case back within this life cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from enum import Enum
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from config.foundation import jobs, trail
from config.foundation.canonical import document_hash, number_text
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster

from ..chains import MACHINE, actor_of, case_chain
from ..domain.confidence import least_confidence
from ..domain.credited import keyed
from ..domain.packet import packet_document
from ..domain.schemes import Place
from ..models import (
    Case,
    JudgeRun,
    Mark,
    MarkSource,
    Owner,
    Packet,
    PacketEntry,
    Question,
    Response,
    Touch,
)

ONLY_BY_APPEAL = ("成绩已经发布，只能通过申诉改动。", "Results are released; only an appeal can change them.")


def moved_on(case: Case) -> SomeoneWasFaster:
    """The refusal of a verb whose case changed meanwhile, in words for the person."""
    return SomeoneWasFaster(
        "case.moved",
        f"密号 {case.response.code} 的这份作答刚被别人处理，您的操作没有生效。请查看最新情况。",
        f"Answer {case.response.code} was changed by someone else just now; nothing of yours was saved. See its present state.",
        case=case.public_id,
    )


def move(case: Case, expected: Q, **changes: Any) -> None:
    """One conditional update of the case as the caller saw it; brings ``case`` up to it or raises SomeoneWasFaster.

    The row had the version that the caller's case has, and every other change of a case moves its version on: what the
    update did not name is as the caller has it, so the row need not be read again.
    """
    row = Case.objects.filter(expected, pk=case.pk, owner_epoch=case.owner_epoch, version=case.version)
    fresh = changes | {"version": case.version + 1}
    if row.update(**fresh) != 1:
        raise moved_on(case)
    for name, value in fresh.items():
        setattr(case, name, value.value if isinstance(value, Enum) else value)


def touch(response: Response, *, person: Any, role: str) -> None:
    """Note that a person has had an answer in hand; once for each person, whatever the role. One statement."""
    fresh = Touch(response=response, person=person, role=role, at=timezone.now())
    Touch.objects.bulk_create([fresh], ignore_conflicts=True)


def touch_with_fresh_eyes(response: Response, *, person: Any, role: str) -> None:
    """The touch of somebody who arbitrates, audits or decides an appeal: their first of this answer, in any role.

    Raises NotAllowedNow for a person who has had the answer in hand otherwise. The same role twice is once.
    """
    touch(response, person=person, role=role)
    if not Touch.objects.filter(response=response, person=person, role=role).exists():
        raise NotAllowedNow(
            "touch.not_fresh",
            "您处理过这份作答，仲裁、抽查和申诉须由没有接触过它的人来做。",
            "You have had this answer in hand; somebody who has not must arbitrate, audit or decide its appeal.",
        )


@transaction.atomic
def open_case(response: Response) -> Case:
    """The case of an answer; the same answer twice has one case."""
    known = Case.objects.filter(response=response).first()
    if known is not None:
        return known
    # Read anew and locked against a choice of newer rules: it either sees this case or is seen by it.
    question = (
        Question.objects.select_related("rules")
        .select_for_update(of=("self",), no_key=True)
        .get(pk=response.question_id)
    )
    case, made = Case.objects.get_or_create(
        response=response, defaults={"rules": question.rules, "created_at": timezone.now()}
    )
    if made:
        trail.append(case_chain(case), "open_case", actor=MACHINE, response=response.public_id, owner=case.owner)
    return case


def run_key(case: Case, document: dict[str, Any]) -> str:
    """What makes two runs the same run: the case, its life cycle, and what was judged by whom."""
    return jobs.idempotency_key(case.public_id, str(case.life_cycle), document["provenance"]["idempotency_key"])


def _late_key(case: Case, document: dict[str, Any], epoch: int) -> str:
    """A late run has a key of its own: when rules come back, the same judging must count that once came too late."""
    return jobs.idempotency_key(run_key(case, document), "late", str(epoch))


def record(case: Case, document: dict[str, Any], *, epoch: int, used: bool, reading_by: Any = None) -> JudgeRun:
    verdict, provenance = document["verdict"], document["provenance"]
    return JudgeRun.objects.create(
        case=case,
        life_cycle=case.life_cycle,
        owner_epoch=epoch,
        idempotency_key=run_key(case, document) if used else _late_key(case, document, epoch),
        judge=str(provenance["judge"])[:40],
        reading_by=reading_by,
        document=document,
        document_sha256=document_hash(document),
        decision=document["decision"],
        total=Decimal(str(verdict["total_score"])),
        confidence=least_confidence(document),
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
    # The case first: whoever sees there that it was lost to the same result, sees that result's run too.
    case.refresh_from_db()
    keys = [run_key(case, document), _late_key(case, document, epoch)]
    known = JudgeRun.objects.filter(idempotency_key__in=keys).first()
    if known is not None:
        return known
    if case.owner != Owner.AI or case.owner_epoch != epoch or case.decision:
        return _keep_late(case, document, epoch=epoch)
    run = record(case, document, epoch=epoch, used=True)
    if document["decision"] == "ACCEPT":
        accept(case, run)
    else:
        hand_off(case, run=run, reasons=failed_rules(document))
    return run


def _keep_late(case: Case, document: dict[str, Any], *, epoch: int) -> JudgeRun:
    """A result that came after the machine had lost the case: evidence, never a mark."""
    run = record(case, document, epoch=epoch, used=False)
    packet = Packet.objects.filter(case=case, life_cycle=case.life_cycle).first()
    if packet is not None:
        add_entry(
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
    move(
        case, Q(owner=Owner.AI, closed_at__isnull=True), decision="ACCEPT", reasons=[], run=run,
        closed_at=timezone.now(), service_ended_at=timezone.now(),
    )  # fmt: skip
    mark = Mark.objects.create(
        case=case,
        edition=next_edition(case),
        source=MarkSource.MACHINE,
        run=run,
        rules=case.rules,
        total=run.total,
        max_score=Decimal(str(document["verdict"]["max_score"])),
        steps=decided_steps(document),
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


def decided_steps(document: dict[str, Any]) -> list[dict[str, str]]:
    return [
        {
            "path_id": path_id, "step_id": step["step_id"], "status": step["status"],
            "score": number_text(Decimal(step["score"])),
        }
        for (path_id, _), step in keyed(document, document["verdict"]["step_details"])
    ]  # fmt: skip


def next_edition(case: Case) -> int:
    """The number of the next edition of the mark; the database refuses the same number twice."""
    return Mark.objects.filter(case=case).count() + 1


def hand_off(case: Case, *, run: JudgeRun | None, reasons: Sequence[str]) -> None:
    """The machine gives the case up for good; latched until it stands in the people's queue."""
    move(
        case, Q(owner=Owner.AI, closed_at__isnull=True), owner=Owner.HANDOFF_PENDING, owner_epoch=case.owner_epoch + 1,
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
            move(case, Q(owner=Owner.HANDOFF_PENDING), owner=Owner.QUEUED_HUMAN, owner_epoch=case.owner_epoch + 1)
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


def add_entry(packet: Packet, kind: str, document: dict[str, Any]) -> PacketEntry:
    """Add to a packet what was learnt after the hand-off."""
    return PacketEntry.objects.create(
        packet=packet, number=packet.entries.count() + 1, kind=kind, document=document, created_at=timezone.now()
    )


def packet_of_cycle(case: Case, disputes: Sequence[dict[str, Any]]) -> Packet:
    """The packet with which a new life cycle of a case begins: what the machine says now, and why it is marked again."""
    document = packet_document(case.run.document if case.run else None, reasons=case.reasons)
    return Packet.objects.create(
        idempotency_key=jobs.idempotency_key("packet", case.public_id, str(case.life_cycle)),
        case=case,
        life_cycle=case.life_cycle,
        document=document | {"disputes": list(disputes)},
        created_at=timezone.now(),
    )


@transaction.atomic
def reopen(
    case: Case, *, by: Any, version: int, disputes: Sequence[dict[str, Any]], need: Place = Place.APPEAL,
    verb: str = "reopen", **changes: Any,
) -> Packet:  # fmt: skip
    """A decided case is opened again as a new life cycle: by an appeal, whose mark is due from fresh eyes, or returned.

    All editions of the mark stay. ``changes`` are further columns of
    the case. ``disputes`` go into the packet of the new life cycle. Raises SomeoneWasFaster when the
    case has moved on from ``version`` or is open already.
    """
    if case.version != version or case.closed_at is None:
        raise moved_on(case)
    before = case.life_cycle
    move(
        case, Q(closed_at__isnull=False), closed_at=None, life_cycle=case.life_cycle + 1, owner=Owner.QUEUED_HUMAN,
        owner_epoch=case.owner_epoch + 1, need=need.value, claimed_by=None, claim_until=None, skipped_until=None,
        service_ended_at=case.service_ended_at or timezone.now(), **changes,
    )  # fmt: skip
    packet = packet_of_cycle(case, disputes)
    trail.append(
        case_chain(case), verb, actor=actor_of(by), life_cycle=case.life_cycle, ended=before, owner=case.owner,
        owner_epoch=case.owner_epoch, disputes=len(disputes), packet_sha256=document_hash(packet.document),
    )  # fmt: skip
    return packet
