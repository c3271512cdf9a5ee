"""Takes items of a file into the bank and asks the gates of code about each."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from config.foundation.errors import UnusableInput
from itembank import queries
from itembank.algebra import warm
from itembank.domain.exchange import UnusableFile
from itembank.domain.formats import read_file
from itembank.transitions import run_gates, save_item

from ..documents import read_bytes, refuse


class Command(BaseCommand):
    """All or nothing: with one item that cannot be read nothing is stored (exit 2). What the gates say stops no import."""

    help = "Import items; the same file twice changes nothing. One line for each: version, and what gates 1 and 2 say."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file of items, or - for standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            items = read_file(read_bytes(options["file"]))
        except UnusableFile as error:
            sys.stderr.write("".join(f"{line}\n" for line in error.lines))
            sys.exit(2)
        except UnusableInput as error:
            refuse(error)
        warm()
        with transaction.atomic():
            versions = [save_item(item.document, by=None) for item in items]
        others = queries.neighbourhood()
        for version in versions:
            said = {str(run.gate): run.outcome for run in run_gates(version, others=others)}
            row = {"item_id": version.item.item_id, "version": version.version, "gates": said}
            self.stdout.write(json.dumps(row, ensure_ascii=False))
