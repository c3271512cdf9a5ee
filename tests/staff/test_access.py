"""Who may see and do what on the staff's pages."""

from __future__ import annotations

import pytest
from django.urls import reverse

from grading import transitions
from tests.grading.marking_room import picture
from tests.staff.conftest import at

PAGES = ("assessment", "progress", "questions", "classes", "people", "uploads", "results")
VERBS = ("judge", "withdraw", "questions", "classes", "people", "uploads")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_for_staff_a_member_gets_403_and_a_stranger_404(name, assessment, people, as_person):
    address = at(name, assessment)
    assert as_person(people.staff).get(address).status_code == 200
    assert as_person(people.teacher).get(address).status_code == 403
    assert as_person(people.stranger).get(address).status_code == 404


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_for_staff_alone(name, assessment, people, as_person):
    address = at(name, assessment)
    assert as_person(people.teacher).post(address).status_code == 403
    assert as_person(people.stranger).post(address).status_code == 404


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_marks_leave_only_with_staff(kind, assessment, people, as_person):
    address = at("export", assessment, kind)
    assert as_person(people.staff).get(address).status_code == 200
    assert as_person(people.teacher).get(address).status_code == 403
    assert as_person(people.stranger).get(address).status_code == 404


def test_a_kind_of_export_that_is_not_there_is_not_found(assessment, people, as_person):
    assert as_person(people.staff).get(at("export", assessment, "exe")).status_code == 404


def test_a_delivery_is_for_staff_alone(assessment, people, as_person):
    upload = transitions.receive_upload(assessment, [("1001_1_1.jpg", picture())], by=people.staff)
    address = reverse("grading:delivery", args=[upload.public_id])
    assert as_person(people.staff).get(address).status_code == 200
    assert as_person(people.teacher).get(address).status_code == 403
    assert as_person(people.stranger).get(address).status_code == 404


def test_rules_may_be_read_by_everybody_who_works_on_the_assessment(assessment, people, as_person):
    address = reverse("grading:rules", args=[assessment.questions.get().public_id])
    assert as_person(people.teacher).get(address).status_code == 200
    assert as_person(people.stranger).get(address).status_code == 404


def test_without_signing_in_every_page_leads_to_the_sign_in(assessment, client):
    for name in PAGES:
        answer = client.get(at(name, assessment))
        assert (answer.status_code, answer["Location"].partition("?")[0]) == (302, reverse("login"))


def test_verbs_do_not_work_without_the_form_s_token(assessment, people, as_person):
    client = as_person(people.staff, enforce_csrf_checks=True)
    for name in VERBS:
        assert client.post(at(name, assessment)).status_code == 403, name


def test_staff_of_one_assessment_are_strangers_to_the_next(assessment, people, as_person):
    other = transitions.create_assessment(code="T-9", title="别校", judge="embedded", policy={}, by=people.leader)
    assert as_person(people.staff).get(at("assessment", other)).status_code == 404
    assert as_person(people.leader).get(at("assessment", other)).status_code == 200
