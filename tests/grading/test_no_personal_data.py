"""The trail, jobs and the exported documents point to people; they never name them, so that a person can be erased."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from config.foundation.canonical import canonical_text
from config.foundation.models import Event, Job
from grading import transitions
from grading.exporting import export_marks
from grading.models import Packet
from tests.grading.marking_room import a_queued_case, an_assessment, picture
from tests.grading.test_cases import proposed_steps

NAMED = (
    "陈一",
    "林二",
    "黄三",
    "1001",
    "1002",
    "高三1班",
    "王老师",
    "李教务",
    "teacher",
    "newcomer",
    "新同事",
    "很私人",
)


@pytest.fixture
def worked(people, data_dir):
    """An assessment with everything that people do: set-up, roles, files good and bad, marking, an account."""
    made = an_assessment(people.staff)
    transitions.give_role(made, people.teacher, "marker", by=people.staff)
    transitions.account_for("newcomer", full_name="新同事", by=people.staff)
    transitions.receive_upload(made, [("1002_9.jpg", picture()), ("陈一.jpg", b"x")], by=people.staff)
    case = transitions.claim(a_queued_case(made, people.staff), by=people.teacher)
    transitions.decide(
        case, by=people.teacher, version=case.version, steps=proposed_steps(case), total=Decimal(9), reason="很私人"
    )
    transitions.withdraw_role(made, people.teacher, "marker", by=people.staff)
    return made


def named_in(text: str) -> list[str]:
    """Names in a text; digits inside a hash or a time are no candidate's number."""
    return [word for word in NAMED if re.search(rf"(?<![0-9a-z]){word}(?![0-9a-z])", text)]


def test_no_event_names_anybody(worked):
    events = list(Event.objects.all())
    assert len(events) > 8
    for event in events:
        assert named_in(f"{event.chain} {event.actor} {canonical_text(event.body)}") == [], event


def test_no_job_or_packet_names_anybody(worked):
    for job in Job.objects.all():
        assert named_in(f"{job.subject} {job.group} {job.arguments} {job.failure}") == []
    for packet in Packet.objects.all():
        assert named_in(canonical_text(packet.document)) == []


def test_the_exported_documents_name_no_candidate(worked):
    assert [word for word in named_in(export_marks(worked, "json").decode()) if word != "很私人"] == []
