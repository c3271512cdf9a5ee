"""Many verdict documents: replayed byte for byte, found the same by algebra asked anew, and named where tampered with."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import pytest

from config.foundation import strict_json
from config.foundation.canonical import canonical_json, document_hash
from grading.domain.oracle import RecordedOracle
from grading.domain.verification import recompute_algebra, replay, verify
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import read_rules
from tests.bench.sample_decisions import truths
from tests.faults.bases import cast_base, judged_sample

ANSWERS = [(1, "right-1"), (2, "arithmetic-1"), (3, "right-1"), (4, "skipped-2"), (5, "right-1"), (6, "carried-1")]
NAMES = ["cast right", "cast carried", *(f"q{number}-{version}" for number, version in ANSWERS)]


@cache
def stored(name: str) -> bytes:
    """The document as a file has it: a hand-made answer, or one of the sample as it was written."""
    if name.startswith("cast "):
        return canonical_json(cast_base(name.removeprefix("cast ")).document)
    number, version = next(each for each in ANSWERS if f"q{each[0]}-{each[1]}" == name)
    truth = next(each for each in truths() if (each["question"], each["version"]) == (number, version))
    return canonical_json(judged_sample(truth)[0])


def document(name: str) -> dict[str, Any]:
    read: dict[str, Any] = strict_json.loads(stored(name), max_bytes=10**8, allow_controls="\n\t")
    return read


@pytest.mark.parametrize("name", NAMES)
def test_a_document_replays_byte_for_byte_from_its_own_facts(name: str) -> None:
    found = document(name)
    again = replay(found, read_rules(found["rules"]), RecordedOracle(found["facts"]["algebra"]))
    assert canonical_json(again) == stored(name)
    assert verify(found) == []


@pytest.mark.parametrize("name", NAMES)
def test_algebra_asked_anew_says_what_is_recorded(name: str) -> None:
    found = document(name)
    assert len(found["facts"]["algebra"]) >= 10
    assert recompute_algebra(found, algebra_for(read_rules(found["rules"]))) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_tampered_answer_of_algebra_is_named_by_its_hash_and_by_asking_anew(name: str) -> None:
    """Also where the forger has renewed the hash: algebra says otherwise."""
    found = document(name)
    forged = copy.deepcopy(found)
    entry = next(
        each for each in forged["facts"]["algebra"] if each["op"] == "fulfils" and each["answer"]["result"] == "PROVED"
    )
    entry["answer"] = {"result": "UNDECIDED", "method": "time", "witness": None}
    assert "algebra" in {one.part for one in verify(forged)}
    forged["provenance"]["sha256"]["algebra"] = document_hash(forged["facts"]["algebra"])
    named = recompute_algebra(forged, algebra_for(read_rules(forged["rules"])))
    assert [one.part for one in named] == ["algebra"]
    assert named[0].en.startswith("Algebra fulfils ")
    assert "UNDECIDED" in named[0].en
