"""Problem papers: each kind has its button and its desk, nothing becomes a zero by itself."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from config.foundation.models import Event
from grading import queries, transitions
from grading.domain.problems import HANDLING, LONGEST_NOTE, Finding, ProblemKind
from grading.models import Case, Mark, Problem, Touch
from review.words import FINDINGS, PROBLEMS
from tests.grading.test_together import at_once
from tests.review import factory
from tests.review.conftest import screen_of

ASIDE = [kind for kind, handling in HANDLING.items() if handling.puts_aside]
REPORTED = [kind for kind, handling in HANDLING.items() if not handling.puts_aside]


def report(client, case, kind, **data):
    fields = {"version": case.version, "screen": screen_of(case), "kind": kind, "note": "看不清"} | data
    return client.post(reverse("review:report-problem", args=[case.public_id]), fields)


def raised(case, person, kind=ProblemKind.UNREADABLE) -> Problem:
    return transitions.report_problem(case, by=person, version=case.version, kind=kind, note="")


def test_every_kind_has_words_a_desk_and_a_button(claimed, people, as_person):
    assert set(PROBLEMS) == {kind.value for kind in ProblemKind} == {kind.value for kind in HANDLING}
    assert set(FINDINGS) == {finding.value for finding in Finding}
    body = as_person(people.teacher).get(reverse("review:case", args=[claimed.public_id])).content.decode()
    for kind in ProblemKind:
        assert f'name="kind" value="{kind.value}"' in body


@pytest.mark.parametrize("kind", ASIDE)
def test_an_answer_put_aside_is_dealt_to_nobody_and_has_no_mark(kind, claimed, room, people, as_person):
    following = room.add(factory.hand_worked_document())
    answer = report(as_person(people.teacher), claimed, kind.value)
    assert answer["Location"] == reverse("review:case", args=[following.public_id])
    claimed.refresh_from_db()
    assert (claimed.owner, claimed.claimed_by, claimed.problem) == ("QUEUED_HUMAN", None, kind.value)
    assert claimed not in queries.free_cases(room.assessment)
    with pytest.raises(NotAllowedNow):
        transitions.claim(claimed, by=people.leader)
    assert not Mark.objects.exists()


@pytest.mark.parametrize("kind", REPORTED)
def test_what_is_only_reported_is_still_marked_by_the_same_person(kind, claimed, people, as_person):
    client = as_person(people.teacher)
    answer = report(client, claimed, kind.value)
    assert answer["Location"] == reverse("review:case", args=[claimed.public_id])
    claimed.refresh_from_db()
    assert (claimed.claimed_by, claimed.problem) == (people.teacher, "")
    data = {"version": claimed.version, "screen": screen_of(claimed), "accept": "yes"}
    assert client.post(reverse("review:decide", args=[claimed.public_id]), data).status_code == 302
    assert Mark.objects.count() == 1


@pytest.mark.parametrize("finding", list(Finding))
@pytest.mark.parametrize("kind", list(ProblemKind))
def test_no_finding_makes_a_mark_and_the_marker_is_told_it(kind, finding, claimed, people, as_person):
    problem = raised(claimed, people.teacher, kind)
    leader = as_person(people.leader)
    address = reverse("review:settle-problem", args=[problem.public_id])
    assert leader.post(address, {"finding": finding.value, "answer": "组长看过了"}).status_code == 302
    assert not Mark.objects.exists()
    case = Case.objects.get(pk=claimed.pk)
    assert case.problem == ""
    assert case.closed_at is None
    body = as_person(people.teacher).get(reverse("review:case", args=[case.public_id])).content.decode()
    assert "组长看过了" in body
    assert str(FINDINGS[finding.value]) in body
    assert Touch.objects.filter(response=case.response, person=people.leader).exists()


def test_a_confirmed_blank_answer_becomes_a_zero_only_by_a_person(claimed, people):
    problem = raised(claimed, people.teacher, ProblemKind.BLANK)
    transitions.settle_problem(problem, by=people.leader, finding=Finding.CONFIRMED, answer="空白")
    case = transitions.claim(Case.objects.get(pk=claimed.pk), by=people.teacher)
    assert not Mark.objects.exists()
    assert case.claimed_by == people.teacher


def test_each_desk_shows_what_lies_with_it(room, people, as_person):
    for kind in ProblemKind:
        case = transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
        raised(case, people.teacher, kind)
    address = reverse("review:problems", args=[room.assessment.public_id])
    staff, leader = (as_person(each).get(address).content.decode() for each in (people.staff, people.leader))
    for kind, handling in HANDLING.items():
        problem = Problem.objects.get(kind=kind)
        assert problem.public_id in leader
        assert (problem.public_id in staff) == (handling.desk.value == "administer_assessment")


def test_the_desk_is_closed_to_markers_auditors_and_strangers(claimed, people, as_person):
    problem = raised(claimed, people.teacher, ProblemKind.COPYING)
    desk = reverse("review:problems", args=[claimed.response.question.assessment.public_id])
    settle = reverse("review:settle-problem", args=[problem.public_id])
    for person, status in ((people.teacher, 403), (people.auditor, 403), (people.stranger, 404)):
        assert as_person(person).get(desk).status_code == status
        assert as_person(person).post(settle, {"finding": "CONFIRMED", "answer": "x"}).status_code == status
    assert as_person(people.staff).post(settle, {"finding": "CONFIRMED", "answer": "x"}).status_code == 403
    problem.refresh_from_db()
    assert problem.finding == ""


def test_a_finding_needs_words_and_what_was_typed_stays(claimed, people, as_person):
    problem = raised(claimed, people.teacher)
    client, address = as_person(people.leader), reverse("review:settle-problem", args=[problem.public_id])
    refused = client.post(address, {"finding": "CONFIRMED", "answer": "  "})
    assert refused.status_code == 422
    assert "请写明查看的结果" in refused.content.decode()
    refused = client.post(address, {"finding": "ZERO", "answer": "直接零分"})
    assert refused.status_code == 422
    assert "直接零分" in refused.content.decode()
    assert client.post(address, {"finding": "CONFIRMED", "answer": "x" * (LONGEST_NOTE + 1)}).status_code == 422


@pytest.mark.parametrize("kind", ["", "ZERO", "\x00", "unreadable", "<script>"])
def test_a_kind_that_is_none_is_refused(kind, claimed, people, as_person):
    answer = report(as_person(people.teacher, "en"), claimed, kind)
    assert answer.status_code == 422
    assert "Choose what is wrong" in answer.content.decode()
    assert not Problem.objects.exists()


def test_a_stale_report_is_refused_with_what_happened(claimed, people, as_person):
    transitions.release(claimed, by=people.teacher)
    assert report(as_person(people.teacher), claimed, "BLANK").status_code == 409
    assert report(as_person(people.teacher), claimed, "BLANK", screen="").status_code == 409
    assert not Problem.objects.exists()


def test_the_same_problem_is_not_open_twice_and_a_settled_one_may_come_again(claimed, people):
    first = raised(claimed, people.teacher, ProblemKind.COPYING)
    with pytest.raises(NotAllowedNow):
        raised(claimed, people.teacher, ProblemKind.COPYING)
    transitions.settle_problem(first, by=people.leader, finding=Finding.UNFOUNDED, answer="不是")
    assert raised(claimed, people.teacher, ProblemKind.COPYING).pk != first.pk


def test_a_note_is_text_and_never_stands_in_an_event(claimed, people, as_person):
    note = "<b>张三</b> 的卷子\x00"
    report(as_person(people.teacher), claimed, "UNREADABLE", note=note)
    assert Problem.objects.get().note == "<b>张三</b> 的卷子"
    desk = reverse("review:problems", args=[claimed.response.question.assessment.public_id])
    assert "<b>张三" not in as_person(people.leader).get(desk).content.decode()
    assert all("张三" not in str(event.body) for event in Event.objects.all())
    assert queries.broken_link_of(claimed) is None
    with pytest.raises(UnusableInput):
        transitions.report_problem(
            transitions.claim(claimed_again(claimed, people), by=people.teacher), by=people.teacher,
            version=Case.objects.get(pk=claimed.pk).version, kind=ProblemKind.BLANK, note="x" * (LONGEST_NOTE + 1),
        )  # fmt: skip


def claimed_again(case, people) -> Case:
    transitions.settle_problem(Problem.objects.get(), by=people.leader, finding=Finding.UNFOUNDED, answer="清楚")
    return Case.objects.get(pk=case.pk)


def test_the_desk_costs_the_same_number_of_queries_for_one_paper_and_for_many(room, people, as_person):
    client, counts = as_person(people.leader), []
    address = reverse("review:problems", args=[room.assessment.public_id])
    for more in (1, 8):
        for _ in range(more):
            raised(transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher), people.teacher)
        client.get(address)
        with CaptureQueriesContext(connection) as caught:
            assert client.get(address).status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1]


@pytest.mark.django_db(transaction=True)
def test_of_many_who_settle_one_paper_at_once_one_finding_stands(transactional_db, people, data_dir):
    room = factory.make_room(people)
    problem = raised(transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher), people.teacher)

    def settle(number: int) -> bool:
        try:
            own = Problem.objects.select_related("case__response").get(pk=problem.pk)
            transitions.settle_problem(own, by=people.leader, finding=Finding.CONFIRMED, answer=f"第{number}人")
        except SomeoneWasFaster:
            return False
        return True

    assert sum(at_once(settle)) == 1
    assert Event.objects.filter(verb="settle_problem").count() == 1
