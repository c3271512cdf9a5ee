"""docs/items.md lists every fault of gate 1 and finding of gate 2 that the code knows, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from itembank.domain import scope_gate
from itembank.domain.item_faults import DOUBTS, ITEM_MESSAGES

PAGE = (Path(__file__).parents[2] / "docs" / "items.md").read_text("utf-8")


def section(title: str) -> str:
    return PAGE.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]


def test_every_fault_of_gate_1_is_told_and_no_other():
    rows = dict(re.findall(r"^\| `([a-z0-9-]+)` \|.*\| (yes )?\|$", section("Gate 1: structure"), re.M))
    assert set(rows) == set(ITEM_MESSAGES)
    assert {code for code, doubt in rows.items() if doubt} == DOUBTS


def test_every_finding_of_gate_2_is_told_and_no_other():
    source = Path(scope_gate.__file__).read_text("utf-8")
    known = set(re.findall(r'"(duplicate|near-duplicate|same-answer|beyond-stage|unknown-point)"', source))
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section("Gate 2: novelty and scope"), re.M)) == known
