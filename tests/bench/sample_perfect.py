"""The sample read without a fault: what the embedded judge and the gate make of the lines as they were written.

Run: ``.venv/bin/python -m tests.bench.sample_perfect [--question N] [--kind K] [--show]``. The lines of the truth file are
given as the reading, so that only adjudication and gate are measured. Prints, by kind of answer, how often total and
statuses are those of the truth and how many answers would pass the gate, rules about ink apart (no picture is looked
at); every difference with ``--show``; exit 1 if one that would pass differs from the truth.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from itembank.algebra import warm
from tests.bench.sample_decisions import FOLDER, truths

# Not evaluated without images; an answer passes here when nothing else stops it.
INK_RULES = {"evidence-inked", "recognised", "identity"}
SCRATCH_KINDS = {"unreadable"}


def reading_of(truth: dict[str, Any]) -> dict[str, Any]:
    """The written lines as a reader without fault would give them."""
    lines = [
        {
            "line_id": line["line_id"],
            "latex": line["latex"],
            "page": line["page"],
            "box": line["box"],
            "struck_out": line["struck_out"],
            "scratch": line.get("margin", False),
            "confidence": Decimal("0.99"),
            "alternatives": [],
        }
        for line in truth["lines"]
    ]
    return {"pages": truth["pages"], "lines": lines, "instructions_seen": []}


def judged(truth: dict[str, Any]) -> dict[str, Any]:
    """One answer through judge and gate, without images and without a database."""
    from config.foundation import strict_json
    from grading.judges.registry import JudgeSettings, make_judge
    from grading.judging import judge_answer

    assessment = json.loads((FOLDER / "assessment.json").read_text(encoding="utf-8"))
    question = next(each for each in assessment["questions"] if each["number"] == truth["question"])
    rules = strict_json.loads((FOLDER / question["rules"]).read_bytes(), max_bytes=2**18, allow_controls="\n")
    return judge_answer(
        rules=rules,
        images=[],
        received_sha256=None,
        judge=make_judge("embedded", JudgeSettings()),
        policy=assessment["policy"],
        reading=reading_of(truth),
        clock=lambda: datetime.now(UTC),
    )


def compared(truth: dict[str, Any]) -> dict[str, Any]:
    """The proposal beside the truth."""
    document = judged(truth)
    verdict = document["verdict"]
    proposed = [(each["step_id"], each["status"], Decimal(str(each["score"]))) for each in verdict["step_details"]]
    right = [(each["step_id"], each["status"], Decimal(each["score"])) for each in truth["steps"]]
    stops = {each["rule"] for each in document["gate"] if each["outcome"] == "fails"}
    stops |= {each["rule"] for each in document["gate"] if each["outcome"] == "not_evaluated"} - INK_RULES
    unread = document["observation"].get("failure") or document["reading"].get("failure") or not truth["lines"]
    return {
        "question": truth["question"],
        "version": truth["version"],
        "kind": truth["kind"],
        "passes": not stops and not unread,
        "total": str(verdict["total_score"]),
        "truth": truth["total_score"],
        "same_total": Decimal(str(verdict["total_score"])) == Decimal(truth["total_score"]),
        "same_steps": proposed == right or (not right and truth["kind"] not in {"right"}),
        "proposed": [(step, status, str(score)) for step, status, score in proposed],
        "right": [(step, status, str(score)) for step, status, score in right],
        "lines": [("~~" if each["struck_out"] else "") + each["latex"] for each in truth["lines"]],
        "stops": sorted(stops),
    }


def answers(question: int | None, kind: str | None) -> list[dict[str, Any]]:
    """Each written answer once, whoever wrote it."""
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for truth in truths():
        if question in (None, truth["question"]) and kind in (None, truth["kind"]):
            found.setdefault((truth["question"], truth["version"]), truth)
    return list(found.values())


def report(rows: list[dict[str, Any]], *, show: bool) -> int:
    """Print the table; the number of answers that would pass although they differ from the truth."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        kinds[row["kind"]].update(answers=1, total=row["same_total"], steps=row["same_steps"], passes=row["passes"])
    kinds["all"] = sum(kinds.values(), Counter())
    print(f"{'kind':22}{'answers':>8}{'total=truth':>12}{'steps=truth':>12}{'would pass':>11}")
    for kind, count in sorted(kinds.items(), key=lambda item: (item[0] == "all", item[0])):
        print(f"{kind:22}{count['answers']:>8}{count['total']:>12}{count['steps']:>12}{count['passes']:>11}")
    wrong = [row for row in rows if row["passes"] and not (row["same_total"] and row["same_steps"])]
    for row in rows:
        if row in wrong or (show and not (row["same_total"] and row["same_steps"])):
            name = "WRONG PASS" if row in wrong else "differs"
            print(f"\n{name}: q{row['question']} {row['version']} {row['total']} truth {row['truth']}; {row['lines']}")
            print("  proposed", row["proposed"], "\n  truth   ", row["right"], "\n  stopped by", row["stops"])
    return len(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--question", type=int)
    parser.add_argument("--kind")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    with ProcessPoolExecutor(options.processes, initializer=warm) as pool:
        rows = list(pool.map(compared, answers(options.question, options.kind)))
    sys.exit(1 if report(rows, show=options.show) else 0)


if __name__ == "__main__":
    main()
