"""Drafts are kept for a stated time, and not beyond the release of the results; never taken from under a marker."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from grading import transitions as grading
from grading.models import Assessment
from review.models import Draft
from review.tasks import erase_drafts
from review.transitions import save_draft

pytestmark = pytest.mark.django_db


@pytest.fixture
def drafted(claimed, people):
    """A draft of 王老师's, who still has the answer in hand."""
    return save_draft(claimed, by=people.teacher, fields={"reason": ["x"]}, beside="", known=0, window="w")


def grow_old(days: int) -> None:
    Draft.objects.update(saved_at=timezone.now() - timedelta(days=days))


@pytest.mark.parametrize(("days", "kept"), [(29, 1), (31, 0)])
def test_a_draft_that_nobody_went_on_with_is_removed_when_its_time_is_over(drafted, people, settings, days, kept):
    settings.DRAFT_DAYS = 30
    grading.release(drafted.case, by=people.teacher)
    grow_old(days)
    assert erase_drafts() == 1 - kept
    assert Draft.objects.count() == kept
    assert erase_drafts() == 0


def test_a_draft_of_released_results_is_removed_at_once(drafted, people):
    grading.release(drafted.case, by=people.teacher)
    assert erase_drafts() == 0
    Assessment.objects.update(state="RELEASED")
    assert erase_drafts() == 1


def test_nothing_is_removed_while_somebody_has_the_answer_in_hand(drafted):
    grow_old(4000)
    Assessment.objects.update(state="RELEASED")
    assert erase_drafts() == 0
    assert Draft.objects.count() == 1
