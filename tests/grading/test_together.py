"""Many at once over real connections: nobody holds the same answer, nothing is marked or recorded twice."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from config.foundation import jobs, trail
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster
from config.foundation.models import Event, Job
from grading import transitions
from grading.domain.roster import RosterRow
from grading.models import Case, JudgeRun, Mark, Packet
from grading.transitions import setup
from tests.grading.marking_room import POLICY, an_answer, rules_document, verdict_document
from tests.grading.test_cases import proposed_steps

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 6


def at_once(work: Callable[[int], Any], count: int = THREADS) -> list[Any]:
    """Run ``work(0…count-1)`` in threads that start together; results in order, exceptions raised."""
    gate = threading.Barrier(count)

    def one(number: int) -> Any:
        try:
            gate.wait(timeout=60)
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return [future.result(timeout=120) for future in [pool.submit(one, number) for number in range(count)]]


@pytest.fixture
def assessment(people, data_dir):
    from itembank.transitions import publish_rules

    made = transitions.create_assessment(code="T-1", title="测验", judge="embedded", policy=POLICY, by=people.staff)
    rules = publish_rules(rules_document(), by=people.staff)
    transitions.add_question(made, number=1, label="第1题", rules=rules, by=people.staff)
    rows = [RosterRow(number + 2, f"{1000 + number}", f"考生{number}", "一班") for number in range(12)]
    setup.import_roster(rows, by=people.staff, assessment=made)
    return made


@pytest.fixture
def queue(assessment, people) -> list[Case]:
    cases = []
    for number in range(12):
        case = an_answer(assessment, people.staff, candidate=str(1000 + number)).case
        transitions.record_run(case, verdict_document(key=str(number)), epoch=case.owner_epoch)
        cases.append(case)
    return cases


def test_markers_who_work_at_the_same_time_never_hold_or_mark_the_same_answer(assessment, queue):
    markers = [get_user_model().objects.create(username=f"m{number}") for number in range(THREADS)]

    def work_through(number: int) -> list[int]:
        mine = []
        for _ in range(40):
            case = transitions.claim_next(assessment, by=markers[number])
            if case is None:
                break
            try:
                transitions.decide(
                    case,
                    by=markers[number],
                    version=case.version,
                    steps=proposed_steps(case),
                    total=Decimal(9),
                    reason="",
                )
            except SomeoneWasFaster:
                continue
            mine.append(case.pk)
        return mine

    marked = [pk for mine in at_once(work_through) for pk in mine]
    # A marker who meets only claims of others may stop early; whoever is left takes what remains.
    marked += work_through(0)
    assert Counter(marked) == Counter(case.pk for case in queue)
    assert Mark.objects.count() == len(queue)
    assert set(Mark.objects.values_list("edition", flat=True)) == {1}
    assert list(trail.broken_links()) == []


def test_one_case_claimed_by_many_goes_to_one(queue):
    markers = [get_user_model().objects.create(username=f"m{number}") for number in range(THREADS)]

    def take(number: int) -> bool:
        try:
            transitions.claim(Case.objects.get(pk=queue[0].pk), by=markers[number])
        except (SomeoneWasFaster, NotAllowedNow):
            return False
        return True

    assert sum(map(bool, at_once(take))) == 1
    assert Event.objects.filter(verb="claim").count() == 1


def test_the_same_result_delivered_by_many_workers_is_taken_in_once(assessment, people):
    case = an_answer(assessment, people.staff, candidate="1000").case

    def deliver(number: int) -> str:
        from django.db import IntegrityError

        try:
            transitions.record_run(Case.objects.get(pk=case.pk), verdict_document(key="same"), epoch=1)
        except (SomeoneWasFaster, IntegrityError) as error:
            return type(error).__name__
        return "recorded"

    assert "recorded" in at_once(deliver)
    assert JudgeRun.objects.count() == Packet.objects.count() == 1
    assert Event.objects.filter(verb="hand_off").count() == 1
    assert list(trail.broken_links()) == []


def test_a_job_is_claimed_by_one_worker(assessment, people):
    job = jobs.enqueue("grading.tasks.judge_response", queue="cpu", subject="case:x", key="k" * 64)
    assert sum(lease is not None for lease in at_once(lambda _: jobs.claim(job.pk))) == 1
    assert Job.objects.get(pk=job.pk).attempt == 1
