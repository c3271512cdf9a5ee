"""Reads: progress, queues, verdicts and trails. Nothing here changes a row."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db.models import Case as Choose
from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Value, When
from django.db.models.functions import Concat, Substr
from django.utils import timezone

from config.foundation import trail
from config.foundation.models import Event, Job, JobState

from . import rounds
from .chains import case_chain
from .domain.confidence import EDGES, Band
from .domain.roles import ROLES, Right, role_group_name
from .domain.schemes import MARKERS_PLACES, Place
from .models import (
    WHOLE_CASE,
    Assessment,
    AssessmentState,
    Candidate,
    Case,
    FileOutcome,
    GivenMark,
    JudgeRun,
    Mark,
    MarkingScheme,
    Owner,
    Page,
    PassedOn,
    Problem,
    Question,
    Response,
    SchoolClass,
    Upload,
    UploadedFile,
)

# How many different orders the random public ids of cases give; the characters left must tell cases apart.
ORDERS = 8
# How long an answer that was passed on waits for the person it was passed to before others are dealt it.
KEPT_FOR = timedelta(hours=24)


@dataclass(frozen=True)
class Progress:
    """Where an assessment stands, in answers unless said otherwise.

    An answer all of whose files were refused is not counted in ``total_responses``: there is nothing to mark yet.
    """

    total_responses: int
    waiting_files: int  # files received and not yet decoded
    judging: int  # judging jobs queued or running
    judged: int  # answers the machine has ended with, accepted or not
    accepted: int
    to_review: int  # in the people's queue
    in_hand: int  # with a person
    closed: int  # marked, by proof or by a person
    refused_files: int
    failed_jobs: int
    without_image: int = 0  # answers of which no file could be used

    @property
    def busy(self) -> bool:
        """Whether background work is still going on."""
        return bool(self.waiting_files or self.judging)


def judging_group(assessment: Assessment) -> str:
    """The group of an assessment's judging jobs."""
    return f"judge:{assessment.public_id}"


def cases_of(assessment: Assessment) -> QuerySet[Case]:
    return Case.objects.filter(response__question__assessment=assessment)


def whole_case(key: int) -> Case:
    """One case by its key with everything that its pages show of it, in one query. Raises Case.DoesNotExist."""
    return Case.objects.select_related(*WHOLE_CASE).get(pk=key)


def whole_case_named(public_id: str) -> Case | None:
    """The same by the public id, None where there is none."""
    return Case.objects.select_related(*WHOLE_CASE).filter(public_id=public_id).first()


def _count(values: QuerySet[Any], key: str, **counts: Count) -> dict[Any, dict[str, int]]:
    return {row.pop(key): row for row in values.order_by().values(key).annotate(**counts)}


def _lost_or_not(cases: QuerySet[Case]) -> QuerySet[Case]:
    """Cases with ``lost``: all files of the answer were refused."""
    usable = Exists(UploadedFile.objects.filter(response=OuterRef("response")).exclude(outcome=FileOutcome.REFUSED))
    refused = Exists(UploadedFile.objects.filter(response=OuterRef("response"), outcome=FileOutcome.REFUSED))
    return cases.annotate(lost=~usable & refused)


def progress_of_each(assessments: Sequence[Assessment]) -> dict[int, Progress]:
    """The progress of each assessment by its key; three queries whatever the number."""
    cases = _count(
        _lost_or_not(Case.objects.filter(response__question__assessment__in=assessments)),
        "response__question__assessment",
        total=Count("pk", filter=Q(lost=False)),
        without_image=Count("pk", filter=Q(lost=True)),
        judged=Count("pk", filter=~Q(decision="")),
        accepted=Count("pk", filter=Q(decision="ACCEPT")),
        to_review=Count("pk", filter=Q(owner__in=[Owner.QUEUED_HUMAN, Owner.HANDOFF_PENDING], closed_at__isnull=True)),
        in_hand=Count("pk", filter=Q(owner=Owner.HUMAN, closed_at__isnull=True)),
        closed=Count("pk", filter=Q(closed_at__isnull=False)),
    )
    files = _count(
        UploadedFile.objects.filter(upload__assessment__in=assessments),
        "upload__assessment",
        waiting=Count("pk", filter=Q(outcome=FileOutcome.WAITING)),
        refused=Count("pk", filter=Q(outcome=FileOutcome.REFUSED)),
    )
    groups = {judging_group(each): each.pk for each in assessments}
    work = _count(
        Job.objects.filter(group__in=groups),
        "group",
        judging=Count("pk", filter=Q(state__in=[JobState.QUEUED, JobState.RUNNING])),
        dead=Count("pk", filter=Q(state=JobState.DEAD)),
    )
    found = {}
    for group, key in groups.items():
        counts: dict[str, int] = defaultdict(int, cases.get(key, {}) | files.get(key, {}) | work.get(group, {}))
        found[key] = Progress(
            total_responses=counts["total"], waiting_files=counts["waiting"], judging=counts["judging"],
            judged=counts["judged"], accepted=counts["accepted"], to_review=counts["to_review"],
            in_hand=counts["in_hand"], closed=counts["closed"], refused_files=counts["refused"],
            failed_jobs=counts["dead"], without_image=counts["without_image"],
        )  # fmt: skip
    return found


