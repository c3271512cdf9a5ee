"""What the marking leader's board shows: questions, markers, who or what needs the leader now. A fixed number of queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from grading import limits
from grading import queries as grading_queries
from grading.domain.schemes import SEEING_PLACES, Place
from grading.limits import Limit
from grading.models import Assessment, Case, GivenMark, Owner, Problem, Question

from . import queries
from .domain.marker_figures import Figures, GivenOne, by_marker, figures, usual_speed

MOST_MARKS = 50_000
"""Marks that a board looks at, newest first; more is a province, not a school."""
MANY_OVERRIDES = Decimal("0.3")
MANY_ARBITRATIONS = Decimal("0.2")
MANY_PROBLEMS = Decimal("0.2")
HARDLY_SPREAD = Decimal("0.5")
"""A marker whose spread is below this part of the group's plays safe around the middle (趋中评分)."""
ENOUGH_TO_NAME = 10
HASTY = 3
"""Times as fast as the middle of the markers."""


@dataclass(frozen=True)
class QuestionRow:
    """One question: answers by where they are, and the figures of its marks. Counts are answers."""

    question: Question
    total: int
    closed: int
    waiting: int
    in_hand: int
    accepted: int
    arbitrated: int  # went to an arbiter or a leader's review, or waits for one
    unread: int  # the machine could not read the pages
    reported: int  # as a problem paper at least once
    standing: Figures  # of the marks that stand, the machine's included
    people: Figures  # of the marks that people gave

    @property
    def closed_share(self) -> int:
        """Decided answers in per cent, rounded down."""
        return self.closed * 100 // max(1, self.total)

    @property
    def arbitration_rate(self) -> Decimal:
        return Decimal(self.arbitrated) / max(1, self.total)

    @property
    def accepted_rate(self) -> Decimal:
        return Decimal(self.accepted) / max(1, self.total)

    @property
    def problem_rate(self) -> Decimal:
        return Decimal(self.reported) / max(1, self.total)

    @property
    def unread_rate(self) -> Decimal:
        return Decimal(self.unread) / max(1, self.total)


@dataclass(frozen=True)
class MarkerRow:
    """One marker with their figures, and how many of their answers went to an arbiter or were reported by them.

    ``marked`` counts different answers, ``figures.count`` marks: one answer may be marked again in a later life cycle.
    """

    person: Any
    figures: Figures
    marked: int
    arbitrated: int
    reported: int = 0  # different answers that the person reported as problem papers
    seen: int = 0  # different answers that the person marked or reported
    limits: tuple[Limit, ...] = ()

    @property
    def arbitration_rate(self) -> Decimal:
        return Decimal(self.arbitrated) / max(1, self.marked)


@dataclass(frozen=True)
class Notice:
    """Something that needs the leader: `kind` chooses the words, the rest fills them."""

    kind: str
    person: Any = None
    question: Question | None = None
    share: Decimal = Decimal(0)
    low: Decimal = Decimal(0)
    high: Decimal = Decimal(0)
    count: int = 0
    usual: int = 0


@dataclass(frozen=True)
class Board:
    """Everything on the page, for all questions or for one."""

    questions: list[QuestionRow]
    markers: list[MarkerRow]
    group: Figures
    notices: list[Notice]


def marks_given(assessment: Assessment, question: Question | None = None) -> QuerySet[GivenMark]:
    """The marks that people gave, newest first, in every life cycle."""
    marks = GivenMark.objects.filter(case__response__question__assessment=assessment)
    if question is not None:
        marks = marks.filter(case__response__question=question)
    return marks.order_by("-created_at", "-pk")


def markers_of(assessment: Assessment) -> list[Any]:
    """Everybody who gave a mark in the assessment, by login."""
    given = GivenMark.objects.filter(case__response__question__assessment=assessment).order_by().values("by")
    return list(get_user_model().objects.filter(pk__in=given).order_by("username"))


