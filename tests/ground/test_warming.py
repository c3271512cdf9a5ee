"""Web servers and workers start the child of symbolic algebra before anybody waits for it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from celery.concurrency.prefork import TaskPool as Processes
from celery.concurrency.thread import TaskPool as Threads
from celery.signals import worker_process_init, worker_ready
from django.conf import settings

LOOK = """
import threading
{start}
for thread in threading.enumerate():
    if thread.name == "algebra-child":
        thread.join(60)
from itembank.algebra import symbolic_rung
print(len(symbolic_rung._pool._idle))
"""


class Consumer:
    """What Celery says is ready: it carries the pool."""

    def __init__(self, pool: Any) -> None:
        self.pool = pool


def children_after(start: str) -> int:
    """How many idle children a fresh process has after that start."""
    program = [sys.executable, "-c", LOOK.format(start=start)]
    done = subprocess.run(program, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_a_web_server_has_its_child_from_the_start() -> None:
    assert children_after("import config.wsgi") == 1


def test_loading_the_program_alone_starts_none() -> None:
    assert children_after("import config.celery") == 0


@pytest.mark.parametrize(("pool", "expected"), [(Threads, 1), (Processes, 0)])
def test_a_worker_of_threads_is_warm_when_ready_the_parent_of_processes_is_not(pool, expected, monkeypatch) -> None:
    started: list[bool] = []
    monkeypatch.setattr("itembank.algebra.begin_warming", lambda: started.append(True))
    worker_ready.send(sender=Consumer(object.__new__(pool)))
    assert len(started) == expected


def test_each_process_of_a_worker_is_warmed_when_it_starts(monkeypatch) -> None:
    started: list[bool] = []
    monkeypatch.setattr("itembank.algebra.begin_warming", lambda: started.append(True))
    worker_process_init.send(sender=None)
    assert started == [True]
