"""The Celery application; task arguments are ids only, and the row of the job decides what happens."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_process_init, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("wenshu")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def warm_process(**_: Any) -> None:
    """Each process of a worker has a child of its own, started beside the first task: celery waits 4 s for this."""
    from itembank.algebra import begin_warming

    begin_warming()


@worker_ready.connect
def warm_threads(sender: Any = None, **_: Any) -> None:
    """A worker that works in threads shares one; the parent of processes never computes and needs none."""
    from celery.concurrency.thread import TaskPool

    from itembank.algebra import begin_warming

    if isinstance(getattr(sender, "pool", None), TaskPool):
        begin_warming()
