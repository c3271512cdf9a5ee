"""Fault injection over every accepted answer of the sample; writes docs/fault-injection.md.

Run: ``.venv/bin/python -m tests.bench.fault_injection [--documents FOLDER] [--seeds N] [--every K] [--write]``. The sample is
judged from its pictures by the embedded judge (minutes); the verdict documents are kept under the folder, which is not
under version control, and used again by the same code alone: each state of the sources has a folder of its own. Two kinds of
bases are spoilt: the accepted answers with the ink of their own pictures measured anew where a box changes, and the sample
read from its truth file (`tests.faults.bases`), where carried errors, jumps and denied steps are accepted too. Exit 1 when a
harmful mutant was accepted, when its rule was not among those that failed, or when fewer than 99 % of the harmless ones passed.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from config.foundation import strict_json
from config.foundation.canonical import canonical_text
from itembank.algebra import warm
from tests.bench.sample_decisions import FOLDER, judged, truths

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "fault-injection.md"
TABLE = "<!-- counts: written by tests.bench.fault_injection -->"

Row = tuple[str, str, str, bool]


def fingerprint() -> str:
    """Sixteen digits that change with any source from which a verdict document comes."""
    folders = (
        ROOT / "grading",
        ROOT / "itembank" / "algebra",
        ROOT / "itembank" / "domain",
        ROOT / "config" / "foundation",
    )
    files = sorted(path for folder in folders for path in folder.rglob("*.py") if "migrations" not in path.parts)
    digest = sha256()
    for path in [*files, *sorted(FOLDER.glob("**/*.json"))]:
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def kept(folder: Path, truth: dict[str, Any]) -> Path:
    """Where the verdict document of an answer is kept."""
    return folder / f"{truth['candidate']}_{truth['question']}.json"


def judge_and_keep(folder: Path, truth: dict[str, Any]) -> None:
    """Judge an answer from its pictures, unless its document is there already."""
    path = kept(folder, truth)
    if not path.exists():
        path.write_text(canonical_text(judged(truth)["document"]), encoding="utf-8")


def spoil_pictured(folder: Path, seeds: int, truth: dict[str, Any]) -> list[Row]:
    """The outcomes of all mutants of one answer, judged from its pictures; none where it was not accepted."""
    from grading.domain.faults import Base
    from grading.intake.decoding import decode
    from grading.judging import measured_ink
    from itembank.domain.rules import read_rules
    from tests.faults.bases import algebra_of

    document = strict_json.loads(kept(folder, truth).read_bytes(), max_bytes=10**8, allow_controls="\n\t")
    if document["decision"] != "ACCEPT":
        return []
    rules = read_rules(document["rules"])
    images = [decode((FOLDER / name).read_bytes(), max_pixels=40_000_000)[1][0] for name in truth["files"]]
    base = Base(document, rules, algebra_of(rules.question_id))
    name = f"{truth['candidate']}/{truth['question']}"
    return _outcomes(name, base, seeds, lambda reading: measured_ink(images, reading))


def spoil_written(seeds: int, truth: dict[str, Any]) -> list[Row]:
    """The outcomes of all mutants of one answer, read as it was written."""
    from grading.domain.faults import Base
    from tests.faults.bases import algebra_of, judged_sample

    document, rules = judged_sample(truth)
    if document["decision"] != "ACCEPT":
        return []
    base = Base(document, rules, algebra_of(rules.question_id))
    return _outcomes(f"q{truth['question']}-{truth['version']}", base, seeds, None)


def _outcomes(name: str, base: Any, seeds: int, measure: Any) -> list[Row]:
    from grading.domain.faults import KINDS, Injection

    injection = Injection(base, measure)
    return [
        (f"{name} {each.mutant} seed {seed} {','.join(each.failed)}", each.kind.name, each.decision, each.as_expected)
        for seed in range(seeds)
        for each in injection.outcomes(KINDS, seed=seed)
    ]


def written_truths() -> list[dict[str, Any]]:
    """Each written answer once, whoever wrote it."""
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for truth in truths():
        if truth["lines"]:
            found.setdefault((truth["question"], truth["version"]), truth)
    return list(found.values())


def table(pictured: list[list[Row]], written: list[list[Row]], *, every: int, seeds: int) -> str:
    """The counts per kind as Markdown, with how they came about."""
    from grading.domain.faults import KINDS

    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for source, answers in (("pictured", pictured), ("written", written)):
        for _, name, decision, expected in (row for rows in answers for row in rows):
            counts[name].update({source: 1, "stopped": decision != "ACCEPT", "expected": expected})
    harmful, harmless = [kind for kind in KINDS if kind.harmful], [kind for kind in KINDS if not kind.harmful]
    lines = [
        TABLE,
        "",
        f"{_share(every)} judged from {len(pictured)} pictures, {sum(map(bool, pictured))} of them accepted; {len(written)} read "
        f"from the truth file, {sum(map(bool, written))} accepted. {sum(len(rows) for rows in (*pictured, *written))} mutants "
        f"of {len(KINDS)} kinds, {seeds} of each kind that applies.",
        "",
        *_total("Harmful", harmful, counts, "stopped"),
        *_total("Harmless", harmless, counts, "accepted"),
        "",
        "| kind | what is wrong | 错在哪里 | rule that must fail | mutants | from pictures | stopped | by that rule |",
        "|---|---|---|---|---:|---:|---:|---:|",
    ]
    for kind in harmful:
        count = counts[kind.name]
        mutants = count["pictured"] + count["written"]
        lines.append(
            f"| `{kind.name}` | {kind.en} | {kind.zh} | `{kind.rule}` | {mutants} | {count['pictured']} | "
            f"{count['stopped']} | {count['expected']} |"
        )
    lines += [
        "",
        "| harmless kind | what differs | 不同之处 | mutants | from pictures | accepted |",
        "|---|---|---|---:|---:|---:|",
    ]
    for kind in harmless:
        count = counts[kind.name]
        mutants = count["pictured"] + count["written"]
        lines.append(
            f"| `{kind.name}` | {kind.en} | {kind.zh} | {mutants} | {count['pictured']} | {count['expected']} |"
        )
    return "\n".join(lines) + "\n"


def _share(every: int) -> str:
    return "The whole sample:" if every == 1 else f"One answer in {every} of the sample:"


def _total(name: str, kinds: Iterable[Any], counts: dict[str, Counter[str]], verb: str) -> list[str]:
    chosen = [counts[kind.name] for kind in kinds]
    mutants = sum(count["pictured"] + count["written"] for count in chosen)
    good = sum(count["stopped"] if verb == "stopped" else count["expected"] for count in chosen)
    expected = sum(count["expected"] for count in chosen)
    more = f", {expected} by the rule that must see it, {mutants - good} accepted" if verb == "stopped" else ""
    return [f"- {name}: {mutants} mutants of {len(chosen)} kinds, {good} {verb}{more}."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=Path, default=ROOT / "var" / "fault-bases")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    folder = options.documents / fingerprint()
    folder.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with ProcessPoolExecutor(options.processes, initializer=warm) as pool:
        chosen = truths()[:: options.every]
        list(pool.map(partial(judge_and_keep, folder), chosen))
        print(f"judged {len(chosen)} answers: {time.monotonic() - started:.0f} s", flush=True)
        pictured = list(pool.map(partial(spoil_pictured, folder, options.seeds), chosen))
        print(f"pictures spoilt: {time.monotonic() - started:.0f} s", flush=True)
        written = list(pool.map(partial(spoil_written, options.seeds), written_truths()[:: options.every]))
    text = table(pictured, written, every=options.every, seeds=options.seeds)
    print(text, f"{time.monotonic() - started:.0f} s")
    if options.write:
        PAGE.write_text(PAGE.read_text(encoding="utf-8").split(TABLE)[0] + text, encoding="utf-8")
    sys.exit(verdict([row for rows in (*pictured, *written) for row in rows]))


def verdict(rows: list[Row]) -> int:
    """Print what went otherwise than it must; 1 where a bound of the specification is broken."""
    from grading.domain.faults import KINDS

    harmless = {kind.name for kind in KINDS if not kind.harmful}
    bad = [row for row in rows if not row[3]]
    for name, kind, decision, _ in bad:
        print("UNEXPECTED", kind, decision, name)
    refused = [row for row in bad if row[1] in harmless]
    every = sum(row[1] in harmless for row in rows)
    return int(len(bad) > len(refused) or len(refused) > every / 100)


if __name__ == "__main__":
    main()
