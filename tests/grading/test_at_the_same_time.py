"""Two requests in the same moment: neither fails, and nothing is there twice."""

from __future__ import annotations

import pytest

from config.foundation import trail
from config.foundation.errors import SomeoneWasFaster, UnusableInput
from config.foundation.models import Event
from grading import transitions
from grading.domain.roster import RosterRow
from grading.models import Assessment, Candidate, Response, UploadedFile
from tests.grading.marking_room import POLICY, an_assessment, picture
from tests.grading.test_together import THREADS, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def assessment(people, data_dir):
    return an_assessment(people.staff, questions=THREADS)


def test_the_same_delivery_sent_twice_at_once_is_taken_once(assessment, people):
    content = picture()

    def send(_: int) -> str:
        upload = transitions.receive_upload(assessment, [("1001_1_1.jpg", content)], by=people.staff)
        return upload.files.get().outcome

    assert sorted(at_once(send)) == ["DUPLICATE"] * (THREADS - 1) + ["WAITING"]
    assert Response.objects.count() == 1


def test_many_answers_of_one_candidate_at_once_are_all_taken_under_one_code(assessment, people):
    def send(number: int) -> str:
        name = f"1001_{number + 1}_1.jpg"
        return transitions.receive_upload(assessment, [(name, picture(name))], by=people.staff).files.get().outcome

    assert at_once(send) == ["WAITING"] * THREADS
    assert len(set(Response.objects.values_list("code", flat=True))) == 1


def test_two_images_for_one_page_at_once_leave_one(assessment, people):
    def send(number: int) -> str:
        content = picture(f"version {number}")
        return transitions.receive_upload(assessment, [("1001_1_1.jpg", content)], by=people.staff).files.get().outcome

    assert at_once(send).count("WAITING") == 1
    assert UploadedFile.objects.filter(code="file.page_taken").count() == THREADS - 1


def test_everybody_who_writes_to_one_chain_at_once_is_recorded(assessment, people):
    before = Event.objects.count()
    at_once(lambda _: transitions.receive_upload(assessment, [], by=people.staff))
    assert Event.objects.count() == before + THREADS
    assert list(trail.broken_links()) == []


def test_one_code_is_given_to_one_assessment(people):
    def make(_: int) -> bool:
        try:
            transitions.create_assessment(code="SAME", title="", judge="embedded", policy=POLICY, by=people.staff)
        except UnusableInput as refused:
            return refused.code != "assessment.taken"
        return True

    assert sum(at_once(make)) == Assessment.objects.count() == 1


def test_one_class_list_imported_by_many_makes_each_candidate_once(assessment, people):
    rows = [RosterRow(number, f"20{number:02}", "某某", "高三2班") for number in range(2, 30)]

    def bring(_: int) -> str:
        try:
            return str(transitions.import_roster(rows, by=people.staff, assessment=assessment).created)
        except SomeoneWasFaster as refused:
            return refused.code

    assert set(at_once(bring)) <= {"28", "0", "roster.moved"}
    assert Candidate.objects.filter(number__startswith="20").count() == 28


def test_one_login_made_by_two_is_one_account(people):
    made = at_once(lambda _: transitions.account_for("newcomer", full_name="新", by=people.staff))
    assert len({person.pk for person, _ in made}) == 1
    assert sum(password is not None for _, password in made) == 1
