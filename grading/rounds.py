"""Reads of a round: the marks that people give in one life cycle of a case, under the scheme of its question.

A round keeps the scheme under which its first mark was given, whatever becomes of the question's setting meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet

from config.foundation.errors import NotAllowedNow

from . import limits
from .domain.blindness import drawn_blind
from .domain.schemes import FRESH_ROLES, MARKERS_PLACES, Agreed, Given, Kind, Need, Place, Rounding, Scheme, next_need
from .models import Case, GivenMark, MarkingScheme, Question, Sight, Touch

SINGLE = Scheme()


class NotYetSeen(NotAllowedNow):
    """A marker asks for what they must not see before they have committed their own mark."""

    def __init__(self) -> None:
        super().__init__(
            "case.blind",
            "这份作答先盲评：提交您的评分之前不显示系统结论和他人的评分。",
            "This answer is marked blind: the machine's verdict and other people's marks are shown after you commit yours.",
        )


class SeenAlready(NotAllowedNow):
    """An independent mark is asked of somebody who has had the machine's verdict before their eyes."""

    def __init__(self) -> None:
        super().__init__(
            "case.seen",
            "这道题改为独立盲评，而您已经看过系统结论，这份作答须由没有看过的人评分。",
            "This question is marked blind now, and you have seen the machine's verdict: somebody who has not must mark it.",
        )


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
    return question.schemes.order_by("-version").first()


def versions_of(question: Question) -> QuerySet[MarkingScheme]:
    """All versions of a question's scheme, newest first."""
    return question.schemes.select_related("arbiter", "by").order_by("-version")


def given_marks(case: Case) -> list[GivenMark]:
    """The marks given in the present life cycle, first to last.

    Read once for each version of a case: none is added without moving it, and a case that moved meanwhile is refused
    by the conditional update of whatever verb these marks were read for.
    """
    known: tuple[tuple[int, int], list[GivenMark]] | None = case.__dict__.get("_given_marks")
    if known is None or known[0] != (case.version, case.life_cycle):
        marks = case.given_marks.filter(life_cycle=case.life_cycle)
        # Most cases wait for their first mark: asking whether there is one is much cheaper than fetching all about it.
        if not marks.exists():
            return keep_marks(case, [])
        return keep_marks(case, list(marks.select_related("by", "scheme__arbiter", "run").order_by("pk")))
    return list(known[1])


def keep_marks(case: Case, marks: list[GivenMark]) -> list[GivenMark]:
    """These are the marks of the present version too: what moved the case was not a mark."""
    case.__dict__["_given_marks"] = (case.version, case.life_cycle), marks
    return marks


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
    return case.rules.read().mark_step


def need_after(case: Case, scheme: MarkingScheme | None, given: Iterable[Given]) -> Need | Agreed:
    """What the round of a case comes to with these marks."""
    return next_need(as_rule(scheme), list(given), machine=machine_total(case), step=step_of(case))


def as_given(marks: Iterable[GivenMark]) -> list[Given]:
    """Stored marks as the rules read them."""
    return [Given(Place(mark.place), mark.total) for mark in marks]


def blind_to_each(cases: Iterable[Case], person: Any) -> frozenset[int]:
    """Keys of the cases whose machine verdict, and whose markers and marks so far, ``person`` must not see yet.

    Two queries whatever the number, three where some are drawn to be blind first. Whoever has given their mark in the
    round is no longer blind: they cannot be asked for another.
    """
    waiting = [case for case in cases if case.closed_at is None and case.need in MARKERS_PLACES]
    if not waiting:
        return frozenset()
    scheme_begun: dict[int, MarkingScheme | None] = {}
    markers: dict[int, set[int]] = {}
    marks = GivenMark.objects.filter(case__in=waiting, life_cycle=F("case__life_cycle"))
    for mark in marks.select_related("scheme").order_by("pk"):
        scheme_begun.setdefault(mark.case_id, mark.scheme)
        markers.setdefault(mark.case_id, set()).add(mark.by_id)
    newest = newest_schemes({case.response.question for case in waiting})
    schemes = {case.pk: scheme_begun.get(case.pk, newest.get(case.response.question_id)) for case in waiting}
    blind = [
        case for case in waiting if person.pk not in markers.get(case.pk, ()) and marked_blind(case, schemes[case.pk])
    ]
    # A share drawn to measure blindness cannot be measured by who has seen the verdict; independence stays hidden.
    drawn = [case for case in blind if not as_rule(schemes[case.pk]).kind.independent]
    seen = set(Sight.objects.filter(case__in=drawn, person=person).values_list("case", flat=True)) if drawn else set()
    return frozenset(case.pk for case in blind if case.pk not in seen)


