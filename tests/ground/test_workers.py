"""Messages reach a real worker over a real broker, and the worker sees the test's own database."""

from __future__ import annotations

import subprocess
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from config.foundation import jobs
from config.foundation.models import Anchor, Job
from config.foundation.tasks import anchor_trail


@pytest.mark.services
def test_a_task_sent_through_the_broker_is_done_by_a_worker(worker: subprocess.Popen[bytes]) -> None:
    anchor_trail.delay()
    deadline = time.monotonic() + 30
    while not Anchor.objects.exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.django_db
def test_a_job_waits_in_its_row_when_no_broker_answers() -> None:
    begun = time.monotonic()
    job = jobs.enqueue("config.foundation.tasks.anchor_trail", queue="cpu", subject="x", key="once")
    assert not jobs.publish(job)
    assert time.monotonic() - begun < 5
    job.refresh_from_db()
    assert (job.state, job.published_at) == ("QUEUED", None)
    Job.objects.filter(pk=job.pk).update(published_at=timezone.now() - timedelta(hours=1))
    assert jobs.sweep() == 0
