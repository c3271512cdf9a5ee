"""The planted set is what it says: sound items are right, and a faulty one differs from right in its one fault."""

from __future__ import annotations

from collections import Counter

import pytest
import sympy

from itembank.algebra import Algebra, Declares, Result
from tests.items import planted
from tests.items.planted_sound import SOUND

ALGEBRA = Algebra(Declares(), timeout_ms=5000)


def worked_out(code: str) -> list[str]:
    names: dict[str, object] = {"sympy": sympy}
    exec(code, names)
    answers = names["answers"]
    assert isinstance(answers, list)
    return answers


def test_it_has_more_than_120_items_of_which_about_half_are_sound_and_a_dozen_kinds_of_faults():
    sound, faulty = list(planted.sound_items()), list(planted.faulty_items())
    assert len(sound) + len(faulty) >= 120
    assert len(sound) >= 60
    assert len(faulty) >= 60
    assert len({each.name for each in (*sound, *faulty)}) == len(sound) + len(faulty)
    kinds = Counter(each.fault for each in faulty)
    assert len(kinds) >= 12
    assert min(kinds.values()) >= 2


@pytest.mark.parametrize("sound", SOUND, ids=lambda sound: sound.name)
def test_a_sound_item_s_key_is_what_its_code_works_out_and_no_wrong_option_is_right(sound):
    for value, worked in zip(sound.accepted, worked_out(sound.code), strict=True):
        assert ALGEBRA.compare(value, worked).result is Result.PROVED
    for wrong in sound.wrong:
        assert ALGEBRA.compare(sound.accepted[0], wrong).result is Result.REFUTED


@pytest.mark.parametrize(
    "item",
    [
        each
        for each in planted.faulty_items()
        if each.fault in {"missing-condition", "several-valid", "two-true-options"}
    ],
    ids=lambda item: item.name,
)
def test_an_ambiguous_item_has_two_answers_that_are_not_the_same(item):
    first, second, *_ = worked_out(item.code)
    assert ALGEBRA.compare(first, second).result is Result.REFUTED
