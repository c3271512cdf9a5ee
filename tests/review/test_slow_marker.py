"""A marker who thought longer than a claim lasts: their work counts unless somebody else took the answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from grading import transitions
from grading.models import Case, Mark
from grading.tasks import end_stuck_cases
from tests.review.conftest import sheet_data


@pytest.fixture
def ended(claimed):
    """The sheet as it was opened; since then the clock has taken the case and the sweep has put it back."""
    sheet = sheet_data(claimed)
    Case.objects.filter(pk=claimed.pk).update(claim_until=timezone.now() - timedelta(seconds=1))
    assert end_stuck_cases() == 1
    return sheet


def test_what_a_slow_marker_hands_in_counts(claimed, ended, people, as_person):
    answer = as_person(people.teacher).post(reverse("review:decide", args=[claimed.public_id]), ended)
    assert answer.status_code == 302
    assert Mark.objects.get().by == people.teacher


def test_an_answer_that_another_took_meanwhile_stays_with_them(claimed, ended, people, as_person):
    transitions.claim(Case.objects.get(pk=claimed.pk), by=people.leader)
    answer = as_person(people.teacher).post(reverse("review:decide", args=[claimed.public_id]), ended)
    assert answer.status_code == 409
    assert not Mark.objects.exists()


def test_a_sheet_of_another_version_does_not_take_the_case_up_again(claimed, ended, people, as_person):
    stale = ended | {"version": str(int(ended["version"]) - 1)}
    answer = as_person(people.teacher).post(reverse("review:decide", args=[claimed.public_id]), stale)
    assert answer.status_code == 409
    assert Case.objects.get(pk=claimed.pk).claimed_by is None


def test_the_trail_page_names_the_end_of_the_claim(claimed, ended, people, as_person):
    body = as_person(people.teacher).get(reverse("review:trail", args=[claimed.public_id])).content.decode()
    assert "处理时间已到" in body
