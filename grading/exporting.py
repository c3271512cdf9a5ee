"""Marks out: one row for each candidate, or the verdict documents with all editions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Max, Q

from config.foundation.canonical import canonical_json

from .domain.spreadsheet import Cell, csv_bytes, xlsx_bytes
from .models import Assessment, Candidate, Mark, MarkSource, Response

FORMATS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}


def standing_marks(assessment: Assessment) -> dict[int, Mark]:
    """The last edition of each marked answer, by the response's key."""
    marks = Mark.objects.filter(case__response__question__assessment=assessment)
    last = marks.values("case").annotate(edition=Max("edition")).values_list("case", "edition")
    editions = dict(last)
    chosen = marks.select_related("case", "by", "run").order_by("pk")
    return {mark.case.response_id: mark for mark in chosen if editions[mark.case_id] == mark.edition}


@dataclass(frozen=True)
class Words:
    """The fixed words of a table of marks in one language."""

    heads: tuple[str, str, str, str]
    question: str
    total: str
    state: str
    nothing: str
    open_answers: str
    decided: str


WORDS = {
    "zh": Words(
        ("学号", "姓名", "班级", "密号"), "{label}（{points}）", "总分", "状态",
        "无作答", "{n} 题未定分", "已定分（系统通过 {n} 题）",
    ),
    "en": Words(
        ("Number", "Name", "Class", "Anonymous code"), "{label} ({points})", "Total", "State",
        "Nothing handed in", "{n} without a mark", "Final ({n} auto-accepted)",
    ),
}  # fmt: skip


def words_in(language: str | None) -> Words:
    """The words of a table: English for ``en`` and its kinds, Chinese for everything else."""
    return WORDS["en" if (language or "").lower().startswith("en") else "zh"]


def mark_rows(assessment: Assessment, language: str | None = "zh") -> Iterator[list[Cell]]:
    """Head row, then a row a candidate: number, name, class, the mark of each question, total, who decided.

    An answer without a mark is an empty cell, and then the total stays empty too: unmarked is not zero.
    A question for which the candidate handed in nothing shows as ``—``.
    """
    words = words_in(language)
    questions = list(assessment.questions.order_by("number"))
    heads: list[Cell] = [*words.heads]
    heads += [
        words.question.format(label=question.label, points=f"{question.max_score.normalize():f}")
        for question in questions
    ]
    yield [*heads, words.total, words.state]
    marks = standing_marks(assessment)
    answers: dict[int, dict[int, Response]] = defaultdict(dict)
    for response in Response.objects.filter(question__assessment=assessment):
        answers[response.candidate_id][response.question_id] = response
    # Who handed something in stays in the table, also after moving to a class that does not sit the assessment.
    listed = Q(school_class__assessments=assessment) | Q(pk__in=answers)
    candidates = Candidate.objects.filter(listed).select_related("school_class").distinct()
    for candidate in candidates:
        given = answers.get(candidate.pk, {})
        yield _candidate_row(candidate, given, questions, marks, words)


def _candidate_row(
    candidate: Candidate, given: dict[int, Response], questions: list[Any], marks: dict[int, Mark], words: Words
) -> list[Cell]:
    cells: list[Cell] = []
    total, open_answers, by_machine = Decimal(0), 0, 0
    for question in questions:
        response = given.get(question.pk)
        mark = marks.get(response.pk) if response else None
        if response is None:
            cells.append("—")
        elif mark is None:
            cells.append(None)
            open_answers += 1
        else:
            cells.append(mark.total)
            total += mark.total
            by_machine += mark.source == MarkSource.MACHINE
    code = next((response.code for response in given.values()), "")
    if not given:
        state: Cell = words.nothing
    elif open_answers:
        state = words.open_answers.format(n=open_answers)
    else:
        state = words.decided.format(n=by_machine)
    shown = None if open_answers or not given else total
    return [candidate.number, candidate.name, candidate.school_class.name, code, *cells, shown, state]


def verdict_documents(assessment: Assessment) -> dict[str, Any]:
    """Every answer with its last verdict document and all editions of its mark, by anonymous code: no names."""
    responses = (
        Response.objects.filter(question__assessment=assessment)
        .select_related("question", "case__run")
        .prefetch_related("case__marks")
        .order_by("question__number", "code")
    )
    return {
        "assessment": assessment.code,
        "answers": [
            {
                "code": response.code,
                "question": response.question.number,
                "marks": [
                    {
                        "edition": mark.edition, "source": mark.source, "total": mark.total, "steps": mark.steps,
                        "reason": mark.reason, "at": mark.created_at.isoformat(),
                    }
                    for mark in response.case.marks.all()
                ],
                "document": response.case.run.document if response.case.run else None,
            }
            for response in responses
        ],
    }  # fmt: skip


def export_marks(assessment: Assessment, kind: str, language: str | None = "zh") -> bytes:
    """The export in one of FORMATS as bytes; heads and states of a table in ``language``."""
    if kind == "csv":
        return csv_bytes(mark_rows(assessment, language))
    if kind == "xlsx":
        return xlsx_bytes(mark_rows(assessment, language), sheet=assessment.code)
    if kind == "json":
        return canonical_json(verdict_documents(assessment))
    raise ValueError(f"unknown format {kind}")
