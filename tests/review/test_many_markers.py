"""Many markers over one queue at the same time: nobody holds another's answer, no mark is lost or doubled.

PostgreSQL: 50 markers over 2 000 answers. SQLite, which serves one small room: 8 markers over 160.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster
from grading import queries, transitions
from grading.models import Candidate, Case, Mark, Owner, Response, SchoolClass
from review.models import Draft
from review.transitions import hand_in, save_draft
from tests.review import factory

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
THINKING = 0.03
SIZES = {"postgresql": (50, 2000), "sqlite": (8, 160)}


@pytest.fixture
def crowd(people, data_dir):
    """The room, its markers, and as many queued answers as the database is meant for."""
    room = factory.make_room(people)
    markers, answers = SIZES[connection.vendor]
    now = timezone.now()
    school_class = SchoolClass.objects.create(name="高三(1)班")
    candidates = Candidate.objects.bulk_create(
        Candidate(number=f"{number:06}", name=f"学生{number}", school_class=school_class) for number in range(answers)
    )
    responses = Response.objects.bulk_create(
        Response(question=room.question, candidate=each, code=f"C{each.number}", created_at=now) for each in candidates
    )
    Case.objects.bulk_create(
        Case(
            response=each, owner=Owner.QUEUED_HUMAN, owner_epoch=3, decision="MANUAL_REVIEW", created_at=now,
            service_ended_at=now, rules=room.question.rules,
        )
        for each in responses
    )  # fmt: skip
    make = get_user_model()
    return room, make.objects.bulk_create(make(username=f"marker{number}") for number in range(markers))


def test_no_answer_is_held_twice_and_no_mark_is_lost_or_doubled(crowd):
    room, markers = crowd
    held: Counter[int] = Counter()
    lock = threading.Lock()
    start = threading.Barrier(len(markers))

    def take(case: Case) -> None:
        with lock:
            held[case.pk] += 1
            assert held[case.pk] == 1, "two people hold one answer"

    def work_through(number: int) -> list[int]:
        marker: Any = markers[number]
        mine: list[int] = []
        start.wait(timeout=120)
        try:
            while (case := transitions.claim_next(room.assessment, by=marker)) is not None:
                take(case)
                # Even the fastest marker looks at the answer; without a pause SQLite's lock has no queue to be fair in.
                time.sleep(THINKING)
                if case.pk % 7 == number % 7 and case.pk not in mine and len(mine) % 5 == 3:
                    save_draft(case, by=marker, fields={"reason": ["half"]}, beside="", known=0, window="w")
                known = Draft.objects.filter(case=case, person=marker).values_list("version", flat=True).first() or 0
                with lock:
                    held[case.pk] -= 1
                try:
                    hand_in(
                        case, by=marker, version=case.version, known=known, window="w", steps=[], total=Decimal(number % 13),
                        reason="x",
                    )  # fmt: skip
                except (SomeoneWasFaster, NotAllowedNow):
                    continue
                mine.append(case.pk)
            return mine
        finally:
            connection.close()

    with ThreadPoolExecutor(len(markers)) as pool:
        done = list(pool.map(work_through, range(len(markers))))

    marked = [pk for mine in done for pk in mine]
    answers = Case.objects.count()
    assert len(marked) == len(set(marked)) == answers
    assert Mark.objects.count() == answers
    assert Case.objects.filter(closed_at__isnull=True).count() == 0
    assert not Draft.objects.exists()
    by_marker = {markers[number].pk: set(mine) for number, mine in enumerate(done)}
    assert all(mark.case_id in by_marker[mark.by_id] for mark in Mark.objects.all())
    assert list(trail.broken_links()) == []
    print(f"{len(markers)} markers, {answers} answers, each marked once; most by one {max(map(len, done))}")


def test_each_person_has_an_order_of_their_own_that_stays_the_same(crowd):
    room, markers = crowd
    orders = [[case.pk for case in queries.free_cases(room.assessment, person=each)[:20]] for each in markers[:4]]
    assert len({tuple(order) for order in orders}) == 4
    again = [case.pk for case in queries.free_cases(room.assessment, person=markers[0])[:20]]
    assert again == orders[0]
