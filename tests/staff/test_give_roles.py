"""People and roles: given, taken back, and a first password that is shown once."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.foundation.models import Event
from grading import queries, transitions
from tests.staff.conftest import at


def give(client, assessment, **given: str):
    return client.post(at("people", assessment), {"username": "", "full_name": "", "role": "marker"} | given)


def test_a_role_is_given_to_somebody_with_an_account(assessment, people, as_person):
    answer = give(as_person(people.staff), assessment, username="auditor", role="qa_auditor")
    assert answer.status_code == 302
    assert list(queries.holders_of(assessment, "qa_auditor")) == [people.auditor]
    body = as_person(people.staff).get(at("people", assessment)).content.decode()
    assert "赵质检" in body


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_a_role_held_already_changes_nothing_and_says_so(language, assessment, people, as_person):
    client = as_person(people.staff, language)
    give(client, assessment, username="teacher")
    body = client.get(at("people", assessment)).content.decode()
    words = {"zh-hans": "此人已有这个角色", "en": "The person already has this role"}
    assert words[language] in body
    assert list(queries.holders_of(assessment, "marker")) == [people.teacher]


def test_an_unknown_login_makes_no_account_by_a_slip(assessment, people, as_person):
    before = get_user_model().objects.count()
    answer = give(as_person(people.staff), assessment, username="teachr")
    body = answer.content.decode()
    assert answer.status_code == 422
    assert "没有这个用户名的账号；要新建账号，请填写姓名。" in body.partition("id_full_name_error")[2]
    assert 'value="teachr"' in body
    assert get_user_model().objects.count() == before


def test_a_new_account_s_password_is_shown_once_and_works(assessment, people, as_person):
    client = as_person(people.staff)
    answer = give(client, assessment, username="sun.wei", full_name="孙薇")
    shown = re.search(r'first-password">([^<]+)<', answer.content.decode())
    assert shown is not None
    assert authenticate(username="sun.wei", password=shown[1]) is not None
    assert "no-store" in answer["Cache-Control"]
    assert shown[1] not in str(answer.cookies)
    assert shown[1] not in client.get(at("people", assessment)).content.decode()
    assert all(shown[1] not in str(event.body) for event in Event.objects.all())
    assert queries.holders_of(assessment, "marker").filter(username="sun.wei").exists()


@pytest.mark.parametrize("login", ["<b>x</b>", "a b", "x\n", "' OR 1=1 --", "", "x" * 61])
def test_a_login_that_cannot_be_one_is_refused_at_its_field(login, assessment, people, as_person):
    answer = give(as_person(people.staff), assessment, username=login, full_name="谁")
    # A line end is cut off like any space around a word, and what is left is a login.
    expected = 200 if login == "x\n" else 422
    assert answer.status_code == expected
    assert ("id_username_error" in answer.content.decode()) == (expected == 422)


def test_a_role_that_does_not_exist_cannot_be_given(assessment, people, as_person):
    answer = give(as_person(people.staff), assessment, username="teacher", role="director")
    assert answer.status_code == 422


def test_a_name_with_markup_is_shown_as_text(assessment, people, as_person):
    people.teacher.first_name = "<script>alert(1)</script>"
    people.teacher.save()
    body = as_person(people.staff).get(at("people", assessment)).content.decode()
    assert "<script>alert" not in body


def test_a_role_taken_back_ends_the_right_with_the_next_request(assessment, people, as_person):
    teacher = as_person(people.teacher)
    queue = f"/review/{assessment.public_id}/"
    assert teacher.get(queue).status_code == 200
    as_person(people.staff).post(at("withdraw", assessment), {"role": "marker", "username": "teacher"})
    assert teacher.get(queue).status_code == 404


def test_staff_cannot_lock_themselves_out(assessment, people, as_person):
    client = as_person(people.staff)
    answer = client.post(at("withdraw", assessment), {"role": "school_staff", "username": "staff"}, follow=True)
    assert "不能收回自己的教务角色" in answer.content.decode()
    assert client.get(at("people", assessment)).status_code == 200


@pytest.mark.parametrize("sent", [{"role": "marker", "username": "stranger"}, {"role": "x", "username": "teacher"}, {}])
def test_taking_back_what_nobody_has_is_not_found(sent, assessment, people, as_person):
    assert as_person(people.staff).post(at("withdraw", assessment), sent).status_code == 404


def test_the_page_costs_the_same_for_two_people_and_for_twenty(assessment, people, as_person):
    client = as_person(people.staff)

    def cost() -> int:
        client.get(at("people", assessment))
        with CaptureQueriesContext(connection) as captured:
            client.get(at("people", assessment))
        return len(captured)

    transitions.give_role(assessment, people.leader, "marking_leader", by=people.staff)
    transitions.give_role(assessment, people.auditor, "qa_auditor", by=people.staff)
    few = cost()
    for number in range(18):
        person = get_user_model().objects.create(username=f"t{number}")
        transitions.give_role(assessment, person, "marker", by=people.staff)
    assert cost() == few
