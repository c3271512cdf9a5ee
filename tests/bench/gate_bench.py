"""Processor time of one decision of the whole gate, on answers of up to ten steps.

Run: ``.venv/bin/python -m tests.bench.gate_bench [--repeats N] [--documents FOLDER] [--write docs/benchmarks.md]``. Prints a
table, and writes it between its marks in a page. `cold`: no answer of algebra and no parsed text is known yet; `warm`:
algebra answered the same questions before; `replay`:
from the recorded facts alone, as `verify` does. All are milliseconds of this process's processor time (the killable
child of the symbolic rung apart, whose use is counted), and cover everything from the documents as stored to the
verdict document. Of each the least of the repetitions, which a busy machine disturbs least, and the median in brackets.
Exit 1 where the least of a row passes a bound. With ``--documents`` also the documents that ``sample_decisions --documents`` kept.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from statistics import median
from typing import Any

from config.foundation import strict_json
from grading.domain.oracle import RecordedOracle
from grading.domain.verdict import decide
from grading.domain.verification import replay
from itembank.algebra import symbolic_rung
from itembank.algebra.engine import clear_cache
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules, read_rules
from tests.gate import cast

WARM_LIMIT_MS, COLD_LIMIT_MS = 10.0, 100.0
START, END = "<!-- gate_bench --write -->", "<!-- end of gate_bench -->"

TEN_LINES = (
    "a_7-a_3=4d",
    r"d=\frac{15-7}{4}=2",
    r"a_1=7-2\times 2=3",
    "a_n=3+2(n-1)=2n+1",
    r"a_{10}=2\times 10+1=21",
    r"S_{10}=\frac{10(a_1+a_{10})}{2}",
    r"S_{10}=5\times (3+21)=120",
    r"a_{20}=2\times 20+1=41",
    r"S_{20}=10\times (3+41)=440",
    r"T=S_{20}-S_{10}=440-120=320",
)
TEN_CARRIED = (
    "a_7-a_3=4d",
    r"d=\frac{15-7}{4}=2",
    r"a_1=7-2\times 2=4",
    "a_n=3+2(n-1)=2n+1",
    r"a_{10}=2\times 10+1=21",
    r"S_{10}=\frac{10(a_1+a_{10})}{2}",
    r"S_{10}=5\times (4+21)=125",
    r"a_{20}=2\times 20+1=41",
    r"S_{20}=10\times (4+41)=450",
    r"T=S_{20}-S_{10}=450-125=325",
)
FORMULAS = {"C2": {"d": "(a_7-a_3)/4"}, "C3": {"a_1": "a_3-2*d"}, "C5": {"a_10": "2*10+1"}}
FORMULAS |= {"C7": {"S_10": "5*(a_1+a_10)"}, "C8": {"a_20": "2*20+1"}, "C9": {"S_20": "10*(a_1+a_20)"}}
FORMULAS |= {"C10": {"T": "S_20-S_10"}}
EXPECTED = {
    "C1": ["a_7-a_3=4d", "4d=8"],
    "C2": ["d=2"],
    "C3": ["a_1=3"],
    "C4": ["a_n=2n+1"],
    "C5": ["a_{10}=21"],
    "C6": [r"S_{10}=\frac{10(a_1+a_{10})}{2}", "S_{10}=10a_1+45d"],
    "C7": ["S_{10}=120"],
    "C8": ["a_{20}=41"],
    "C9": ["S_{20}=440"],
    "C10": ["T=320"],
}
DEPENDS = {"C2": ["C1"], "C3": ["C2"], "C7": ["C3", "C5", "C6"], "C9": ["C3", "C8"], "C10": ["C7", "C9"]}


def ten_step_rules() -> dict[str, Any]:
    """Rules with one path of ten steps, about the sequence of the worked example."""
    steps = [
        {
            "step_id": step_id,
            "desc": f"step {step_id}",
            "points": 1,
            "kind": "concept" if step_id in ("C1", "C4", "C6") else "computation",
            "expects": expects,
            "yields": FORMULAS.get(step_id, {}),
            "depends_on": DEPENDS.get(step_id, []),
        }
        for step_id, expects in EXPECTED.items()
    ]
    return {
        "question_id": "ten-steps",
        "title": "十步数列题",
        "stem": "已知等差数列 $a_3=7$，$a_7=15$，求 $T=S_{20}-S_{10}$。",
        "max_score": len(steps),
        "mark_step": 0.5,
        "givens": {"a_3": "7", "a_7": "15"},
        "quantities": {"d": "2", "a_1": "3", "a_10": "21", "S_10": "120", "a_20": "41", "S_20": "440", "T": "320"},
        "valid_paths": [{"path_id": "Path_C", "name": "通项与求和", "steps": steps}],
    }


@dataclass(frozen=True)
class Base:
    """One answer that is decided again and again."""

    name: str
    rules: Rules
    steps: int
    decided: Callable[[Any], dict[str, Any]]


def ten_steps(
    lines: tuple[str, ...], statuses: Mapping[str, str], doubtful: int = 0
) -> Callable[[Any], dict[str, Any]]:
    """A decision about ten lines, one for each step; the first `doubtful` lines with an alternative reading."""
    reading = cast.reading(lines)
    for line in reading["lines"][:doubtful]:
        line["alternatives"] = [{"latex": line["latex"].replace("2", "z", 1), "confidence": Decimal("0.1")}]
    judged = [
        cast.said(step_id, statuses.get(step_id, "VALID"), number, quote=lines[number - 1])
        for number, step_id in enumerate(EXPECTED, start=1)
    ]
    observation = {
        "judge": "scripted",
        "paths": [{"path_id": "Path_C", "steps": judged}],
        "another_method": False,
        "instructions_seen": [],
        "comments": "",
    }
    rules = read_rules(ten_step_rules())
    ink = cast.inked(reading)

    def decided(oracle: Any) -> dict[str, Any]:
        return decide(
            rules=rules,
            reading=reading,
            observation=observation,
            policy={"allow_uncertified": True},
            ink=ink,
            oracle=oracle,
            provenance=cast.PROVENANCE,
        )

    return decided


def bases() -> list[Base]:
    """Answers of five and ten steps: right, with an error carried on, with doubtful glyphs."""
    rules = read_rules(ten_step_rules())
    carried = {"C3": "INVALID", "C7": "ECF_GRANTED", "C9": "ECF_GRANTED", "C10": "ECF_GRANTED"}
    found = [
        Base("10 steps, all right", rules, 10, ten_steps(TEN_LINES, {})),
        Base("10 steps, one error carried through three", rules, 10, ten_steps(TEN_CARRIED, carried)),
        Base("10 steps, all right, 8 doubtful glyphs", rules, 10, ten_steps(TEN_LINES, {}, doubtful=8)),
    ]
    for name, answer in (("5 steps on two paths, all right", cast.wang()), ("5 steps, error carried", cast.li())):

        def decided(oracle: Any, answer: cast.Answer = answer) -> dict[str, Any]:
            answer.oracle = oracle
            return answer.decide()

        found.append(Base(name, answer.rules, 5, decided))
    return found


def recorded(folder: Path) -> list[Base]:
    """Documents that were kept of a whole set, decided again from reading, observation and ink."""
    found = []
    for path in sorted(folder.glob("*.json")):
        document = strict_json.loads(path.read_bytes(), max_bytes=2**23, allow_controls="\n\t")
        if document["observation"].get("failure") or document["reading"].get("failure"):
            continue
        rules = read_rules(document["rules"])
        steps = len(document["verdict"]["step_details"])

        def decided(oracle: Any, document: Any = document, rules: Rules = rules) -> dict[str, Any]:
            return replay(document, rules, oracle)

        found.append(Base(path.stem, rules, steps, decided))
    return found


def spent(work: Callable[[], Any], repeats: int, before: Callable[[], None] = lambda: None) -> list[float]:
    """Milliseconds of processor time of each repetition."""
    times = []
    for _ in range(repeats):
        before()
        started = time.process_time()
        work()
        times.append(1000 * (time.process_time() - started))
    return sorted(times)


def measured(base: Base, repeats: int) -> dict[str, Any]:
    """Cold, warm and replayed milliseconds of one base."""
    first = base.decided(algebra_for(base.rules))  # imports and tables are no part of a decision
    cold = spent(lambda: base.decided(algebra_for(base.rules)), max(3, repeats // 4), clear_cache)
    warm = spent(lambda: base.decided(algebra_for(base.rules)), repeats)
    again = spent(lambda: base.decided(RecordedOracle(first["facts"]["algebra"])), repeats)
    return {
        "name": base.name,
        "steps": base.steps,
        "decision": first["decision"],
        "failed": sorted({entry["rule"] for entry in first["gate"] if entry["outcome"] == "fails"}),
        "questions": len(first["facts"]["algebra"]),
        "cold": cold,
        "warm": warm,
        "replay": again,
    }


def table(rows: list[dict[str, Any]]) -> str:
    """The table of the worked bases."""
    lines = ["| answer | decision | questions to algebra | cold | warm | replay |", "|---|---|---:|---:|---:|---:|"]
    for row in rows:
        times = " | ".join(f"{row[kind][0]:.1f} ({median(row[kind]):.1f})" for kind in ("cold", "warm", "replay"))
        lines.append(f"| {row['name']} | {row['decision']} | {row['questions']} | {times} |")
    return "\n".join(lines)


def write(page: Path, rows: list[dict[str, Any]], repeats: int, loads: tuple[float, float]) -> None:
    """Put the table, with its day and the load meanwhile, between the marks of a page; raises ValueError without marks."""
    before, start, rest = page.read_text("utf-8").partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(f"{page} lacks the marks {START} and {END}")
    said = f"{datetime.now(UTC).date()}: {repeats} repetitions, load average {loads[0]:.1f} → {loads[1]:.1f} on {os.cpu_count()} cores"
    page.write_text(f"{before}{START}\n\n{said}\n\n{table(rows)}\n\n{END}{after}", "utf-8")


def summary(rows: list[dict[str, Any]]) -> None:
    """Print what a whole set of recorded answers costs."""
    print(f"\n{len(rows)} recorded answers, one figure an answer (median of its repetitions), milliseconds")
    for kind in ("cold", "warm", "replay"):
        times = sorted(median(row[kind]) for row in rows)
        print(
            f"{kind:7} median {times[len(times) // 2]:.1f}, 95 % {times[int(0.95 * (len(times) - 1))]:.1f}, worst {times[-1]:.1f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--documents", type=Path)
    parser.add_argument("--write", type=Path, help="put the table between its marks in this page")
    parser.add_argument("--show", action="store_true", help="print which rules fail")
    options = parser.parse_args()
    symbolic_rung.warm()
    load = os.getloadavg()[0]
    rows = [measured(base, options.repeats) for base in bases()]
    print(table(rows))
    if options.write:
        write(options.write, rows, options.repeats, (load, os.getloadavg()[0]))
    if options.show:
        print(json.dumps([(row["name"], row["failed"]) for row in rows], ensure_ascii=False, indent=1))
    if options.documents:
        summary([measured(base, max(4, options.repeats // 4)) for base in recorded(options.documents)])
    slow = [row for row in rows if row["warm"][0] > WARM_LIMIT_MS or row["cold"][0] > COLD_LIMIT_MS]
    sys.exit(1 if slow else 0)


if __name__ == "__main__":
    main()
