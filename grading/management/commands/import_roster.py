"""``manage.py import_roster FILE.csv|xlsx``: class lists in, every unusable row named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.foundation.errors import UnusableInput, WenshuError
from grading import transitions
from grading.domain.roster import read_roster

from ._arguments import assessment_named, content_of, refuse


class Command(BaseCommand):
    help = "Import a class list (columns 学号, 姓名, 班级); the same list twice changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--assessment", help="let the classes of the list sit this assessment")

    def handle(self, *args: Any, **options: Any) -> None:
        assessment = assessment_named(options["assessment"]) if options["assessment"] else None
        try:
            rows, faults = read_roster(Path(options["file"]).name, content_of(options["file"]))
            for fault in faults:
                self.stderr.write(f"{fault.zh} {fault.en}")
            if not rows:
                raise UnusableInput("roster.unusable", "没有一行可用。", "No row could be used.")
            outcome = transitions.import_roster(rows, by=None, assessment=assessment)
        except WenshuError as error:
            refuse(error)
        self.stdout.write(
            f"{outcome.created} created, {outcome.moved} moved, {outcome.unchanged} unchanged, {len(faults)} rows left out"
        )