@dataclass(frozen=True)
class ToReview:
    """How many answers wait for people or are with one, of how many there are; counted as in Progress.

    ``theirs``: those among them that one person may still be asked to mark.
    """

    waiting: int
    total: int
    theirs: int


def still_due_from(person: Any) -> Q:
    """As a condition on cases: a marker's mark is due, and ``person`` has given none in this round.

    Not those that wait for an arbiter, a review or an appeal, nor problem papers. A person gives one mark of an answer,
    however many its scheme asks for.
    """
    own = GivenMark.objects.filter(case=OuterRef("pk"), life_cycle=OuterRef("life_cycle"), by=person)
    due = Q(closed_at__isnull=True, problem="", need__in=MARKERS_PLACES) & ~Q(owner=Owner.AI)
    return due & ~Q(Exists(own))


def to_review(assessment: Assessment, person: Any) -> ToReview:
    """The figures at the head of a marking page; one query."""
    counts = _lost_or_not(cases_of(assessment)).aggregate(
        waiting=Count("pk", filter=~Q(owner=Owner.AI) & Q(closed_at__isnull=True)),
        total=Count("pk", filter=Q(lost=False)),
        theirs=Count("pk", filter=still_due_from(person)),
    )
    return ToReview(**counts)


def progress_of(assessment: Assessment) -> Progress:
    """Counts for the progress display; three queries whatever the size."""
    return progress_of_each([assessment])[assessment.pk]


def _never_blind(cases: QuerySet[Case], assessment: Assessment) -> QuerySet[Case]:
    """Without those that somebody may be asked to mark without sight of the machine's verdict.

    What the machine said neither sorts nor counts them: to be in a list, or before another, would tell of it. A round
    that has begun keeps the scheme under which its first mark was given; for the others the newest holds.
    """
    schemes = list(MarkingScheme.objects.filter(question__assessment=assessment).order_by("question", "version"))
    blind = [each for each in schemes if rounds.ever_blind(each)]
    newest = {each.question_id: each.pk for each in schemes}
    begun = GivenMark.objects.filter(case=OuterRef("pk"), life_cycle=OuterRef("life_cycle"), scheme__in=blind)
    now_blind = [each.question_id for each in blind if newest[each.question_id] == each.pk]
    return cases.exclude(response__question__in=now_blind).exclude(Exists(begun))


def _in_band(cases: QuerySet[Case], assessment: Assessment, band: Band) -> QuerySet[Case]:
    """Those of one band of the machine's confidence, least sure first."""
    cases = _never_blind(cases, assessment).filter(need=Place.FIRST, run__isnull=False)
    if band is Band.UNKNOWN:
        return cases.filter(run__confidence__isnull=True)
    edges = EDGES[band]
    if edges.least is not None:
        cases = cases.filter(run__confidence__gte=edges.least)
    if edges.below is not None:
        cases = cases.filter(run__confidence__lt=edges.below)
    return cases.order_by("run__confidence", "response__question__number", "response__code")


def bands_of(assessment: Assessment, question: Question | None = None) -> list[tuple[Band, int]]:
    """How many open answers lie in each band of the machine's confidence, least sure first."""
    return [(band, open_cases(assessment, question=question, band=band).count()) for band in Band]


