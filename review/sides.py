"""Two views of answers to one question, laid side by side: a machine's run, an edition of the mark, or the reference.

A side is named in an address: ``CASE.run.2`` is the second run of the judge over an answer, ``CASE.mark.1`` the first
edition of its mark, ``CASE.exemplar.1`` that edition as the exemplar that a leader named, ``CASE.answer.1`` its pages and
nothing else, ``reference`` the solution in the scoring rules. Steps are matched by path and step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from config.foundation.canonical import number_text
from config.foundation.templatetags.people import person_name
from grading import queries
from grading.domain.credited import details_of, evidence_of
from grading.models import Case, JudgeRun, Mark, MarkSource
from itembank.domain.rules import Path, Rules

from .domain.marking_sheet import Key, proposed_paths
from .exemplars import change_since, exemplar_of, exemplars_shown_to
from .models import Exemplar
from .presentation import LineShown, PageShown, lines_of, pages_shown
from .words import AGREED_BY, STATUSES, StatusWords, Words, judge_words

REFERENCE = "reference"
ANSWER = "answer"
KINDS = ("run", "mark", "exemplar", ANSWER)
LONGEST_NUMBER = 6


@dataclass(frozen=True)
class Name:
    """What an address asks for. ``case`` is empty for the reference solution; ``number`` counts from 1."""

    case: str = ""
    kind: str = REFERENCE
    number: int = 0

    def __str__(self) -> str:
        return f"{self.case}.{self.kind}.{self.number}" if self.case else REFERENCE


def read_name(text: str) -> Name | None:
    """The side that a piece of an address names; None for anything else, whatever it holds."""
    if text == REFERENCE:
        return Name()
    case, _dot, rest = text.partition(".")
    kind, _dot, number = rest.partition(".")
    fits = case.isascii() and case.replace("-", "").replace("_", "").isalnum() and len(case) <= 16
    counts = number.isascii() and number.isdigit() and len(number) <= LONGEST_NUMBER
    return Name(case, kind, int(number)) if fits and kind in KINDS and counts else None


@dataclass(frozen=True)
class Judged:
    """One step as a side has it."""

    status: StatusWords | None
    score: Decimal
    quotes: tuple[str, ...] = ()
    line_ids: tuple[str, ...] = ()


@dataclass(frozen=True)
class Side:
    """One pane. ``steps`` holds what it judges; the reference solution judges nothing and shows what is expected."""

    name: Name
    title: Words
    by: Words
    code: str = ""
    note: str = ""
    warning: Words = ""
    total: Decimal | None = None
    most: Decimal | None = None
    paths: tuple[str, ...] = ()
    rules_sha256: str = ""
    steps: Mapping[Key, Judged] = field(default_factory=dict)
    descriptions: Mapping[Key, str] = field(default_factory=dict)
    pages: Sequence[PageShown] = ()
    solution: Sequence[Path] = ()

    @property
    def is_reference(self) -> bool:
        return not self.name.case

    @property
    def judges(self) -> bool:
        """Whether it says anything of the steps: not the reference, nor the pages alone."""
        return self.name.kind not in (REFERENCE, ANSWER)


@dataclass(frozen=True)
class Row:
    """One step on both sides; None where a side says nothing of it."""

    key: Key
    number: int
    desc: str
    points: Decimal | None
    left: Judged | None
    right: Judged | None
    differs: bool


def reference_of(rules: Rules) -> Side:
    """The solution in the scoring rules, every path of it."""
    return Side(Name(), _("Reference solution"), rules.title, most=rules.max_score, solution=rules.paths)


def _run_side(case: Case, run: JudgeRun, number: int) -> Side:
    document = run.document
    notes = [
        _("reading corrected by a person") if run.reading_by_id else "", "" if run.used else _("came too late, not used"),
    ]  # fmt: skip
    lines, pages = _drawn(case, document)
    evidence = evidence_of(document)
    steps = {
        key: Judged(
            STATUSES.get(str(each["status"])),
            Decimal(str(each["score"])),
            tuple(piece for piece in str(each["student_segment"]).splitlines() if piece.strip()),
            tuple(evidence[key]["line_ids"]) if key in evidence else (),
        )
        for key, each in details_of(document).items()
    }
    verdict = document["verdict"]
    unknown = verdict["matched_path_id"] == "UNKNOWN"
    return Side(
        Name(case.public_id, "run", number),
        _("Machine, run %(number)s") % {"number": number},
        str(judge_words(run.judge)),
        code=case.response.code,
        note=" · ".join(filter(None, [*notes, _("no path recognised") if unknown else ""])),
        total=Decimal(str(verdict["total_score"])),
        most=Decimal(str(verdict["max_score"])),
        paths=() if unknown else tuple(proposed_paths(case.rules.read(), document).values()),
        steps=steps,
        descriptions={key: str(each["rule_desc"]) for key, each in details_of(document).items()},
        pages=pages_shown(pages, lines, document),
    )


def _drawn(case: Case, document: Mapping[str, Any] | None) -> tuple[tuple[LineShown, ...], list[Any]]:
    pages = list(case.response.pages.order_by("number"))
    return lines_of(document, pages), pages


def maker_of(mark: Mark) -> Words:
    """Who or what made an edition: a person, a rule of the scheme or the machine's proof."""
    if mark.by is not None:
        return str(person_name(mark.by))
    return AGREED_BY.get(mark.rule, mark.rule) if mark.source == MarkSource.AGREED else _("Auto-accepted")


