"""A reading: the numbered lines that a reader saw on the pages, before anybody looked at rules or answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

from config.foundation.errors import UnusableInput

from .documents import exact, schema_fault

Box = tuple[Decimal, Decimal, Decimal, Decimal]


class UnusableReading(UnusableInput):
    """The document is no reading; the message names line and field."""


@dataclass(frozen=True)
class Alternative:
    """Another reading of a whole line."""

    latex: str
    confidence: Decimal


@dataclass(frozen=True)
class Line:
    """One written line. `page` counts from 1; `box` is x0, y0, x1, y1 in shares of the page."""

    line_id: str
    content: str
    is_latex: bool
    page: int | None = None
    box: Box | None = None
    struck_out: bool = False
    scratch: bool = False
    confidence: Decimal = Decimal(1)
    min_confidence: Decimal = Decimal(1)
    alternatives: tuple[Alternative, ...] = ()
    unread_ink: bool = False


@dataclass(frozen=True)
class PageSize:
    """Pixels of a page."""

    width: int
    height: int
    unread_regions: int = 0


@dataclass(frozen=True)
class Failure:
    """Why a judge has no result."""

    code: str
    detail: str


@dataclass(frozen=True)
class Reading:
    """All lines of an answer in the order of writing. `document` is the reading as received."""

    pages: tuple[PageSize, ...]
    lines: tuple[Line, ...]
    instructions_seen: tuple[str, ...] = ()
    failure: Failure | None = None
    reader: str = ""
    line_threshold: Decimal = Decimal(0)
    document: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def by_id(self) -> dict[str, Line]:
        """Lines by their id."""
        return {line.line_id: line for line in self.lines}

    @cached_property
    def position(self) -> dict[str, int]:
        """Place of each line in the order of writing, from 0."""
        return {line.line_id: index for index, line in enumerate(self.lines)}

    @cached_property
    def standing(self) -> tuple[Line, ...]:
        """Lines that count: not struck out, not empty."""
        return tuple(line for line in self.lines if not line.struck_out and line.content.strip())

    @property
    def has_images(self) -> bool:
        """Whether pages are known, so that boxes mean something."""
        return bool(self.pages)

    def with_line(self, line: Line) -> Reading:
        """The same reading with one line replaced."""
        return replace(self, lines=tuple(line if old.line_id == line.line_id else old for old in self.lines))


def read_reading(document: object, *, is_exact: bool = False) -> Reading:
    """The reading in a parsed JSON document; raises UnusableReading. `is_exact`: it comes from `exact`."""
    clean: Any = document if is_exact else exact(document)
    fault = schema_fault("reading", clean, allow_controls="\n\t")
    if fault is not None:
        where = f" {fault.where}" if fault.where else ""
        raise UnusableReading("reading.schema", f"识读结果{where}：{fault.zh}。", f"Reading{where}: {fault.en}.")
    _refuse_repeated_ids(clean["lines"])
    _refuse_eaten_backslashes(clean["lines"])
    reader = clean.get("reader") or {}
    pages = tuple(
        PageSize(page["width"], page["height"], len(page.get("unread_ink_boxes", ()))) for page in clean["pages"]
    )
    from_zero = any(line.get("page") == 0 for line in clean["lines"])
    return Reading(
        pages=pages,
        lines=tuple(_line(line, len(pages), from_zero=from_zero) for line in clean["lines"]),
        instructions_seen=tuple(clean.get("instructions_seen", ())),
        failure=read_failure(clean.get("failure")),
        reader=reader.get("name", ""),
        line_threshold=Decimal(reader.get("line_threshold", 0)),
        document=clean,
    )


def read_failure(value: Any) -> Failure | None:
    """The failure part of a reading or observation, already checked by its schema."""
    if value is None:
        return None
    if isinstance(value, str):
        return Failure(value[:100], value)
    return Failure(value["code"], value.get("detail", ""))


def _refuse_repeated_ids(lines: list[dict[str, Any]]) -> None:
    seen: set[str] = set()
    for line in lines:
        if line["line_id"] in seen:
            raise UnusableReading(
                "reading.line_id",
                f"识读结果中行号 {line['line_id']} 出现两次。",
                f"Reading: line_id {line['line_id']} stands twice.",
            )
        seen.add(line["line_id"])


def _refuse_eaten_backslashes(lines: list[dict[str, Any]]) -> None:
    r"""A tab or line break inside mathematics is what JSON makes of `\times` or `\neq` with one backslash."""
    for line in lines:
        written = [(line.get("text", ""), "\t"), (line.get("latex", ""), "\t\n")]
        written += [(other["latex"], "\t\n") for other in line.get("alternatives", ())]
        if any(sign in text for text, signs in written for sign in signs):
            raise UnusableReading(
                "reading.control_character",
                f"识读结果 {line['line_id']}：文字里有制表符或换行（反斜杠可能没有写成两个）。",
                f"Reading {line['line_id']}: a tab or line break (a backslash may not have been doubled).",
            )


def _line(line: dict[str, Any], pages: int, *, from_zero: bool) -> Line:
    page: int | None = line.get("page")
    if page is None:
        page = 1 if pages == 1 else None
    elif from_zero:
        page += 1
    box = line.get("box")
    confidence = Decimal(line["confidence"])
    return Line(
        line_id=line["line_id"],
        content=line["latex"] if "latex" in line else line["text"],
        is_latex="latex" in line,
        page=page if pages else None,
        box=(Decimal(box[0]), Decimal(box[1]), Decimal(box[2]), Decimal(box[3])) if box and pages else None,
        struck_out=line.get("struck_out", False),
        scratch=line.get("scratch", False),
        confidence=confidence,
        min_confidence=min(confidence, Decimal(line.get("min_confidence", confidence))),
        alternatives=tuple(
            Alternative(other["latex"], Decimal(other.get("confidence", 0))) for other in line.get("alternatives", ())
        ),
        unread_ink=line.get("unread_ink", False),
    )