def marked_blind(case: Case, scheme: MarkingScheme | None) -> bool:
    """Whether markers mark this case without sight of the machine's verdict: by its scheme, or drawn to be blind first."""
    if scheme is None:
        return False
    drawn = drawn_blind(scheme.blind_seed, case.public_id, case.life_cycle, per_cent=scheme.blind_share)
    return drawn or as_rule(scheme).kind.independent


def seen_too_much(person: Any) -> Q:
    """As a condition on cases: an independent mark is due and ``person`` has seen the machine's verdict."""
    kinds = [kind.value for kind in Kind if kind.independent]
    newer = MarkingScheme.objects.filter(question=OuterRef("question"), version__gt=OuterRef("version"))
    in_force = MarkingScheme.objects.filter(~Exists(newer), question=OuterRef("response__question"), kind__in=kinds)
    # A second or third mark is due only in rounds that began under an independent scheme.
    due = Q(need__in=[Place.SECOND, Place.THIRD]) | Q(Exists(in_force))
    return Q(need__in=MARKERS_PLACES) & Q(Exists(Sight.objects.filter(case=OuterRef("pk"), person=person))) & due


def has_seen_too_much(case: Case, person: Any) -> bool:
    """Whether an independent mark of this case cannot come from ``person`` any more: ``seen_too_much`` of one case.

    Most cases are decided by their question's scheme alone, which costs a fraction of the condition.
    """
    if case.need not in MARKERS_PLACES:
        return False
    begun = case.need != Place.FIRST
    if not begun and not as_rule(newest_scheme(case.response.question)).kind.independent:
        return False
    return Sight.objects.filter(case=case, person=person).exists()


@dataclass(frozen=True)
class Kept:
    """What may keep a case from a person: an independent mark after having seen the verdict; limits, in force or not."""

    seen_too_much: bool
    limited: bool


def what_keeps(case: Case, person: Any) -> Kept:
    """Both in one query, since every claim asks."""
    seen = ExpressionWrapper(seen_too_much(person), BooleanField())
    row = Case.objects.filter(pk=case.pk).annotate(seen=seen, limited=limits.any_of(person))
    return Kept(*row.values_list("seen", "limited").get())


def ever_blind(scheme: MarkingScheme) -> bool:
    """Whether any answer may be marked without sight of the machine's verdict under a scheme."""
    return scheme.blind_share > 0 or as_rule(scheme).kind.independent


def blind_to(case: Case, person: Any) -> bool:
    """Whether ``person`` must not see the verdict, the marks and the markers of a case yet."""
    waiting = case.closed_at is None and case.need in MARKERS_PLACES
    return waiting and blind_under(scheme_of(case), case, person)


def blind_under(scheme: MarkingScheme | None, case: Case, person: Any) -> bool:
    """The same for a case that waits for markers or is with one, whose round has this scheme."""
    if not marked_blind(case, scheme) or any(mark.by_id == person.pk for mark in given_marks(case)):
        return False
    return as_rule(scheme).kind.independent or not Sight.objects.filter(case=case, person=person).exists()


def touched_otherwise(case: Case, person: Any) -> bool:
    """Whether a person has had the answer in hand other than for the decision that is now due.

    A leader's review of 1+1 is due from anybody but the first marker; arbitration and appeals want fresh eyes.
    """
    role = FRESH_ROLES.get(Place(case.need))
    if role is None:
        return any(mark.by_id == person.pk for mark in given_marks(case))
    return Touch.objects.filter(response=case.response, person=person).exclude(role=role).exists()


def may_arbitrate(case: Case, person: Any) -> bool:
    """Whether the scheme leaves the decision to this person: nobody else is named, or the one named cannot take it."""
    scheme = None if case.need == Place.APPEAL else scheme_of(case)
    named = scheme.arbiter if scheme else None
    if named is None or named.pk == person.pk or not named.is_active:
        return True
    return touched_otherwise(case, named) or limits.held(case, named)
