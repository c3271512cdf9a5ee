"""Gates 1 and 2 over the planted set: no sound item is delayed, and what they alone can stop is stopped by them."""

from __future__ import annotations

import pytest

from itembank.domain.gates import NOVELTY, STRUCTURE
from itembank.domain.item_gates import check_items
from itembank.domain.items import read_item
from itembank.domain.scope_gate import Neighbourhood, neighbour_of
from tests.items import planted

ALONE = frozenset({STRUCTURE, NOVELTY})
FAULTY = list(planted.faulty_items())


def test_all_sound_items_pass_entered_into_one_bank():
    sound = list(planted.sound_items())
    checked = list(check_items([each.document for each in sound], [STRUCTURE, NOVELTY]))
    stopped = {
        each.name: [detail.en for outcome in found.outcomes for detail in outcome.detail]
        for each, found in zip(sound, checked, strict=True)
        if not all(outcome.passes for outcome in found.outcomes)
    }
    assert stopped == {}
    assert len(checked) >= 60


@pytest.mark.parametrize("each", FAULTY, ids=lambda each: each.name)
def test_a_planted_fault_is_stopped_by_its_gate_and_by_no_other(each):
    known = Neighbourhood([neighbour_of(read_item(other)) for other in each.beside])
    (found,) = check_items([each.document], [STRUCTURE, NOVELTY], known=known)
    stopping = {outcome.gate for outcome in found.outcomes if not outcome.passes}
    assert stopping <= each.gates
    if each.gates <= ALONE:
        assert stopping, "these gates alone must stop it"
    assert not found.released
