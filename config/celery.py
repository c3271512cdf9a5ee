"""The Celery application; task arguments are ids only, and the row of the job decides what happens."""

import os
from threading import Thread
from typing import Any

from celery import Celery
from celery.signals import worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("wenshu")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def ready_the_algebra(**_: Any) -> None:
    """Starts the symbolic child beside the first task, which otherwise waits for it; celery waits for this for 4 s only."""
    from itembank.algebra import warm  # a worker's business, not that of whoever imports the application

    Thread(target=warm, name="algebra-start", daemon=True).start()
