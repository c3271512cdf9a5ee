"""What the page of a change of rules shows: answers by where they are, what is foreseen, how far it is, what became of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from config.foundation import jobs
from grading.domain.schemes import Place
from grading.models import AssessmentState, Case, GivenMark, Owner, Question

from .models import RulesChange, RulesChangeAnswer
from .transitions.rules_changes import carrying_group, foresight_group


@dataclass(frozen=True)
class Standing:
    """Answers to the question by where they are now; ``marked`` and ``accepted`` under the older version only."""

    marked: int
    accepted: int
    under_way: int  # somebody has given a mark, the scheme asks for another
    waiting: int
    in_hand: int
    appeal: int
    unjudged: int
    released: bool

    @property
    def decided(self) -> int:
        return self.marked + self.accepted


@dataclass(frozen=True)
class Work:
    """How far a group of jobs is."""

    total: int
    ended: int
    dead: int

    @property
    def busy(self) -> bool:
        return self.ended < self.total

    @property
    def share(self) -> int:
        """Ended jobs in per cent, rounded down."""
        return self.ended * 100 // self.total if self.total else 100


def standing_of(change: RulesChange) -> Standing:
    """Where the answers are that are not under the newer version yet; one query."""
    given = GivenMark.objects.filter(case=OuterRef("pk"), life_cycle=OuterRef("life_cycle"))
    cases = Case.objects.filter(response__question=change.question).annotate(begun=Exists(given))
    if change.rules is not None:
        cases = cases.exclude(rules=change.rules)
    open_ = Q(closed_at__isnull=True)
    people = open_ & ~Q(owner=Owner.AI) & ~Q(need=Place.APPEAL.value)
    counts: dict[str, int] = cases.aggregate(
        marked=Count("pk", filter=~open_ & ~Q(owner=Owner.AI)),
        accepted=Count("pk", filter=~open_ & Q(owner=Owner.AI)),
        under_way=Count("pk", filter=people & Q(begun=True)),
        waiting=Count("pk", filter=people & Q(begun=False) & ~Q(owner=Owner.HUMAN)),
        in_hand=Count("pk", filter=people & Q(begun=False, owner=Owner.HUMAN)),
        appeal=Count("pk", filter=open_ & Q(need=Place.APPEAL.value)),
        unjudged=Count("pk", filter=open_ & Q(owner=Owner.AI)),
    )
    return Standing(**counts, released=change.question.assessment.state == AssessmentState.RELEASED)


def work_of(change: RulesChange, *, carrying: bool) -> Work:
    """How far the preview, or the carrying over, is."""
    counts = jobs.progress(carrying_group(change) if carrying else foresight_group(change))
    return Work(counts["total"], counts["DONE"] + counts["DEAD"], counts["DEAD"])


def counted(change: RulesChange, field: str) -> Mapping[str, int]:
    """How many answers have each value of ``effect`` or ``outcome``."""
    return Counter(dict(change.answers.order_by().values_list(field).annotate(n=Count("pk")).values_list(field, "n")))


def listed(change: RulesChange) -> QuerySet[RulesChangeAnswer]:
    """The answers worth a look: for a proposed path those it bears on, else those that change or cannot be proved."""
    rows = change.answers.select_related("case__response").order_by("case__response__code")
    if change.path_id:
        return rows.filter(affected=True)
    return rows.filter(effect__in=["CHANGES", "UNPROVEN"])


def changes_of(question: Question) -> QuerySet[RulesChange]:
    """All changes of a question's rules, newest first."""
    return question.rules_changes.select_related("author", "approver", "chosen_by", "rules", "old").annotate(
        n_answers=Count("answers"), number=F("rules__version")
    )


def may_be_read_by(change: RulesChange, person: Any) -> bool:
    """Whether somebody without the leader's right may see a change in the list: their own proposals."""
    return bool(change.author_id == person.pk)
