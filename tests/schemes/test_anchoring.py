"""Blind against shown: exact figures worked by hand, and the page that says them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from review import queries
from review.domain.anchoring import Pair, anchoring_of
from review.domain.intervals import clopper_pearson, fisher
from tests.review import factory
from tests.schemes.conftest import give

# Published or closed-form bounds: 0 of n ends at 1 − (α/2)^(1/n); 5 of 10 is symmetric.
BOUNDS = [
    (0, 10, "0", "0.3085"), (10, 10, "0.6915", "1"), (5, 10, "0.1870", "0.8130"), (1, 1, "0.0250", "1"),
    (1, 20, "0.0012", "0.2488"), (0, 299, "0", "0.0123"), (299, 299, "0.9877", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("hits", "of", "lower", "upper"), BOUNDS)
def test_intervals_are_exact_and_rounded_outward(hits, of, lower, upper):
    found = clopper_pearson(hits, of)
    assert (found.lower, found.upper) == (Decimal(lower), Decimal(upper))


@given(st.integers(1, 60).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_an_interval_holds_its_share_and_mirrors_when_hits_and_misses_change_places(counted):
    hits, of = counted
    found, mirrored = clopper_pearson(hits, of), clopper_pearson(of - hits, of)
    assert found.lower is not None
    assert found.upper is not None
    assert mirrored.upper is not None
    assert 0 <= found.lower * of <= hits <= found.upper * of <= of
    assert found.lower == 1 - mirrored.upper


def test_of_nothing_there_is_no_share():
    assert clopper_pearson(0, 0).lower is None
    assert fisher((0, 0), (1, 2)) is None


def test_the_lady_tasting_tea():
    assert fisher((3, 4), (1, 4)) == Fraction(34, 70)
    assert fisher((4, 4), (0, 4)) == Fraction(2, 70)


def pairs(blind: bool, *differences: int) -> list[Pair]:
    return [Pair(Decimal(8), Decimal(8 + each), blind) for each in differences]


def test_both_arms_worked_by_hand():
    found = anchoring_of([*pairs(True, 0, 1, -2, 0), *pairs(False, 0, 0, 0, -1, 0)])
    assert (found.blind.equal.hits, found.blind.equal.of, found.shown.equal.hits, found.shown.equal.of) == (2, 4, 4, 5)
    assert (found.blind.far.hits, found.blind.mean, found.blind.mean_size) == (1, Decimal("-0.25"), Decimal("0.75"))
    assert found.gap == Decimal("30.0")
    assert found.chance == fisher((4, 5), (2, 4))
    assert found.chance_shown == Decimal("0.524")


def test_one_arm_alone_measures_nothing():
    found = anchoring_of(pairs(True, 0, 0))
    assert (found.gap, found.chance, found.chance_shown) == (None, None, None)


@pytest.mark.django_db
def test_first_marks_are_set_beside_the_machines_first_proposal(room, people, second, scheme):
    scheme("1", blind_share=100)
    give(room.add(factory.hand_worked_document()), people.teacher, 12)
    scheme("1", blind_share=0)
    give(room.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
    give(room.add(factory.unread_document()), people.teacher, 5, blind=False)
    scheme("2+1")
    give(room.add(factory.hand_worked_document()), second, 3)
    assert queries.pairs_with_machine(room.assessment) == {
        room.question: [Pair(Decimal(9), Decimal(12), True), Pair(Decimal(9), Decimal(9), False)]
    }


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_page_says_it_in_a_sentence_to_leaders_and_auditors_alone(language, room, people, scheme, as_person):
    address = reverse("review:anchoring", args=[room.assessment.public_id])
    assert as_person(people.teacher).get(address).status_code == 403
    assert as_person(people.stranger).get(address).status_code == 404
    empty = as_person(people.auditor, language).get(address).content.decode()
    assert ("还没有先盲评的作答" if language == "zh-hans" else "No answer has been marked blind first yet") in empty
    scheme("1", blind_share=100)
    for total in (9, 12):
        give(room.add(factory.hand_worked_document()), people.teacher, total)
    scheme("1", blind_share=0)
    give(room.add(factory.hand_worked_document()), people.teacher, 9, blind=False)
    body = as_person(people.leader, language).get(address).content.decode()
    sentence = {
        "zh-hans": "先看到系统建议时，100.0 % 的评分与其一致；盲评时为 50.0 %，相差 50.0 个百分点。",
        "en": "Where the proposal was shown first, 100.0 % of the marks equal it; blind, 50.0 % do: a gap of 50.0 percentage points.",
    }
    assert sentence[language] in body
