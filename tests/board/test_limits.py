"""Pausing and capping a marker: new claims are refused with the leader's reason, nothing in hand or given is lost."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from django.db import connection
from django.urls import reverse

from config.foundation import trail
from config.foundation.errors import SomeoneWasFaster, UnusableInput
from grading import limits, queries, transitions
from grading.chains import assessment_chain
from grading.limits import MarkerHeld
from grading.models import Case, GivenMark, MarkerLimit, PassedOn
from itembank.models import ScoringRules
from tests.board.conftest import at, marked_by, marker
from tests.review import factory
from tests.schemes.conftest import give, steps_worth

REASON = "先一起看第 3 步的细则"


@pytest.fixture
def limit(room, people):
    def use(person, *, whole=False, paused=False, cap=None, reason=REASON):
        question = None if whole else room.question
        present = limits.versions_of(room.assessment, person, question).first()
        return transitions.limit_marker(
            room.assessment, person=person, question=question, paused=paused, cap=cap, reason=reason,
            version=present.version if present else 0, by=people.leader,
        )  # fmt: skip

    return use


def waiting(room, number=1):
    return [room.add(factory.hand_worked_document()) for _ in range(number)]


@pytest.mark.parametrize("whole", [False, True], ids=["one question", "whole assessment"])
def test_a_paused_marker_is_dealt_nothing_and_can_take_nothing_and_reads_why(whole, room, people, limit):
    [case] = waiting(room)
    limit(people.teacher, paused=True, whole=whole)
    for refused in (
        lambda: transitions.claim(case, by=people.teacher),
        lambda: transitions.claim_next(room.assessment, by=people.teacher),
    ):
        with pytest.raises(MarkerHeld, match=REASON) as told:
            refused()
        assert told.value.code == "marker.paused"
        assert REASON in told.value.zh
    assert transitions.claim_next(room.assessment, by=people.leader) == case


def test_what_is_in_hand_is_finished_and_the_next_is_not_dealt(room, people, limit, as_person):
    mine, other = waiting(room, 2)
    mine = transitions.claim(mine, by=people.teacher)
    limit(people.teacher, paused=True)
    assert transitions.claim(mine, by=people.teacher) == mine
    mark = transitions.decide(
        mine, by=people.teacher, version=mine.version, steps=steps_worth(9), total=Decimal(9), reason="看图"
    )
    assert mark is not None
    answer = as_person(people.teacher).post(reverse("review:next", args=[room.assessment.public_id]), follow=True)
    assert "阅卷组长暂停了您" in answer.content.decode()
    assert REASON in answer.content.decode()
    assert Case.objects.get(pk=other.pk).claimed_by is None


def test_a_slow_marker_who_was_paused_meanwhile_still_hands_in(room, people, limit):
    [case] = waiting(room)
    case = transitions.claim(case, by=people.teacher)
    shown = case.version
    Case.objects.filter(pk=case.pk).update(claim_until="2026-01-01T00:00Z")
    limit(people.teacher, paused=True)
    case = Case.objects.get(pk=case.pk)
    transitions.end_claim(case)
    assert transitions.take_up_again(case, by=people.teacher, version=shown)


def test_a_cap_counts_different_answers_marked_or_in_hand(room, people, limit):
    first, second, third = waiting(room, 3)
    limit(people.teacher, cap=2)
    give(first, people.teacher, 9, blind=False)
    transitions.claim(second, by=people.teacher)
    with pytest.raises(MarkerHeld) as told:
        transitions.claim(third, by=people.teacher)
    assert (told.value.code, "2" in told.value.zh) == ("marker.capped", True)
    [row] = limits.in_force(room.assessment)
    assert (row.used, row.holds) == (2, True)
    # One that is put back no longer counts, one returned to them is no further one.
    transitions.release(Case.objects.get(pk=second.pk), by=people.teacher)
    give(third, people.teacher, 9, blind=False)
    first = Case.objects.get(pk=first.pk)
    transitions.return_mark(first, by=people.leader, version=first.version, reason="再看")
    assert transitions.claim(first, by=people.teacher).claimed_by == people.teacher
    assert GivenMark.objects.filter(by=people.teacher).count() == 2


def test_the_queue_goes_on_with_the_questions_that_are_left(room, people, limit):
    waiting(room, 21)
    rules = ScoringRules.objects.get()
    question = room.assessment.questions.create(number=18, label="第 18 题", rules=rules, max_score=12)
    seventeen, room.question = room.question, question
    [wanted] = waiting(room)
    room.question = seventeen
    limit(people.teacher, paused=True)
    assert transitions.claim_next(room.assessment, by=people.teacher) == wanted


def test_freed_again_everything_is_dealt_and_every_version_stays_with_its_event(room, people, limit):
    [case] = waiting(room)
    limit(people.teacher, paused=True)
    limit(people.teacher, cap=5)
    limit(people.teacher, reason="谈过了")
    assert transitions.claim_next(room.assessment, by=people.teacher) == case
    assert limits.in_force(room.assessment) == []
    told = [each for each in trail.events_of(assessment_chain(room.assessment)) if each.verb == "limit_marker"]
    assert [(each.body["before"], each.body["after"]) for each in told] == [
        ({"paused": False, "cap": None}, {"paused": True, "cap": None}),
        ({"paused": True, "cap": None}, {"paused": False, "cap": 5}),
        ({"paused": False, "cap": 5}, {"paused": False, "cap": None}),
    ]
    assert MarkerLimit.objects.count() == 3
    assert all("谈过了" not in str(each.body) and REASON not in str(each.body) for each in told)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"reason": " "}, "limit.reason"),
        ({"reason": "长" * 301}, "limit.reason"),
        ({"cap": 0}, "limit.cap"),
        ({"cap": -1}, "limit.cap"),
        ({"cap": 10**9}, "limit.cap"),
    ],
)
def test_what_makes_no_sense_limits_nobody(changes, code, room, people, limit):
    with pytest.raises(UnusableInput) as refused:
        limit(people.teacher, **({"paused": True} | changes))
    assert refused.value.code == code
    assert not MarkerLimit.objects.exists()


def test_only_who_marks_here_is_limited_and_only_of_a_question_of_this_assessment(room, people, limit):
    for person in (people.auditor, people.stranger, None):
        with pytest.raises(UnusableInput):
            limit(person, paused=True)
    other = factory.make_room(people, code="OTHER")
    with pytest.raises(UnusableInput):
        transitions.limit_marker(
            room.assessment, person=people.teacher, question=other.question, paused=True, cap=None, reason=REASON,
            version=0, by=people.leader,
        )  # fmt: skip


def test_two_leaders_set_one_limit_once(room, people):
    def use():
        transitions.limit_marker(
            room.assessment, person=people.teacher, question=None, paused=True, cap=None, reason=REASON, version=0,
            by=people.leader,
        )  # fmt: skip

    use()
    with pytest.raises(SomeoneWasFaster):
        use()
    assert MarkerLimit.objects.count() == 1


def test_an_answer_passed_on_waits_for_nobody_who_is_paused(room, people, limit):
    colleague = marker(room, people, "sun", "孙老师")
    for paused_before in (True, False):
        case = transitions.claim(waiting(room)[0], by=people.teacher)
        limit(colleague, paused=paused_before, cap=None if paused_before else 9)
        transitions.pass_on(case, by=people.teacher, version=case.version, to=colleague, note="请看")
        limit(colleague, paused=True)
        assert not PassedOn.objects.filter(kept=True).exists()
        assert case in queries.free_cases(room.assessment, person=people.leader)


def test_a_group_leaves_out_what_a_cap_does_not_reach(room, people, limit):
    from review.domain.group_marks import MemberOutcome, Shown
    from review.like_answers import pages_seen
    from review.transitions import mark_group

    cases = waiting(room, 3)
    limit(people.teacher, cap=2)
    shown = [Shown(case.public_id, case.version, pages_seen(case.response.pages.all())) for case in cases]
    group = mark_group(
        room.question,
        by=people.teacher,
        key="k",
        shown=shown,
        without=[],
        steps=steps_worth(9),
        total=Decimal(9),
        reason="同",
    )
    outcomes = sorted(member.outcome for member in group.members.all())
    assert outcomes == sorted([MemberOutcome.MARKED, MemberOutcome.MARKED, MemberOutcome.LEFT_OUT])
    assert "上限" in group.members.get(outcome=MemberOutcome.LEFT_OUT).zh


def test_the_leader_pauses_caps_and_frees_on_the_page(room, people, as_person):
    marked_by(room, people.teacher, (9,))
    client, address = as_person(people.leader, "en"), at("limits", room)
    chosen = {"marker": "teacher", "question": room.question.public_id}
    assert 'name="cap"' in client.get(address, chosen).content.decode()
    forms: tuple[tuple[dict[str, object], str], ...] = (
        ({"paused": "yes", "version": 0}, "paused"),
        ({"cap": "5", "version": 1}, "1 of at most 5"),
    )
    for form, said in forms:
        assert client.post(address, {**chosen, "reason": REASON, **form}).status_code == 302
        assert said in client.get(at("board", room)).content.decode()
        assert said in client.get(address).content.decode()
    assert client.post(address, {**chosen, "reason": REASON, "version": 0}).status_code == 409
    for wrong, words in (
        ({"reason": " ", "version": 2}, "Say why"),
        ({"reason": "x", "cap": "many", "version": 2}, "whole number"),
        ({"reason": "x", "question": "nowhere", "paused": "yes"}, "not of this assessment"),
        ({"reason": "x", "marker": "nobody", "paused": "yes"}, "does not mark"),
    ):
        answer = client.post(address, chosen | wrong)
        assert (answer.status_code, words in answer.content.decode()) == (422, True), wrong
    assert client.post(address, {**chosen, "reason": "x", "version": 2}).status_code == 302
    assert limits.in_force(room.assessment) == []
    assert "You have marked" not in as_person(people.teacher, "en").get(at("queue", room)).content.decode()


def test_the_marker_s_queue_says_so_before_they_try(room, people, limit, as_person):
    limit(people.teacher, cap=3)
    page = as_person(people.teacher).get(at("queue", room)).content.decode()
    assert "您已评阅或领取 0 份，上限 3 份" in page
    assert REASON in page


@pytest.mark.django_db(transaction=True)
def test_a_cap_is_counted_exactly_when_one_person_claims_in_many_windows(people, data_dir):
    room = factory.make_room(people)
    cases = waiting(room, 12)
    transitions.limit_marker(
        room.assessment, person=people.teacher, question=room.question, paused=False, cap=4, reason=REASON, version=0,
        by=people.leader,
    )  # fmt: skip
    workers = 6 if connection.vendor == "postgresql" else 3
    start = threading.Barrier(workers)

    def claim_some(number: int) -> int:
        try:
            start.wait()
            taken = 0
            for case in cases[number::workers]:
                try:
                    transitions.claim(Case.objects.get(pk=case.pk), by=people.teacher)
                    taken += 1
                except MarkerHeld:
                    continue
            return taken
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        taken = list(pool.map(claim_some, range(workers)))
    assert sum(taken) == Case.objects.filter(claimed_by=people.teacher).count() == 4
