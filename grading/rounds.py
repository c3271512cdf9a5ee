"""Reads of a round: the marks that people give in one life cycle of a case, under the scheme of its question.

A round keeps the scheme under which its first mark was given, whatever becomes of the question's setting meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import F, QuerySet

from itembank.domain.rules import read_rules

from .domain.blindness import drawn_blind
from .domain.schemes import MARKERS_PLACES, Agreed, Given, Kind, Need, Place, Rounding, Scheme, next_need
from .models import Case, GivenMark, MarkingScheme, Question

SINGLE = Scheme()


def as_rule(stored: MarkingScheme | None) -> Scheme:
    """A stored scheme as the rules read it; 单评 for a question without one."""
    if stored is None:
        return SINGLE
    return Scheme(Kind(stored.kind), stored.tolerance, Rounding(stored.rounding))


def newest_schemes(questions: Iterable[Question]) -> dict[int, MarkingScheme]:
    """The newest scheme of each question that has one, by the question's key; one query."""
    schemes = MarkingScheme.objects.filter(question__in=list(questions)).select_related("arbiter")
    return {scheme.question_id: scheme for scheme in schemes.order_by("question", "version")}


def newest_scheme(question: Question) -> MarkingScheme | None:
    """The scheme in force for a question."""
    return newest_schemes([question]).get(question.pk)


def versions_of(question: Question) -> QuerySet[MarkingScheme]:
    """All versions of a question's scheme, newest first."""
    return question.schemes.select_related("arbiter", "by").order_by("-version")


def given_marks(case: Case) -> list[GivenMark]:
    """The marks given in the present life cycle, first to last."""
    marks = case.given_marks.filter(life_cycle=case.life_cycle)
    return list(marks.select_related("by", "scheme__arbiter", "run").order_by("pk"))


def scheme_of(case: Case, marks: list[GivenMark] | None = None) -> MarkingScheme | None:
    """The scheme of the present round."""
    marks = given_marks(case) if marks is None else marks
    return marks[0].scheme if marks else newest_scheme(case.response.question)


def machine_total(case: Case) -> Decimal | None:
    """The total that the machine proposes, None where it has nothing to stand for: no run, no path, nothing read."""
    if case.run is None or case.run.reading_by_id is not None:
        return None
    verdict = case.run.document["verdict"]
    if verdict["matched_path_id"] == "UNKNOWN" or verdict["diagnosis"]["recognition_failure"]:
        return None
    return case.run.total


def step_of(case: Case) -> Decimal:
    """The step in which the question is marked."""
    return read_rules(case.response.question.rules.document).mark_step


def need_after(case: Case, scheme: MarkingScheme | None, given: Iterable[Given]) -> Need | Agreed:
    """What the round of a case comes to with these marks."""
    return next_need(as_rule(scheme), list(given), machine=machine_total(case), step=step_of(case))


def as_given(marks: Iterable[GivenMark]) -> list[Given]:
    """Stored marks as the rules read them."""
    return [Given(Place(mark.place), mark.total) for mark in marks]


@dataclass(frozen=True)
class Blindness:
    """What a person may not see of one case yet, and why."""

    machine: bool  # the machine's verdict, and everything made from its reading
    others: bool  # marks and names of those who have marked in this round


SIGHTED = Blindness(machine=False, others=False)


def _blindness(case: Case, scheme: MarkingScheme | None, markers: Mapping[int, Any]) -> Blindness:
    if case.closed_at is not None or case.need not in MARKERS_PLACES:
        return SIGHTED
    independent = as_rule(scheme).kind.independent
    drawn = scheme is not None and drawn_blind(
        scheme.blind_seed, case.public_id, case.life_cycle, per_cent=scheme.blind_share
    )
    return Blindness(machine=independent or drawn, others=bool(markers))


def blindness_of_each(cases: Iterable[Case], person: Any) -> dict[int, Blindness]:
    """What ``person`` may not see of each case, by the case's key; two queries whatever the number.

    Whoever has given their mark in the round is no longer blind: they cannot be asked for another.
    """
    cases = list(cases)
    latest: dict[int, dict[int, MarkingScheme | None]] = {}
    marks = GivenMark.objects.filter(case__in=cases, life_cycle=F("case__life_cycle"))
    for mark in marks.select_related("scheme").order_by("pk"):
        latest.setdefault(mark.case_id, {})[mark.by_id] = mark.scheme
    newest = newest_schemes({case.response.question for case in cases})
    found = {}
    for case in cases:
        markers = latest.get(case.pk, {})
        scheme = next(iter(markers.values())) if markers else newest.get(case.response.question_id)
        found[case.pk] = SIGHTED if person.pk in markers else _blindness(case, scheme, markers)
    return found


def blindness_of(case: Case, person: Any) -> Blindness:
    """What ``person`` may not see of a case."""
    return blindness_of_each([case], person)[case.pk]
