"""``kill -9`` anywhere, again and again, while the sample is taken in and judged: nothing is lost, nothing is doubled."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, connection

from config.embedded import pidfile
from config.foundation import trail
from config.foundation.models import Event, Job, JobState
from grading.models import Case, FileOutcome, Mark, Owner, Packet, Page, UploadedFile
from tests.ground.test_leftovers import members
from tests.ground.test_run import ROOT, Run, free_port

pytestmark = [pytest.mark.services, pytest.mark.slow, pytest.mark.timeout(1200)]
FILES = 8
VICTIMS = ("worker-cpu", "supervisor", "a process of the pool", "broker", "supervisor", "worker-cpu")


class Product:
    """The embedded product on this test's database, with what it takes to kill parts of it and start it again."""

    def __init__(self, environment: dict[str, str]) -> None:
        # Its own broker, on a socket in the data folder; and no end of attempts, for here every one of them is killed.
        without = {"WENSHU_BROKER_URL", "WENSHU_BROKER_PREFIX"}
        self.environment = {name: value for name, value in environment.items() if name not in without}
        self.environment["WENSHU_JOB_MAX_ATTEMPTS"] = "50"
        self.data = Path(settings.DATA_DIR)
        self.run: Run
        self.start()

    def start(self) -> None:
        self.run = Run(self.data, free_port(), "--no-sample", environment=self.environment)
        self.run.until_it_serves()

    def kill(self, victim: str) -> None:
        if victim == "supervisor":
            self.run.process.kill()
            self.run.process.wait()
            self.start()
            return
        leader = self.run.children().get("worker-cpu" if victim == "a process of the pool" else victim)
        if leader is None:
            return
        pool = [pid for pid in members(leader.pid) if pid != leader.pid]
        target = pool[-1] if victim == "a process of the pool" and pool else leader.pid
        try:
            os.kill(target, signal.SIGKILL)
        except ProcessLookupError:
            return

    def end(self) -> None:
        if self.run.process.poll() is None:
            self.run.process.send_signal(signal.SIGINT)
            self.run.process.wait(timeout=60)
        pidfile.end_leftovers(self.data / "run.pids")


@pytest.fixture
def product(outside_environment: dict[str, str]) -> Iterator[Product]:
    running = Product(outside_environment)
    yield running
    running.end()


def load_sample(environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "manage.py", "load_sample", "--only", str(FILES)]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


def everything_is_decided() -> bool:
    try:
        taken_in = UploadedFile.objects.filter(outcome=FileOutcome.STORED).count()
        waiting = UploadedFile.objects.filter(outcome=FileOutcome.WAITING).count()
        unfinished = Job.objects.exclude(state__in=[JobState.DONE, JobState.DEAD]).count()
        undecided = Case.objects.filter(owner__in=[Owner.AI, Owner.HANDOFF_PENDING], closed_at__isnull=True).count()
    except DatabaseError:
        return False
    return taken_in == FILES and not (waiting or unfinished or undecided)


def test_nothing_is_lost_or_doubled_when_anything_is_killed_at_any_time(product: Product) -> None:
    chance = random.Random(20261130)
    environment = product.environment | {"WENSHU_DATA_DIR": str(product.data)}
    loader = load_sample(environment)
    time.sleep(chance.uniform(1, 4))
    loader.kill()
    loader.wait()
    loader = load_sample(environment)
    for victim in VICTIMS:
        time.sleep(chance.uniform(0.5, 5))
        product.kill(victim)
    assert loader.wait(timeout=300) == 0

    deadline = time.monotonic() + 600
    while not everything_is_decided():
        assert time.monotonic() < deadline, f"{Counter(Job.objects.values_list('task', 'state'))}"
        product.run.process.poll()
        assert product.run.process.returncode is None, product.run.said()
        time.sleep(1)

    assert set(Job.objects.values_list("state", flat=True)) == {JobState.DONE}
    names = Counter(UploadedFile.objects.filter(outcome=FileOutcome.STORED).values_list("name", flat=True))
    assert len(names) == FILES
    assert set(names.values()) == {1}
    assert Page.objects.count() == FILES
    cases = list(Case.objects.all())
    assert Job.objects.filter(task="grading.tasks.judge_response").count() == len(cases)
    for case in cases:
        assert case.runs.filter(used=True).count() == 1
        marks, packets = Mark.objects.filter(case=case).count(), Packet.objects.filter(case=case).count()
        assert (marks, packets) == ((1, 0) if case.decision == "ACCEPT" else (0, 1))
    verbs = Counter(Event.objects.filter(chain__startswith="case").values_list("chain", "verb"))
    assert verbs
    assert set(verbs.values()) == {1}
    assert list(trail.broken_links()) == []
    connection.close()
