"""What the scheduler wakes: the sweep of lost work and the daily anchor of the trail."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from . import jobs, trail


@shared_task(ignore_result=True)
def sweep() -> int:
    """Publish lost and expired jobs again."""
    return jobs.sweep()


@shared_task(ignore_result=True)
def anchor_trail() -> str:
    """Fix today's chain heads once."""
    return trail.anchor(timezone.now().date()).hash