def open_cases(
    assessment: Assessment, *, reason: str | None = None, question: Question | None = None, band: Band | None = None
) -> QuerySet[Case]:
    """Cases that wait for markers or are with one, in a stable order: question, then anonymous code.

    Those that wait for an arbiter, a leader's review or the decision of an appeal have lists of their own.
    """
    cases = (
        cases_of(assessment)
        .filter(owner__in=[Owner.QUEUED_HUMAN, Owner.HANDOFF_PENDING, Owner.HUMAN], closed_at__isnull=True)
        .filter(need__in=MARKERS_PLACES)
        .select_related("response__question", "rules", "run", "claimed_by")
        .order_by("response__question__number", "response__code")
    )
    if question is not None:
        cases = cases.filter(response__question=question)
    if reason:
        # JSON containment differs between the databases; rule names hold no quotes, so their quoted text is exact.
        cases = _never_blind(cases, assessment).filter(reasons__icontains=f'"{reason}"')
    return cases if band is None else _in_band(cases, assessment, band)


def in_hand_of(assessment: Assessment, person: Any) -> QuerySet[Case]:
    """The markers' cases that a person has claimed, also where the claim has run out and nobody else came."""
    return cases_of(assessment).filter(
        owner=Owner.HUMAN, claimed_by=person, closed_at__isnull=True, need__in=MARKERS_PLACES
    )


def cases_to_arbitrate(assessment: Assessment) -> QuerySet[Case]:
    """Open cases that wait for an arbiter or for a leader's review, or are with one."""
    return (
        cases_of(assessment)
        .filter(need__in=[Place.ARBITER, Place.REVIEW], closed_at__isnull=True)
        .filter(owner__in=[Owner.QUEUED_HUMAN, Owner.HUMAN])
        .select_related("response__question", "rules", "run", "claimed_by")
        .order_by("response__question__number", "response__code")
    )


def free_cases(
    assessment: Assessment, *, reason: str | None = None, question: Question | None = None, person: Any = None,
    band: Band | None = None,
) -> QuerySet[Case]:  # fmt: skip
    """Cases a person may take now: queued and not skipped, or claimed by somebody whose claim ran out.

    Those that ``person`` has marked already wait for somebody else. Within a question each person has an order of their
    own, random and always the same: nobody marks by class or by neighbour, and colleagues rarely reach for one answer.
    """
    now = timezone.now()
    queued = Q(owner=Owner.QUEUED_HUMAN) & (Q(skipped_until__isnull=True) | Q(skipped_until__lt=now))
    cases = open_cases(assessment, reason=reason, question=question, band=band).filter(
        queued | Q(owner=Owner.HUMAN, claim_until__lt=now), problem=""
    )
    if person is None:
        return cases
    own = GivenMark.objects.filter(case=OuterRef("pk"), life_cycle=OuterRef("life_cycle"), by=person)
    # Public ids are random text; each of their characters begins another random order.
    order = Substr("public_id", person.pk % ORDERS + 1)
    here = PassedOn.objects.filter(case=OuterRef("pk"), life_cycle=OuterRef("life_cycle"))
    kept = here.filter(
        kept=True, owner_epoch=OuterRef("owner_epoch"), at__gt=now - KEPT_FOR, to__is_active=True
    )  # fmt: skip
    return (
        cases.filter(~Exists(own), ~Exists(here.filter(by=person)), ~Exists(kept.exclude(to=person)))
        .exclude(rounds.seen_too_much(person))
        .order_by(Exists(kept.filter(to=person)).desc(), "response__question__number", order, "pk")
    )


def markers_and_leaders(assessment: Assessment) -> list[Any]:
    """The active people who may mark in an assessment, its leaders first, then by login."""
    found: dict[int, Any] = {}
    by_role = holders_by_role(assessment)
    for key in sorted(
        (key for key in ROLES if Right.MARK in ROLES[key].rights), key=lambda key: key != "marking_leader"
    ):
        found |= {person.pk: person for person in by_role[key] if person.is_active and person.pk not in found}
    return list(found.values())


def passed_on_note(case: Case) -> PassedOn | None:
    """The note with which an answer was last passed on in its present life cycle."""
    # From the machine (1) by hand-off, queue and claim (4) to the queue again: nothing was passed on before epoch 5.
    if case.owner_epoch < 5:
        return None
    return case.passed_on.filter(life_cycle=case.life_cycle).select_related("by").last()


