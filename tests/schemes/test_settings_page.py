"""The scheme of a question on the screen."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.urls import reverse

from grading import rounds

pytestmark = pytest.mark.django_db
SETTING = {"kind": "2+1", "tolerance": "1", "rounding": "UP", "arbiter": "", "blind_share": "20", "version": "0"}


@pytest.fixture
def address(room):
    return reverse("review:scheme", args=[room.question.public_id])


@pytest.mark.parametrize("who", ["leader", "staff"])
def test_leaders_and_staff_set_the_scheme_and_everybody_who_marks_can_read_it(who, room, people, address, as_person):
    answer = as_person(getattr(people, who)).post(address, SETTING)
    assert answer.status_code == 302
    stored = rounds.newest_scheme(room.question)
    assert stored is not None
    assert (stored.kind, stored.tolerance, stored.rounding, stored.blind_share, stored.version) == (
        "2+1",
        Decimal(1),
        "UP",
        20,
        1,
    )
    body = as_person(people.teacher).get(reverse("review:schemes", args=[room.assessment.public_id])).content.decode()
    assert "两人独立评分，在误差值内取平均" in body
    assert "20 %" not in body  # how often the machine is hidden is no business of the marker's
    assert "进一" in body


@pytest.mark.parametrize("who", ["teacher", "auditor"])
def test_markers_and_auditors_cannot_set_it(who, people, address, as_person):
    assert as_person(getattr(people, who)).post(address, SETTING).status_code == 403
    assert as_person(people.stranger).post(address, SETTING).status_code == 404


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tolerance": "-1"}, "误差值必须在 0 到 12 之间"),
        ({"tolerance": "0.3"}, "且是 1 的倍数"),
        ({"tolerance": "13"}, "误差值必须在 0 到 12 之间"),
        ({"tolerance": "1e5"}, "误差值必须在 0 到 12 之间"),
        ({"tolerance": ""}, "误差值必须在 0 到 12 之间"),
        ({"tolerance": "NaN"}, "误差值必须在 0 到 12 之间"),
        ({"blind_share": "101"}, "在 0 到 100 之间"),
        ({"blind_share": "٣"}, "在 0 到 100 之间"),
        ({"kind": "3+1"}, "请选择一种评卷方式"),
        ({"rounding": "<b>"}, "请选择一种评卷方式"),
        ({"arbiter": "stranger"}, "没有仲裁权限"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words_and_kept_on_the_page(change, words, room, people, address, as_person):
    answer = as_person(people.leader).post(address, SETTING | change)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert "<b>" not in answer.content.decode()
    assert rounds.newest_scheme(room.question) is None


def test_of_two_open_pages_the_second_is_told(people, address, as_person):
    assert as_person(people.leader).post(address, SETTING).status_code == 302
    answer = as_person(people.staff, "en").post(address, SETTING)
    assert answer.status_code == 409
    assert "Someone else just changed how" in answer.content.decode()


def test_all_versions_stay_on_the_page(people, address, as_person):
    client = as_person(people.leader)
    client.post(address, SETTING)
    client.post(address, SETTING | {"version": "1", "tolerance": "2"})
    body = client.get(address).content.decode().split('id="versions-title"')[1]
    assert body.count("<tr>") == 3
