"""``manage.py judge_assessment CODE [--wait]``: start the machine's work and, if asked, wait for its end."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from grading import queries, transitions

from ._arguments import assessment_named


class Command(BaseCommand):
    help = "Judge every complete answer in the background; workers must be running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code")
        parser.add_argument("--wait", action="store_true", help="show progress until nothing is left")

    def handle(self, *args: Any, **options: Any) -> None:
        assessment = assessment_named(options["code"])
        added = transitions.start_judging(assessment, by=None)
        self.stdout.write(f"{added} answers to judge")
        while options["wait"]:
            progress = queries.progress_of(assessment)
            self.stdout.write(
                f"{progress.judged} of {progress.total_responses} judged, {progress.accepted} accepted, "
                f"{progress.to_review} for people, {progress.waiting_files} files waiting"
            )
            if not progress.busy:
                break
            time.sleep(1)
