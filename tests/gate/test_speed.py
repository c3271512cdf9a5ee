"""The gate itself costs little: what takes time is algebra, and a replay asks none."""

from __future__ import annotations

import time

from grading.domain.oracle import RecordedOracle
from grading.domain.verification import replay
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import read_rules
from tests.bench.gate_bench import TEN_LINES, ten_step_rules, ten_steps

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


def test_ten_steps_whose_algebra_is_known_cost_some_hundredths_of_a_second_at_most() -> None:
    """The bound of the product is 10 ms on a quiet machine (docs/benchmarks.md); this one leaves room for a busy one."""
    decided, algebra = ten_steps(TEN_LINES, {}), algebra_for(read_rules(ten_step_rules()))
    assert decided(algebra)["decision"] == "ACCEPT"
    spent = []
    for _ in range(5):
        started = time.process_time()
        decided(algebra)
        spent.append(time.process_time() - started)
    assert min(spent) < 0.03
