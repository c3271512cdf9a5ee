"""The queue by the machine's confidence, and how far the marking is."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import pytest
from django.urls import reverse

from config.foundation import strict_json
from grading import queries, transitions
from grading.domain.confidence import EDGES, Band, least_confidence
from grading.models import Case
from review.own_marks import standing_by_question
from review.queries import own_pace
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = pytest.mark.django_db


def sure(least: str) -> dict[str, Any]:
    document = copy.deepcopy(factory.hand_worked_document())
    for each in document["evidence"]:
        each["confidence"] = strict_json.loads("0.99")
    document["evidence"][2]["confidence"] = strict_json.loads(least)
    return document


def listed(room: factory.Room, band: Band) -> list[Case]:
    return list(queries.open_cases(room.assessment, band=band))


def test_an_answer_is_as_sure_as_its_least_sure_step_and_unrecognised_ones_have_no_confidence():
    assert least_confidence(sure("0.8125")) == Decimal("0.812")
    assert least_confidence(factory.unread_document()) is None


def test_the_bands_meet_without_gap_or_overlap_and_every_open_answer_lies_in_one(room):
    made = [room.add(sure(each)) for each in ("0.1", "0.699", "0.7", "0.899", "0.9", "0.99")]
    unread = room.add(factory.unread_document())
    assert listed(room, Band.LOW) == made[:2]
    assert listed(room, Band.MIDDLE) == made[2:4]
    assert listed(room, Band.HIGH) == made[4:]
    assert listed(room, Band.UNKNOWN) == [unread]
    assert sum(count for _, count in queries.bands_of(room.assessment)) == 7
    assert [edges.below for edges in EDGES.values()][:-1] == [edges.least for edges in EDGES.values()][1:]


def test_the_list_of_a_band_begins_with_the_least_sure(room, people, as_person):
    for least in ("0.65", "0.2", "0.4"):
        room.add(sure(least))
    codes = [room.cases[at].response.code for at in (1, 2, 0)]
    address = reverse("review:queue", args=[room.assessment.public_id])
    body = as_person(people.teacher).get(f"{address}?band=LOW").content.decode()
    rows = body.split('id="list-title"')[1]
    assert sorted(codes, key=rows.index) == codes


def test_work_goes_on_within_the_band(room, people, as_person):
    high, low = room.add(sure("0.95")), room.add(sure("0.3"))
    client = as_person(people.teacher)
    answer = client.post(reverse("review:next", args=[room.assessment.public_id]), {"band": "LOW"})
    assert answer["Location"] == reverse("review:case", args=[low.public_id]) + "?band=LOW"
    assert 'name="band" value="LOW"' in client.get(answer["Location"]).content.decode()
    assert client.post(reverse("review:next", args=[room.assessment.public_id]), {"band": "x\x00"}).status_code == 302
    assert Case.objects.get(pk=high.pk).claimed_by is None


def test_a_question_marked_blind_is_not_sorted_by_what_its_markers_must_not_see(room, people, scheme):
    room.add(sure("0.3"))
    for setting in ({"kind": "2+1"}, {"kind": "1", "blind_share": 10}):
        scheme(**setting)
        assert sum(count for _, count in queries.bands_of(room.assessment)) == 0
    scheme("1")
    assert len(listed(room, Band.LOW)) == 1


def test_a_second_mark_that_is_due_is_in_no_band(room, people, scheme):
    scheme("2+1")
    case = room.add(sure("0.3"))
    give(case, people.teacher, 9)
    scheme("1")
    assert listed(room, Band.LOW) == []


def test_progress_adds_up_and_says_what_is_done_by_proof_and_what_is_put_aside(room, people, as_person):
    room.add(factory.hand_worked_document(failing=()))
    for _ in range(2):
        give(room.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
    room.add(factory.hand_worked_document())
    room.add(None)
    transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
    aside = transitions.claim(room.add(factory.hand_worked_document()), by=people.leader)
    from grading.domain.problems import ProblemKind

    transitions.report_problem(aside, by=people.leader, version=aside.version, kind=ProblemKind.BLANK, note="")
    [row] = standing_by_question(room.assessment, own_pace(room.assessment, people.teacher), people.teacher)
    assert (row.total, row.done, row.by_proof, row.waiting, row.in_hand, row.aside, row.machine) == (
        7,
        3,
        1,
        1,
        1,
        1,
        1,
    )
    assert row.done + row.waiting + row.in_hand + row.aside + row.machine == row.total
    assert row.forecast is None
    body = as_person(people.teacher).get(reverse("review:queue", args=[room.assessment.public_id])).content.decode()
    assert "其中系统凭证明通过 1" in body
    assert "另有问题卷 1" in body
