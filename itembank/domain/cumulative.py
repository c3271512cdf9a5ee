"""Printed keys with cumulative margins (累加分数) and points per step, exactly both ways.

A key's line with a margin becomes a step: its points are the difference to the margin before, its `desc` is the line,
its `working` the lines since the margin before. `printed_key(rules_draft(key)) == key` for every key that is accepted.
"""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path as FilePath
from typing import Any

from config.foundation.canonical import number_text

from .faults import Fault, UnusableRules, fault
from .rule_bounds import normalised
from .rule_schema import schema_faults

KEY_SCHEMA_FILE = FilePath(__file__).with_name("answer_key.schema.json")
HEAD = ("question_id", "title", "stem", "max_score", "mark_step")

Document = dict[str, Any]
Number = int | Decimal


def rules_draft(key: object, *, per_part: bool = False) -> Document:
    """Scoring rules drafted from a key: points per step, kinds and expected results guessed for an author to correct.

    Margins run through the whole question; with `per_part` each part starts at zero again. Raises UnusableRules with
    every fault: schema, falling or repeated margins, lines after the last margin, sums that miss the maximum.
    """
    document, faults = normalised(key)
    faults = faults or schema_faults(document, KEY_SCHEMA_FILE)
    if faults:
        raise UnusableRules(faults)
    starts = {} if per_part else _starts(document)
    found: list[Fault] = []
    paths = []
    for path in document["paths"]:
        steps, path_faults = _steps(path, Decimal(starts.get(path.get("part", 1), 0)))
        found += path_faults
        paths.append({**{name: path[name] for name in ("path_id", "name", "part") if name in path}, "steps": steps})
    # Sums say nothing more while single margins are wrong.
    found = found + _off_step(document) or _sums(document, paths)
    if found:
        raise UnusableRules(found)
    return {**{name: document[name] for name in HEAD if name in document}, "valid_paths": paths}


def printed_key(rules: object, *, per_part: bool = False) -> Document:
    """The key with cumulative margins that rules (or a draft of them) print; raises UnusableRules.

    Of a step only its working, its description and its points are printed.
    """
    document, faults = normalised(rules)
    faults = faults or _draft_faults(document)
    if faults:
        raise UnusableRules(faults)
    totals: dict[int, Decimal] = {}
    for path in document["valid_paths"]:
        totals.setdefault(path.get("part", 1), sum((Decimal(step["points"]) for step in path["steps"]), Decimal(0)))
    paths = []
    for path in document["valid_paths"]:
        part = path.get("part", 1)
        reached = Decimal(0) if per_part else sum((totals[one] for one in totals if one < part), Decimal(0))
        lines: list[Document] = []
        for step in path["steps"]:
            reached += Decimal(step["points"])
            lines += [{"text": text, "margin": None} for text in step.get("working", ())]
            lines.append({"text": step["desc"], "margin": _number(reached)})
        paths.append({**{name: path[name] for name in ("path_id", "name", "part") if name in path}, "lines": lines})
    return {**{name: document[name] for name in HEAD if name in document}, "paths": paths}


def _starts(document: Document) -> dict[int, Number]:
    """The margin at which each part starts: the last margin of the part before it."""
    ends: dict[int, Number] = {}
    for path in document["paths"]:
        margins = [line["margin"] for line in path["lines"] if line["margin"] is not None]
        if margins:
            ends.setdefault(path.get("part", 1), margins[-1])
    starts: dict[int, Number] = {}
    before: Number = 0
    for part in sorted(ends):
        starts[part] = before
        before = ends[part]
    return starts


def _steps(path: Document, start: Decimal) -> tuple[list[Document], list[Fault]]:
    steps: list[Document] = []
    found: list[Fault] = []
    working: list[str] = []
    before = start
    for number, line in enumerate(path["lines"]):
        if line["margin"] is None:
            working.append(line["text"])
            continue
        margin = Decimal(line["margin"])
        if margin <= before:
            code = "falling-margin" if steps else "first-margin"
            where = {"path": path["path_id"], "step": f"lines[{number}]", "field": "margin"}
            found.append(fault(code, before=number_text(before), value=number_text(margin), **where))
        steps.append(_step(path["path_id"], len(steps) + 1, line["text"], margin - before, working))
        working, before = [], margin
    if working:
        found.append(fault("no-margin-after", path=path["path_id"], field="lines", count=len(working)))
    if steps:
        steps[-1]["kind"] = "conclusion"
    return steps, found


def _step(path_id: str, number: int, text: str, points: Decimal, working: list[str]) -> Document:
    return {
        "step_id": f"{path_id}.{number}",
        "desc": text,
        "points": _number(points),
        "kind": "computation",
        "expects": _mathematics(text),
        "working": working,
    }


def _mathematics(text: str) -> list[str]:
    r"""The mathematics of a key's line: what stands between dollar signs, or all of a line without Chinese.

    >>> _mathematics("所以 $d=2$"), _mathematics("d=2"), _mathematics("同理可得")
    (['d=2'], ['d=2'], [])
    """
    if "$" in text:
        return list(dict.fromkeys(piece.strip() for piece in text.split("$")[1::2] if piece.strip()))
    return [] if re.search(r"[\u3000-\u9fff]", text) else [text.strip()]


def _off_step(document: Document) -> list[Fault]:
    unit = Decimal(document["mark_step"])
    found = []
    for path in document["paths"]:
        for number, line in enumerate(path["lines"]):
            margin = line["margin"]
            if margin is not None and Decimal(margin) % unit:
                where = {"path": path["path_id"], "step": f"lines[{number}]", "field": "margin"}
                found.append(fault("mark-step", value=margin, step_width=unit, **where))
    return found


def _sums(document: Document, paths: list[Document]) -> list[Fault]:
    totals: dict[int, tuple[str, Decimal]] = {}
    found = []
    for path in paths:
        part, got = path.get("part", 1), sum((Decimal(step["points"]) for step in path["steps"]), Decimal(0))
        other, want = totals.setdefault(part, (path["path_id"], got))
        if got != want:
            shown = {"got": number_text(got), "want": number_text(want)}
            found.append(fault("part-sum", path=path["path_id"], field="lines", part=part, other=other, **shown))
    total = sum((points for _, points in totals.values()), Decimal(0))
    if not found and total != Decimal(document["max_score"]):
        want_text = number_text(Decimal(document["max_score"]))
        found.append(fault("total", field="max_score", got=number_text(total), want=want_text))
    return found


def _draft_faults(document: Document) -> list[Fault]:
    """What keeps a draft from being printed; a draft need not be complete rules yet."""
    printed = {"valid_paths", "path_id", "name", "part", "steps", "step_id", "desc", "points", "working", *HEAD}
    drafted = {"title", "stem"}
    found = []
    for one in schema_faults(document):
        name = re.split(r"[.\[]", one.field)[0]
        optional = one.code == "required" and name in drafted
        as_printed = name == "working" and one.code in {"repeated-entry", "length"}
        if name in printed and not optional and not as_printed:
            found.append(one)
    return found


def _number(value: Decimal) -> Number:
    return int(value) if value == value.to_integral_value() else value.normalize()
