"""What the second call shows the model: question, rules without points, and the blind reading, as one block of data."""

from __future__ import annotations

import json
import secrets
from decimal import Decimal
from typing import Any

from itembank.domain.rules import Rules, Step

LINE_FIELDS = ("line_id", "latex", "text", "page", "struck_out", "scratch", "unread_ink", "confidence", "alternatives")


def new_boundary() -> str:
    """A marker that nobody who wrote rules or an answer can have known."""
    return f"DATA-{secrets.token_hex(12)}"


def _step(step: Step) -> dict[str, Any]:
    """A step without its points: what it is worth is no business of a judge."""
    return {
        "step_id": step.step_id,
        "desc": step.desc,
        "kind": step.kind,
        "expects": list(step.expects),
        "working": list(step.working),
        "demands": list(step.demands),
        "depends_on": list(step.depends_on),
        "shared_id": step.shared_id,
        "must_show": step.must_show,
        "ecf_allow": step.ecf_allow,
    }


def _number(value: object) -> float:
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"{type(value).__name__} in a document")


def question_block(rules: Rules, reading: dict[str, Any], boundary: str) -> str:
    """The data block between two boundary markers."""
    data = {
        "question": {
            "title": rules.title,
            "stem": rules.stem,
            "givens": dict(rules.givens),
            "functions": list(rules.functions),
            "assume": list(rules.assume),
            "required_method": rules.required_method,
        },
        "paths": [
            {
                "path_id": path.path_id,
                "name": path.name,
                "part": path.part,
                "steps": [_step(step) for step in path.steps],
            }
            for path in rules.paths
        ],
        "lines": [{key: line[key] for key in LINE_FIELDS if key in line} for line in reading.get("lines", [])],
    }
    text = json.dumps(data, ensure_ascii=False, indent=1, default=_number)
    return f"{boundary}\n{text}\n{boundary}"
