"""An answer whose rules demand units, a form, a rounding and left sides, and a student who writes all of them."""

from __future__ import annotations

from typing import Any

from grading.domain.faults import Base
from grading.domain.verdict import decide
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules, read_rules
from tests.gate.cast import PROVENANCE, inked, reading, said

LINES = (
    r"l=\sqrt{3^2+4^2}=5\text{ cm}",
    r"S=\pi rl=15\pi\text{ cm}^2",
    r"V=\frac{1}{3}\pi r^2h=12\pi\text{ cm}^3",
    r"V\approx 37.70\text{ cm}^3",
    r"\tan\alpha=\frac{4}{3}",
)
STEPS: tuple[dict[str, Any], ...] = (
    {"step_id": "C1", "desc": "母线长", "expects": [r"l=5\text{ cm}"], "demands": ["unit", "left_side"]},
    {"step_id": "C2", "desc": "侧面积", "expects": [r"S=15\pi\text{ cm}^2"], "demands": ["unit"], "depends_on": ["C1"]},
    {"step_id": "C3", "desc": "体积", "expects": [r"V=12\pi\text{ cm}^3"], "demands": ["unit", "left_side"]},
    {
        "step_id": "C4",
        "desc": "体积，精确到 0.01",
        "expects": [r"V\approx 37.70\text{ cm}^3"],
        "demands": ["sf", "unit"],
        "depends_on": ["C3"],
    },
    {
        "step_id": "C5",
        "desc": "底角的正切，写成最简分数",
        "expects": [r"\tan\alpha=\frac{4}{3}"],
        "demands": ["form", "left_side"],
    },
)


def cone_rules() -> Rules:
    """A cone in centimetres, two points a step."""
    return read_rules(
        {
            "question_id": "cone",
            "title": "圆锥",
            "stem": "圆锥的底面半径 $r=3$ cm，高 $h=4$ cm。求母线长、侧面积、体积（再精确到 0.01）和底角的正切。",
            "max_score": 10,
            "mark_step": 1,
            "givens": {"r": "3", "h": "4"},
            "quantities": {"l": "5"},
            "declares": {"functions": [], "assume": []},
            "valid_paths": [
                {
                    "path_id": "Path_A",
                    "name": "直接计算",
                    "part": 1,
                    "steps": [{"points": 2, "kind": "computation", **step} for step in STEPS],
                }
            ],
        }
    )


def cone() -> Base:
    """Everything is written as demanded, and accepted."""
    rules = cone_rules()
    seen = reading(LINES)
    steps = [
        said(step["step_id"], "VALID", number, quote=LINES[number - 1]) for number, step in enumerate(STEPS, start=1)
    ]
    algebra = algebra_for(rules)
    document = decide(
        rules=rules,
        reading=seen,
        observation={
            "judge": "scripted",
            "paths": [{"path_id": "Path_A", "steps": steps}],
            "another_method": False,
            "instructions_seen": [],
            "comments": "",
        },
        policy={"allow_uncertified": True},
        ink=inked(seen),
        oracle=algebra,
        provenance=PROVENANCE,
    )
    return Base(document, rules, algebra)
