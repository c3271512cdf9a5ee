"""Who may do what: the roles of the marking room and the rights each carries within one assessment."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Right(StrEnum):
    """What a person may do in one assessment. The value is the permission's codename."""

    ADMINISTER = "administer_assessment"
    MARK = "mark_assessment"
    LEAD = "lead_assessment"
    ARBITRATE = "arbitrate_assessment"
    AUDIT = "audit_assessment"


@dataclass(frozen=True)
class Role:
    """A role and its rights; ``zh`` and ``en`` are the glossary's labels."""

    key: str
    zh: str
    en: str
    rights: frozenset[Right]


ROLES: dict[str, Role] = {
    role.key: role
    for role in (
        Role("marker", "阅卷员", "Marker", frozenset({Right.MARK})),
        Role("marking_leader", "阅卷组长", "Marking leader", frozenset({Right.LEAD, Right.MARK, Right.ARBITRATE})),
        Role("arbiter", "仲裁员", "Arbiter", frozenset({Right.MARK, Right.ARBITRATE})),
        Role("item_author", "命题人", "Item author", frozenset()),
        Role("item_reviewer", "审题人", "Item reviewer", frozenset()),
        Role("school_staff", "教务", "School staff", frozenset({Right.ADMINISTER})),
        Role("qa_auditor", "质检员", "QA auditor", frozenset({Right.AUDIT})),
    )
}


def role_group_name(assessment: str, role: str) -> str:
    """Name of the group that holds a role in one assessment (given by its public id)."""
    return f"{assessment}:{role}"
