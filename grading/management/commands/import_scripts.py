"""``manage.py import_scripts --assessment CODE FILE|FOLDER|ZIP…``: answers in, every unusable file named."""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from grading import transitions
from grading.models import FileOutcome

from ._arguments import assessment_named, content_of


def _from_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for item in archive.infolist():
            if item.is_dir() or Path(item.filename).name.startswith("."):
                continue
            with archive.open(item) as file:
                # One byte past the limit is enough to be refused by name; a bomb is never unpacked whole.
                yield item.filename, file.read(settings.UPLOAD_MAX_BYTES + 1)


def named_files(paths: list[str]) -> Iterator[tuple[str, bytes]]:
    """Every file below the given paths with its name, one at a time, folders and archives in order of name."""
    for given in paths:
        path = Path(given)
        if path.is_dir():
            for inner in sorted(each for each in path.rglob("*") if each.is_file() and not each.name.startswith(".")):
                yield inner.name, content_of(str(inner))
        elif path.suffix.lower() == ".zip" and zipfile.is_zipfile(path):
            yield from _from_zip(path)
        else:
            yield path.name, content_of(given)


class Command(BaseCommand):
    help = "Import answer images named number_question_page; bad ones are named, the rest go on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--assessment", required=True)
        parser.add_argument("paths", nargs="+")

    def handle(self, *args: Any, **options: Any) -> None:
        assessment = assessment_named(options["assessment"])
        missing = [path for path in options["paths"] if not Path(path).exists()]
        if missing:
            sys.stderr.write(f"没有这个文件或文件夹：{missing[0]}。 There is no file or folder {missing[0]}.\n")
            sys.exit(2)
        upload = transitions.receive_upload(assessment, named_files(options["paths"]), by=None)
        for file in upload.files.exclude(outcome=FileOutcome.WAITING):
            self.stderr.write(f"{file.message_zh} {file.message_en}")
        counts = {outcome: upload.files.filter(outcome=outcome).count() for outcome in FileOutcome}
        self.stdout.write(", ".join(f"{count} {outcome.value.lower()}" for outcome, count in counts.items()))
