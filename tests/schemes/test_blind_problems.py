"""A blind marker reports a problem paper like anybody else, and learns nothing of the verdict by it."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from grading import transitions
from grading.domain.problems import HANDLING, Finding, ProblemKind
from grading.models import Case, GivenMark, Mark, Problem
from tests.review import factory
from tests.schemes.conftest import give
from tests.schemes.test_blind_page import SECRETS, beside, telling_document

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(room: factory.Room, people: Any, scheme: Any) -> Case:
    """Marked once by 王老师; the second mark is due."""
    scheme("2+1")
    made = room.add(telling_document())
    give(made, people.teacher, 9, reason="首评理由")
    return Case.objects.get(pk=made.pk)


def report(client: Any, case: Case, kind: str, note: str = "看不清", **more: str) -> Any:
    client.post(reverse("review:blind-claim", args=[case.public_id]))
    sent = beside(case) | {"kind": kind, "note": note} | more
    return client.post(reverse("review:report-problem", args=[case.public_id]), sent)


@pytest.mark.parametrize("kind", list(ProblemKind))
def test_every_kind_can_be_reported_and_goes_where_it_belongs(kind, case, room, second, as_person):
    following = room.add(telling_document())
    client = as_person(second)
    answer = report(client, case, kind.value)
    assert answer.status_code == 302
    problem = Problem.objects.get()
    assert (problem.kind, problem.raised_by, problem.note) == (kind.value, second, "看不清")
    case.refresh_from_db()
    if HANDLING[kind].puts_aside:
        assert answer["Location"] == reverse("review:case", args=[following.public_id])
        assert (case.problem, case.claimed_by) == (kind.value, None)
    else:
        assert answer["Location"] == reverse("review:blind", args=[case.public_id])
        assert case.claimed_by == second
    assert GivenMark.objects.count() == 1
    assert not Mark.objects.exists()


@pytest.mark.parametrize(("kind", "more"), [("ZERO", {}), ("BLANK", {"note": "x" * 301}), ("BLANK", {"version": "1"})])
def test_no_refusal_shows_the_verdict_or_the_first_mark(kind, more, case, second, as_person):
    answer = report(as_person(second), case, kind, **more)
    assert answer.status_code in (409, 422)
    assert not [word for word in SECRETS if word in answer.content.decode()]
    assert not Problem.objects.exists()


def test_the_page_has_the_buttons_and_shows_only_what_became_of_ones_own_report(case, people, second, as_person):
    held = transitions.claim(Case.objects.get(pk=case.pk), by=people.leader)
    transitions.report_problem(
        held, by=people.leader, version=held.version, kind=ProblemKind.COPYING, note="与 7F3K99 相同，首评 9 分"
    )
    transitions.release(held, by=people.leader)
    client = as_person(second)
    report(client, case, "INSTRUCTION", note="卷面写了请求")
    own = Problem.objects.get(raised_by=second)
    transitions.settle_problem(own, by=people.leader, finding=Finding.UNFOUNDED, answer="只是题目抄写")
    body = client.get(reverse("review:blind", args=[case.public_id])).content.decode()
    assert body.count('name="kind"') == len(ProblemKind)
    assert "只是题目抄写" in body
    assert "首评 9 分" not in body
