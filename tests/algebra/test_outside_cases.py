"""Pairs gathered from public test suites: no severe error on undoubtful lines, and a share decided that may not fall."""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from itembank.algebra import Algebra, Options, Result

CASES = Path(os.environ.get("WENSHU_CASES", Path(__file__).resolve().parents[2].parent / "shared" / "cases"))
PAIRS = CASES / "equivalence_sample.jsonl"
SHARE_DECIDED = 0.95

pytestmark = pytest.mark.skipif(not PAIRS.is_file(), reason=f"outside cases are not at {PAIRS} (set WENSHU_CASES)")


def _answered():
    algebra = Algebra(timeout_ms=10_000)
    for line in PAIRS.read_text().splitlines():
        pair = json.loads(line)
        if pair.get("doubtful"):
            continue
        options = Options.from_document(pair.get("options") or {})
        answer = algebra.compare(
            pair["gold"], pair["student"], relation=pair["relation"], kind=pair["kind"], options=options
        )
        yield pair, answer


def test_no_outside_pair_is_decided_wrongly_and_most_are_decided():
    severe: list[object] = []
    counts: Counter[tuple[str, str]] = Counter()
    for pair, answer in _answered():
        is_decided = answer.result in (Result.PROVED, Result.REFUTED)
        counts[pair["relation"], "decided" if is_decided else "open"] += 1
        if is_decided and (answer.result is Result.PROVED) != pair["equal"]:
            severe.append((pair["id"], pair["gold"], pair["student"], answer))
    decided = sum(count for (_, state), count in counts.items() if state == "decided")
    share = decided / counts.total()
    print(f"decided {decided} of {counts.total()} = {share:.1%}; {dict(counts)}")
    assert severe == []
    assert share >= SHARE_DECIDED


def test_refutations_of_outside_pairs_carry_a_witness():
    for pair, answer in _answered():
        if answer.result is Result.REFUTED:
            assert answer.witness, pair["id"]
            assert all(isinstance(value, str) for value in answer.witness.values())
