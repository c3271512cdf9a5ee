"""Kept verdict documents decided again by the gate of today: which were accepted then and now.

Run: ``.venv/bin/python -m tests.bench.redecide [--documents FOLDER]`` on documents that ``fault_injection`` or
``sample_decisions --documents`` kept. Reading, observation and ink are as recorded; algebra is asked anew. Prints the
counts, and for each accepted answer that is refused now what stands in its way.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from config.foundation import strict_json
from grading.domain.verification import replay
from itembank.domain.rules import read_rules
from tests.faults.bases import algebra_of

ROOT = Path(__file__).resolve().parent.parent.parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=Path, default=ROOT / "var" / "fault-bases")
    counts: Counter[tuple[str, str]] = Counter()
    for path in sorted(parser.parse_args().documents.glob("*.json")):
        document = strict_json.loads(path.read_bytes(), max_bytes=10**8, allow_controls="\n\t")
        rules = read_rules(document["rules"])
        again = replay(document, rules, algebra_of(rules.question_id))
        counts[document["decision"], again["decision"]] += 1
        if document["decision"] == "ACCEPT" != again["decision"]:
            print(path.stem, *(e["message"]["en"] for e in again["gate"] if e["outcome"] in {"fails", "not_evaluated"}))
    for (then, now), count in sorted(counts.items()):
        print(f"{then} then, {now} now: {count}")


if __name__ == "__main__":
    main()
