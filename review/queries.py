"""Reads of the people's side: queues, forecasts, replays of trails, comparisons of audits."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from grading import queries
from grading.domain.confidence import Band
from grading.domain.schemes import Kind, Place
from grading.models import Assessment, Case, GivenMark, JudgeRun, Mark, MarkSource, Page, Question

from .domain.anchoring import Pair
from .domain.appeals import Claim, Goal
from .domain.group_marks import MemberOutcome, Shown
from .domain.keys import DEFAULTS, all_keys
from .models import Appeal, AuditItem, AuditSample, DeskKeys, Draft, GroupMember, MarkedGroup, RulesChange

LONGEST_PAUSE = timedelta(minutes=10)
ENOUGH_FOR_FORECAST = 4


@dataclass(frozen=True)
class Replay:
    """The chain of a case, recomputed now: the number of events and the first that does not hold, if any."""

    events: int
    broken_at: int | None = None
    zh: str = ""
    en: str = ""


def in_hand(case: Case) -> bool:
    """Whether somebody's claim on the case still runs."""
    return case.claimed_by_id is not None and (case.claim_until is None or case.claim_until > timezone.now())


def question_named(assessment: Assessment, public_id: str) -> Question | None:
    """The question of the assessment that an address or a form names; compared here, since text from outside may hold
    what a database refuses even to look for."""
    if not public_id:
        return None
    return next((question for question in assessment.questions.all() if question.public_id == public_id), None)


def replay_of(case: Case) -> Replay:
    """Recompute every hash of the case's chain from its first event."""
    broken = queries.broken_link_of(case)
    events = len(queries.trail_of(case))
    return Replay(events) if broken is None else Replay(events, broken.number, broken.zh, broken.en)


@dataclass(frozen=True)
class OwnPace:
    """The marks a person gave last in an assessment, newest first, whatever their scheme made of them."""

    times: tuple[datetime, ...]  # without those given to a group of like answers with one action
    last: str  # public id of the answer marked last, to look at again; empty for none

    def forecast(self, theirs: int) -> timedelta | None:
        """How long the ``theirs`` answers that are left for this person will take; None with too few marks to tell."""
        pairs = itertools.pairwise(self.times)
        gaps = [newer - older for newer, older in pairs if newer - older < LONGEST_PAUSE]
        if len(gaps) < ENOUGH_FOR_FORECAST:
            return None
        return timedelta(seconds=median(gap.total_seconds() for gap in gaps)) * theirs


def own_pace(assessment: Assessment, person: Any) -> OwnPace:
    """The person's last marks; one query. A later change of one's own mark is an edition and no further mark given."""
    given = GivenMark.objects.filter(case__response__question__assessment=assessment, by=person)
    marks = given.order_by("-created_at", "-pk")
    rows = list(marks.values_list("created_at", "case__public_id", given_in_a_group())[:20])
    return OwnPace(tuple(time for time, _, together in rows if not together), rows[0][1] if rows else "")


def given_in_a_group() -> Exists:
    """Whether a row with ``case`` and ``by`` is of an answer that this person marked with others in one action."""
    marked = (MemberOutcome.MARKED.value, MemberOutcome.KEPT.value, MemberOutcome.TAKEN_BACK.value)
    members = GroupMember.objects.filter(case=OuterRef("case"), group__by=OuterRef("by"), outcome__in=marked)
    return Exists(members)


@dataclass(frozen=True)
class Likely:
    """What a person will probably be dealt next: the first answer, and the pages of the first two."""

    case: Case | None
    pages: tuple[Page, ...]


def likely_next(case: Case, person: Any, reason: str, question: Any, band: Band | None = None) -> Likely:
    """The answers that stand first in the person's queue behind this one. Only a guess: nothing is claimed by looking."""
    assessment = case.response.question.assessment
    waiting = queries.free_cases(assessment, reason=reason or None, question=question, person=person, band=band)
    first = list(waiting.exclude(pk=case.pk).values_list("pk", "response")[:2])
    pages = sorted(
        Page.objects.filter(response__in=[response for _, response in first]),
        key=lambda page: ([response for _, response in first].index(page.response_id), page.number),
    )
    return Likely(queries.whole_case(first[0][0]) if first else None, tuple(pages))


def keys_of(person: Any) -> tuple[bool, dict[str, str]]:
    """Whether single keys are on for a person, and the key of each action of the desk."""
    kept = DeskKeys.objects.filter(person=person).first() if person.is_authenticated else None
    return (kept.single_keys, all_keys(kept.keys)) if kept else (True, dict(DEFAULTS))


