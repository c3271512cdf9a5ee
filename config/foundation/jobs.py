"""Background work that is done once: the row holds a lease, the attempt number is the fence, the broker only wakes.

A worker may be killed at any point, a message may come twice or never. ``claim`` lets one worker in; ``finish`` and
``give_up`` change the row only for the attempt that holds it; ``sweep`` publishes again what was lost.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q
from django.utils import timezone

from .correlation import correlation_id
from .models import Job, JobState

logger = logging.getLogger(__name__)
REPUBLISH_AFTER = timedelta(seconds=60)
# Of jobs whose message may only be waiting behind others, a sweep wakes this many: a long queue must not fill the broker.
WOKEN_AT_ONCE = 200


@dataclass(frozen=True)
class Lease:
    """The right to work on one job for a while; ``attempt`` is the fencing number."""

    job: Job
    attempt: int


def idempotency_key(*parts: str) -> str:
    """SHA-256 over the parts with their lengths, so that no two lists of parts share a key by accident."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.encode()
        digest.update(f"{len(content)}:".encode() + content)
    return digest.hexdigest()


def enqueue(
    task: str, *, queue: str, subject: str, key: str, group: str = "", arguments: dict[str, Any] | None = None
) -> Job:
    """Record work once for each ``key`` and wake a worker after the transaction. The same key returns the first job."""
    job, made = Job.objects.get_or_create(
        idempotency_key=key,
        defaults={
            "task": task, "queue": queue, "subject": subject, "group": group, "arguments": arguments or {},
            "correlation": correlation_id.get(), "created_at": timezone.now(),
        },
    )  # fmt: skip
    if made:
        transaction.on_commit(partial(publish, job))
    return job


def publish(job: Job) -> bool:
    """Tell the broker that there is work. False, and no error, when it cannot be reached: the sweep tries again."""
    try:
        current_app.send_task(job.task, args=[job.pk], queue=job.queue, retry=False)
    except Exception as error:  # a broker may fail in any of its libraries' ways; the row stays queued
        logger.warning("broker unreachable, job %s waits for the sweep: %s", job.public_id, type(error).__name__)
        return False
    Job.objects.filter(pk=job.pk).update(published_at=timezone.now())
    return True


def lease_time(queue: str) -> timedelta:
    """How long a worker may hold a job: longer where it waits for a model than where it computes."""
    return timedelta(seconds=settings.MODEL_LEASE_SECONDS if queue == "model" else settings.JOB_LEASE_SECONDS)


def claim(pk: int, *, now: datetime | None = None) -> Lease | None:
    """Take the job if nobody holds it; None when somebody does or it has ended. Past its last try it becomes DEAD."""
    now = now or timezone.now()
    free = Q(state=JobState.QUEUED) | Q(state=JobState.RUNNING, lease_until__lt=now)
    job = Job.objects.filter(free, pk=pk).first()
    if job is None:
        return None
    if job.attempt >= settings.JOB_MAX_ATTEMPTS:
        Job.objects.filter(free, pk=pk, attempt=job.attempt).update(
            state=JobState.DEAD, ended_at=now, lease_until=None, failure=job.failure or "worker lost on every try"
        )
        return None
    lease_until = now + lease_time(job.queue)
    taken = Job.objects.filter(free, pk=pk, attempt=job.attempt).update(
        state=JobState.RUNNING, lease_until=lease_until, attempt=F("attempt") + 1
    )
    if taken != 1:
        return None
    job.refresh_from_db()
    return Lease(job, job.attempt)


def holds(lease: Lease) -> bool:
    """Whether this attempt still owns the job."""
    return Job.objects.filter(pk=lease.job.pk, state=JobState.RUNNING, attempt=lease.attempt).exists()


def finish(lease: Lease) -> bool:
    """Mark the job done; False when the lease was lost. Call it in the same transaction as the work's result."""
    return _end(lease, JobState.DONE, "")


def give_up(lease: Lease, failure: str) -> bool:
    """End the job without a result; False when the lease was lost."""
    return _end(lease, JobState.DEAD, failure[:500])


def put_back(lease: Lease, failure: str) -> bool:
    """Return the job for another try (or end it after the last); False when the lease was lost."""
    if lease.attempt >= settings.JOB_MAX_ATTEMPTS:
        return give_up(lease, failure)
    held = Job.objects.filter(pk=lease.job.pk, state=JobState.RUNNING, attempt=lease.attempt)
    return held.update(state=JobState.QUEUED, lease_until=None, failure=failure[:500], published_at=None) == 1


def _end(lease: Lease, state: JobState, failure: str) -> bool:
    held = Job.objects.filter(pk=lease.job.pk, state=JobState.RUNNING, attempt=lease.attempt)
    return held.update(state=state, ended_at=timezone.now(), lease_until=None, failure=failure) == 1


def run(pk: int, work: Callable[[Lease], None]) -> bool:
    """Claim, work, and put back on an unexpected error. ``work`` ends the job itself, in the transaction of its result."""
    lease = claim(pk)
    if lease is None:
        return False
    token = correlation_id.set(lease.job.correlation)
    try:
        work(lease)
    except Exception as error:
        logger.exception("job %s failed in attempt %s", lease.job.public_id, lease.attempt)
        put_back(lease, f"{type(error).__name__}: {error}")
        return False
    finally:
        correlation_id.reset(token)
    return True


def sweep(*, now: datetime | None = None) -> int:
    """Wake workers for queued jobs whose message may be lost and for running ones whose lease ran out; how many."""
    now = now or timezone.now()
    unheard = Q(state=JobState.QUEUED, published_at__isnull=True) | Q(state=JobState.RUNNING, lease_until__lt=now)
    stale = Q(state=JobState.QUEUED, published_at__lt=now - REPUBLISH_AFTER)
    waiting = Job.objects.filter(stale).order_by("pk")[:WOKEN_AT_ONCE]
    woken = 0
    for job in [*Job.objects.filter(unheard).order_by("pk")[:2000], *waiting]:
        if not publish(job):
            break
        woken += 1
    return woken


def expire_leases(queue: str | None = None) -> int:
    """End the leases of workers known to be dead, so that a kill costs no waiting; how many. Only a supervisor that
    has seen them die may call this."""
    running = Job.objects.filter(state=JobState.RUNNING)
    if queue is not None:
        running = running.filter(queue=queue)
    return running.update(lease_until=timezone.now() - timedelta(seconds=1))


def dead_jobs(task: str) -> list[Job]:
    """Jobs that ended without a result."""
    return list(Job.objects.filter(task=task, state=JobState.DEAD).order_by("pk"))


def progress(group: str) -> dict[str, int]:
    """How many jobs of a group are in each state, with ``total``."""
    counts = {state.value: 0 for state in JobState}
    for row in Job.objects.filter(group=group).values("state").annotate(n=Count("pk")):
        counts[row["state"]] = row["n"]
    counts["total"] = sum(counts.values())
    return counts
