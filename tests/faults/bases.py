"""Accepted answers to be spoilt: the cast's two students, and the sample's answers read without a fault.

The sample is read from its truth file (what was written, line by line), so that carried errors, jumps and denied steps
are there too, which a reader of handwriting seldom brings through the gate. Ink is taken to lie in every box.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from config.foundation import strict_json
from grading.domain.faults import Base
from grading.domain.oracle import Oracle
from grading.domain.reading import read_reading
from grading.domain.verdict import decide
from grading.judges.embedded.adjudicate import adjudicate
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules, read_rules
from tests.bench.sample_decisions import FOLDER, truths
from tests.bench.sample_perfect import reading_of
from tests.gate.cast import CERTIFIED, PROVENANCE, Answer, inked, li, wang

_NAMES = {"right": wang, "carried": li}


@cache
def algebra_of(question_id: str) -> Oracle:
    """One algebra a question, so that what it has worked out stays known."""
    rules = next((rules for rules in sample_rules().values() if rules.question_id == question_id), wang().rules)
    return algebra_for(rules)


@cache
def sample_rules() -> dict[int, Rules]:
    """The sample's rules by the number of the question."""
    assessment = json.loads((FOLDER / "assessment.json").read_text(encoding="utf-8"))
    return {
        each["number"]: read_rules(
            strict_json.loads((FOLDER / each["rules"]).read_bytes(), max_bytes=2**18, allow_controls="\n")
        )
        for each in assessment["questions"]
    }


def cast_base(name: str, *, certified: bool = False) -> Base:
    """Wang ("right") or Li ("carried")."""
    answer: Answer = _NAMES[name]()
    if certified:
        answer.certificate = CERTIFIED
    return Base(answer.decide(), answer.rules, algebra_of(answer.rules.question_id))


def judged_sample(truth: dict[str, Any]) -> tuple[dict[str, Any], Rules]:
    """The verdict document of a written answer that is read as it was written."""
    rules = sample_rules()[truth["question"]]
    reading = reading_of(truth)
    oracle = algebra_of(rules.question_id)
    document = decide(
        rules=rules,
        reading=reading,
        observation=adjudicate(read_reading(reading), rules, algebra_for(rules)),
        policy={"allow_uncertified": True},
        ink=inked_pages(reading),
        oracle=oracle,
        provenance=PROVENANCE,
    )
    return document, rules


def inked_pages(reading: dict[str, Any]) -> dict[str, Any]:
    """Measurements that find ink in every box and none elsewhere, one page each."""
    ink = inked(reading)
    ink["pages"] = [dict(ink["pages"][0]) for _ in reading["pages"]]
    return ink


def sample_bases(chosen: Collection[tuple[int, str]] | None = None) -> Iterator[tuple[str, Base]]:
    """Accepted answers of the sample by name, each written answer once; of the chosen (question, version) alone."""
    written: set[tuple[int, str]] = set()
    for truth in truths():
        version = (truth["question"], truth["version"])
        if version in written or not truth["lines"] or (chosen is not None and version not in chosen):
            continue
        written.add(version)
        document, rules = judged_sample(truth)
        if document["decision"] == "ACCEPT":
            yield f"q{truth['question']}-{truth['version']}", Base(document, rules, algebra_of(rules.question_id))
