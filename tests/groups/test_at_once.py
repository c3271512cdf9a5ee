"""Groups marked by several people in the same moment, over real connections: no answer is marked twice, none is lost."""

from __future__ import annotations

from collections import Counter

import pytest
from django.contrib.auth import get_user_model

from config.foundation import trail
from config.foundation.errors import SomeoneWasFaster
from grading import transitions
from grading.models import Case, Mark
from review.domain.group_marks import MemberOutcome
from review.models import GroupMember, MarkedGroup
from review.transitions import take_back_group
from tests.grading.test_together import THREADS, at_once
from tests.groups.conftest import furnish

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alike(transactional_db, people, data_dir):
    return furnish(people)


def test_one_screen_sent_many_times_at_once_marks_once(alike, people):
    shown = alike.shown()
    groups = at_once(lambda _: alike.mark(people.teacher, shown=shown).pk)
    assert len(set(groups)) == 1
    assert (Mark.objects.count(), MarkedGroup.objects.count()) == (5, 1)
    assert list(trail.broken_links()) == []


def test_of_many_markers_with_the_same_group_each_answer_goes_to_one(alike):
    make = get_user_model()._default_manager.create
    crowd = [make(username=f"m{number}") for number in range(THREADS)]
    screens = [alike.shown() for _ in crowd]

    def send(number: int) -> str:
        try:
            alike.mark(crowd[number], key=f"screen-{number}", shown=screens[number])
        except SomeoneWasFaster as refused:
            return refused.code
        return "sent"

    at_once(send)
    assert Mark.objects.count() == 5
    assert Case.objects.filter(closed_at__isnull=False).count() == 5
    marked = Counter(GroupMember.objects.filter(outcome=MemberOutcome.MARKED).values_list("case", flat=True))
    assert set(marked.values()) == {1}
    assert list(trail.broken_links()) == []


def test_a_claim_and_a_group_at_once_leave_the_answer_in_one_hand(alike, people):
    shown, wanted = alike.shown(), alike.same[2]

    def work(number: int) -> str:
        if number == 0:
            alike.mark(people.teacher, shown=shown)
            return "group"
        try:
            transitions.claim(Case.objects.get(pk=wanted.pk), by=people.leader)
        except Exception as refused:
            return type(refused).__name__
        return "claimed"

    found = at_once(work, 2)
    outcome = GroupMember.objects.get(case=wanted).outcome
    assert outcome == (MemberOutcome.LEFT_OUT if found[1] == "claimed" else MemberOutcome.MARKED)
    assert Mark.objects.count() == (4 if found[1] == "claimed" else 5)


def test_undone_many_times_at_once_is_undone_once(alike, people):
    group = alike.mark(people.teacher)
    copies = [MarkedGroup.objects.get(pk=group.pk) for _ in range(THREADS)]
    at_once(lambda number: take_back_group(copies[number], by=people.teacher).pk)
    assert set(Case.objects.filter(in_groups__group=group).values_list("life_cycle", flat=True)) == {2}
    assert list(trail.broken_links()) == []
