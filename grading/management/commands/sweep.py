"""``manage.py sweep``: wake workers for stuck work and finish what was left between two steps; also scheduled."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config.foundation import jobs
from grading.tasks import end_stuck_cases


class Command(BaseCommand):
    help = "Wake stuck jobs, finish latched hand-offs, hand over what no worker could judge, end expired claims."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{jobs.sweep()} jobs published again, {end_stuck_cases()} cases and files ended")