def board_of(assessment: Assessment, question: Question | None = None) -> Board:
    """The board of an assessment; `question` limits markers and notices to one question."""
    questions = list(assessment.questions.select_related("rules"))
    given = _given(assessment)
    reported = _reported(assessment, question)
    arbitrated = _arbitrated_cases(assessment)
    rows = _question_rows(assessment, questions, given)
    chosen = [mark for mark in given if question is None or mark.question == question.pk]
    markers = _marker_rows(chosen, arbitrated, reported, limits.in_force(assessment))
    shown = [row for row in rows if question is None or row.question == question]
    usual = usual_speed(row.figures for row in markers)
    group = figures(chosen, speed=False)
    return Board(rows, markers, group, list(_notices(shown, markers, group, usual)))


def _given(assessment: Assessment) -> list[GivenOne]:
    """What is needed of each mark. A reading that a person corrected is not the machine's proposal."""
    fields = ("case", "life_cycle", "case__response__question", "by", "total", "max_score", "created_at")
    machine = ("run__total", "run__reading_by", "case__reasons")
    found = []
    marks = marks_given(assessment).annotate(together=queries.given_in_a_group())
    for row in marks.values_list(*fields, *machine, "together")[:MOST_MARKS]:
        case, cycle, question, marker, total, full, at, proposed, corrected, reasons, together = row
        answered = proposed is not None and corrected is None and "judge-answered" not in reasons
        proposal = proposed if answered else None
        found.append(GivenOne((case, cycle), question, marker, total, full, at, proposal, together))
    return found


def _arbitrated_cases(assessment: Assessment) -> frozenset[int]:
    decided = GivenMark.objects.filter(case=OuterRef("pk"), place__in=[place.value for place in SEEING_PLACES])
    waiting = Q(need__in=[Place.REVIEW.value, Place.ARBITER.value], closed_at__isnull=True)
    cases = grading_queries.cases_of(assessment).filter(waiting | Exists(decided))
    return frozenset(cases.values_list("pk", flat=True))


def _question_rows(
    assessment: Assessment, questions: Sequence[Question], given: Sequence[GivenOne]
) -> list[QuestionRow]:
    counts = _counts(assessment)
    standing: dict[int, list[GivenOne]] = defaultdict(list)
    fields = ("case", "case__response__question", "total", "max_score", "created_at")
    for case, question, total, full, at in queries.standing_marks(assessment).values_list(*fields)[:MOST_MARKS]:
        standing[question].append(GivenOne((case, 0), question, 0, total, full, at))
    people: dict[int, list[GivenOne]] = defaultdict(list)
    for mark in given:
        people[mark.question].append(mark)
    return [
        QuestionRow(
            question=question,
            standing=figures(standing[question.pk], speed=False),
            people=figures(people[question.pk], speed=False),
            **(counts.get(question.pk) or dict.fromkeys(COUNTED, 0)),
        )
        for question in questions
    ]


COUNTED = ("total", "closed", "waiting", "in_hand", "accepted", "arbitrated", "unread", "reported")


def _counts(assessment: Assessment) -> dict[int, dict[str, int]]:
    decided = Exists(GivenMark.objects.filter(case=OuterRef("pk"), place__in=[place.value for place in SEEING_PLACES]))
    open_ = Q(closed_at__isnull=True)
    rows = (
        Case.objects.filter(response__question__assessment=assessment)
        .annotate(seen=decided, troubled=Exists(Problem.objects.filter(case=OuterRef("pk"))))
        .order_by()
        .values("response__question")
        .annotate(
            total=Count("pk"),
            closed=Count("pk", filter=~open_),
            waiting=Count("pk", filter=open_ & Q(owner__in=[Owner.QUEUED_HUMAN, Owner.HANDOFF_PENDING])),
            in_hand=Count("pk", filter=open_ & Q(owner=Owner.HUMAN)),
            accepted=Count("pk", filter=Q(decision="ACCEPT")),
            arbitrated=Count(
                "pk", filter=Q(seen=True) | (open_ & Q(need__in=[Place.REVIEW.value, Place.ARBITER.value]))
            ),
            unread=Count("pk", filter=Q(reasons__icontains='"recognised"') | Q(reasons__icontains='"judge-answered"')),
            reported=Count("pk", filter=Q(troubled=True)),
        )
    )
    return {
        key: dict(zip(COUNTED, counts, strict=True))
        for key, *counts in rows.values_list("response__question", *COUNTED)
    }


