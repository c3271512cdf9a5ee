"""What the embedded judge and the gate make of the sample: truth against decision, for each kind of answer.

Run: ``.venv/bin/python -m tests.bench.sample_decisions [--folder SET] [--question N] [--every K] [--out FILE.jsonl]
[--documents FOLDER]``. Prints how many answers were accepted and handed to people, by kind and by rule, every accepted
answer that differs from the truth (there must be none), and how far the proposals of the others are from it. Without
``--folder`` it is the committed sample; a held-out set made by ``bin/make-sample --seed`` is named by its folder.
``--documents`` keeps the verdict documents for ``gate_bench`` and ``reading_trust``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from config.foundation.canonical import canonical_text
from itembank.algebra import warm

FOLDER = Path(__file__).resolve().parent.parent.parent / "grading" / "sample"


def truths(folder: Path = FOLDER) -> list[dict[str, Any]]:
    lines = (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def judged(truth: dict[str, Any], folder: Path = FOLDER) -> dict[str, Any]:
    """One answer through intake, judge and gate, without a database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.utils import timezone

    from config.foundation import strict_json
    from grading.intake.decoding import decode
    from grading.judges.registry import JudgeSettings, make_judge
    from grading.judging import judge_answer

    assessment = json.loads((FOLDER / "assessment.json").read_text(encoding="utf-8"))
    question = next(each for each in assessment["questions"] if each["number"] == truth["question"])
    rules = strict_json.loads((FOLDER / question["rules"]).read_bytes(), max_bytes=2**18, allow_controls="\n")
    images = [decode((folder / name).read_bytes(), max_pixels=40_000_000)[1][0] for name in truth["files"]]
    started = time.monotonic()
    document = judge_answer(
        rules=rules,
        images=images,
        received_sha256=None,
        judge=make_judge("embedded", JudgeSettings()),
        policy=assessment["policy"],
        clock=timezone.now,
    )
    return {"document": document, "seconds": time.monotonic() - started}


def outcome(truth: dict[str, Any], document: dict[str, Any]) -> dict[str, Any]:
    """The decision beside the truth: total, statuses and the rules that failed."""
    verdict = document["verdict"]
    steps = {each["step_id"]: (each["status"], Decimal(str(each["score"]))) for each in verdict["step_details"]}
    right = {each["step_id"]: (each["status"], Decimal(each["score"])) for each in truth["steps"]}
    failed = [each["rule"] for each in document["gate"] if each["outcome"] in {"fails", "not_evaluated"}]
    return {
        "candidate": truth["candidate"],
        "question": truth["question"],
        "kind": truth["kind"],
        "neat": truth["neat"],
        "decision": document["decision"],
        "total": str(verdict["total_score"]),
        "truth": truth["total_score"],
        "same_total": Decimal(str(verdict["total_score"])) == Decimal(truth["total_score"]),
        "same_steps": all(steps.get(step) == expected for step, expected in right.items()),
        "failed": list(dict.fromkeys(failed)),
        "reading": [line.get("latex") or line.get("text") for line in document["reading"]["lines"]],
        "failure": document["reading"].get("failure"),
        "messages": [f"{e['rule']}: {e['message']['en']}" for e in document["gate"] if e["outcome"] == "fails"],
    }


def work(truth: dict[str, Any], folder: Path = FOLDER, documents: Path | None = None) -> dict[str, Any]:
    result = judged(truth, folder)
    if documents is not None:
        name = f"{truth['candidate']}_{truth['question']}.json"
        (documents / name).write_text(canonical_text(result["document"]), encoding="utf-8")
    return outcome(truth, result["document"]) | {"seconds": round(result["seconds"], 2)}


def report(rows: list[dict[str, Any]]) -> int:
    """Print the tables; the number of accepted answers that differ from the truth."""
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    rules: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        kinds[row["kind"]][row["decision"]] += 1
        kinds[row["kind"]]["same total"] += row["same_total"]
        kinds[row["kind"]]["same steps"] += row["same_steps"]
        for rule in row["failed"]:
            rules[row["kind"]][rule] += 1
    print(
        f"{'kind':22}{'answers':>8}{'accepted':>9}{'to people':>10}{'total=truth':>12}{'steps=truth':>12}  stopped by (first five)"
    )
    for kind in sorted(kinds):
        count = kinds[kind]
        stopped = ", ".join(f"{rule} {n}" for rule, n in rules[kind].most_common(5))
        n = count["ACCEPT"] + count["MANUAL_REVIEW"]
        print(
            f"{kind:22}{n:>8}{count['ACCEPT']:>9}{count['MANUAL_REVIEW']:>10}{count['same total']:>12}"
            f"{count['same steps']:>12}  {stopped}"
        )
    accepted = [row for row in rows if row["decision"] == "ACCEPT"]
    wrong = [row for row in accepted if not (row["same_total"] and row["same_steps"])]
    neat = [row for row in rows if row["kind"] == "right" and row["neat"]]
    taken = sum(row["decision"] == "ACCEPT" for row in neat)
    print(
        f"\naccepted {len(accepted)} of {len(rows)}, wrongly {len(wrong)}; right and neat: {taken} of {len(neat)} accepted"
    )
    alone = Counter(row["failed"][0] for row in rows if len(row["failed"]) == 1)
    print("stopped by one rule alone:", dict(alone.most_common()))
    for row in wrong:
        print(
            "WRONG", row["candidate"], row["question"], row["kind"], row["total"], "truth", row["truth"], row["reading"]
        )
    seconds = sorted(row["seconds"] for row in rows)
    print(f"seconds an answer: median {seconds[len(seconds) // 2]}, longest {seconds[-1]}")
    return len(wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--question", type=int)
    parser.add_argument("--kind")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--documents", type=Path)
    options = parser.parse_args()
    if options.documents is not None:
        options.documents.mkdir(parents=True, exist_ok=True)
    chosen = [each for each in truths(options.folder) if options.question in (None, each["question"])]
    chosen = [each for each in chosen if options.kind in (None, each["kind"])][:: options.every]
    with ProcessPoolExecutor(options.processes, initializer=warm) as pool:
        rows = list(pool.map(partial(work, folder=options.folder, documents=options.documents), chosen))
    if options.out:
        Path(options.out).write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
        )
    sys.exit(1 if report(rows) else 0)


if __name__ == "__main__":
    main()
