"""Reads of a person's own work: the marks they gave last, which of them they may still change, and how each question stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet

from grading import queries, rounds
from grading.domain.own_marks import Fixed
from grading.models import Assessment, Case, GivenMark, Mark, Owner, Question
from grading.transitions.changing import fixed

from .queries import OwnPace


@dataclass(frozen=True)
class OwnMark:
    """One mark a person gave, and the standing edition of its answer where they may see it."""

    given: GivenMark
    case: Case
    standing: Mark | None
    fixed: Fixed | None
    returned: bool  # marked again since, in a later life cycle
    hidden: bool  # the person may be asked to mark the answer blind again


def given_by(assessment: Assessment, person: Any, question: Question | None) -> QuerySet[GivenMark]:
    """The marks a person gave, newest first."""
    marks = GivenMark.objects.filter(case__response__question__assessment=assessment, by=person)
    if question is not None:
        marks = marks.filter(case__response__question=question)
    return (
        marks.select_related("case__response__question__assessment", "case__rules")
        .prefetch_related("case__marks__by")
        .order_by("-created_at", "-pk")
    )


def own_marks(given: list[GivenMark], person: Any) -> list[OwnMark]:
    """What the person may look back on; a constant number of queries whatever the number."""
    hidden = rounds.blind_to_each([mark.case for mark in given], person)
    found = []
    for mark in given:
        case = mark.case
        unseen = case.pk in hidden
        editions = sorted(case.marks.all(), key=lambda each: each.edition)
        standing = editions[-1] if editions and not unseen else None
        found.append(
            OwnMark(
                mark, case, standing, fixed(case, standing, person), mark.life_cycle != case.life_cycle, unseen
            )
        )  # fmt: skip
    return found


@dataclass(frozen=True)
class Standing:
    """How far the marking of one question is, in answers; ``waiting`` + ``in_hand`` + ``aside`` + ``machine`` + ``done`` = ``total``."""

    question: Question
    total: int
    done: int
    by_proof: int
    waiting: int
    in_hand: int
    aside: int
    machine: int
    forecast: timedelta | None

    @property
    def share(self) -> int:
        """Done, in whole per cent of all, rounded down: 99.9 is not 100."""
        return self.done * 100 // max(1, self.total)


def standing_by_question(assessment: Assessment, pace: OwnPace, person: Any) -> list[Standing]:
    """Each question with its counts; one query for all. The forecast is for what is left of it for this person to mark."""
    is_open, human = Q(closed_at__isnull=True), Q(owner=Owner.HUMAN)
    rows = (
        Case.objects.filter(response__question__assessment=assessment)
        .order_by()
        .values("response__question")
        .annotate(
            total=Count("pk"),
            done=Count("pk", filter=~is_open),
            by_proof=Count("pk", filter=~is_open & Q(owner=Owner.AI)),
            aside=Count("pk", filter=is_open & ~Q(problem="")),
            in_hand=Count("pk", filter=is_open & human),
            waiting=Count("pk", filter=is_open & Q(problem="", owner__in=[Owner.QUEUED_HUMAN, Owner.HANDOFF_PENDING])),
            machine=Count("pk", filter=is_open & Q(owner=Owner.AI)),
            theirs=Count("pk", filter=queries.still_due_from(person)),
        )
    )
    counts: dict[int, dict[str, int]] = {}
    for row in rows:
        found: dict[str, Any] = dict(row)
        counts[found.pop("response__question")] = found
    return [
        Standing(question, forecast=pace.forecast(each.pop("theirs")), **each)
        for question in assessment.questions.all()
        if (each := counts.get(question.pk))
    ]
