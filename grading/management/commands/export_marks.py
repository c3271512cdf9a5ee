"""``manage.py export_marks CODE --format csv|xlsx|json [--out FILE]``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from grading.exporting import FORMATS, export_marks

from ._arguments import assessment_named


class Command(BaseCommand):
    help = "Write the marks: CSV that Excel opens, XLSX, or the verdict documents as JSON."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code")
        parser.add_argument("--format", choices=sorted(FORMATS), required=True)
        parser.add_argument("--out", default="-")

    def handle(self, *args: Any, **options: Any) -> None:
        content = export_marks(assessment_named(options["code"]), options["format"])
        if options["out"] == "-":
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
            return
        try:
            Path(options["out"]).write_bytes(content)
        except OSError as error:
            sys.stderr.write(f"无法写入 {options['out']}。 {options['out']} cannot be written: {error.strerror}.\n")
            sys.exit(2)
