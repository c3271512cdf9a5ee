"""``manage.py export_papers CODE --out FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.foundation.errors import WenshuError
from grading.papers import export_papers

from ._arguments import assessment_named, refuse


class Command(BaseCommand):
    help = "Write a marked PDF for each candidate into a new or empty folder: all of them or none."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code")
        parser.add_argument("--out", required=True)
        parser.add_argument("--language", choices=["zh", "en"], default="zh")

    def handle(self, *args: Any, **options: Any) -> None:
        folder = options["out"]
        try:
            done = export_papers(assessment_named(options["code"]), Path(folder), options["language"])
        except WenshuError as error:
            refuse(error)
        except OSError as error:
            sys.stderr.write(f"无法写入 {folder}。 {folder} cannot be written: {error.strerror}.\n")
            sys.exit(2)
        sys.stdout.write(
            f"{done.papers} 份已写入 {folder}，其中 {done.unfinished} 份尚未评完。 "
            f"{done.papers} papers in {folder}, {done.unfinished} of them not finished.\n"
        )
