"""How far the reader's own threshold can be trusted: lines above it, below it, and settled by what the page says.

Run: ``.venv/bin/python -m tests.bench.reading_trust --documents FOLDER [--folder SET]`` or ``--stress``; the first on documents that
``sample_decisions --documents`` kept. Each read line is laid beside the written line in its place; it is right when both
are the same text (spaces, braces and spellings of one sign apart). Prints a table, each misread line above the
threshold, each misread line that was settled (there should be none), and how many accepted answers rest on a settled one.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from grading.judges.embedded.corroborate import PageLine, Weak, corroborated, same_kind
from tests.bench.sample_decisions import FOLDER, truths

SPELLINGS = {
    r"\times": "×",
    r"\cdot": "·",
    r"\div": "÷",
    r"\leq": "≤",
    r"\geq": "≥",
    r"\le": "≤",
    r"\ge": "≥",
    r"\neq": "≠",
    r"\ne": "≠",
    r"\Delta": "△",
    r"\triangle": "△",
    r"\pi": "π",
    r"\in": "∈",
    r"\because": "∵",
    r"\therefore": "∴",
    r"\left": "",
    r"\right": "",
    r"\,": "",
    r"\dfrac": r"\frac",
}


def plain(latex: str) -> str:
    """The line without spaces and braces, each sign in one spelling."""
    text = re.sub(r"\\text|\\mathrm", "", latex)
    text = re.sub(r"\\[A-Za-z]+|\\,", lambda found: SPELLINGS.get(found.group(), found.group()), text)
    return re.sub(r"[\s{}$]|\\(?=[{}])", "", text.translate(str.maketrans("，；：（）−", ",;:()-")))


def beside(line: dict[str, Any], truth: dict[str, Any]) -> str | None:
    """The written line in whose place the read one stands; None where nothing was written."""
    best, share = None, 0.3
    for written in truth["lines"]:
        if written["page"] != line["page"]:
            continue
        (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = line["box"], written["box"]
        across, down = min(ax1, bx1) - max(ax0, bx0), min(ay1, by1) - max(ay0, by0)
        if across > 0 and down > 0:
            common = across * down / max((ax1 - ax0) * (ay1 - ay0), (bx1 - bx0) * (by1 - by0))
            if common > share:
                best, share = written["latex"], common
    return best


def group(line: dict[str, Any], threshold: float) -> str:
    """What the reader says of a line: above its threshold, settled by the page, or below."""
    if "corroborated" in line:
        return "settled by the page"
    least = min(line["confidence"], line.get("min_confidence", 1))
    return "above the threshold" if least >= threshold and not line.get("unread_ink") else "below it"


def stress(folder: Path) -> None:
    """Every character of every written line taken for each other of its kind, with all other lines read rightly.

    Prints how many of the true readings and how many of the misreadings the page would settle, were they doubtful.
    """
    counts: Counter[str] = Counter()
    believed: list[tuple[str, str]] = []
    seen = set()
    for truth in truths(folder):
        written = [line["latex"] for line in truth["lines"] if not line["struck_out"]]
        if (truth["question"], truth["version"]) in seen:
            continue
        seen.add((truth["question"], truth["version"]))
        for at, latex in enumerate(written):
            sure = [PageLine(text, True) for text in written[:at] + written[at + 1 :]]
            for place, char in enumerate(latex):
                if latex[:place].endswith("\\") or re.search(r"\\[A-Za-z]*$", latex[:place]):
                    continue
                variants = {other: latex[:place] + other + latex[place + 1 :] for other in same_kind(char)}
                for read, line in {char: latex, **variants}.items():
                    others = tuple(variants.get(other, latex) for other in same_kind(read))
                    if not others:
                        continue
                    counts["true" if read == char else "false"] += 1
                    if corroborated([PageLine(line, False, Weak(read, 0.7, others)), *sure])[0]:
                        counts["true settled" if read == char else "false settled"] += 1
                        if read != char:
                            believed.append((latex, line))
    print(f"true readings {counts['true']}, settled {counts['true settled']}")
    print(f"misreadings {counts['false']}, settled {counts['false settled']}")
    for latex, line in believed:
        print(f"BELIEVED {line!r} for {latex!r}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=Path)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--stress", action="store_true", help="misread every character of the written lines in turn")
    options = parser.parse_args()
    if options.stress:
        stress(options.folder)
        return
    if options.documents is None:
        parser.error("--documents or --stress")
    counts: Counter[tuple[str, bool]] = Counter()
    wrong: list[tuple[str, str, str | None, str]] = []
    resting: list[str] = []
    for truth in truths(options.folder):
        path = options.documents / f"{truth['candidate']}_{truth['question']}.json"
        document = json.loads(path.read_text(encoding="utf-8"))
        reading = document["reading"]
        if reading.get("failure"):
            continue
        for line in reading["lines"]:
            if line["struck_out"]:
                continue
            kind, written = group(line, reading["reader"]["line_threshold"]), beside(line, truth)
            said = line.get("latex", line.get("text", ""))
            right = written is not None and plain(said) == plain(written)
            counts[kind, right] += 1
            if not right and kind != "below it":
                wrong.append((kind, said, written, f"{path.stem} {document['decision']}"))
        cited = {line_id for each in document["evidence"] for line_id in each["line_ids"]}
        if document["decision"] == "ACCEPT" and any(
            "corroborated" in line and line["line_id"] in cited for line in reading["lines"]
        ):
            resting.append(path.stem)
    print("| lines | read rightly | misread |\n|---|---:|---:|")
    for kind in ("above the threshold", "settled by the page", "below it"):
        print(f"| {kind} | {counts[kind, True]} | {counts[kind, False]} |")
    print(f"\naccepted answers that rest on a settled line: {len(resting)} {resting}")
    for kind, said, written, where in wrong:
        print(f"MISREAD {kind}: {said!r} for {written!r} in {where}")
    sys.exit(1 if any(kind == "settled by the page" for kind, *_ in wrong) else 0)


if __name__ == "__main__":
    main()
