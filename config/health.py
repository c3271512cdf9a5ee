"""Three questions of an operator: does the process answer, may it get requests, is the whole product well."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.foundation.models import Anchor, Job, JobState

if TYPE_CHECKING:
    import redis

FREE_BYTES_WANTED = 500 * 1024 * 1024
OLDEST_WAITING_JOB = timedelta(minutes=15)
ANCHOR_AGE = timedelta(days=2)


@dataclass(frozen=True)
class Finding:
    """One part of the product: whether it is well, what was seen, and how long the look took."""

    part: str
    well: bool
    seen: str
    ms: int


def _database() -> tuple[bool, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return cursor.fetchone() == (1,), connection.vendor


def _migrations() -> tuple[bool, str]:
    executor = MigrationExecutor(connection)
    waiting = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    return waiting == 0, f"{waiting} waiting"


def _broker() -> tuple[bool, str]:
    with broker_client() as client:
        return bool(client.ping()), "answers"


def _storage() -> tuple[bool, str]:
    folder = Path(settings.MEDIA_ROOT)
    folder.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder).free
    writable = os.access(folder, os.W_OK)
    return writable and free >= FREE_BYTES_WANTED, f"{free // 1024**2} MB free{'' if writable else ', not writable'}"


def _jobs() -> tuple[bool, str]:
    """Work that waits too long means that no worker takes it."""
    waiting = Job.objects.filter(state=JobState.QUEUED)
    late = waiting.filter(created_at__lt=timezone.now() - OLDEST_WAITING_JOB).count()
    dead = Job.objects.filter(state=JobState.DEAD).count()
    return late == 0, f"{waiting.count()} waiting, {late} of them too long, {dead} ended without a result"


def _scheduler() -> tuple[bool, str]:
    """The anchor of the trail is the scheduler's own mark: one each day, once there is anything to anchor."""
    last = Anchor.objects.order_by("day").last()
    if last is None:
        return True, "no anchor yet"
    return last.at > timezone.now() - ANCHOR_AGE, f"last anchor {last.day}"


READY: dict[str, Callable[[], tuple[bool, str]]] = {"database": _database, "migrations": _migrations}
DEEP = READY | {"broker": _broker, "storage": _storage, "jobs": _jobs, "scheduler": _scheduler}


def broker_client() -> redis.Redis:
    """A client of the broker that the settings name, with short time-outs."""
    import redis  # half a second that only the deep look needs

    address = settings.CELERY_BROKER_URL.replace("redis+socket://", "unix://")
    client: redis.Redis = redis.Redis.from_url(address, socket_timeout=2, socket_connect_timeout=2)
    return client


def look(parts: dict[str, Callable[[], tuple[bool, str]]]) -> list[Finding]:
    """Ask each part; an error is an answer too, and only its kind is told."""
    findings = []
    for part, ask in parts.items():
        begun = time.monotonic()
        try:
            well, seen = ask()
        except Exception as error:  # whatever a database, broker or disk can raise means: not well
            well, seen = False, type(error).__name__
        findings.append(Finding(part, well, seen, round((time.monotonic() - begun) * 1000)))
    return findings


@login_not_required
@never_cache
@require_safe
def live(request: HttpRequest) -> JsonResponse:
    """200 while the process answers; asks nothing else, so that a slow database does not get it restarted."""
    return JsonResponse({"live": True})


@login_not_required
@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and no migration waits, else 503; says no more than that to anybody."""
    good = all(finding.well for finding in look(READY))
    return JsonResponse({"ready": good}, status=200 if good else 503)


@never_cache
@require_safe
def deep(request: HttpRequest) -> JsonResponse:
    """Every part with what was seen, for the site's administrators; for others the page does not exist."""
    if not request.user.is_superuser:
        raise Http404
    findings = look(DEEP)
    body = {finding.part: {"well": finding.well, "seen": finding.seen, "ms": finding.ms} for finding in findings}
    return JsonResponse(body, status=200 if all(finding.well for finding in findings) else 503)
