"""Samples as a queue: who may audit sees each with its counts, where they choose what to do next."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from grading import transitions
from review.models import AuditSample
from review.samples import open_samples
from review.transitions import commit_audit, draw_sample
from tests.review import factory
from tests.schemes.conftest import steps_worth

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample(room: factory.Room, people) -> AuditSample:
    """Five of the machine's marks, drawn by the auditor."""
    for _ in range(5):
        room.add(factory.hand_worked_document(failing=()))
    return draw_sample(room.assessment, size=5, seed="a", source="ANY", by=people.auditor)


def audit(sample: AuditSample, person) -> None:
    item = sample.items.filter(committed_at__isnull=True).order_by("position")[0]
    steps = steps_worth(9)
    commit_audit(item, by=person, steps=steps, total=sum(step["score"] for step in steps), comment="看图")


def counts(body: str, sample: AuditSample) -> list[int]:
    """All, done, waiting and for you, as the page shows them."""
    row = next(row for row in re.findall(r"<tr>.*?</tr>", body, re.DOTALL) if f"/audit/{sample.public_id}/" in row)
    return [int(number) for number in re.findall(r'<td class="number">(\d+)</td>', row)]


def test_an_auditor_finds_the_sample_with_its_counts_on_their_first_page(sample, people, as_person):
    client = as_person(people.auditor)
    assert counts(client.get(reverse("home")).content.decode(), sample) == [5, 0, 5, 5]
    audit(sample, people.auditor)
    assert counts(client.get(reverse("home")).content.decode(), sample) == [5, 1, 4, 4]
    for person in (people.teacher, people.leader, people.staff):
        assert sample.public_id not in as_person(person).get(reverse("home")).content.decode()


def test_who_marks_and_audits_finds_it_in_the_queue_chooser_and_who_only_marks_does_not(
    sample, room, people, as_person
):
    both = get_user_model()._default_manager.create_user("both", first_name="双")
    for role in ("marker", "qa_auditor"):
        transitions.give_role(room.assessment, both, role, by=people.staff)
    address = reverse("review:queue", args=[room.assessment.public_id])
    assert counts(as_person(both).get(address).content.decode(), sample) == [5, 0, 5, 5]
    assert sample.public_id not in as_person(people.teacher).get(address).content.decode()


def test_what_one_has_had_in_hand_waits_for_somebody_else(sample, room, people):
    audit(sample, people.auditor)
    other = sample.items.filter(committed_at__isnull=True).first()
    transitions.touch(other.mark.case.response, person=people.auditor, role="marker")
    (row,) = open_samples(room.assessment, people.auditor)
    assert (row.total, row.done, row.waiting, row.theirs) == (5, 1, 4, 3)


def test_a_sample_audited_to_its_end_waits_no_more(sample, room, people, as_person):
    for _ in range(5):
        audit(sample, people.auditor)
    assert open_samples(room.assessment, people.auditor) == []
    assert sample.public_id not in as_person(people.auditor).get(reverse("home")).content.decode()


def test_many_samples_cost_one_query(sample, room, people):
    for seed in "bcd":
        draw_sample(room.assessment, size=3, seed=seed, source="ANY", by=people.auditor)
    with CaptureQueriesContext(connection) as caught:
        assert [row.total for row in open_samples(room.assessment, people.auditor)] == [3, 3, 3, 5]
    assert len(caught) == 1
