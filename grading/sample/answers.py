"""What each made-up candidate writes: `answers/q1.json` … hold the versions of an answer, `candidates.json` who writes which.

A version's lines are in the markup of `markup.py`. `~~` in front strikes a line out, `>>` makes it a note in the margin,
`---` starts a new page. A step reads "A1 VALID 1 2 ERR_CALC": id, status, the lines it stands on, error codes.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
QUESTIONS: Final = (
    "q1-arithmetic-sequence",
    "q2-cosine-rule",
    "q3-derivative",
    "q4-quadratic-parameter",
    "q5-trigonometric-equation",
    "q6-probability",
)
STRUCK, MARGIN, NEW_PAGE = "~~", ">>", "---"
EMPTY_KINDS = ("blank", "unreadable")


@dataclass(frozen=True, slots=True)
class TruthStep:
    """What a fair teacher says of one step; `lines` count all written lines from 1."""

    step_id: str
    status: str
    lines: tuple[int, ...]
    error_codes: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> "TruthStep":
        """Read "A1 VALID 1 2 ERR_CALC"."""
        step_id, status, *rest = text.split()
        lines = tuple(int(word) for word in rest if word.isdigit())
        return cls(step_id, status, lines, tuple(word for word in rest if not word.isdigit()))


@dataclass(frozen=True, slots=True)
class Answer:
    """One version of an answer. `path` is as in `matched_path_id`; `total` only where no path of the rules is matched."""

    id: str
    kind: str
    path: str
    pages: tuple[tuple[str, ...], ...]
    steps: tuple[TruthStep, ...]
    total: str | None
    note: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """An answer as one candidate hands it in: `turned` degrees without saying so, or an EXIF orientation other than 1."""

    answer: Answer
    turned: int
    exif: int


@dataclass(frozen=True, slots=True)
class Pupil:
    """A made-up candidate: how they write, and what they hand in for each question in order."""

    number: str
    name: str
    school_class: str
    hand: str
    paper: str
    file_format: str
    sheets: tuple[Sheet, ...]


def rules_document(question: int) -> Any:
    """The scoring rules of a question, counted from 1, as parsed JSON with exact text for each number left to the caller."""
    return json.loads((HERE / "rules" / f"{QUESTIONS[question - 1]}.json").read_text("utf-8"))


def answers_to(question: int) -> dict[str, Answer]:
    """All versions of the answer to a question, counted from 1, with the blank and the unreadable one."""
    found = {row["id"]: _answer(row) for row in json.loads((HERE / "answers" / f"q{question}.json").read_text("utf-8"))}
    return found | {kind: Answer(kind, kind, "UNKNOWN", ((),), (), None, "") for kind in EMPTY_KINDS}


def pupils() -> list[Pupil]:
    """The thirty candidates, by number."""
    versions = {number: answers_to(number) for number in range(1, len(QUESTIONS) + 1)}
    rows = json.loads((HERE / "candidates.json").read_text("utf-8"))
    return [_pupil(row, versions) for row in rows]


def _answer(row: Mapping[str, Any]) -> Answer:
    pages: list[list[str]] = [[]]
    for line in row["lines"]:
        if line == NEW_PAGE:
            pages.append([])
        else:
            pages[-1].append(line)
    steps = tuple(TruthStep.read(text) for text in row["steps"])
    written = tuple(tuple(page) for page in pages)
    return Answer(row["id"], row["kind"], row["path"], written, steps, row.get("total"), row.get("note", ""))


def _pupil(row: Mapping[str, Any], versions: Mapping[int, Mapping[str, Answer]]) -> Pupil:
    sheets = tuple(_sheet(text, versions[number]) for number, text in enumerate(row["answers"], start=1))
    return Pupil(row["number"], row["name"], row["class"], row["hand"], row["paper"], row["format"], sheets)


def _sheet(text: str, versions: Mapping[str, Answer]) -> Sheet:
    """Read "right-1 sideways90" or "right-1 exif6"."""
    version, *how = text.split()
    turned = next((int(word.removeprefix("sideways")) for word in how if word.startswith("sideways")), 0)
    exif = next((int(word.removeprefix("exif")) for word in how if word.startswith("exif")), 1)
    return Sheet(versions[version], turned, exif)
