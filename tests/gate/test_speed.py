"""The gate itself costs little: what takes time is algebra, and a replay asks none."""

from __future__ import annotations

import time

from grading.domain.oracle import RecordedOracle
from grading.domain.verification import replay

from .cast import example_rules, li


def test_a_decision_on_recorded_facts_takes_less_than_a_tenth_of_a_second_of_processor_time() -> None:
    document = li().decide()
    record = document["facts"]["algebra"]
    spent = []
    for _ in range(3):
        started = time.process_time()
        replay(document, example_rules(), RecordedOracle(record))
        spent.append(time.process_time() - started)
    assert min(spent) < 0.1
