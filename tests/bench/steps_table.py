"""Worked solutions from outside, under our rules for them: label, status and decision of every step.

Run: ``.venv/bin/python -m tests.bench.steps_table [--show] [--after-principle]``. The solutions are read from the folder that
`WENSHU_CASES` names; the rules are those of `tests/adjudicate/outside_rules.py`. The embedded judge adjudicates the lines as
they stand and the gate decides, without images. Prints the table label × status × decision and every step whose status is
not the one expected; exit 1 if there is one, or if an answer passes that should not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from itembank.algebra import warm
from tests.adjudicate.outside_rules import CASES, EARNED, rules_document

# What is not asked here: pictures, and the certificate that a question would need.
APART = {"evidence-inked", "recognised", "identity", "certified", "current"}
POLICY = {"allow_uncertified": True, "line_confidence": 0.7, "step_confidence": 0.7}


@dataclass(frozen=True)
class Row:
    """One step of one case: what the label says, what was expected of us, what came out."""

    case: str
    step_id: str
    label: str
    expected: str
    status: str
    confidence: float
    decision: str
    shadow: dict[str, Any] | None
    stops: tuple[str, ...]


def solutions(folder: Path) -> list[dict[str, Any]]:
    """The worked solutions for which there are rules."""
    lines = (folder / "steps_sample.jsonl").read_text("utf-8").splitlines()
    return [case for case in map(json.loads, lines) if case["id"] in CASES]


def judged(case: dict[str, Any], *, after_principle: bool = False) -> dict[str, Any]:
    """The verdict document of one solution."""
    from grading.judges.registry import JudgeSettings, make_judge
    from grading.judging import judge_answer
    from tests.adjudicate.conftest import reading_of

    rules = rules_document(case["id"]) | ({"ecf_after_principle": True} if after_principle else {})
    return judge_answer(
        rules=rules,
        images=[],
        received_sha256=None,
        judge=make_judge("embedded", JudgeSettings()),
        policy=POLICY,
        reading=reading_of(*(step["text"] for step in case["steps"])),
        clock=lambda: datetime.now(UTC),
    )


def rows_of(case: dict[str, Any], document: dict[str, Any]) -> list[Row]:
    """The steps of one case beside their labels; a step of the rules that the solution does not list has no label."""
    labels = [step["label"] for step in case["steps"]]
    steps = document["rules"]["valid_paths"][0]["steps"]
    named = [""] * (len(steps) - len(labels)) + labels
    expected = EARNED.get(case["id"], named)
    stops = tuple(
        entry["rule"]
        for entry in document["gate"]
        if entry["outcome"] in ("fails", "not_evaluated") and entry["rule"] not in APART
    )
    decision = "MANUAL_REVIEW" if stops else "would pass"
    proposals = document["observation"]["paths"][0]["steps"]
    shadows = {entry["step_id"]: entry["shadow"] for entry in document["evidence"]}
    return [
        Row(
            case["id"],
            step["step_id"],
            label,
            wanted,
            proposal["status"],
            float(proposal["confidence"]),
            decision,
            shadows.get(step["step_id"]),
            tuple(dict.fromkeys(stops)),
        )
        for step, label, wanted, proposal in zip(steps, named, expected, proposals, strict=True)
    ]


def table(folder: Path, *, after_principle: bool = False) -> list[Row]:
    """Every step of every case."""
    return [row for case in solutions(folder) for row in rows_of(case, judged(case, after_principle=after_principle))]


def is_wrong_pass(row: Row) -> bool:
    """An answer that passes although a step of it has not the expected status."""
    return row.decision == "would pass" and row.status != row.expected


def report(rows: list[Row], *, show: bool) -> int:
    """Print the table; the number of steps that are not as expected."""
    counts = Counter((row.label or "(not listed)", row.status, row.decision) for row in rows)
    print(f"{'label':15}{'status':15}{'decision':15}{'steps':>6}")
    for (label, status, decision), count in sorted(counts.items()):
        print(f"{label:15}{status:15}{decision:15}{count:>6}")
    wrong = [row for row in rows if row.status != row.expected]
    passed = {row.case for row in rows if row.decision == "would pass"}
    print(f"cases {len({row.case for row in rows})}, steps {len(rows)}, not as expected {len(wrong)}", end=", ")
    print(f"would pass {len(passed)}, wrongly {len({row.case for row in rows if is_wrong_pass(row)})}")
    for row in rows if show else wrong:
        shadow = "" if row.shadow is None else f" {row.shadow['follows']} {row.shadow.get('words', {}).get('en', '')}"
        print(f"{row.case} {row.step_id} {row.expected} -> {row.status} {row.confidence}{shadow} {','.join(row.stops)}")
    return len(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--after-principle", action="store_true")
    options = parser.parse_args()
    warm()
    rows = table(Path(os.environ["WENSHU_CASES"]), after_principle=options.after_principle)
    sys.exit(1 if report(rows, show=options.show) else 0)


if __name__ == "__main__":
    main()
