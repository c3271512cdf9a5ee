"""The way of a change of rules, and a path as a person writes it down: a form, or JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from config.foundation import strict_json
from config.foundation.errors import UnusableInput

MOST_STEPS = 12
LONGEST_PATH = 32 * 1024


class ChangeState(StrEnum):
    """Where a change of rules stands."""

    DRAFT = "DRAFT"  # a proposed path, seen by nobody's judging
    PREVIEW = "PREVIEW"  # published, waits for the leader's choice
    CHOSEN = "CHOSEN"  # answers are being carried over, or have been
    REFUSED = "REFUSED"


def path_of_json(text: str) -> dict[str, Any]:
    """A path as the rules write it. Raises UnusableInput for anything but one JSON object."""
    document = strict_json.loads(text.encode(), max_bytes=LONGEST_PATH, allow_controls="\n\t")
    if not isinstance(document, dict):
        raise UnusableInput("path.form", "解法必须是一个 JSON 对象。", "A path is one JSON object.")
    return document


def path_of_form(name: str, part: str, steps: Sequence[Mapping[str, str]], known: Sequence[str]) -> dict[str, Any]:
    """A path from the simple form: ``steps`` have desc, points, expects (results that fulfil it, one a line).

    A step without a result is a reason in words. Raises UnusableInput for points or a part that are no numbers.
    """
    path_id = next(f"Path_T{number}" for number in range(1, 1000) if f"Path_T{number}" not in known)
    prefix = path_id.removeprefix("Path_")
    written = [step for step in steps if any(value.strip() for value in step.values())]
    return {
        "path_id": path_id,
        "name": name.strip(),
        "part": _number(part, "part") if part.strip() else 1,
        "steps": [_step(f"{prefix}_{number}", step) for number, step in enumerate(written, 1)],
    }


def _step(step_id: str, given: Mapping[str, str]) -> dict[str, Any]:
    expects = [line.strip() for line in given.get("expects", "").splitlines() if line.strip()]
    return {
        "step_id": step_id,
        "desc": given.get("desc", "").strip(),
        "points": _number(given.get("points", ""), "points"),
        "kind": "computation" if expects else "concept",
        "expects": expects,
    }


def _number(text: str, field: str) -> Any:
    cleaned = text.strip()
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9])?", cleaned, re.ASCII):
        raise UnusableInput(
            "path.number",
            f"“{cleaned[:20]}”不是可用的分值或小问号。",
            f"“{cleaned[:20]}” is no usable number ({field}).",
        )
    return strict_json.loads(cleaned.encode())


def with_path(document: Mapping[str, Any], path: Mapping[str, Any]) -> dict[str, Any]:
    """The rules with one more path, as a document that is still to be checked."""
    return {**document, "valid_paths": [*document["valid_paths"], dict(path)]}