def reasons_used(question: Any, person: Any) -> list[str]:
    """The reasons a person has given at a question, most used first, to be used again."""
    own = GivenMark.objects.filter(case__response__question=question, by=person).exclude(reason="")
    counted = own.values("reason").annotate(times=Count("pk"), last=Max("pk")).order_by("-times", "-last")
    return list(counted.values_list("reason", flat=True)[:30])


def draft_of(case: Case, person: Any) -> Draft | None:
    """What a person has entered for an answer and not handed in."""
    return Draft.objects.select_related("run").filter(case=case, person=person).first()


def has_draft(case: Case, person: Any) -> bool:
    """Whether a person has entered something for an answer and not handed it in."""
    return Draft.objects.filter(case=case, person=person).exists()


def standing_marks(assessment: Assessment) -> QuerySet[Mark]:
    """The latest edition of the mark of every closed case."""
    return (
        Mark.objects.filter(case__response__question__assessment=assessment, case__closed_at__isnull=False)
        .annotate(latest=Max("case__marks__edition"))
        .filter(edition=F("latest"))
    )


def auditable_marks(assessment: Assessment, *, source: str, auditor: Any) -> QuerySet[Mark]:
    """Standing marks of one source that the auditor has not had in hand."""
    marks = standing_marks(assessment).exclude(case__response__touches__person=auditor)
    if source in {MarkSource.MACHINE, MarkSource.PERSON}:
        marks = marks.filter(source=source)
    return marks.order_by("public_id")


def samples_of(assessment: Assessment) -> QuerySet[AuditSample]:
    """The samples of an assessment, newest first, with how many of their answers are audited."""
    return (
        AuditSample.objects.filter(assessment=assessment)
        .select_related("drawn_by")
        .annotate(done=Count("items", filter=Q(items__committed_at__isnull=False)))
        .order_by("-created_at", "-pk")
    )


def items_of(sample: AuditSample) -> QuerySet[AuditItem]:
    """The answers of a sample in the order drawn."""
    return sample.items.select_related(
        "mark__case__response__question", "mark__rules", "mark__by", "mark__run", "auditor"
    ).order_by("position")


def next_item(sample: AuditSample, person: Any) -> AuditItem | None:
    """The first answer still to be audited that the person has not had in hand."""
    return (
        items_of(sample).filter(committed_at__isnull=True).exclude(mark__case__response__touches__person=person).first()
    )


@dataclass(frozen=True)
class Revealed:
    """A person's blind mark and the machine's proposal that they had not seen."""

    given: GivenMark
    run: JudgeRun

    @property
    def document(self) -> dict[str, Any]:
        document: dict[str, Any] = self.run.document
        return document


def revealed_to(case: Case, person: Any) -> Revealed | None:
    """What a person who has marked a case blind may compare; None where they have not, or nothing was proposed."""
    given = (
        case.given_marks.filter(by=person, blind=True, life_cycle=case.life_cycle, run__isnull=False)
        .select_related("run")
        .first()
    )
    return Revealed(given, given.run) if given is not None and given.run is not None else None


def pairs_with_machine(assessment: Assessment) -> dict[Question, list[Pair]]:
    """First marks beside the machine's first proposal, by question, where blind and sighted marks were drawn by share.

    Left out: answers for which the machine proposed nothing, and schemes under which every mark is blind.
    """
    proposals: dict[int, JudgeRun] = {}
    runs = JudgeRun.objects.filter(
        case__response__question__assessment=assessment, used=True, reading_by__isnull=True, life_cycle=1
    )
    for run in runs.order_by("pk"):
        proposals.setdefault(run.case_id, run)
    marks = GivenMark.objects.filter(
        case__response__question__assessment=assessment, place=Place.FIRST, life_cycle=1
    ).exclude(scheme__kind__in=[kind for kind in Kind if kind.independent])
    found: dict[Question, list[Pair]] = {}
    for mark in marks.select_related("case__response__question").order_by("case__response__question__number", "pk"):
        proposal = proposals.get(mark.case_id)
        if proposal is not None and proposal.document["verdict"]["matched_path_id"] != "UNKNOWN":
            pair = Pair(machine=proposal.total, person=mark.total, blind=mark.blind)
            found.setdefault(mark.case.response.question, []).append(pair)
    return found


@dataclass(frozen=True)
class Difference:
    """One audited answer: the auditor's total minus the standing one, and the steps judged differently."""

    item: AuditItem
    difference: Decimal
    steps: tuple[tuple[str, str, str], ...]  # step id, status as marked, status as audited


