"""What the scheduler wakes: the sweep of lost work, the daily anchor of the trail, the end of retention."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from . import jobs, retention, trail


@shared_task(ignore_result=True)
def sweep() -> int:
    """Publish lost and expired jobs again."""
    return jobs.sweep()


@shared_task(ignore_result=True)
def anchor_trail() -> str:
    """Fix today's chain heads once."""
    return trail.anchor(timezone.now().date()).hash


@shared_task(ignore_result=True)
def erase_raw_replies() -> int:
    """Empty raw replies of models whose time of retention has ended."""
    return retention.erase_raw_replies()
