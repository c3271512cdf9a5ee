"""The model behind the server, when it behaves: simple and honest.

It "reads" the lines it was given, and calls a step VALID where one of these lines equals one of the step's expected
results; everything else is MISSING.
"""

from __future__ import annotations

import json
from typing import Any

DEFAULT_LINES = [
    r"a_7-a_3=4d",
    r"d=2",
    r"a_1=3",
    r"S_{10}=10a_1+45d",
    r"S_{10}=120",
]


def reading_of(lines: list[str]) -> dict[str, Any]:
    """A reply to the first call: those lines, one under the other on page 1."""
    height = 0.8 / max(len(lines), 1)
    return {
        "lines": [
            {
                "line_id": f"L{number}",
                "kind": "latex",
                "content": line,
                "page": 1,
                "box": [0.1, round(0.1 + height * (number - 1), 4), 0.9, round(0.1 + height * number - 0.01, 4)],
                "struck_out": False,
                "scratch": False,
                "unread_ink": False,
                "confidence": 0.97,
                "alternatives": [],
            }
            for number, line in enumerate(lines, start=1)
        ],
        "unread": [],
        "instructions_seen": [],
    }


def _judged(step: dict[str, Any], lines: list[dict[str, Any]]) -> dict[str, Any]:
    found = next((line for line in lines if line.get("latex") in step["expects"]), None)
    return {
        "step_id": step["step_id"],
        "status": "VALID" if found else "MISSING",
        "line_ids": [found["line_id"]] if found else [],
        "quote": found["latex"] if found else "",
        "confidence": 0.95,
        "error_codes": [],
        "formula": None,
        "reason": "" if found else "没有找到这一步。",
    }


def judgement_of(data: dict[str, Any]) -> dict[str, Any]:
    """A reply to the second call, made from the data block of the request."""
    return {
        "paths": [
            {"path_id": path["path_id"], "steps": [_judged(step, data["lines"]) for step in path["steps"]]}
            for path in data["paths"]
        ],
        "another_method": False,
        "instructions_seen": [],
        "comments": "",
    }


def data_block(request: dict[str, Any]) -> dict[str, Any] | None:
    """The JSON between the two boundary markers of an adjudication request; None for a reading request."""
    texts = [part["text"] for part in request["messages"][1]["content"] if part["type"] == "text"]
    for text in texts:
        start, end = text.find("{"), text.rfind("}")
        if start >= 0:
            try:
                block: dict[str, Any] = json.loads(text[start : end + 1])
            except ValueError:  # braces of a formula
                continue
            return block
    return None
