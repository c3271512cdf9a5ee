"""A person's mark under changed rules: carried over where their verdicts prove the new mark, else left to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from config.foundation.canonical import number_text
from config.foundation.errors import UnusableInput
from itembank.domain.rules import Path, Rules
from itembank.domain.rules_difference import points_alone, same_ground

from .decisions import check_decision
from .scoring import path_scores
from .statuses import Status

RECOMPUTED = "recomputed"
"""The rule that an edition names when it carries people's verdicts over to changed points."""
EARNS = ("points", "gap_points", "ecf_points")


@dataclass(frozen=True)
class Carried:
    """The steps (scores as text) and the total of a mark under the newer rules."""

    steps: tuple[dict[str, str], ...]
    total: Decimal


def carried_over(old: Rules, new: Rules, steps: Sequence[Mapping[str, Any]]) -> Carried | None:
    """The mark that the same verdicts make under ``new``; None where that is not provable.

    Provable: the mark names the whole of one path for each part, nothing of these paths but points differs, each score
    follows from its status (or its path earns as before), and no other path of the part can have become better than
    the one marked. ``steps``: path_id, step_id, status, score (text or Decimal).
    """
    if not steps or not same_ground(old, new):
        return None
    chosen: dict[str, list[Mapping[str, Any]]] = {}
    for step in steps:
        chosen.setdefault(step["path_id"], []).append(step)
    if [path_id for path_id in chosen if _named(old, path_id) is None or _named(new, path_id) is None]:
        return None
    if sorted(new.path(path_id).part for path_id in chosen) != list(new.parts()):
        return None
    carried: list[dict[str, str]] = []
    for path_id, given in chosen.items():
        own = _carried_path(old, new, path_id, given)
        if own is None:
            return None
        carried += own
    total = sum((Decimal(step["score"]) for step in carried), Decimal(0))
    try:
        exact = [{**step, "score": Decimal(step["score"])} for step in carried]
        check_decision(new, steps=exact, total=total, reason="-", proposed=None)
    except UnusableInput:
        return None
    return Carried(tuple(carried), total)


def _named(rules: Rules, path_id: str) -> Path | None:
    return next((path for path in rules.paths if path.path_id == path_id), None)


def _carried_path(
    old: Rules, new: Rules, path_id: str, given: Sequence[Mapping[str, Any]]
) -> list[dict[str, str]] | None:
    was, now = old.path(path_id), new.path(path_id)
    by_step = {step["step_id"]: step for step in given}
    if was.part != now.part or not points_alone(was, now) or set(by_step) != {step.step_id for step in was.steps}:
        return None
    statuses = {step_id: Status(step["status"]) for step_id, step in by_step.items()}
    before = tuple(Decimal(str(by_step[step.step_id]["score"])) for step in was.steps)
    if before == path_scores(was, statuses, old):
        after = path_scores(now, statuses, new)
    elif _earns_alike(old, new, was, now):
        after = before
    else:
        return None
    if _rival(old, new, now, sum(before, Decimal(0)), sum(after, Decimal(0))):
        return None
    return [
        {
            "path_id": path_id, "step_id": step.step_id, "status": statuses[step.step_id].value,
            "score": number_text(score),
        }
        for step, score in zip(now.steps, after, strict=True)
    ]  # fmt: skip


def _earns_alike(old: Rules, new: Rules, was: Path, now: Path) -> bool:
    return was == now and old.answer_only_points == new.answer_only_points


def _rival(old: Rules, new: Rules, chosen: Path, before: Decimal, after: Decimal) -> bool:
    """Whether another path of the part might now earn more: one that is new or earns otherwise, or the marked one fell."""
    if after == chosen.points:
        return False
    others = [path for path in new.paths_of(chosen.part) if path.path_id != chosen.path_id]
    alike = all(
        (known := _named(old, path.path_id)) is not None and _earns_alike(old, new, known, path) for path in others
    )
    return bool(others) and (not alike or after < before)