def problems_of(assessment: Assessment, kinds: Sequence[str], *, settled: bool = False) -> QuerySet[Problem]:
    """Problem papers of these kinds: those that wait, oldest first, or those that are settled, newest first."""
    problems = Problem.objects.filter(case__response__question__assessment=assessment, kind__in=kinds)
    problems = problems.select_related("case__response__question", "raised_by", "settled_by")
    problems = problems.prefetch_related("case__response__pages")
    return problems.exclude(finding="").order_by("-settled_at") if settled else problems.filter(finding="")


def problems_of_case(case: Case) -> list[Problem]:
    """What was reported of one answer, with what came of it."""
    return list(case.problems.select_related("raised_by", "settled_by"))


def problem_states(case: Case) -> list[tuple[str, str, str]]:
    """Public id, finding and answer of each problem reported of one answer: what a page of it shows that may change."""
    return list(case.problems.order_by("pk").values_list("public_id", "finding", "answer"))


def reasons_of(assessment: Assessment) -> list[tuple[str, int]]:
    """How many open cases each gate rule stopped, most first; answers that may be marked blind are not counted."""
    counter: Counter[str] = Counter()
    for reasons in _never_blind(open_cases(assessment), assessment).order_by().values_list("reasons", flat=True):
        counter.update(set(reasons))
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))


def _undecided_and_complete() -> QuerySet[Response]:
    """Answers with a page and no file waiting that the machine still owns and has not decided."""
    waiting = UploadedFile.objects.filter(response=OuterRef("pk"), outcome=FileOutcome.WAITING)
    pages = Page.objects.filter(response=OuterRef("pk"))
    return Response.objects.filter(
        Exists(pages), ~Exists(waiting), case__owner=Owner.AI, case__decision=""
    ).select_related("question__assessment", "question__rules", "case__rules")


def responses_to_judge(assessment: Assessment) -> QuerySet[Response]:
    """Answers that are complete, still the machine's and undecided."""
    return _undecided_and_complete().filter(question__assessment=assessment).order_by("question__number", "code")


def answers_without_a_job() -> QuerySet[Response]:
    """Complete answers of assessments being marked for which no judging job exists: whoever should have made it died."""
    own_job = Job.objects.filter(subject=Concat(Value("case:"), OuterRef("case__public_id")))
    marking = _undecided_and_complete().filter(question__assessment__state=AssessmentState.MARKING)
    return marking.filter(~Exists(own_job)).order_by("pk")


def verdict_of(case: Case) -> dict[str, Any] | None:
    """The verdict document that stands as the machine's proposal, if any."""
    return case.run.document if case.run else None


def runs_of(case: Case) -> QuerySet[JudgeRun]:
    return case.runs.order_by("pk")


def marks_of(case: Case) -> QuerySet[Mark]:
    """All editions of the mark, first to last."""
    return case.marks.select_related("by", "run").order_by("edition")


def standing_mark(case: Case) -> Mark | None:
    """The latest edition, which counts."""
    return marks_of(case).last()


def trail_of(case: Case) -> list[Event]:
    return list(trail.events_of(case_chain(case)))


def broken_link_of(case: Case) -> trail.BrokenLink | None:
    """The first broken link of the case's chain, recomputed now."""
    return trail.first_broken_link(case_chain(case))


def latched_cases() -> QuerySet[Case]:
    """Cases whose hand-off was begun and not finished (a worker died between the two)."""
    return Case.objects.filter(owner=Owner.HANDOFF_PENDING).select_related("run", "response")


def cases_of_dead_jobs() -> QuerySet[Case]:
    """Cases the machine still owns although their judging job ended without a result and no other is on its way."""
    dead = Job.objects.filter(
        task__in=["grading.tasks.judge_response", "grading.tasks.call_model"], state=JobState.DEAD
    )
    ids = [subject.partition(":")[2] for subject in dead.values_list("subject", flat=True)]
    waiting = Job.objects.filter(
        subject=Concat(Value("case:"), OuterRef("public_id")), state__in=[JobState.QUEUED, JobState.RUNNING]
    )
    left = Case.objects.filter(owner=Owner.AI, decision="", public_id__in=ids).filter(~Exists(waiting))
    return left.select_related("response")


