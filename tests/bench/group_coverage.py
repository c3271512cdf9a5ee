"""Same answers together on the sample: how many groups, how many answers they cover, and that no two in a group differ.

Run: ``.venv/bin/python -m tests.bench.group_coverage [--documents FOLDER]``. Without a folder the lines of the sample's truth
file are the reading (every answer, ink taken to lie in every box); with one, the verdict documents that
``sample_decisions --documents FOLDER`` wrote from the images. Each is grouped twice: the answers that wait for people under
the sample's policy, and all answers as they wait where a question has no certificate yet. Checks every pair within every group
again, step by step, straight from the documents and with an algebra of its own; exit 1 if one pair differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from config.foundation import strict_json
from grading.domain.credited import details_of, evidence_of
from grading.domain.groups import Grouping, grouped
from grading.domain.likeness import likeness
from grading.domain.oracle import Oracle
from grading.domain.verification import replay
from itembank.algebra import Result, warm
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules, read_rules
from tests.bench.sample_decisions import truths

Documents = dict[str, dict[str, Any]]


def from_truth() -> Documents:
    """Every answer of the sample as it was written; the blank ones have nothing to read."""
    from tests.faults.bases import judged_sample

    return {
        f"{truth['candidate']}_{truth['question']}": judged_sample(truth)[0] for truth in truths() if truth["lines"]
    }


def from_folder(folder: Path) -> Documents:
    return {
        path.stem: strict_json.loads(path.read_bytes(), max_bytes=2**24, allow_controls="\n\t")
        for path in sorted(folder.glob("*.json"))
    }


def without_certificate(document: Mapping[str, Any], rules: Rules, oracle: Oracle) -> dict[str, Any]:
    """The document as the gate decides it where nothing may pass without a certificate."""
    return replay({**document, "policy": {**document["policy"], "allow_uncertified": False}}, rules, oracle)


def differences(one: Mapping[str, Any], other: Mapping[str, Any], oracle: Oracle) -> list[str]:
    """Steps in which two answers differ: in status, score, what was proved of them, or what their cited lines assert."""
    found = []
    mine, theirs = details_of(one), details_of(other)
    if mine.keys() != theirs.keys():
        return ["other steps"]
    for key, step in mine.items():
        facts, others = evidence_of(one)[key].get("algebra") or {}, evidence_of(other)[key].get("algebra") or {}
        same = (step["status"], str(step["score"])) == (theirs[key]["status"], str(theirs[key]["score"]))
        if not same or facts.get("result") != others.get("result"):
            found.append(f"{key}: {step['status']} {theirs[key]['status']}")
            continue
        if step["status"] in ("MISSING", "JUMP_VALID"):
            continue
        proved = facts.get("result") == "PROVED" and step["status"] in ("VALID", "GAP_DEDUCTION")
        left, right = (
            ([facts["expected"]], [others["expected"]])
            if proved
            else (_asserted(one, key, oracle), _asserted(other, key, oracle))
        )
        if len(left) != len(right) or any(
            oracle.compare(a, b).result is not Result.PROVED for a, b in zip(left, right, strict=True)
        ):
            found.append(f"{key}: {left} {right}")
    return found


def _asserted(document: Mapping[str, Any], key: tuple[str, str], oracle: Oracle) -> list[str]:
    by_id = {line["line_id"]: line.get("latex", line.get("text", "")) for line in document["reading"]["lines"]}
    values: list[str] = []
    for line_id in evidence_of(document)[key]["line_ids"]:
        values += [value for _, value in oracle.asserts(by_id[line_id])] or [by_id[line_id]]
    return values


def report(name: str, documents: Documents) -> int:
    """Print one table; the number of pairs within groups that differ."""
    questions: dict[str, Documents] = defaultdict(dict)
    for answer, document in documents.items():
        questions[document["rules"]["question_id"]][answer] = document
    print(
        f"\n{name}\n{'question':32}{'answers':>8}{'groups':>7}{'covered':>8}{'largest':>8}{'questions':>10}{'ms':>7}  alone"
    )
    whole: Counter[str] = Counter()
    for question, own in questions.items():
        oracle = algebra_for(read_rules(next(iter(own.values()))["rules"]))
        started = time.process_time()
        found: Grouping[str] = grouped(
            ((answer, likeness(document, oracle)) for answer, document in own.items()), oracle
        )
        spent = round((time.process_time() - started) * 1000)
        largest = max((len(group.members) for group in found.groups), default=0)
        alone = Counter(why.value for why in found.apart.values()) + Counter(single=len(found.single))
        print(
            f"{question:32}{len(own):>8}{len(found.groups):>7}{found.covered:>8}{largest:>8}{found.comparisons:>10}{spent:>7}"
            f"  {', '.join(f'{why} {n}' for why, n in alone.most_common())}"
        )
        whole.update(answers=len(own), groups=len(found.groups), covered=found.covered, **alone)
        whole["largest"] = max(whole["largest"], largest)
        for group in found.groups:
            for one, other in combinations(group.members, 2):
                whole["pairs"] += 1
                differing = differences(own[one], own[other], oracle)
                if differing:
                    whole["differing"] += 1
                    print("DIFFERS", question, one, other, differing)
    share = 100 * whole["covered"] / whole["answers"] if whole["answers"] else 0
    print(
        f"all: {whole['covered']} of {whole['answers']} answers in {whole['groups']} groups ({share:.1f} %), largest "
        f"{whole['largest']}; {whole['pairs']} pairs checked again, {whole['differing']} differ"
    )
    return whole["differing"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=Path)
    options = parser.parse_args()
    warm()
    documents = from_folder(options.documents) if options.documents else from_truth()
    waiting = {name: each for name, each in documents.items() if each["decision"] != "ACCEPT"}
    oracles: dict[str, tuple[Rules, Oracle]] = {}
    uncertified: Documents = {}
    for name, document in documents.items():
        question = json.dumps(document["rules"]["question_id"])
        if question not in oracles:
            rules = read_rules(document["rules"])
            oracles[question] = rules, algebra_for(rules)
        uncertified[name] = without_certificate(document, *oracles[question])
    source = "as read from the images" if options.documents else "as written"
    bad = report(f"The sample {source}: answers that wait for people under its policy", waiting)
    bad += report(f"The sample {source}: all answers, where no question holds a certificate", uncertified)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
