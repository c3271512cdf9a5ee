"""The Celery application; task arguments are ids only, and the row of the job decides what happens."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("wenshu")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
