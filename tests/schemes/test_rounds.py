"""A round of marks as it happens to a case: whose turn it is, what is agreed, what stands in the trail."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import queries, rounds, transitions
from grading.domain.schemes import Agreed, Kind, Rounding
from grading.models import Case, GivenMark, Mark
from grading.queries import broken_link_of, trail_of
from tests.review import factory
from tests.schemes.conftest import give, steps_worth

pytestmark = pytest.mark.django_db


@pytest.fixture
def case(room):
    return room.add(factory.hand_worked_document())


def now(case: Case) -> Case:
    return Case.objects.get(pk=case.pk)


def test_without_a_setting_one_mark_is_final_and_names_its_rule(case, people):
    mark = give(case, people.teacher, 9, blind=False)
    assert mark is not None
    assert (mark.rule, mark.source, mark.by, mark.basis["kind"]) == ("sole", "PERSON", people.teacher, "1")
    assert now(case).closed_at is not None


def test_two_blind_marks_within_the_tolerance_become_their_mean_under_its_rule(case, people, second, scheme):
    used = scheme("2+1")
    assert give(case, people.teacher, 9) is None
    assert (now(case).owner, now(case).need, now(case).closed_at) == ("QUEUED_HUMAN", "SECOND", None)
    assert not Mark.objects.exists()
    mark = give(case, second, 8)
    assert mark is not None
    assert (mark.total, mark.rule, mark.source, mark.by) == (Decimal(9), "mean-of-two", "AGREED", None)
    assert mark.basis | {"of": None} == {
        "scheme": used.public_id, "kind": "2+1", "tolerance": "1", "rounding": "HALF_UP", "of": None,
    }  # fmt: skip
    assert [(each["place"], each["total"]) for each in mark.basis["of"]] == [("FIRST", "9"), ("SECOND", "8")]
    assert now(case).closed_at is not None
    assert [event.verb for event in trail_of(case)][-3:] == ["claim", "give_mark", "agree"]
    assert broken_link_of(case) is None


def test_an_exact_mean_is_stored_exactly(case, people, second, scheme):
    scheme("2+1", rounding="EXACT")
    give(case, people.teacher, 9)
    give(case, second, 8)
    assert Mark.objects.get().total == Decimal("8.5")


def test_beyond_the_tolerance_the_arbiter_decides_alone(case, people, second, arbiter, scheme):
    scheme("2+1")
    give(case, people.teacher, 9)
    assert give(case, second, 4) is None
    assert now(case).need == "ARBITER"
    assert trail_of(case)[-1].body["difference"] == "5"
    mark = give(case, arbiter, 7)
    assert mark is not None
    assert (mark.total, mark.rule, mark.by) == (Decimal(7), "arbiter", arbiter)
    assert [each["total"] for each in mark.basis["of"]] == ["7"]
    assert GivenMark.objects.count() == 3


def test_a_third_blind_mark_makes_the_mean_with_the_nearer(case, people, second, third, scheme):
    scheme("2+1+1")
    give(case, people.teacher, 4)
    give(case, second, 8)
    assert now(case).need == "THIRD"
    mark = give(case, third, 9)
    assert mark is not None
    assert (mark.total, mark.rule) == (Decimal(9), "mean-with-nearer")


def test_the_leader_reviews_under_one_plus_one(case, people, scheme):
    scheme("1+1")
    give(case, people.teacher, 9, blind=False)
    assert now(case).need == "REVIEW"
    mark = give(case, people.leader, 7)
    assert mark is not None
    assert (mark.total, mark.rule, mark.by) == (Decimal(7), "leader", people.leader)


@pytest.mark.parametrize(("given", "outcome"), [(9, "person-near-machine"), (4, None)])
def test_beside_the_machine_a_person_is_blind_and_their_mark_stands_or_is_arbitrated(
    given, outcome, case, people, scheme
):
    scheme("AI+1")
    mark = give(case, people.teacher, given)
    assert (mark.rule if mark else None) == outcome
    assert now(case).need == ("FIRST" if outcome else "ARBITER")


def test_what_the_machine_could_not_read_is_no_zero_but_asks_for_a_second_person(room, people, second, scheme):
    scheme("AI+1", rounding="UP")
    case = room.add(factory.unread_document())
    assert case.run is not None
    assert case.run.total == 0
    assert give(case, people.teacher, 0) is None
    assert now(case).need == "SECOND"
    mark = give(case, second, 1)
    assert mark is not None
    assert (mark.total, mark.rule) == (Decimal(1), "mean-of-two")


def test_nobody_marks_twice_in_a_round(case, people, scheme):
    scheme("2+1")
    give(case, people.teacher, 9)
    assert not queries.free_cases(case.response.question.assessment, person=people.teacher).exists()
    assert queries.free_cases(case.response.question.assessment, person=people.leader).count() == 1
    assert transitions.claim_next(case.response.question.assessment, by=people.teacher) is None
    with pytest.raises(NotAllowedNow, match=r"case\.marked_by_you"):
        transitions.claim(now(case), by=people.teacher)


def test_an_arbitration_is_not_in_the_markers_queue_and_no_marker_can_take_it(case, people, second, third, scheme):
    scheme("2+1")
    give(case, people.teacher, 9)
    give(case, second, 4)
    assert not queries.open_cases(case.response.question.assessment).exists()
    with pytest.raises(NotAllowedNow, match=r"case\.not_for_markers"):
        transitions.claim(now(case), by=third)


def test_what_needs_no_arbitration_cannot_be_taken_as_one(case, arbiter):
    with pytest.raises(NotAllowedNow, match=r"case\.nothing_to_arbitrate"):
        transitions.take_seeing(case, by=arbiter)


def test_a_sighted_mark_is_refused_where_a_blind_one_is_due(case, people, scheme):
    scheme("2+1")
    held = transitions.claim(case, by=people.teacher)
    mark: dict[str, Any] = {"version": held.version, "steps": steps_worth(9), "total": Decimal(9), "reason": "x"}
    with pytest.raises(NotAllowedNow, match=r"case\.blind"):
        transitions.decide(held, by=people.teacher, **mark)
    with pytest.raises(NotAllowedNow, match=r"case\.blind"):
        transitions.judge_again(held, by=people.teacher, version=held.version, reading={"pages": [], "lines": []})
    assert not GivenMark.objects.exists()
    transitions.decide(held, by=people.teacher, **mark, blind=True)


def test_the_same_mark_sent_twice_is_given_once(case, people, scheme):
    scheme("2+1")
    held = transitions.claim(case, by=people.teacher)
    mark: dict[str, Any] = {
        "version": held.version,
        "steps": steps_worth(9),
        "total": Decimal(9),
        "reason": "",
        "blind": True,
    }
    page = Case.objects.get(pk=case.pk)
    transitions.decide(held, by=people.teacher, **mark)
    for stale in (page, Case.objects.get(pk=case.pk)):
        with pytest.raises(SomeoneWasFaster):
            transitions.decide(stale, by=people.teacher, **mark)
    assert GivenMark.objects.count() == 1


def test_a_late_second_mark_does_not_land_after_the_arbiter_has_decided(case, people, second, third, arbiter, scheme):
    scheme("2+1")
    give(case, people.teacher, 9)
    late = transitions.claim(now(case), by=second)
    late_version = late.version
    Case.objects.filter(pk=case.pk).update(claim_until=late.created_at)
    give(case, third, 4)
    give(case, arbiter, 7)
    with pytest.raises(SomeoneWasFaster):
        transitions.decide(
            late, by=second, version=late_version, steps=steps_worth(9), total=Decimal(9), reason="", blind=True
        )
    assert list(Mark.objects.values_list("total", flat=True)) == [7]


def test_a_round_keeps_the_scheme_it_began_under(case, people, second, scheme):
    scheme("2+1", tolerance="5")
    give(case, people.teacher, 9)
    scheme("2+1", tolerance="0")
    mark = give(case, second, 4)
    assert mark is not None
    assert (mark.rule, mark.basis["tolerance"]) == ("mean-of-two", "5")


def test_what_a_case_needs_is_always_what_the_rules_say_of_its_marks(case, people, second, third, arbiter, scheme):
    scheme("2+1+1")
    for person, total in ((people.teacher, 2), (second, 6), (third, 12), (arbiter, 5)):
        give(case, person, total)
        found = now(case)
        marks = rounds.given_marks(found)
        outcome = rounds.need_after(found, rounds.scheme_of(found, marks), rounds.as_given(marks))
        if isinstance(outcome, Agreed):
            assert found.closed_at is not None
            assert outcome.total == Mark.objects.get().total
        else:
            assert outcome.place == found.need


@pytest.mark.parametrize("change", [{"tolerance": Decimal(-1)}, {"tolerance": Decimal(13)}, {"tolerance": Decimal("0.3")},
                                    {"tolerance": Decimal("NaN")}, {"blind_share": 101}, {"blind_share": -1}])  # fmt: skip
def test_a_setting_that_makes_no_sense_is_refused(change, room, people):
    values: dict[str, Any] = {
        "kind": Kind.DOUBLE,
        "tolerance": Decimal(1),
        "rounding": Rounding.UP,
        "arbiter": None,
        "blind_share": 0,
    }
    with pytest.raises(UnusableInput):
        transitions.set_scheme(room.question, **(values | change), version=0, by=people.leader)
    assert rounds.newest_scheme(room.question) is None


def test_two_people_who_change_a_setting_see_each_other(room, people):
    values: dict[str, Any] = {
        "kind": Kind.DOUBLE,
        "tolerance": Decimal(1),
        "rounding": Rounding.UP,
        "arbiter": None,
        "blind_share": 0,
    }
    transitions.set_scheme(room.question, **values, version=0, by=people.leader)
    with pytest.raises(SomeoneWasFaster):
        transitions.set_scheme(room.question, **values, version=0, by=people.staff)
    assert room.question.schemes.count() == 1