def _reported(assessment: Assessment, question: Question | None) -> dict[int, set[int]]:
    """The answers that each person reported as problem papers, whatever was found of them."""
    problems = Problem.objects.filter(case__response__question__assessment=assessment)
    if question is not None:
        problems = problems.filter(case__response__question=question)
    found: dict[int, set[int]] = defaultdict(set)
    for person, case in problems.order_by().values_list("raised_by", "case"):
        found[person].add(case)
    return found


def _marker_rows(
    marks: Sequence[GivenOne], arbitrated: frozenset[int], reported: dict[int, set[int]], limited: Sequence[Limit]
) -> list[MarkerRow]:
    """Whoever gave a mark, reported an answer or is limited; those with most marks first."""
    found = by_marker(marks)
    keys = {*found, *reported, *(each.row.person_id for each in limited)}
    people = get_user_model().objects.in_bulk(list(keys))
    marked: dict[int, set[int]] = defaultdict(set)
    for mark in marks:
        marked[mark.marker].add(mark.round[0])
    rows = [
        MarkerRow(
            person=people[key],
            figures=found.get(key) or figures([]),
            marked=len(marked[key]),
            arbitrated=len(marked[key] & arbitrated),
            reported=len(reported.get(key, ())),
            seen=len(marked[key] | reported.get(key, set())),
            limits=tuple(each for each in limited if each.row.person_id == key),
        )
        for key in keys
    ]
    return sorted(rows, key=lambda row: (-row.figures.count, row.person.get_username()))


def _notices(
    questions: Sequence[QuestionRow], markers: Sequence[MarkerRow], group: Figures, usual: int | None
) -> Iterator[Notice]:
    """Who stands out, most serious first; nobody is named on a handful of marks."""
    for row in markers:
        severity = row.figures.severity
        if severity is not None and severity.telling and severity.count >= ENOUGH_TO_NAME:
            kind = "harder" if severity.difference < 0 else "milder"
            yield Notice(
                kind, row.person, None, abs(severity.difference), severity.low, severity.high, severity.count
            )  # fmt: skip
    for row in markers:
        if len(markers) > 1:
            yield from _beside_the_others(row, group, usual)
        if row.seen >= ENOUGH_TO_NAME and row.reported >= MANY_PROBLEMS * row.seen:
            yield Notice("problems", row.person, share=Decimal(row.reported) / row.seen, count=row.seen)
    for question in questions:
        yield from _of_a_question(question)


def _beside_the_others(row: MarkerRow, group: Figures, usual: int | None) -> Iterator[Notice]:
    own = row.figures
    if own.count < ENOUGH_TO_NAME:
        return
    if row.marked >= ENOUGH_TO_NAME and row.arbitration_rate >= MANY_ARBITRATIONS:
        yield Notice("arbitrations", row.person, share=row.arbitration_rate, count=row.marked)
    if group.spread and own.spread is not None and own.spread < HARDLY_SPREAD * group.spread:
        yield Notice("middle", row.person, share=own.spread, count=own.count)
    if usual and own.seconds is not None and own.seconds * HASTY < usual:
        yield Notice("fast", row.person, count=own.seconds, usual=usual)


def _of_a_question(row: QuestionRow) -> Iterator[Notice]:
    rate = row.people.override_rate
    if rate is not None and row.people.proposals >= ENOUGH_TO_NAME and rate >= MANY_OVERRIDES:
        yield Notice("overrides", question=row.question, share=rate, count=row.people.proposals)
    if row.total >= ENOUGH_TO_NAME and row.arbitration_rate >= MANY_ARBITRATIONS:
        yield Notice("arbitrated", question=row.question, share=row.arbitration_rate, count=row.arbitrated)
