"""Marked papers as files: one folder that appears whole or not at all, with names that a class list cannot bend."""

from __future__ import annotations

import io
import os
import re
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from config.foundation.canonical import sha256_hex
from config.foundation.errors import UnusableInput

from ..models import Assessment
from .composing import DOTS, sheets_of
from .contents import Paper, papers_of

_PLAIN = re.compile(r"[0-9A-Za-z][0-9A-Za-z_]{0,39}")
# Names that are devices on some systems, whatever follows the dot.
_DEVICES = re.compile(r"(?i)con|prn|aux|nul|com[0-9]|lpt[0-9]")


@dataclass(frozen=True)
class Exported:
    """How many papers were written, and how many of them tell of answers without a mark."""

    papers: int
    unfinished: int


def file_name(number: str) -> str:
    """The file of a candidate: the number where it is plain, else what is plain of it and a hash; never a path or formula."""
    if _PLAIN.fullmatch(number) and not _DEVICES.fullmatch(number) and number == number.lower():
        return f"{number}.pdf"
    kept = re.sub(r"[^0-9A-Za-z_]+", "_", number).strip("_")[:30]
    return f"{kept or 'paper'}-{sha256_hex(number.encode('utf-8', 'replace'))[:10]}.pdf"


def _pdf(paper: Paper, made: time.struct_time) -> bytes:
    """The bytes; ``made`` stands in them as their date, so that the same marks give the same bytes."""
    first, *more = sheets_of(paper)
    out = io.BytesIO()
    first.save(
        out, "PDF", save_all=True, append_images=more, resolution=DOTS, quality=85, creationDate=made, modDate=made,
        title=paper.heading, producer="Wenshu",
    )  # fmt: skip
    return out.getvalue()


def export_papers(assessment: Assessment, folder: Path, language: str | None = "zh") -> Exported:
    """Write every candidate's paper into ``folder``, which must be new or empty. It gets all of them or none.

    Raises UnusableInput for a folder that holds something, OSError where nothing can be written there.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UnusableInput(
            "papers.folder", f"{folder} 不是空文件夹，没有写入。请换一个新的或空的文件夹。",
            f"{folder} is not an empty folder; nothing was written. Name a new or an empty one.",
        )  # fmt: skip
    folder.parent.mkdir(parents=True, exist_ok=True)
    waiting = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    papers = unfinished = 0
    try:
        for paper in papers_of(assessment, language):
            (waiting / file_name(paper.number)).write_bytes(_pdf(paper, assessment.created_at.utctimetuple()))
            papers += 1
            unfinished += not paper.finished
        waiting.chmod(0o755)
        os.replace(waiting, folder)
    except BaseException:
        shutil.rmtree(waiting, ignore_errors=True)
        raise
    return Exported(papers, unfinished)
