"""``manage.py import_scripts --assessment CODE FILE|FOLDER|ZIP…``: answers in, every unusable file named."""

from __future__ import annotations

import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from config.foundation.errors import UnusableInput
from grading import transitions
from grading.models import FileOutcome

from ._arguments import assessment_named, refuse

MOST_IN_ARCHIVE = 20_000
# What zipfile raises for damaged, encrypted and exotically packed members.
BROKEN_MEMBER = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError)


def _beginning(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def _kind(path: Path) -> str:
    """``folder``, ``zip`` or ``file``. Raises UnusableInput for what cannot be taken at all."""
    if path.is_dir():
        return "folder"
    try:
        start = _beginning(path, 5)
    except OSError as error:
        raise UnusableInput(
            "path.unreadable", f"无法读取 {path}。", f"{path} cannot be read: {error.strerror}."
        ) from None
    if start == b"%PDF-" or path.suffix.lower() == ".pdf":
        raise UnusableInput(
            "path.pdf", f"{path} 是 PDF；目前还不能收取 PDF，请逐页另存为 JPEG 或 PNG。本次没有收取任何文件。",
            f"{path} is a PDF; PDF pages cannot be taken in yet. Save each page as JPEG or PNG. No file was taken.",
        )  # fmt: skip
    if path.suffix.lower() != ".zip":
        return "file"
    try:
        with zipfile.ZipFile(path) as archive:
            members = len(archive.infolist())
    except BROKEN_MEMBER:
        raise UnusableInput(
            "path.not_zip", f"{path} 不是可读的 ZIP 压缩包。", f"{path} is not a readable ZIP archive."
        ) from None
    if members > MOST_IN_ARCHIVE:
        raise UnusableInput(
            "path.too_many", f"{path} 里的文件超过 {MOST_IN_ARCHIVE} 个，请分开压缩。",
            f"{path} holds more than {MOST_IN_ARCHIVE} files; split it.",
        )  # fmt: skip
    return "zip"


def _member_name(item: zipfile.ZipInfo) -> str:
    """The name as people see it: archives made on a Chinese Windows hold GB18030 without saying so."""
    if item.flag_bits & 0x800:
        return item.filename
    try:
        return item.filename.encode("cp437").decode("gb18030")
    except UnicodeError:
        return item.filename


def _from_zip(path: Path, unread: list[str]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for item in archive.infolist():
            name = _member_name(item)
            if item.is_dir() or Path(name).name.startswith("."):
                continue
            try:
                with archive.open(item) as file:
                    # One byte past the limit is enough to be refused by name; a bomb is never unpacked whole.
                    content = file.read(settings.UPLOAD_MAX_BYTES + 1)
            except BROKEN_MEMBER:
                unread.append(f"{path}: {name}")
                continue
            yield name, content


def _from_files(paths: Iterator[Path] | list[Path], unread: list[str]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        try:
            content = _beginning(path, settings.UPLOAD_MAX_BYTES + 1)
        except OSError:
            unread.append(str(path))
            continue
        yield path.name, content


def named_files(paths: list[tuple[str, Path]], unread: list[str]) -> Iterator[tuple[str, bytes]]:
    """Every file below the given paths with its name, one at a time, folders in order of name; what cannot be read is
    added to ``unread`` and the rest goes on."""
    for kind, path in paths:
        if kind == "folder":
            inner = sorted(each for each in path.rglob("*") if each.is_file() and not each.name.startswith("."))
            yield from _from_files(inner, unread)
        elif kind == "zip":
            yield from _from_zip(path, unread)
        else:
            yield from _from_files([path], unread)


class Command(BaseCommand):
    help = "Import answer images named number_question_page; bad ones are named, the rest go on."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--assessment", required=True)
        parser.add_argument("paths", nargs="+", metavar="FILE|FOLDER|ZIP")

    def handle(self, *args: Any, **options: Any) -> None:
        assessment = assessment_named(options["assessment"])
        missing = [path for path in options["paths"] if not Path(path).exists()]
        if missing:
            sys.stderr.write(f"没有这个文件或文件夹：{missing[0]}。 There is no file or folder {missing[0]}.\n")
            sys.exit(2)
        try:
            # All are looked at before the first is taken: a refusal leaves nothing half done.
            paths = [(_kind(Path(given)), Path(given)) for given in options["paths"]]
        except UnusableInput as error:
            refuse(error)
        unread: list[str] = []
        upload = transitions.receive_upload(assessment, named_files(paths, unread), by=None)
        for name in unread:
            self.stderr.write(f"无法读取 {name}。 {name} cannot be read.")
        for file in upload.files.exclude(outcome__in=[FileOutcome.WAITING, FileOutcome.STORED]):
            self.stderr.write(f"{file.message_zh} {file.message_en}")
        counts = {outcome: upload.files.filter(outcome=outcome).count() for outcome in FileOutcome}
        self.stdout.write(", ".join(f"{count} {outcome.value.lower()}" for outcome, count in counts.items()))
        usable = sum(counts.values()) - counts[FileOutcome.REFUSED]
        if not usable:
            self.stderr.write("没有一个文件可用。 No file could be used.")
            sys.exit(2)
