"""Several people at one answer in the same moment, over real connections: nothing is given, agreed or decided twice."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from config.foundation import trail
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster
from grading import transitions
from grading.models import Case, GivenMark, Mark, Touch
from tests.grading.test_together import THREADS, at_once
from tests.review import factory
from tests.schemes.conftest import give, steps_worth

pytestmark = pytest.mark.django_db(transaction=True)


def outcome(work: Any) -> str:
    try:
        work()
    except (SomeoneWasFaster, NotAllowedNow) as refused:
        return refused.code
    return "done"


@pytest.fixture
def case(transactional_db, room, scheme):
    scheme("2+1")
    return room.add(factory.hand_worked_document())


@pytest.fixture
def crowd(transactional_db):
    return [get_user_model()._default_manager.create(username=f"m{number}") for number in range(THREADS)]


def test_of_many_who_want_to_be_the_second_marker_one_is(case, people, crowd):
    give(case, people.teacher, 9)
    seen = [Case.objects.get(pk=case.pk) for _ in crowd]
    found = Counter(at_once(lambda number: outcome(lambda: transitions.claim(seen[number], by=crowd[number]))))
    assert found == {"done": 1, "case.moved": THREADS - 1}
    assert Touch.objects.filter(response=case.response).count() == 2


def test_one_mark_sent_many_times_at_once_is_given_once(case, people):
    held = transitions.claim(case, by=people.teacher)
    copies = [Case.objects.get(pk=case.pk) for _ in range(THREADS)]

    def send(number: int) -> str:
        return outcome(
            lambda: transitions.decide(
                copies[number],
                by=people.teacher,
                version=held.version,
                steps=steps_worth(9),
                total=Decimal(9),
                reason="",
                blind=True,
            )
        )

    assert Counter(at_once(send)) == {"done": 1, "case.moved": THREADS - 1}
    assert GivenMark.objects.count() == 1
    assert list(trail.broken_links()) == []


def test_the_mark_that_completes_a_round_sent_many_times_makes_one_edition(case, people, second):
    give(case, people.teacher, 9)
    held = transitions.claim(Case.objects.get(pk=case.pk), by=second)
    copies = [Case.objects.get(pk=case.pk) for _ in range(THREADS)]
    at_once(
        lambda number: outcome(
            lambda: transitions.decide(
                copies[number],
                by=second,
                version=held.version,
                steps=steps_worth(8),
                total=Decimal(8),
                reason="",
                blind=True,
            )
        )
    )
    assert (GivenMark.objects.count(), Mark.objects.count()) == (2, 1)
    assert list(trail.broken_links()) == []


def test_of_many_arbiters_one_takes_the_answer(case, people, second, crowd):
    give(case, people.teacher, 9)
    give(case, second, 4)
    seen = [Case.objects.get(pk=case.pk) for _ in crowd]
    found = Counter(at_once(lambda number: outcome(lambda: transitions.take_seeing(seen[number], by=crowd[number]))))
    assert found == {"done": 1, "case.moved": THREADS - 1}
    assert Touch.objects.filter(response=case.response, role="arbiter").count() == 1


def test_one_person_who_takes_an_answer_as_marker_and_as_auditor_at_once_has_one_touch(case, people):
    def take(number: int) -> str:
        if number % 2:
            return outcome(
                lambda: transitions.touch_with_fresh_eyes(case.response, person=people.leader, role="auditor")
            )
        return outcome(lambda: transitions.claim(Case.objects.get(pk=case.pk), by=people.leader))

    found = at_once(take)
    touch = Touch.objects.get(response=case.response, person=people.leader)
    refused = found.count("touch.not_fresh")
    assert refused == (THREADS // 2 if touch.role == "marker" else 0)


def test_many_settings_saved_at_once_are_one_version(case, people, room):
    from grading.domain.schemes import Kind, Rounding

    def save(number: int) -> str:
        return outcome(
            lambda: transitions.set_scheme(
                room.question,
                kind=Kind.TRIPLE,
                tolerance=Decimal(number),
                rounding=Rounding.UP,
                arbiter=None,
                blind_share=0,
                version=1,
                by=people.leader,
            )
        )

    assert Counter(at_once(save)) == {"done": 1, "scheme.moved": THREADS - 1}
    assert room.question.schemes.count() == 2
