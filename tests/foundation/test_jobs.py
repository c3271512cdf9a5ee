"""Jobs: the row decides who works; a lost worker, a double message and a late result change the world at most once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from config.foundation import jobs
from config.foundation.models import Job, JobState

pytestmark = pytest.mark.django_db


def a_job(key: str = "k") -> Job:
    return jobs.enqueue("config.foundation.tasks.sweep", queue="cpu", subject="case:1", key=key, group="g")


def later(seconds: int):
    return timezone.now() + timedelta(seconds=seconds)


def test_the_same_key_is_one_job():
    assert a_job() == a_job()
    assert Job.objects.count() == 1


def test_only_one_worker_gets_the_lease():
    job = a_job()
    assert jobs.claim(job.pk) is not None
    assert jobs.claim(job.pk) is None


def test_an_expired_lease_goes_to_the_next_worker_and_the_first_can_no_longer_finish(settings):
    job = a_job()
    first = jobs.claim(job.pk)
    second = jobs.claim(job.pk, now=later(settings.JOB_LEASE_SECONDS + 1))
    assert first is not None
    assert second is not None
    assert second.attempt == 2
    assert not jobs.finish(first)
    assert jobs.finish(second)
    assert Job.objects.get(pk=job.pk).state == JobState.DONE


def test_a_finished_job_is_not_claimed_again():
    job = a_job()
    lease = jobs.claim(job.pk)
    assert lease is not None
    assert jobs.finish(lease)
    assert jobs.claim(job.pk) is None
    assert not jobs.finish(lease)


def test_a_job_whose_worker_is_lost_on_every_try_ends_dead(settings):
    settings.JOB_MAX_ATTEMPTS = 2
    job = a_job()
    for attempt in range(2):
        assert jobs.claim(job.pk, now=later(attempt * (settings.JOB_LEASE_SECONDS + 1))) is not None
    assert jobs.claim(job.pk, now=later(3 * settings.JOB_LEASE_SECONDS)) is None
    job.refresh_from_db()
    assert job.state == JobState.DEAD
    assert "lost" in job.failure


def test_an_error_puts_the_job_back_and_the_last_one_ends_it(settings):
    settings.JOB_MAX_ATTEMPTS = 2
    job = a_job()

    def fail(lease: jobs.Lease) -> None:
        raise ValueError("no such page")

    assert not jobs.run(job.pk, fail)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (JobState.QUEUED, 1)
    assert not jobs.run(job.pk, fail)
    job.refresh_from_db()
    assert (job.state, job.failure) == (JobState.DEAD, "ValueError: no such page")


def test_the_sweep_finds_what_the_broker_lost_and_leaves_the_rest(monkeypatch, settings):
    woken: list[int] = []

    def publish(job: Job) -> bool:
        woken.append(job.pk)
        return True

    monkeypatch.setattr(jobs, "publish", publish)
    lost, running, fresh, done, expired = (a_job(key) for key in "abcde")
    Job.objects.filter(pk=fresh.pk).update(published_at=timezone.now())
    jobs.claim(running.pk)
    finished = jobs.claim(done.pk)
    assert finished is not None
    jobs.finish(finished)
    jobs.claim(expired.pk, now=timezone.now() - timedelta(seconds=settings.JOB_LEASE_SECONDS + 5))
    assert jobs.sweep() == 2
    assert woken == [lost.pk, expired.pk]


def test_a_broker_that_is_away_loses_nothing(settings):
    job = a_job()
    assert jobs.publish(job) is False
    job.refresh_from_db()
    assert job.state == JobState.QUEUED
    assert job.published_at is None


def test_progress_counts_each_state():
    first, _ = a_job("a"), a_job("b")
    lease = jobs.claim(first.pk)
    assert lease is not None
    jobs.finish(lease)
    assert jobs.progress("g") == {"QUEUED": 1, "RUNNING": 0, "DONE": 1, "DEAD": 0, "total": 2}
