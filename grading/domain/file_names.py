"""Which answer a file belongs to, from its name: candidate's number, question, page."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from config.foundation.errors import UnusableInput

# 20260101_3.jpg, 20260101-Q3-2.png, 20260101_第3题_第2页.heic; folders may stand in front.
_PLACE = re.compile(
    r"(?P<number>[0-9A-Za-z]{1,40})[ _-]+(?:q|Q|第)?(?P<question>\d{1,3})题?(?:[ _-]+(?:p|P|第)?(?P<page>\d{1,2})页?)?"
)


@dataclass(frozen=True)
class FilePlace:
    """Where a file belongs; ``page`` counts from 1."""

    number: str
    question: int
    page: int


def clean_name(name: str) -> str:
    """The name for display and for matching: its last part, without control or invisible characters, bounded."""
    last = re.split(r"[\\/]", unicodedata.normalize("NFC", name))[-1]
    shown = "".join(c for c in last if unicodedata.category(c) not in {"Cc", "Cf", "Cs"}).strip()
    return shown[-200:] or "?"


def place_of(name: str) -> FilePlace:
    """The place a file's name gives. Raises UnusableInput that says how to name files."""
    stem = unicodedata.normalize("NFKC", clean_name(name)).rpartition(".")[0] or clean_name(name)
    match = _PLACE.fullmatch(stem.strip())
    if match is None or not 1 <= int(match["page"] or 1) <= 20:
        raise UnusableInput(
            "file.name",
            f"文件名“{clean_name(name)}”看不出是谁的哪一题；请用“学号_题号_页码.jpg”，如 20260101_3_1.jpg。",
            f"The name “{clean_name(name)}” does not tell whose answer it is; use number_question_page, as in 20260101_3_1.jpg.",
        )
    return FilePlace(match["number"], int(match["question"]), int(match["page"] or 1))
