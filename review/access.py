"""One door to read audits: fetch and authorise in one call. A stranger gets 404, a member without the right 403."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404

from grading.access import authorise, case_for, rights_in
from grading.domain.roles import Right
from grading.models import Case

from .models import Appeal, AuditItem, AuditSample, Exemplar, MarkedGroup, RulesChange


def sample_for(user: Any, public_id: str) -> AuditSample:
    """A sample, for auditors of its assessment and its marking leader."""
    sample = AuditSample.objects.select_related("assessment", "drawn_by").filter(public_id=public_id).first()
    if sample is None:
        raise Http404
    authorise(user, sample.assessment, (Right.AUDIT, Right.LEAD))
    return sample


def audit_item_for(user: Any, public_id: str) -> AuditItem:
    """One sampled answer, for auditors only."""
    item = (
        AuditItem.objects.select_related(
            "sample__assessment", "mark__case__response__question", "mark__rules", "mark__run", "auditor"
        )
        .filter(public_id=public_id)
        .first()
    )
    if item is None:
        raise Http404
    authorise(user, item.sample.assessment, (Right.AUDIT,))
    return item


def case_with_trail(user: Any, public_id: str) -> Case:
    """A case whose trail the person may read: markers, leaders and staff; auditors once they have committed."""
    case = case_for(user, public_id)
    held = rights_in(user, case.response.question.assessment)
    if held & {Right.MARK, Right.LEAD, Right.ADMINISTER}:
        return case
    audited = AuditItem.objects.filter(mark__case=case, auditor=user, committed_at__isnull=False)
    if Right.AUDIT not in held or not audited.exists():
        raise PermissionDenied
    return case


def appeal_for(user: Any, public_id: str, *rights: Right) -> Appeal:
    """An appeal, for school staff, leaders and arbiters of its assessment, or for those with one of ``rights``."""
    appeal = (
        Appeal.objects.select_related(
            "case__response__question__assessment", "case__rules", "case__run", "case__claimed_by",
            "old_mark__by", "new_mark__by", "filed_by", "decided_by",
        )
        .filter(public_id=public_id)
        .first()
    )  # fmt: skip
    if appeal is None:
        raise Http404
    authorise(user, appeal.case.response.question.assessment, rights or (Right.ADMINISTER, Right.LEAD, Right.ARBITRATE))
    return appeal


def marked_group_for(user: Any, public_id: str) -> MarkedGroup:
    """A marked group, for the marker who marked it alone: its answers may still be blind to others."""
    group = (
        MarkedGroup.objects.select_related("question__assessment", "question__rules")
        .filter(public_id=public_id)
        .first()
    )
    if group is None:
        raise Http404
    authorise(user, group.question.assessment, (Right.MARK,))
    if group.by_id != user.pk:
        raise Http404
    return group


def exemplar_for(user: Any, public_id: str) -> Exemplar:
    """An exemplar, for the marking leaders of its assessment."""
    exemplar = (
        Exemplar.objects.select_related("case__response__question__assessment").filter(public_id=public_id).first()
    )
    if exemplar is None:
        raise Http404
    authorise(user, exemplar.case.response.question.assessment, (Right.LEAD,))
    return exemplar


def rules_change_for(user: Any, public_id: str, *rights: Right) -> RulesChange:
    """A change of rules, for those with one of ``rights`` in its assessment."""
    change = (
        RulesChange.objects.select_related(
            "question__assessment",
            "question__rules",
            "old",
            "rules",
            "author",
            "approver",
            "chosen_by",
            "case__response",
        )
        .filter(public_id=public_id)
        .first()
    )
    if change is None:
        raise Http404
    authorise(user, change.question.assessment, rights)
    return change
