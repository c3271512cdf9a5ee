"""From a model's reply to the documents of the product, after the checks that a schema cannot make."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from config.foundation.model_access import ImagePart
from itembank.domain.rules import Rules

from .shapes import AnswerJudged, AnswerRead, LineSeen

LINE_THRESHOLD = Decimal("0.9")
"""Models overrate their own readings; below this a line is not trusted without a certificate or a second reader."""


class ContradictoryReply(Exception):
    """The reply has the right shape and cannot be true of this question; the text says where."""


def _doubles(names: Sequence[str]) -> list[str]:
    return sorted({name for name in names if names.count(name) > 1})


def reading_document(reply: AnswerRead, pages: Sequence[ImagePart], reader: str, version: str) -> dict[str, Any]:
    """The Reading; pages are measured here, not taken from the model. Raises ContradictoryReply."""
    _check_lines(reply, len(pages))
    return {
        "reader": {"name": reader[:100], "version": version, "line_threshold": LINE_THRESHOLD},
        "pages": [{"width": page.width, "height": page.height} for page in pages],
        "lines": [_line(line) for line in reply.lines] + _unread_lines(reply),
        "instructions_seen": list(reply.instructions_seen),
    }


def _line(line: LineSeen) -> dict[str, Any]:
    return {
        "line_id": line.line_id,
        line.kind: line.content,
        "page": line.page,
        "box": list(line.box),
        "struck_out": line.struck_out,
        "scratch": line.scratch,
        "confidence": line.confidence,
        "unread_ink": line.unread_ink,
        "alternatives": [{"latex": other.latex, "confidence": other.confidence} for other in line.alternatives],
    }


def _unread_lines(reply: AnswerRead) -> list[dict[str, Any]]:
    """Writing nobody could read stands among the lines, empty, so that the gate counts it."""
    return [
        {
            "line_id": f"unread-{number}",
            "text": "",
            "page": region.page,
            "box": list(region.box),
            "confidence": 0,
            "unread_ink": True,
        }
        for number, region in enumerate(reply.unread, start=1)
    ]


def _check_lines(reply: AnswerRead, pages: int) -> None:
    line_ids = [line.line_id for line in reply.lines]
    if doubles := _doubles(line_ids):
        raise ContradictoryReply(f"line ids twice: {', '.join(doubles)}")
    for line in reply.lines:
        if line.line_id.startswith("unread-"):
            raise ContradictoryReply(f"line id {line.line_id} is reserved")
        if not line.content.strip() and not line.unread_ink:
            raise ContradictoryReply(f"line {line.line_id} is empty")
        _check_place(line.line_id, line.page, line.box, pages)
    for region in reply.unread:
        _check_place("an unread region", region.page, region.box, pages)


def _check_place(what: str, page: int, box: Sequence[Decimal], pages: int) -> None:
    if page > pages:
        raise ContradictoryReply(f"{what}: page {page} of {pages}")
    if not (box[0] < box[2] and box[1] < box[3]):
        raise ContradictoryReply(f"{what}: the box has no area")


def observation_document(reply: AnswerJudged, rules: Rules, line_ids: frozenset[str], judge: str) -> dict[str, Any]:
    """The Observation: paths and steps exactly those of the rules. Raises ContradictoryReply."""
    _check_paths(reply, rules)
    for path in reply.paths:
        for step in path.steps:
            if _doubles(step.line_ids):
                raise ContradictoryReply(f"{path.path_id}/{step.step_id}: a line is cited twice")
            if unknown := set(step.line_ids) - line_ids:
                raise ContradictoryReply(f"{path.path_id}/{step.step_id}: no line {', '.join(sorted(unknown))}")
            if _doubles(step.error_codes):
                raise ContradictoryReply(f"{path.path_id}/{step.step_id}: an error code stands twice")
    return {
        "judge": judge[:200],
        "paths": [
            {"path_id": path.path_id, "steps": [step.model_dump() for step in path.steps]} for path in reply.paths
        ],
        "another_method": reply.another_method,
        "instructions_seen": list(reply.instructions_seen),
        "comments": reply.comments,
    }


def _check_paths(reply: AnswerJudged, rules: Rules) -> None:
    wanted = [path.path_id for path in rules.paths]
    given = [path.path_id for path in reply.paths]
    if sorted(given) != sorted(wanted):
        raise ContradictoryReply(f"paths {', '.join(given)} instead of {', '.join(wanted)}")
    for path in reply.paths:
        steps = [step.step_id for step in path.steps]
        expected = [step.step_id for step in rules.path(path.path_id).steps]
        if doubles := _doubles(steps):
            raise ContradictoryReply(f"{path.path_id}: steps judged twice: {', '.join(doubles)}")
        if missing := set(expected) - set(steps):
            raise ContradictoryReply(f"{path.path_id}: steps not judged: {', '.join(sorted(missing))}")
        if unknown := set(steps) - set(expected):
            raise ContradictoryReply(f"{path.path_id}: unknown steps: {', '.join(sorted(unknown))}")


def failed_reading(pages: Sequence[ImagePart], failure: dict[str, str]) -> dict[str, Any]:
    """A Reading that says why there is none."""
    return {
        "pages": [{"width": page.width, "height": page.height} for page in pages],
        "lines": [],
        "instructions_seen": [],
        "failure": failure,
    }