def files_of_dead_jobs() -> QuerySet[UploadedFile]:
    """Files still waiting although their decoding job ended without a result."""
    dead = Job.objects.filter(task="grading.tasks.decode_file", state=JobState.DEAD)
    ids = [subject.partition(":")[2] for subject in dead.values_list("subject", flat=True)]
    return UploadedFile.objects.filter(outcome=FileOutcome.WAITING, public_id__in=ids)


def files_left_behind(before: datetime) -> QuerySet[UploadedFile]:
    """Files still waiting without any decoding job, of deliveries that began before a time: their sender died."""
    known = Job.objects.filter(subject=Concat(Value("file:"), OuterRef("public_id")))
    return (
        UploadedFile.objects.filter(outcome=FileOutcome.WAITING, upload__created_at__lt=before)
        .filter(~Exists(known))
        .select_related("upload")
    )


def claims_run_out() -> QuerySet[Case]:
    """Cases in the hands of people whose claim ran out."""
    return Case.objects.filter(
        owner=Owner.HUMAN, closed_at__isnull=True, claim_until__lt=timezone.now()
    ).select_related("claimed_by", "response")


@dataclass(frozen=True)
class Readiness:
    """Counts behind the checklist of an assessment."""

    questions: int
    candidates: int
    markers: int
    pages: int


def readiness_of(assessment: Assessment) -> Readiness:
    """What is there and what is missing before judging can start."""
    marking = [role.key for role in ROLES.values() if Right.MARK in role.rights]
    names = [role_group_name(assessment.public_id, key) for key in marking]
    return Readiness(
        questions=assessment.questions.count(),
        candidates=Candidate.objects.filter(school_class__assessments=assessment).count(),
        markers=get_user_model().objects.filter(groups__name__in=names).distinct().count(),
        pages=Page.objects.filter(response__question__assessment=assessment).count(),
    )


def has_answers(assessment: Assessment) -> bool:
    """Whether answers were uploaded; from then on the questions stay as they are."""
    return Response.objects.filter(question__assessment=assessment).exists()


def holders_of(assessment: Assessment, role: str) -> QuerySet[Any]:
    """The people who hold a role in an assessment, by login."""
    return (
        get_user_model().objects.filter(groups__name=role_group_name(assessment.public_id, role)).order_by("username")
    )


def holders_by_role(assessment: Assessment) -> dict[str, list[Any]]:
    """The people of an assessment by role, each list by login; two queries whatever the number."""
    names = {role_group_name(assessment.public_id, key): key for key in ROLES}
    found: dict[str, list[Any]] = {key: [] for key in ROLES}
    groups = Group.objects.filter(name__in=names).prefetch_related(
        Prefetch("user_set", get_user_model().objects.order_by("username"))
    )
    for group in groups:
        found[names[group.name]] = list(group.user_set.all())
    return found


def classes_of(assessment: Assessment) -> QuerySet[SchoolClass]:
    """The classes that sit an assessment, with their candidates."""
    return assessment.classes.prefetch_related("candidates")


def uploads_of(assessment: Assessment) -> QuerySet[Upload]:
    """Deliveries, newest first, with ``n_files``, ``n_waiting``, ``n_stored``, ``n_refused`` and ``n_duplicate``."""
    by_outcome = {
        f"n_{outcome.value.lower()}": Count("files", filter=Q(files__outcome=outcome)) for outcome in FileOutcome
    }
    uploads = assessment.uploads.select_related("by").order_by("-created_at", "-pk")
    return uploads.annotate(n_files=Count("files"), **by_outcome)


def outcomes_of(upload: Upload) -> dict[str, int]:
    """How many files of a delivery came to each outcome; one query."""
    found = dict.fromkeys(FileOutcome.values, 0)
    rows = upload.files.order_by().values_list("outcome").annotate(n=Count("pk"))
    return found | dict(rows)


def files_of(upload: Upload) -> QuerySet[UploadedFile]:
    """The files of a delivery: refused first, then the rest by name."""
    return upload.files.select_related("response__question", "page").order_by(
        Choose(When(outcome=FileOutcome.REFUSED, then=0), When(outcome=FileOutcome.DUPLICATE, then=1), default=2),
        "name",
    )
