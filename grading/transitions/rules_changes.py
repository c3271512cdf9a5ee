"""A question gets a newer version of its rules, and each of its answers is carried over as the leader chose.

One answer at a time, each by a conditional update: a marker who hands in meanwhile either comes first, and then their
mark is one made under the older version, or is told that the answer moved on.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import document_hash, number_text
from config.foundation.errors import SomeoneWasFaster
from itembank.models import ScoringRules

from .. import rounds
from ..chains import actor_of, assessment_chain, case_chain
from ..domain.recomputing import RECOMPUTED
from ..domain.rules_changes import Carried, Choice
from ..domain.schemes import Place
from ..models import Assessment, AssessmentState, Case, JudgeRun, Mark, MarkSource, Owner, Packet, Question
from ..rejudging import CarriedRound, carried_round
from .cases import (
    add_entry,
    decided_steps,
    failed_rules,
    move,
    next_edition,
    packet_of_cycle,
    queue_for_people,
    record,
    reopen,
    run_key,
)
from .judging import enqueue_judging


@transaction.atomic
def pin_rules(question: Question, *, old: ScoringRules, new: ScoringRules, choice: Choice, by: Any) -> None:
    """From now on the question has the version ``new``. Raises SomeoneWasFaster when it no longer has ``old``."""
    if Question.objects.filter(pk=question.pk, rules=old).update(rules=new) != 1:
        raise SomeoneWasFaster(
            "rules.moved", f"{question.label}的评分细则刚被别人更换，请重新查看影响后再选择。",
            f"Someone else just changed the rules of {question.label}; look at the preview again before you choose.",
        )  # fmt: skip
    question.refresh_from_db()
    trail.append(
        assessment_chain(question.assessment), "change_rules", actor=actor_of(by), question=question.public_id,
        old_sha256=old.sha256, rules_sha256=new.sha256, rules_version=new.version, choice=choice.value,
    )  # fmt: skip


@transaction.atomic
def carry_over(case: Case, rules: ScoringRules, *, choice: Choice, document: dict[str, Any] | None, by: Any) -> Carried:
    """Bring one answer under ``rules``, or leave it, and say which. Twice is once.

    ``document`` is what ``judged_under`` made of the case as it is now. Raises SomeoneWasFaster when the case moved on.
    """
    if case.rules_id == rules.pk:
        return Carried.CURRENT
    if not Question.objects.filter(pk=case.response.question_id, rules=rules).exists():
        # A late job must not take an answer back from the version that was chosen after its own.
        return Carried.OVERTAKEN
    if case.owner == Owner.HANDOFF_PENDING:
        queue_for_people(case)
    if case.closed_at is None and case.owner != Owner.AI:
        return _carry_open(case, rules, choice, document, by)
    # Read anew and locked, before the case is: against a release, or a start of the marking, that is under way.
    assessment = Assessment.objects.select_for_update(no_key=True).get(pk=case.response.question.assessment_id)
    if case.closed_at is None:
        return _carry_unjudged(case, rules, assessment, by)
    if assessment.state == AssessmentState.RELEASED:
        return Carried.RELEASED
    if choice is Choice.LEAVE:
        return Carried.LEFT
    if choice is Choice.RECOMPUTE and _recompute(case, rules, document, by):
        return Carried.RECOMPUTED
    _requeue(case, rules, document, by)
    return Carried.UNPROVEN if choice is Choice.RECOMPUTE else Carried.REQUEUED


def _run_of(case: Case, document: dict[str, Any] | None) -> JudgeRun | None:
    """The run of the renewed proposal; that of the same rules and reading is there already."""
    if document is None:
        return None
    known = JudgeRun.objects.filter(idempotency_key=run_key(case, document)).first()
    corrected_by = case.run.reading_by if case.run else None
    return known or record(case, document, epoch=case.owner_epoch, used=True, reading_by=corrected_by)


def _tell(case: Case, verb: str, by: Any, rules: ScoringRules, run: JudgeRun | None, **facts: Any) -> None:
    trail.append(
        case_chain(case), verb, actor=actor_of(by), rules_sha256=rules.sha256, rules_version=rules.version,
        run=run.public_id if run else None, owner=case.owner, owner_epoch=case.owner_epoch, **facts,
    )  # fmt: skip


def _carry_unjudged(case: Case, rules: ScoringRules, assessment: Assessment, by: Any) -> Carried:
    """A judging that runs under the older version started with another epoch: it comes too late."""
    move(case, Q(owner=Owner.AI, decision=""), rules=rules, owner_epoch=case.owner_epoch + 1)
    _tell(case, "rules_changed", by, rules, None)
    if assessment.state == AssessmentState.MARKING:
        enqueue_judging(case.response)
    return Carried.TO_JUDGE


def _carry_open(case: Case, rules: ScoringRules, choice: Choice, document: dict[str, Any] | None, by: Any) -> Carried:
    if case.need == Place.APPEAL:
        return Carried.APPEAL
    run = _run_of(case, document)
    renewed = {"rules": rules, "run": run, "reasons": failed_rules(document) if document else []}
    if not rounds.given_marks(case):
        move(case, Q(closed_at__isnull=True), **renewed)
        packet = Packet.objects.filter(case=case, life_cycle=case.life_cycle).first()
        if packet is not None:
            add_entry(packet, "rules_changed", {"rules_version": rules.version, "run": run.public_id if run else None})
        _tell(case, "rules_changed", by, rules, run)
        return Carried.RENEWED
    if choice is Choice.LEAVE:
        return Carried.LEFT
    _restart_round(case, rules, renewed, by)
    return Carried.RESTARTED


def _restart_round(case: Case, rules: ScoringRules, renewed: dict[str, Any], by: Any) -> None:
    """Marks of two versions cannot be weighed against each other: the round begins anew, its marks stay on record."""
    move(
        case, Q(closed_at__isnull=True), **renewed, life_cycle=case.life_cycle + 1, owner=Owner.QUEUED_HUMAN,
        owner_epoch=case.owner_epoch + 1, need=Place.FIRST.value, claimed_by=None, claim_until=None, skipped_until=None,
    )  # fmt: skip
    packet = packet_of_cycle(case, [_dispute(rules)])
    _tell(
        case, "restart_round", by, rules, case.run, life_cycle=case.life_cycle,
        packet_sha256=document_hash(packet.document),
    )  # fmt: skip


def _dispute(rules: ScoringRules) -> dict[str, Any]:
    return {"kind": "rules_changed", "rules_version": rules.version}


def _requeue(case: Case, rules: ScoringRules, document: dict[str, Any] | None, by: Any) -> None:
    """The answer is marked again under the newer version; its marks stand beside, each naming the version it has."""
    run = _run_of(case, document)
    reopen(
        case, by=by, version=case.version, disputes=[_dispute(rules)], need=Place.FIRST, verb="requeue_for_rules",
        rules=rules, run=run, reasons=failed_rules(document) if document else [], decision="MANUAL_REVIEW",
    )  # fmt: skip


def _recompute(case: Case, rules: ScoringRules, document: dict[str, Any] | None, by: Any) -> Mark | None:
    """A new edition where the gate accepts under the newer version, or people's verdicts prove their mark; else None."""
    if case.owner == Owner.AI:
        if document is None or document["decision"] != "ACCEPT":
            return None
        proved = {
            "source": MarkSource.MACHINE, "total": Decimal(str(document["verdict"]["total_score"])),
            "steps": decided_steps(document),
        }  # fmt: skip
    else:
        own = carried_round(case, rules.read())
        if own is None:
            return None
        proved = _from_people(own)
    before = case.marks.order_by("edition").last()
    run = _run_of(case, document)
    move(case, Q(closed_at__isnull=False), rules=rules, run=run)
    mark = Mark.objects.create(
        case=case,
        edition=next_edition(case),
        run=run,
        rules=rules,
        max_score=rules.read().max_score,
        created_at=timezone.now(),
        **proved,
    )
    _tell(
        case, "recompute", by, rules, run, before=number_text(before.total) if before else None,
        after=number_text(mark.total), edition=mark.edition, mark=mark.public_id,
    )  # fmt: skip
    return mark


def _from_people(own: CarriedRound) -> dict[str, Any]:
    steps = [list(each.steps) for each in own.carried]
    return {
        "source": MarkSource.AGREED,
        "rule": RECOMPUTED,
        "total": own.agreed.total,
        "steps": steps[0] if all(each == steps[0] for each in steps) else [],
        "basis": {
            "scheme_rule": own.agreed.rule.value,
            "of": [
                {"given": mark.public_id, "place": mark.place, "total": number_text(each.total)}
                for mark, each in zip(own.used, own.carried, strict=True)
            ],
        },
    }
