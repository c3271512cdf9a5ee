"""Starting the machine's work on an assessment and ending it where it failed."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from config.foundation import jobs
from config.foundation.canonical import document_hash
from config.foundation.models import Job

from .. import queries
from ..judges.registry import make_judge
from ..judging_cases import judge_settings
from ..models import Assessment, AssessmentState, Case, FileOutcome, Owner, Response
from .cases import hand_off, queue_for_people
from .setup import start_marking

JUDGE_TASK = "grading.tasks.judge_response"
MODEL_TASK = "grading.tasks.call_model"


def case_job_subject(case: Case) -> str:
    """The subject of a case's judging jobs."""
    return f"case:{case.public_id}"


def start_judging(assessment: Assessment, *, by: Any) -> int:
    """Enqueue every complete answer that the machine still owns; returns how many jobs were added. Twice is once.

    Raises ConfigurationError or UnusableInput when the assessment's judge cannot be had: found out before the first
    answer, since a judging that fails hands the answer to people for good.
    """
    make_judge(assessment.judge, judge_settings())
    start_marking(assessment, by=by)
    before = Job.objects.filter(group=queries.judging_group(assessment)).count()
    for response in queries.responses_to_judge(assessment):
        enqueue_judging(response)
    return Job.objects.filter(group=queries.judging_group(assessment)).count() - before


@transaction.atomic
def enqueue_judging(response: Response) -> Job | None:
    """One judging job for the answer as it is now: same owner epoch, pages, rules, policy and judge, same job."""
    assessment = response.question.assessment
    # Locked against a page that is being added at the same time.
    case = Case.objects.select_related("rules").select_for_update(of=("self",)).get(response=response)
    if case.owner != Owner.AI or case.decision:
        return None
    pages = list(response.pages.order_by("number").values_list("stored_sha256", flat=True))
    waiting = response.files.filter(outcome=FileOutcome.WAITING).exists()
    if not pages or waiting:
        return None
    key = jobs.idempotency_key(
        "judge", case.public_id, str(case.life_cycle), str(case.owner_epoch), ",".join(pages), case.rules.sha256,
        document_hash(assessment.policy), assessment.judge,
    )  # fmt: skip
    by_model = assessment.judge == "openai"
    return jobs.enqueue(
        MODEL_TASK if by_model else JUDGE_TASK,
        queue="model" if by_model else "cpu",
        subject=case_job_subject(case),
        key=key,
        group=queries.judging_group(assessment),
        arguments={"case": case.pk},
    )


def judge_when_complete(response: Response) -> None:
    """After a page was stored, in the same transaction: judge at once if the assessment is being marked.

    The state is read anew and locked. What the caller loaded may be older than the start of the marking, and then
    neither the start (which has not seen the page) nor the page (which has not seen the start) would enqueue the answer.
    """
    assessment = Assessment.objects.select_for_update(no_key=True).get(pk=response.question.assessment_id)
    if assessment.state == AssessmentState.MARKING:
        enqueue_judging(response)


def judging_failed(case: Case) -> None:
    """The machine could not judge the answer at all (its job ended without a result): a person gets it. Twice is once."""
    with transaction.atomic():
        case.refresh_from_db()
        if case.owner != Owner.AI or case.decision:
            return
        hand_off(case, run=None, reasons=["judge-answered"])
    queue_for_people(case)
