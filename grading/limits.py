"""Reads of what a marking leader allows a marker: paused or capped, of one question or of a whole assessment.

A claim that begins is refused; what a marker has in hand they finish, and nothing they gave is touched. A cap counts the
different answers that a person has marked or has in hand, in whatever life cycle: an answer returned to them is no further one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from config.foundation.errors import NotAllowedNow

from .models import Assessment, Case, GivenMark, MarkerLimit, Question


class MarkerHeld(NotAllowedNow):
    """The marking leader lets this person take no further answer to a question for now."""

    def __init__(self, limit: MarkerLimit, question: Question) -> None:
        whole = limit.question_id is None
        zh_where, en_where = ("本场考试", "this assessment") if whole else (question.label, question.label)
        if limit.paused:
            code = "marker.paused"
            zh = f"阅卷组长暂停了您在{zh_where}的阅卷：{limit.reason}"
            en = f"The marking leader has paused your marking of {en_where}: {limit.reason}"
        else:
            code = "marker.capped"
            zh = f"您在{zh_where}的评阅量已达到组长设的上限（{limit.cap} 份）：{limit.reason}"
            en = f"You have reached the {limit.cap} answers that the marking leader set for you in {en_where}: {limit.reason}"
        super().__init__(code, zh, en)
        self.question = question


@dataclass(frozen=True)
class Limit:
    """A limit in force, and how many answers the person has marked or has in hand where it holds."""

    row: MarkerLimit
    used: int

    @property
    def holds(self) -> bool:
        """Whether the person may take nothing further where it holds."""
        return self.row.paused or (self.row.cap is not None and self.used >= self.row.cap)


def newest(rows: Iterable[MarkerLimit]) -> list[MarkerLimit]:
    """Of each person and question the newest version, where it limits anything."""
    found: dict[tuple[int, int | None], MarkerLimit] = {}
    for row in sorted(rows, key=lambda each: each.version):
        found[row.person_id, row.question_id] = row
    return [row for row in found.values() if row.paused or row.cap is not None]


def versions_of(assessment: Assessment, person: Any, question: Question | None) -> QuerySet[MarkerLimit]:
    """All versions of one limit, newest first."""
    rows = MarkerLimit.objects.filter(assessment=assessment, person=person, question=question)
    return rows.select_related("by", "question").order_by("-version")


def in_force(assessment: Assessment, person: Any = None) -> list[Limit]:
    """Every limit of an assessment, or of one person there, by login and question; at most three queries."""
    rows = MarkerLimit.objects.filter(assessment=assessment).select_related("person", "question", "by")
    if person is not None:
        rows = rows.filter(person=person)
    limits = newest(rows)
    if not limits:
        return []
    answers = _answers(assessment, {row.person_id for row in limits})
    found = [Limit(row, _used(row, answers)) for row in limits]
    return sorted(found, key=lambda each: (each.row.person.get_username(), _number(each.row)))


def _number(row: MarkerLimit) -> int:
    return row.question.number if row.question else -1


def _answers(assessment: Assessment, people: set[int]) -> set[tuple[int, int, int]]:
    """Person, question and case of every answer that these people have marked or have in hand."""
    here = {"case__response__question__assessment": assessment, "by__in": people}
    given = GivenMark.objects.filter(**here).order_by().values_list("by", "case__response__question", "case").distinct()
    held = Case.objects.filter(response__question__assessment=assessment, claimed_by__in=people)
    in_hand = held.values_list("claimed_by", "response__question", "pk")
    return {(person, question, case) for person, question, case in [*given, *in_hand] if person is not None}


def _used(row: MarkerLimit, answers: set[tuple[int, int, int]]) -> int:
    return sum(person == row.person_id and row.question_id in (None, question) for person, question, _ in answers)


def any_of(person: Any) -> Exists:
    """As a condition on cases: some version of a limit of this person's bears on them, in force or not."""
    return Exists(
        MarkerLimit.objects.filter(
            Q(question__isnull=True) | Q(question=OuterRef("response__question")),
            assessment=OuterRef("response__question__assessment"),
            person=person,
        )
    )


def _applying(case: Case, person: Any) -> QuerySet[MarkerLimit]:
    question = case.response.question
    return MarkerLimit.objects.filter(
        Q(question__isnull=True) | Q(question=question), assessment=question.assessment, person=person
    ).order_by("pk")


def _cap_reached(row: MarkerLimit, case: Case) -> bool:
    """Whether a cap keeps a case from its person; the case itself does not count."""
    if row.cap is None:
        return False
    question = case.response.question
    where = Q(response__question=question) if row.question_id else Q(response__question__assessment=question.assessment)
    marked = Exists(GivenMark.objects.filter(case=OuterRef("pk"), by=row.person_id))
    others = Case.objects.filter(where).exclude(pk=case.pk).filter(Q(claimed_by=row.person_id) | marked)
    return others.count() >= row.cap and not GivenMark.objects.filter(case=case, by=row.person_id).exists()


def held(case: Case, person: Any) -> bool:
    """Whether a person may not take a case now because of a limit."""
    return any(row.paused or _cap_reached(row, case) for row in newest(_applying(case, person)))


def refuse_held(case: Case, person: Any, *, resumed: bool) -> None:
    """Raise MarkerHeld where a limit keeps a case from a person; part of a claim, inside its transaction.

    All versions are locked, the older ones too: of two claims of one person the second counts when the first is done,
    whichever version each began with. ``resumed``: they had it in hand before, so a pause does not count.
    """
    for row in newest(_applying(case, person).select_for_update()):
        if (row.paused and not resumed) or _cap_reached(row, case):
            raise MarkerHeld(row, case.response.question)
