"""One question and two students: Wang is right throughout, Li slips once and carries the slip on."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from config.foundation import strict_json
from grading.domain.oracle import Oracle
from grading.domain.verdict import decide
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules, read_rules, rules_document

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "grading" / "domain" / "examples"
RULES_FILE = ROOT / "itembank" / "domain" / "scoring_rules.example.json"

WANG = (
    "a_7-a_3=4d",
    r"d=\frac{15-7}{4}=2",
    r"a_1=7-2\times 2=3",
    "S_{10}=10a_1+45d",
    r"S_{10}=10\times 3+45\times 2=120",
)
LI = (
    "a_7-a_3=4d",
    r"d=\frac{15-7}{4}=2",
    r"a_1=a_3-2d=7-2\times 2=4",
    "S_{10}=10a_1+45d",
    r"S_{10}=10\times 4+45\times 2=130",
)
PROVENANCE: dict[str, Any] = {
    "images": [],
    "judge": "scripted",
    "model": None,
    "parameters": {},
    "prompts": [],
    "tokens": None,
    "cost": None,
    "started_at": "2026-01-01T08:00:00.000+00:00",
    "ms": 0,
    "idempotency_key": "",
}
CERTIFIED = {"id": "C1", "valid": True, "reader": True}


def rules_json() -> Any:
    """A fresh copy of the example rules."""
    return rules_document(RULES_FILE.read_bytes())


@cache
def example_rules() -> Rules:
    return read_rules(rules_json())


def example(name: str) -> Any:
    """One of the hand-worked examples."""
    return strict_json.loads((EXAMPLES / f"{name}.example.json").read_bytes())


def line(number: int, latex: str, **more: Any) -> dict[str, Any]:
    """A well-read line in its own strip of the page."""
    top = Decimal(number) / 20
    box = [Decimal("0.1"), top, Decimal("0.7"), top + Decimal("0.04")]
    return {
        "line_id": f"L{number}",
        "latex": latex,
        "page": 1,
        "box": box,
        "struck_out": False,
        "confidence": Decimal("0.97"),
        "alternatives": [],
        **more,
    }


def reading(lines: tuple[str, ...]) -> dict[str, Any]:
    return {
        "pages": [{"width": 1240, "height": 1754}],
        "lines": [line(number, latex) for number, latex in enumerate(lines, start=1)],
        "instructions_seen": [],
    }


def said(step_id: str, status: str, *numbers: int, quote: str = "", **more: Any) -> dict[str, Any]:
    """A judge's word on one step, resting on lines by number."""
    return {
        "step_id": step_id,
        "status": status,
        "line_ids": [f"L{number}" for number in numbers],
        "quote": quote,
        "confidence": Decimal("0.95"),
        "error_codes": [],
        **more,
    }


def observation(lines: tuple[str, ...], a: Mapping[str, str], b: Mapping[str, str]) -> dict[str, Any]:
    """Each written step of a path rests on the line of the same number; B5 rests on the last line."""
    where = {"A1": 1, "A2": 2, "A3": 3, "A4": 4, "A5": 5, "B1": 1, "B2": 2, "B5": 5}

    def steps(statuses: Mapping[str, str]) -> list[dict[str, Any]]:
        return [
            said(step_id, status)
            if status == "MISSING"
            else said(step_id, status, where[step_id], quote=lines[where[step_id] - 1])
            for step_id, status in statuses.items()
        ]

    return {
        "judge": "scripted",
        "paths": [{"path_id": "Path_A", "steps": steps(a)}, {"path_id": "Path_B", "steps": steps(b)}],
        "another_method": False,
        "instructions_seen": [],
        "comments": "",
    }


def inked(document: Mapping[str, Any]) -> dict[str, Any]:
    """Measurements that find ink in every box and none elsewhere."""
    return {
        "pages": [{"width": 1240, "height": 1754, "ink_fraction": "0.02", "blank": False, "regions": []}],
        "boxes": [
            {
                "page": each["page"],
                "box": [str(value) for value in each["box"]],
                "on_page": True,
                "ink_fraction": "0.1",
                "has_ink": True,
                "struck": False,
            }
            for each in document["lines"]
        ],
        "unaccounted": [],
    }


@dataclass
class Answer:
    """Everything a decision rests on, ready to be changed in one place."""

    reading: dict[str, Any]
    observation: Any
    ink: dict[str, Any] | None
    rules: Rules = field(default_factory=example_rules)
    policy: dict[str, Any] = field(default_factory=lambda: {"allow_uncertified": True})
    certificate: dict[str, Any] | None = None
    identity: dict[str, Any] | None = None
    current: dict[str, Any] | None = None
    second: Any = None
    oracle: Oracle | None = None

    def copy(self) -> Answer:
        return replace(
            self,
            reading=copy.deepcopy(self.reading),
            observation=copy.deepcopy(self.observation),
            ink=copy.deepcopy(self.ink),
            policy=dict(self.policy),
        )

    def step(self, step_id: str) -> Any:
        return next(step for path in self.observation["paths"] for step in path["steps"] if step["step_id"] == step_id)

    def rewrite(self, number: int, latex: str) -> None:
        """The line says something else, and the judge quotes it truly."""
        old = self.reading["lines"][number - 1]["latex"]
        self.reading["lines"][number - 1]["latex"] = latex
        for path in self.observation["paths"]:
            for step in path["steps"]:
                if step["quote"] == old:
                    step["quote"] = latex

    def add_line(self, latex: str) -> None:
        self.reading["lines"].append(line(len(self.reading["lines"]) + 1, latex))
        self.ink = inked(self.reading)

    def decide(self) -> dict[str, Any]:
        return decide(
            rules=self.rules,
            reading=self.reading,
            observation=self.observation,
            policy=self.policy,
            ink=self.ink,
            oracle=self.oracle or algebra_for(self.rules),
            identity=self.identity,
            current=self.current,
            provenance=PROVENANCE,
            second_observation=self.second,
            certificate=self.certificate,
        )


def wang() -> Answer:
    """Full marks by Path_A."""
    seen = reading(WANG)
    judged = observation(
        WANG,
        dict.fromkeys(("A1", "A2", "A3", "A4", "A5"), "VALID"),
        {"B1": "VALID", "B2": "VALID", "B3": "MISSING", "B4": "MISSING", "B5": "VALID"},
    )
    return Answer(seen, judged, inked(seen))


def li() -> Answer:
    """7-2*2 = 4, and everything after that is right for a_1 = 4: 2+2+0+3+2 = 9."""
    seen = reading(LI)
    judged = observation(
        LI,
        {"A1": "VALID", "A2": "VALID", "A3": "INVALID", "A4": "VALID", "A5": "ECF_GRANTED"},
        {"B1": "VALID", "B2": "VALID", "B3": "MISSING", "B4": "MISSING", "B5": "INVALID"},
    )
    return Answer(seen, judged, inked(seen))


def not_passing(document: Mapping[str, Any]) -> list[str]:
    """Rules that neither hold nor are not applicable, each once."""
    found = (entry["rule"] for entry in document["gate"] if entry["outcome"] not in ("holds", "not_applicable"))
    return list(dict.fromkeys(found))


def failing(document: Mapping[str, Any]) -> list[str]:
    """Rules that fail, each once."""
    return list(dict.fromkeys(entry["rule"] for entry in document["gate"] if entry["outcome"] == "fails"))
