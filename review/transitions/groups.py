"""The same mark for each answer of a group, and the whole of it undone; each answer by the writers that mark single ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import document_hash, number_text
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput, WenshuError
from grading import transitions as grading
from grading.chains import actor_of, case_chain
from grading.domain.decisions import check_decision
from grading.domain.schemes import Place
from grading.models import Case, Owner, Question
from grading.transitions.cases import moved_on
from grading.transitions.marking import refuse_sight

from .. import queries
from ..domain.group_marks import MemberOutcome, Shown
from ..like_answers import pages_seen, returned
from ..models import AuditItem, Draft, GroupMember, MarkedGroup

REFUSALS = (SomeoneWasFaster, NotAllowedNow, UnusableInput)


def mark_group(
    question: Question, *, by: Any, key: str, shown: Sequence[Shown], without: Collection[str],
    steps: Sequence[dict[str, Any]], total: Decimal, reason: str,
) -> MarkedGroup:  # fmt: skip
    """Give one mark to every answer that was shown and not excluded; each is claimed and decided like a single one.

    ``key`` names the screen: the same screen sent again changes nothing and gives the same group back. An answer that changed
    since it was shown, or must be looked at by itself, is left out with the reason; the others go on. All or nothing is
    written. Raises UnusableInput when scores and rules disagree or a reason is missing, and when every answer is excluded;
    SomeoneWasFaster when not one answer is as it was shown.
    """
    known = MarkedGroup.objects.filter(key=key, by=by).first()
    if known is not None:
        return known
    chosen = [each for each in shown if each.case not in without]
    if not chosen:
        raise UnusableInput(
            "group.empty", "所有作答都被排除了，没有可给分的。", "Every answer is excluded; there is nothing to mark."
        )
    first = queries.unchanged_member(question, chosen)
    if first is None or first.run is None:
        raise SomeoneWasFaster(
            "group.moved", "这些作答都刚被处理，没有保存任何分数。请重新打开这组作答。",
            "All these answers were changed just now; no mark was saved. Open the group again.",
        )  # fmt: skip
    proposed = first.run.document["verdict"]
    check_decision(question.rules.read(), steps=steps, total=total, reason=reason, proposed=proposed)
    try:
        with transaction.atomic():
            group = MarkedGroup.objects.create(
                question=question, by=by, key=key, total=total, reason=reason.strip(), created_at=timezone.now(),
                steps=[{**step, "score": number_text(Decimal(step["score"]))} for step in steps],
            )  # fmt: skip
            # In one order for everybody: two groups that share answers never wait for each other.
            for each in sorted(shown, key=lambda one: one.case):
                _mark_member(group, each, excluded=each.case in without, steps=steps)
    except IntegrityError:
        again = MarkedGroup.objects.filter(key=key, by=by).first()
        if again is None:
            raise
        return again
    return group


def _mark_member(group: MarkedGroup, each: Shown, *, excluded: bool, steps: Sequence[dict[str, Any]]) -> None:
    case = (
        Case.objects.select_related("response__question__assessment", "rules", "run")
        .filter(public_id=each.case, response__question=group.question)
        .first()
    )
    if case is None:
        return
    if excluded:
        GroupMember.objects.create(group=group, case=case, outcome=MemberOutcome.EXCLUDED)
        return

    def work() -> None:
        _refuse_alone(case, each, by=group.by, rules_sha256=case.response.question.rules.read().sha256)
        grading.claim(case, by=group.by)
        grading.decide(
            case, by=group.by, version=case.version, steps=steps, total=group.total, reason=group.reason, blind=False
        )
        trail.append(
            case_chain(case), "mark_in_group", actor=actor_of(group.by), group=group.public_id, life_cycle=case.life_cycle,
            total=number_text(group.total),
        )  # fmt: skip

    refusal = _refused(work)
    if refusal is None:
        GroupMember.objects.create(group=group, case=case, outcome=MemberOutcome.MARKED, version=case.version)
    else:
        GroupMember.objects.create(
            group=group, case=case, outcome=MemberOutcome.LEFT_OUT, zh=refusal.zh[:400], en=refusal.en[:400]
        )


def _refused(work: Callable[[], object]) -> WenshuError | None:
    """Do one answer's part; what a refused one had begun is undone."""
    try:
        with transaction.atomic():
            work()
    except REFUSALS as refusal:
        return refusal
    return None


def _refuse_alone(case: Case, each: Shown, *, by: Any, rules_sha256: str) -> None:
    """Raise unless the answer is just as it stood on the screen and may be marked with others."""
    if case.version != each.version or case.owner != Owner.QUEUED_HUMAN or case.closed_at is not None:
        raise moved_on(case)
    if pages_seen(case.response.pages.order_by("number")) != each.pages:
        raise moved_on(case)
    judged_by = document_hash(case.run.document["rules"]) if case.run else ""
    if (
        case.need != Place.FIRST
        or case.problems.exists()
        or case.passed_on.exists()
        or returned([case])
        or judged_by != rules_sha256
        or case.rules_id != case.response.question.rules_id
    ):
        raise NotAllowedNow("group.alone", "这份作答需要单独评阅。", "This answer has to be marked by itself.")
    refuse_sight(case, by=by)
    if Draft.objects.filter(case=case, person=by).exists():
        raise NotAllowedNow(
            "group.draft", "您对这份作答有未提交的草稿，请单独评阅。",
            "You have an unfinished draft of this answer; mark it by itself.",
        )  # fmt: skip


@transaction.atomic
def take_back_group(group: MarkedGroup, *, by: Any) -> MarkedGroup:
    """Undo the whole: each answer's mark is taken back; those that somebody has touched since stay and say why. Twice is once."""
    if MarkedGroup.objects.filter(pk=group.pk, by=by, undone_at__isnull=True).update(undone_at=timezone.now()) != 1:
        return group
    members = group.members.filter(outcome=MemberOutcome.MARKED).select_related("case__response__question__assessment")
    for member in members.order_by("case__public_id"):
        case = Case.objects.select_related("response__question__assessment", "rules", "run").get(pk=member.case_id)
        refusal = _refused(lambda case=case, member=member: _take_back(case, member, by=by, group=group))  # type: ignore[misc]
        member.outcome = MemberOutcome.KEPT if refusal else MemberOutcome.TAKEN_BACK
        member.zh, member.en = (refusal.zh[:400], refusal.en[:400]) if refusal else ("", "")
        member.save(update_fields=["outcome", "zh", "en"])
    group.refresh_from_db()
    return group


def _take_back(case: Case, member: GroupMember, *, by: Any, group: MarkedGroup) -> None:
    if AuditItem.objects.filter(mark__case=case, mark__created_at__gte=group.created_at).exists():
        raise NotAllowedNow(
            "take_back.sampled",
            "这份作答已被抽查，分数不能撤回。",
            "This answer has been drawn for an audit; its mark stays.",
        )
    grading.take_back(case, by=by, version=member.version or 0, why=f"group {group.public_id}")
