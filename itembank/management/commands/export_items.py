"""Writes the bank's items, each in its newest version, and says what the format could not hold."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from itembank import queries
from itembank.domain.formats import WRITERS


class Command(BaseCommand):
    """What a format cannot hold is named on standard error, a line for each; the exit code stays 0."""

    help = "Export the newest version of each item; what the format cannot hold is named on standard error."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the file to write, or - for standard output")
        parser.add_argument("--format", required=True, choices=sorted(WRITERS))
        parser.add_argument(
            "--item", action="append", default=[], help="only the item of this item_id; may be repeated"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        versions = queries.current_versions()
        if options["item"]:
            versions = versions.filter(item__item_id__in=options["item"])
        written = WRITERS[options["format"]]([version.read() for version in versions])
        if options["file"] == "-":
            self.stdout.write(written.content, ending="")
        else:
            Path(options["file"]).write_text(written.content, "utf-8")
        sys.stderr.write("".join(f"{loss.line()}\n" for loss in written.losses))
