"""One planted item of each kind of fault, and every seventh sound one, through gates 1 to 4 with both models and the sandbox.

The whole set is `python -m tests.bench.planted_gates`, whose table stands in docs/items.md.
"""

from __future__ import annotations

from itembank.domain.item_gates import check_items
from itembank.sandbox import Sandbox
from tests.items import planted
from tests.items.scripted import GATES, asked, stopping, through_all_gates


def test_no_kind_of_fault_is_released_and_no_sound_item_is_delayed():
    sandbox, sound = Sandbox(size=1), list(planted.sound_items())[::7]
    one_of_each = {each.fault: each for each in planted.faulty_items()}
    try:
        with asked(one_of_each.values(), sandbox) as later:
            through = {fault: through_all_gates(each, later) for fault, each in one_of_each.items()}
        with asked(sound, sandbox) as later:
            checked = list(check_items([each.document for each in sound], GATES, later=later))
    finally:
        sandbox.close()
    assert len(through) >= 12
    assert [fault for fault, found in through.items() if found.released] == []
    assert [fault for fault, found in through.items() if not stopping(found) & one_of_each[fault].gates] == []
    assert [each.name for each, found in zip(sound, checked, strict=True) if not found.released] == []


def test_a_trinomial_rewritten_wrongly_before_an_equals_zero_goes_to_people():
    (each,) = (one for one in planted.faulty_items() if one.name == "quadratic-roots-wrong-step")
    sandbox = Sandbox(size=1)
    try:
        with asked([each], sandbox) as later:
            found = through_all_gates(each, later)
    finally:
        sandbox.close()
    assert stopping(found) == {3}
    assert [detail.code for one in found.outcomes for detail in one.detail] == ["unproved-step"]
