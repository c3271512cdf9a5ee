"""Correcting the reading and judging again is one action; the earlier proposal stays beside the new one."""

from __future__ import annotations

from decimal import Decimal

from django.http import QueryDict
from django.urls import reverse

from review.forms import corrected_reading
from tests.review import factory
from tests.review.conftest import screen_of


def sent(**fields) -> QueryDict:
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return data


def test_a_corrected_line_is_certain_and_the_others_stay_as_they_were():
    reading = factory.hand_worked_document()["reading"]
    fresh, changed = corrected_reading(
        sent(**{"line:L3": "a_1=a_3-2d=7-2\\times 2=3", "line:L1": "a_7-a_3=4d"}), reading
    )
    assert changed == 1
    assert fresh["lines"][2]["latex"].endswith("=3")
    assert fresh["lines"][2]["confidence"] == 1
    assert fresh["lines"][2]["alternatives"] == []
    assert fresh["lines"][0] == reading["lines"][0]
    assert reading["lines"][2]["latex"].endswith("=4")


def test_striking_confirming_and_adding_lines_count_as_changes():
    reading = factory.hand_worked_document()["reading"]
    data = sent(**{
        "line:L1": "a_7-a_3=4d", "struck:L1": "on", "line:L3": reading["lines"][2]["latex"], "sure:L3": "on",
        "new_line": ["d=2", ""],
    })  # fmt: skip
    fresh, changed = corrected_reading(data, reading)
    assert changed == 3
    assert fresh["lines"][0]["struck_out"] is True
    assert fresh["lines"][2]["alternatives"] == []
    assert fresh["lines"][-1] == {
        "line_id": "T1", "latex": "d=2", "struck_out": False, "confidence": 1, "alternatives": [],
    }  # fmt: skip


def test_lines_typed_for_an_unreadable_answer_take_its_failure_away():
    fresh, changed = corrected_reading(sent(new_line=["d=2"]), {"pages": [], "lines": [], "failure": "unreadable"})
    assert changed == 1
    assert "failure" not in fresh


def test_an_unchanged_reading_judges_nothing(claimed, people, as_person):
    reading = claimed.run.document["reading"]
    data = {"version": claimed.version, "screen": screen_of(claimed)} | {
        f"line:{line['line_id']}": line["latex"] for line in reading["lines"]
    }
    answer = as_person(people.teacher).post(reverse("review:judge-again", args=[claimed.public_id]), data, follow=True)
    assert "识读没有改动" in answer.content.decode()
    assert claimed.runs.count() == 1


def test_the_new_proposal_stands_beside_the_old_one(claimed, people, as_person):
    address = reverse("review:judge-again", args=[claimed.public_id])
    data = {
        "version": claimed.version,
        "screen": screen_of(claimed),
        "line:L3": "a_1=a_3-2d=7-2\\times 2=3",
        "line:L5": "S_{10}=10\\times 3+45\\times 2=120",
    }
    answer = as_person(people.teacher).post(address, data, follow=True)
    body = answer.content.decode()
    assert answer.status_code == 200
    assert "已按更正的 2 行识读重判" in body
    assert "识读已更正" in body
    assert "更正前：9" in body
    claimed.refresh_from_db()
    assert claimed.claimed_by == people.teacher
    assert claimed.runs.count() == 2
    assert claimed.run.reading_by == people.teacher
    assert claimed.run.total == Decimal(12)


def test_a_stale_correction_is_refused(claimed, people, as_person):
    answer = as_person(people.teacher).post(
        reverse("review:judge-again", args=[claimed.public_id]), {"version": claimed.version - 1, "line:L3": "a_1=3"}
    )
    assert answer.status_code == 409
    assert claimed.runs.count() == 1