@dataclass(frozen=True)
class Comparison:
    """All committed audits of a sample against the marks they audit. Points, not shares, unless said otherwise."""

    committed: int
    size: int
    rows: tuple[Difference, ...]
    exact: int
    at_least_one: int
    at_least_two: int
    mean: Decimal | None
    absolute_mean: Decimal | None
    machine: int
    machine_exact: int

    @property
    def exact_share(self) -> Decimal | None:
        """Share of exact agreement in per cent, one decimal."""
        if not self.committed:
            return None
        return (Decimal(self.exact * 100) / self.committed).quantize(Decimal("0.1"))


def _steps_differing(marked: Sequence[Any], audited: Sequence[Any]) -> tuple[tuple[str, str, str], ...]:
    before = {(step["path_id"], step["step_id"]): step["status"] for step in marked}
    after = {(step["path_id"], step["step_id"]): step["status"] for step in audited}
    keys = list(dict.fromkeys([*before, *after]))
    return tuple((key[1], before.get(key, ""), after.get(key, "")) for key in keys if before.get(key) != after.get(key))


def comparison_of(sample: AuditSample) -> Comparison:
    """Differences of the committed audits, largest first, with their counts."""
    rows = []
    for item in items_of(sample).filter(committed_at__isnull=False):
        difference = (item.total or Decimal(0)) - item.mark.total
        rows.append(Difference(item, difference, _steps_differing(item.mark.steps, item.steps)))
    rows.sort(key=lambda row: (-abs(row.difference), row.item.position))
    sizes = [abs(row.difference) for row in rows]
    machine = [row for row in rows if row.item.mark.source == MarkSource.MACHINE]
    return Comparison(
        committed=len(rows),
        size=sample.size,
        rows=tuple(rows),
        exact=sum(not size for size in sizes),
        at_least_one=sum(size >= 1 for size in sizes),
        at_least_two=sum(size >= 2 for size in sizes),
        mean=_mean([row.difference for row in rows]),
        absolute_mean=_mean(sizes),
        machine=len(machine),
        machine_exact=sum(not row.difference for row in machine),
    )


def _mean(values: Sequence[Decimal]) -> Decimal | None:
    return (sum(values, Decimal(0)) / len(values)).quantize(Decimal("0.01")) if values else None


def age_of(moment: datetime | None) -> timedelta:
    """Time since a moment, never negative."""
    return max(timezone.now() - moment, timedelta()) if moment else timedelta()


def cases_under(change: RulesChange) -> QuerySet[Case]:
    """The answers to the question whose rules change, with what judging them needs."""
    return Case.objects.filter(response__question=change.question).select_related(
        "response__question__assessment", "rules", "run"
    )


def steps_by_key(steps: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], tuple[str, Decimal]]:
    """Status and score of each judged step of a mark, by path and step."""
    return {(each["path_id"], each["step_id"]): (str(each["status"]), Decimal(str(each["score"]))) for each in steps}


def as_claims(appeal: Appeal) -> list[Claim]:
    """The claims of an appeal as the rules read them, in order."""
    return [
        Claim(
            number=row.number,
            goal=Goal(row.goal),
            step=(row.path_id, row.step_id) if row.step_id else None,
            words=row.words,
            after=row.after,
            evidence=row.evidence,
            covered=row.covered,
        )
        for row in appeal.claims.order_by("number")
    ]


def appeals_of(assessment: Assessment) -> QuerySet[Appeal]:
    """The appeals of an assessment: open ones first, those whose reply is due first among them."""
    return (
        Appeal.objects.filter(case__response__question__assessment=assessment)
        .select_related("case__response__question", "case__claimed_by", "old_mark", "new_mark", "decided_by")
        .annotate(n_claims=Count("claims"), n_open=Count("claims", filter=Q(claims__outcome="")))
        .order_by(F("closed_at").desc(nulls_first=True), "reply_by", "pk")
    )


def decided_answer(assessment: Assessment, *, code: str, question: str) -> Case | None:
    """The closed case of an anonymous code and a question's public id; None where there is none."""
    return (
        queries.cases_of(assessment)
        .filter(response__code__iexact=code, response__question__public_id=question, closed_at__isnull=False)
        .select_related("rules", "response__question__assessment", "run")
        .first()
    )


def marked_from(key: str, person: Any) -> MarkedGroup | None:
    """The group that a person has marked already from the screen of this name."""
    return MarkedGroup.objects.filter(key=key, by=person).first()


def unchanged_member(question: Question, shown: Sequence[Shown]) -> Case | None:
    """The first answer that is still as a screen showed it; its proposal is that of all the others."""
    versions = {each.case: each.version for each in shown}
    cases = (
        Case.objects.filter(public_id__in=versions, response__question=question)
        .select_related("run", "response__question__assessment", "rules")
        .order_by("pk")
    )
    return next((case for case in cases if case.version == versions[case.public_id]), None)
