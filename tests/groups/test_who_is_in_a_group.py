"""Which waiting answers a marker finds in groups: those they may mark with the verdict in sight, and which nobody has begun."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from grading import transitions
from grading.domain.problems import ProblemKind
from grading.domain.schemes import Kind, Rounding
from grading.models import Case, JudgeRun
from itembank.algebra.kept import Kept
from itembank.transitions import publish_rules
from review import like_answers
from review.like_answers import groups_of, sheet_of
from review.transitions import save_draft
from tests.gate.cast import rules_json
from tests.groups.answers import document
from tests.groups.conftest import Alike

pytestmark = pytest.mark.django_db


def members(alike: Alike, person: Any) -> list[set[str]]:
    found = groups_of(alike.room.question, person)
    return [{case.response.code for case in group.cases} for group in found.groups]


def codes(cases: list[Case]) -> set[str]:
    return {case.response.code for case in cases}


def test_like_answers_stand_together_and_the_doubtful_one_alone(alike, people):
    found = groups_of(alike.room.question, people.teacher)
    assert members(alike, people.teacher) == [codes(alike.same), codes(alike.carried)]
    assert (found.covered, found.waiting) == (7, 8)
    assert dict(found.alone) == {"reading": 1}


def scheme(alike: Alike, people: Any, kind: Kind, share: int = 0) -> None:
    transitions.set_scheme(
        alike.room.question, kind=kind, tolerance=Decimal(1), rounding=Rounding.HALF_UP, arbiter=None, blind_share=share,
        version=0, by=people.leader,
    )  # fmt: skip


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind.independent])
def test_where_marks_are_independent_nobody_sees_a_group(kind, alike, people):
    scheme(alike, people, kind)
    assert members(alike, people.teacher) == []


def test_answers_drawn_to_be_blind_first_stand_in_no_group(alike, people):
    scheme(alike, people, Kind.SINGLE, share=100)
    assert members(alike, people.teacher) == []


def a_colleague_has_it(case: Case, people: Any) -> None:
    transitions.claim(case, by=people.leader)


def skipped(case: Case, people: Any) -> None:
    transitions.skip(transitions.claim(case, by=people.teacher), by=people.teacher)


def begun(case: Case, people: Any) -> None:
    held = transitions.claim(case, by=people.teacher)
    save_draft(held, by=people.teacher, fields={"reason": ["x"]}, beside="", known=0, window="w")
    transitions.release(held, by=people.teacher)


def copied(case: Case, people: Any) -> None:
    held = transitions.claim(case, by=people.leader)
    transitions.report_problem(held, by=people.leader, version=held.version, kind=ProblemKind.COPYING, note="")
    held.refresh_from_db()
    transitions.release(held, by=people.leader)


def returned(case: Case, people: Any) -> None:
    held = transitions.claim(case, by=people.teacher)
    transitions.decide(held, by=people.teacher, version=held.version, steps=[], total=Decimal(1), reason="x")
    transitions.return_mark(held, by=people.leader, version=held.version, reason="重评")


def passed_on(case: Case, people: Any) -> None:
    held = transitions.claim(case, by=people.leader)
    transitions.pass_on(held, by=people.leader, version=held.version, to=people.teacher, note="第 3 步请您看")


def reading_corrected(case: Case, people: Any) -> None:
    JudgeRun.objects.filter(case=case).update(reading_by=people.leader)


def with_the_machine(case: Case, people: Any) -> None:
    Case.objects.filter(pk=case.pk).update(owner="HANDOFF_PENDING", skipped_until=timezone.now())


@pytest.mark.parametrize(
    "happens", [a_colleague_has_it, skipped, begun, copied, passed_on, returned, reading_corrected, with_the_machine]
)
def test_an_answer_that_somebody_has_to_look_at_by_itself_leaves_its_group(
    happens: Callable[[Case, Any], None], alike: Alike, people: Any
) -> None:
    happens(alike.same[1], people)
    assert members(alike, people.teacher)[0] == codes(alike.same) - {alike.same[1].response.code}


def test_an_answer_judged_by_other_rules_than_the_question_has_now_stands_alone(alike, people):
    changed = rules_json() | {"title": "等差数列（修订）"}
    alike.room.question.rules = publish_rules(changed, by=people.staff)
    alike.room.question.save()
    assert dict(groups_of(alike.room.question, people.teacher).alone) == {"held": 8}
    Case.objects.update(rules=alike.room.question.rules)
    found = groups_of(alike.room.question, people.teacher)
    assert found.groups == ()
    assert dict(found.alone) == {"other_rules": 7, "reading": 1}


def test_the_verdicts_are_read_once_and_the_queries_do_not_grow(alike, people, monkeypatch):
    groups_of(alike.room.question, people.teacher)

    def asked() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            found = groups_of(alike.room.question, people.teacher)
            sheet_of(found.groups[0])
        return len(queries)

    few = asked()
    for number in range(6):
        alike.room.add(document("right", key=f"more-{number}"))
    groups_of(alike.room.question, people.teacher)
    assert asked() == few
    monkeypatch.setattr(like_answers, "likeness", None)  # would be called for a verdict not seen before
    assert len(groups_of(alike.room.question, people.teacher).groups[0].cases) == 11


def test_one_request_reads_a_bounded_number_of_verdicts_and_says_what_is_left(alike, people, monkeypatch):
    monkeypatch.setattr(like_answers, "_seen", Kept(10))
    monkeypatch.setattr(like_answers, "MOST_READ", 3)
    first = groups_of(alike.room.question, people.teacher)
    assert dict(first.alone)["later"] == 5
    for _ in range(2):
        last = groups_of(alike.room.question, people.teacher)
    assert last.covered == 7


def test_a_sheet_shows_a_bounded_number_and_the_odd_ones_first(alike, people, monkeypatch):
    monkeypatch.setattr(like_answers, "MOST_ON_A_SHEET", 3)
    sheet = sheet_of(groups_of(alike.room.question, people.teacher).groups[0])
    assert (len(sheet.cases), sheet.more) == (3, 2)
    assert codes(list(sheet.cases[:2])) == codes(alike.same[3:])
    assert len(sheet.shown) == 3
