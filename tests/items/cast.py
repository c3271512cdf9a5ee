"""A small cast of items: each function gives a sound document, which a test then spoils in one place."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import Any

import itembank.domain as domain

FOLDER = Path(domain.__file__).parent
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"0" * 20).decode()
BELONGING = {
    "knowledge_points": ["number.fractions"],
    "stage": "junior",
    "difficulty": 0.8,
    "source": "自编",
    "licence": "CC0-1.0",
}


def worked_example() -> dict[str, Any]:
    """The item that stands beside the schema, worked by hand."""
    document: dict[str, Any] = json.loads((FOLDER / "item.example.json").read_text("utf-8"))
    return document


def single(**changes: Any) -> dict[str, Any]:
    """A single choice: the half of one."""
    return {
        "item_id": "half",
        "title": "一半",
        "kind": "single_choice",
        "stem": "把一根绳子平均分成两段，每段长度占全长的（　　）",
        "points": 5,
        "options": [
            {"label": "A", "content": r"$\frac{1}{3}$"},
            {"label": "B", "content": "0.5"},
            {"label": "C", "content": "2"},
            {"label": "D", "content": r"$\frac{2}{3}$"},
        ],
        "answer": {"choices": ["B"], "values": [{"accepted": ["1/2"]}]},
        **BELONGING,
        **changes,
    }


def fill_in(**changes: Any) -> dict[str, Any]:
    """A fill-in with one blank."""
    return {
        "item_id": "root",
        "title": "解方程",
        "kind": "fill_in",
        "stem": "方程 $2x-3=0$ 的解是 $x=$ ____ 。",
        "points": 5,
        "answer": {"values": [{"accepted": ["3/2", "1.5"]}]},
        "explanation": r"移项得 $2x=3$，所以 $x=\frac{3}{2}$。",
        **BELONGING,
        "knowledge_points": ["algebra.equations.linear"],
        **changes,
    }


def full_solution(**changes: Any) -> dict[str, Any]:
    """A full solution with the scoring rules that stand beside their schema."""
    rules = json.loads((FOLDER / "scoring_rules.example.json").read_text("utf-8"))
    return {
        "item_id": "sequence",
        "title": "等差数列求和",
        "kind": "full_solution",
        "stem": rules["stem"],
        "points": 12,
        "answer": {"values": [{"accepted": ["S_{10}=120"]}]},
        "solution": "由 $a_7-a_3=4d$ 得 $d=2$，$a_1=3$，\n$S_{10}=10a_1+45d=120$。",
        "scoring_rules": rules,
        **BELONGING,
        "knowledge_points": ["algebra.sequences.arithmetic"],
        "stage": "senior",
        **changes,
    }


def figure(**changes: Any) -> dict[str, Any]:
    """A figure that can be shown."""
    return {"figure_id": "fig1", "alt": "三角形 ABC", "media_type": "image/png", "data": PNG, **changes}


def but(document: dict[str, Any], *way: str | int, value: Any) -> dict[str, Any]:
    """A copy in which the value at that place is another."""
    fresh = copy.deepcopy(document)
    holder: Any = fresh
    for key in way[:-1]:
        holder = holder[key]
    holder[way[-1]] = value
    return fresh
