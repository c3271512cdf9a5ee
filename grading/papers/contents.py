"""What stands on the marked paper of each candidate, read from the database."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from itembank.domain.plain_mathematics import plain_mathematics

from ..annotations import annotations_on_paper, shape_on
from ..domain.annotation_shapes import Shape
from ..exporting import standing_marks, words_in
from ..models import Assessment, Candidate, Mark, MarkSource, Page, Question, Response
from .words import PAPER_WORDS, PaperWords

_FORMULA = re.compile(r"\$([^$\n]{1,2000})\$")


@dataclass(frozen=True)
class StepLine:
    """One step of a mark: what it is, how it was judged and what it earned."""

    sign: str  # of a mark on the image: tick, cross, or empty for a part of the points
    text: str
    score: str


@dataclass(frozen=True)
class QuestionPart:
    """The answer to one question: its pages with what was drawn on each, and its mark in lines."""

    title: str
    result: str
    decided: bool
    pages: list[tuple[Page, list[Shape]]]
    steps: list[StepLine] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Paper:
    """One candidate's paper. ``finished``: every answer that was handed in has its mark."""

    number: str
    heading: str
    total: str
    finished: bool
    words: PaperWords
    parts: list[QuestionPart]


def points(value: Decimal) -> str:
    """A mark without needless zeros."""
    return f"{value.normalize():f}"


def plain_text(text: str) -> str:
    """Text of scoring rules with its formulas as plain text."""
    return _FORMULA.sub(lambda match: plain_mathematics(match[1]), text)


def papers_of(assessment: Assessment, language: str | None = "zh") -> Iterator[Paper]:
    """The papers of those who handed something in, by candidate's number."""
    words = PAPER_WORDS["en" if words_in(language) is words_in("en") else "zh"]
    marks = standing_marks(assessment)
    answers: dict[int, dict[int, Response]] = defaultdict(dict)
    found = Response.objects.filter(question__assessment=assessment).select_related("case__response")
    for response in found.prefetch_related("pages"):
        answers[response.candidate_id][response.question_id] = response
    questions = list(assessment.questions.order_by("number"))
    candidates = Candidate.objects.filter(pk__in=answers).select_related("school_class").order_by("number")
    for each in candidates:
        yield _paper(assessment, each, questions, answers[each.pk], marks, words)


def _paper(
    assessment: Assessment, candidate: Candidate, questions: list[Question], given: dict[int, Response],
    marks: dict[int, Mark], words: PaperWords,
) -> Paper:  # fmt: skip
    parts, total, most, open_answers = [], Decimal(0), Decimal(0), 0
    for question in questions:
        response = given.get(question.pk)
        mark = marks.get(response.pk) if response else None
        most += question.max_score
        total += mark.total if mark else 0
        open_answers += response is not None and mark is None
        parts.append(_part(question, response, mark, words))
    heading = f"{assessment.title}  {candidate.school_class.name}  {candidate.number}  {candidate.name}"
    sum_words = words.total.format(total=points(total), most=points(most))
    shown = words.open_total.format(n=open_answers) if open_answers else sum_words
    return Paper(candidate.number, heading, shown, not open_answers, words, parts)


def _part(question: Question, response: Response | None, mark: Mark | None, words: PaperWords) -> QuestionPart:
    if response is None:
        return QuestionPart(question.label, words.nothing, False, [])
    shapes: dict[int, list[Shape]] = defaultdict(list)
    for each in annotations_on_paper(response.case) if mark is not None else ():
        shapes[each.page_id].append(shape_on(each))
    pages = [(page, shapes[page.pk]) for page in sorted(response.pages.all(), key=lambda page: page.number)]
    if mark is None:
        return QuestionPart(question.label, words.open_answer, False, pages)
    result = words.points.format(score=points(mark.total), most=points(mark.max_score))
    return QuestionPart(question.label, result, True, pages, _steps(mark, words), _notes(response, mark, words))


def _steps(mark: Mark, words: PaperWords) -> list[StepLine]:
    known = {(path.path_id, step.step_id): step for path in mark.rules.read().paths for step in path.steps}
    lines = []
    for given in mark.steps:
        step = known.get((given["path_id"], given["step_id"]))
        score = Decimal(str(given["score"]))
        most = step.points if step else score
        sign = "tick" if score == most else "cross" if score == 0 else ""
        text = f"{plain_text(step.desc) if step else given['step_id']}：{words.statuses.get(given['status'], given['status'])}"
        lines.append(StepLine(sign, text, f"{points(score)} / {points(most)}"))
    return lines


def _notes(response: Response, mark: Mark, words: PaperWords) -> list[str]:
    notes = [words.again] if response.case.closed_at is None else []
    if mark.source == MarkSource.MACHINE:
        notes.append(words.by_machine)
    elif mark.source == MarkSource.AGREED:
        notes.append(words.by_rule)
    elif not mark.steps:
        notes.append(words.direct)
    return [*notes, words.comment.format(text=mark.reason)] if mark.reason else notes