def _mark_side(case: Case, mark: Mark) -> Side:
    lines, pages = _drawn(case, mark.run.document if mark.run else None)
    # The machine's evidence is not the person's: of a mark only the lines of the reading are drawn, without statuses.
    return Side(
        Name(case.public_id, "mark", mark.edition),
        _("Mark, edition %(number)s") % {"number": mark.edition},
        maker_of(mark),
        code=case.response.code,
        note=mark.reason,
        total=mark.total,
        most=mark.max_score,
        paths=tuple(dict.fromkeys(each["path_id"] for each in mark.steps)),
        steps={
            (each["path_id"], each["step_id"]): Judged(STATUSES.get(str(each["status"])), Decimal(str(each["score"])))
            for each in mark.steps
        },
        pages=pages_shown(pages, lines),
    )


def _exemplar_side(case: Case, exemplar: Exemplar) -> Side:
    """The mark that the leader published, why, and whether the answer has another by now."""
    side = _mark_side(case, exemplar.mark)
    changed = change_since(case, exemplar)
    return replace(
        side,
        name=Name(case.public_id, "exemplar", exemplar.mark.edition),
        title=_("Exemplar"),
        by=_("named by %(name)s") % {"name": person_name(exemplar.by)},
        note=exemplar.note,
        warning=changed,
    )


def answer_alone(case: Case) -> Side:
    """The pages of an answer and nothing of what anybody made of it, for whoever marks it blind."""
    pages = list(case.response.pages.order_by("number"))
    return Side(
        Name(case.public_id, ANSWER, 1), _("Answer"), _("as handed in"), code=case.response.code,
        pages=pages_shown(pages, ()),
    )  # fmt: skip


def side_of(case: Case, name: Name) -> Side | None:
    """The pane of that run, edition or exemplar of an answer the reader may see; None where there is no such."""
    if name.kind == ANSWER:
        return answer_alone(case) if name.number == 1 else None
    if name.kind == "exemplar":
        exemplar = exemplar_of(case)
        fits = exemplar is not None and exemplar.mark.edition == name.number
        return _exemplar_side(case, exemplar) if exemplar is not None and fits else None
    if name.kind == "mark":
        mark = queries.marks_of(case).filter(edition=name.number).first()
        return _mark_side(case, mark) if mark else None
    runs = list(queries.runs_of(case)[: max(0, name.number)])
    return _run_side(case, runs[-1], name.number) if name.number and len(runs) == name.number else None


def newest_of(case: Case) -> Name | None:
    """The side that stands for an answer: its latest edition, else the run whose proposal stands."""
    mark = queries.standing_mark(case)
    if mark is not None:
        return Name(case.public_id, "mark", mark.edition)
    keys = list(queries.runs_of(case).values_list("pk", flat=True))
    if case.run_id in keys:
        return Name(case.public_id, "run", keys.index(case.run_id) + 1)
    return Name(case.public_id, "run", len(keys)) if keys else None


def rows_of(rules: Rules, left: Side, right: Side) -> list[Row]:
    """The steps that either side judges, in the order of the rules; steps that the rules no longer hold come last.

    Beside the reference, or pages alone, every step of the paths that the other side is marked along is shown, and none differs.
    """
    known = {(path.path_id, step.step_id): step for path in rules.paths for step in path.steps}
    said = [key for side in (left, right) for key in side.steps]
    paths = {*left.paths, *right.paths}
    shown = [key for key in known if key in said or key[0] in paths] + [
        key for key in dict.fromkeys(said) if key not in known
    ]
    compared = left.judges and right.judges
    rows = []
    for number, key in enumerate(shown, start=1):
        one, other = left.steps.get(key), right.steps.get(key)
        step = known.get(key)
        rows.append(
            Row(
                key, number,
                step.desc if step else left.descriptions.get(key, right.descriptions.get(key, "")),
                step.points if step else None,
                one, other,
                compared and _differ(one, other),
            )
        )  # fmt: skip
    return rows


def _differ(one: Judged | None, other: Judged | None) -> bool:
    if one is None or other is None:
        return one is not other
    return (one.status, one.score) != (other.status, other.score)


@dataclass(frozen=True)
class Choice:
    """One side that may be picked."""

    name: str
    words: Words


def choices_of(case: Case) -> list[Choice]:
    """Every run and every edition of one answer the reader may see."""
    runs = [
        (number, judge, total) for number, (judge, total) in enumerate(queries.runs_of(case).values_list("judge", "total"), 1)
    ]  # fmt: skip
    marks = list(queries.marks_of(case))
    return [
        *(
            Choice(str(Name(case.public_id, "run", number)), f"{_('Machine, run %(number)s') % {'number': number}} · {judge}")
            for number, judge, _total in runs
        ),
        *(
            Choice(
                str(Name(case.public_id, "mark", mark.edition)),
                f"{_('Mark, edition %(number)s') % {'number': mark.edition}} · {maker_of(mark)}",
            )
            for mark in marks
        ),
    ]  # fmt: skip


def exemplar_choices(case: Case, person: Any, *, own: bool) -> list[Choice]:
    """The exemplars of the question that a person may see; without ``own`` not the answer itself."""
    return [
        Choice(
            str(Name(each.case.public_id, "exemplar", each.mark.edition)),
            f"{each.case.response.code} · {number_text(each.mark.total)} / {number_text(each.mark.max_score)} · {each.note}",
        )
        for each in exemplars_shown_to(person, case.response.question, but=None if own else case)
    ]
