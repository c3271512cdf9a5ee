"""Thin edges for workers: ids in, one call, the row decides. Each may run twice and changes the world once."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from celery import shared_task
from django.utils import timezone

from config.foundation import jobs
from config.foundation.errors import SomeoneWasFaster, WenshuError

from . import queries, transitions
from .intake import media
from .intake.images import decode_page, refusal
from .judging_cases import judge_case
from .model_replies import keep_reply_of
from .models import Case, Owner, UploadedFile

logger = logging.getLogger(__name__)
# Longer than a browser takes to send one delivery.
LEFT_BEHIND = timedelta(minutes=15)


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
    case = Case.objects.select_related("response__question__assessment", "rules").get(pk=lease.job.arguments["case"])
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


def _each(rows: Iterable[Any], end: Callable[[Any], object]) -> int:
    """Apply ``end`` to each row; one that somebody else moved or that fails must not hold up the others."""
    ended = 0
    for row in rows:
        try:
            end(row)
        except SomeoneWasFaster:
            continue
        except Exception:
            logger.exception("%s %s could not be ended", type(row).__name__, row.public_id)
        else:
            ended += 1
    return ended


@shared_task(ignore_result=True)
def end_stuck_cases() -> int:
    """Finish latched hand-offs, hand over what no worker could judge or decode, end claims that ran out, judge
    complete answers nobody enqueued, and start the decoding of what a dead sender left behind; how many."""
    abandoned = timezone.now() - LEFT_BEHIND
    return (
        _each(queries.latched_cases(), transitions.queue_for_people)
        + _each(queries.cases_of_dead_jobs(), transitions.judging_failed)
        + _each(queries.files_of_dead_jobs(), lambda file: transitions.refuse_file(file, refusal("decoder_lost")))
        + _each(queries.claims_run_out(), transitions.end_claim)
        + _each(queries.answers_without_a_job(), transitions.enqueue_judging)
        + _each(
            {file.upload for file in queries.files_left_behind(abandoned)},
            transitions.decode_waiting,
        )
    )
