"""``manage.py judge_assessment CODE [--wait]``: start the machine's work and, if asked, wait for its end."""

from __future__ import annotations

import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.foundation.errors import WenshuError
from grading import queries, transitions
from grading.models import Assessment
from grading.tasks import end_stuck_cases

from ._arguments import assessment_named, refuse

STILL_SECONDS = 60


class Command(BaseCommand):
    help = "Judge every complete answer in the background; workers must be running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code")
        parser.add_argument("--wait", action="store_true", help="show progress until nothing is left")

    def handle(self, *args: Any, **options: Any) -> None:
        assessment = assessment_named(options["code"])
        try:
            added = transitions.start_judging(assessment, by=None)
        except WenshuError as error:
            refuse(error)
        self.stdout.write(f"{added} answers to judge")
        if options["wait"]:
            try:
                self._wait(assessment)
            except KeyboardInterrupt:
                # The work goes on without this window; 130 is what a shell gives for Ctrl-C.
                sys.exit(130)

    def _wait(self, assessment: Assessment) -> None:
        said, since = "", time.monotonic()
        while True:
            progress = queries.progress_of(assessment)
            line = (
                f"{progress.judged} of {progress.total_responses} judged, {progress.accepted} accepted, "
                f"{progress.to_review} for people, {progress.waiting_files} files waiting"
            )
            if line != said:
                self.stdout.write(line)
                self.stdout.flush()
                said, since = line, time.monotonic()
            elif time.monotonic() - since > STILL_SECONDS:
                self.stderr.write(
                    f"{STILL_SECONDS} 秒没有进展，请确认工作进程在运行。 "
                    f"Nothing has moved for {STILL_SECONDS} s; check that workers are running."
                )
                since = time.monotonic()
            # What no worker could judge goes to people now rather than with the next sweep.
            if not progress.busy and not end_stuck_cases():
                break
            time.sleep(1)
