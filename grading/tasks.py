"""Thin edges for workers: ids in, one call, the row decides. Each may run twice and changes the world once."""

from __future__ import annotations

from celery import shared_task

from config.foundation import jobs
from config.foundation.errors import WenshuError

from . import queries, transitions
from .intake import media
from .intake.images import decode_page, refusal
from .judging_cases import judge_case
from .model_replies import keep_reply_of
from .models import Case, Owner, UploadedFile


def _decode(lease: jobs.Lease) -> None:
    file = UploadedFile.objects.select_related("response__case", "response__question__assessment", "upload").get(
        pk=lease.job.arguments["file"]
    )
    try:
        decoded = decode_page(media.load(file.received_sha256, area="received"))
    except WenshuError as error:
        transitions.refuse_file(file, error, lease=lease)
        return
    transitions.store_page(file, decoded, lease=lease)


def _judge(lease: jobs.Lease) -> None:
    case = Case.objects.select_related("response__question__assessment", "response__question__rules").get(
        pk=lease.job.arguments["case"]
    )
    if case.owner != Owner.AI or case.decision:
        jobs.finish(lease)
        return
    epoch = case.owner_epoch
    document = judge_case(case, epoch=epoch, keep_reply=keep_reply_of(lease))
    transitions.record_run(case, document, epoch=epoch, lease=lease)


@shared_task(ignore_result=True)
def decode_file(pk: int) -> bool:
    """Decode one received file (CPU queue)."""
    return jobs.run(pk, _decode)


@shared_task(ignore_result=True)
def judge_response(pk: int) -> bool:
    """Judge one answer with a judge that computes here (CPU queue)."""
    return jobs.run(pk, _judge)


@shared_task(ignore_result=True)
def call_model(pk: int) -> bool:
    """Judge one answer with a judge that waits for a model elsewhere (model queue)."""
    return jobs.run(pk, _judge)


@shared_task(ignore_result=True)
def end_stuck_cases() -> int:
    """Finish latched hand-offs and hand over what no worker could judge or decode; how many."""
    ended = 0
    for case in queries.latched_cases():
        transitions.queue_for_people(case)
        ended += 1
    for case in queries.cases_of_dead_jobs():
        transitions.judging_failed(case)
        ended += 1
    for file in queries.files_of_dead_jobs():
        transitions.refuse_file(file, refusal("decoder_lost"))
        ended += 1
    return ended
