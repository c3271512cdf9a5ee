"""What several commands share: finding an assessment, and refusing in one sentence with exit code 2."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

from config.foundation.errors import WenshuError
from grading.models import Assessment


def refuse(error: WenshuError) -> NoReturn:
    """Write the sentence in both languages and exit with 2: input that cannot be used."""
    sys.stderr.write(f"{error.zh} {error.en}\n")
    sys.exit(2)


def assessment_named(code: str) -> Assessment:
    """The assessment with that code, or exit 2."""
    assessment = Assessment.objects.filter(code=code).first()
    if assessment is None:
        sys.stderr.write(f"没有代号为 {code} 的考试。 There is no assessment with the code {code}.\n")
        sys.exit(2)
    return assessment


def content_of(path: str) -> bytes:
    """The bytes of a file (``-`` is standard input), or exit 2."""
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        sys.stderr.write(f"无法读取文件 {path}。 The file {path} cannot be read: {error.strerror}.\n")
        sys.exit(2)
