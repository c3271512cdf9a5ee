"""What a person's mark must satisfy before it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from config.foundation.errors import UnusableInput
from itembank.domain.rules import Rules

from .statuses import Status


def _refuse(code: str, zh: str, en: str) -> UnusableInput:
    return UnusableInput(f"decision.{code}", zh, en)


def _check_score(rules: Rules, value: Decimal, most: Decimal, zh: str, en: str) -> None:
    if not value.is_finite() or value < 0 or value > most:
        raise _refuse("range", f"{zh}必须在 0 到 {most} 之间。", f"{en} must be between 0 and {most}.")
    if value % rules.mark_step:
        raise _refuse(
            "step_width", f"{zh}必须是 {rules.mark_step} 的倍数。", f"{en} must be a multiple of {rules.mark_step}."
        )


def _check_steps(rules: Rules, steps: Sequence[Mapping[str, Any]]) -> None:
    paths = {path.path_id: path for path in rules.paths}
    parts: dict[int, str] = {}
    seen: set[tuple[str, str]] = set()
    for given in steps:
        path = paths.get(given["path_id"])
        step = next((each for each in path.steps if each.step_id == given["step_id"]), None) if path else None
        if path is None or step is None:
            raise _refuse(
                "unknown_step",
                f"评分细则里没有步骤 {given['step_id']}。",
                f"The rules have no step {given['step_id']}.",
            )
        if parts.setdefault(path.part, path.path_id) != path.path_id:
            raise _refuse(
                "mixed_paths",
                f"第 {path.part} 小问只能按一种解法给分。",
                f"Part {path.part} is marked along one path only.",
            )
        if (path.path_id, step.step_id) in seen:
            raise _refuse("twice", f"步骤 {step.step_id} 出现两次。", f"Step {step.step_id} stands twice.")
        seen.add((path.path_id, step.step_id))
        if given["status"] not in set(Status):
            raise _refuse("status", f"步骤 {step.step_id} 的状态无效。", f"Step {step.step_id} has an unknown status.")
        _check_score(
            rules, given["score"], step.points, f"步骤 {step.step_id} 的得分", f"The score of step {step.step_id}"
        )


def differs_from(proposed: Mapping[str, Any] | None, steps: Sequence[Mapping[str, Any]], total: Decimal) -> bool:
    """Whether a person's mark differs from the machine's proposal in the total, a status or a score."""
    if proposed is None or Decimal(str(proposed["total_score"])) != total:
        return True
    machine = [(each["step_id"], str(each["status"]), Decimal(str(each["score"]))) for each in proposed["step_details"]]
    person = [(each["step_id"], str(each["status"]), Decimal(each["score"])) for each in steps]
    return sorted(machine) != sorted(person)


def check_decision(
    rules: Rules,
    *,
    steps: Sequence[Mapping[str, Any]],
    total: Decimal,
    reason: str,
    proposed: Mapping[str, Any] | None,
) -> None:
    """Raise UnusableInput unless the mark can stand: range, step width, sum of steps, and a reason where one is due.

    A reason is due where the mark differs from the machine's proposal or no step is marked.
    """
    _check_score(rules, total, rules.max_score, "本题得分", "The mark")
    _check_steps(rules, steps)
    summed = sum((Decimal(each["score"]) for each in steps), Decimal(0))
    if steps and summed != total:
        raise _refuse(
            "sum",
            f"各步得分之和是 {summed}，与本题得分 {total} 不符。",
            f"The steps add up to {summed}, not to {total}.",
        )
    if (not steps or differs_from(proposed, steps, total)) and not reason.strip():
        raise _refuse(
            "reason", "与系统建议不同，请写明理由。", "The mark differs from the proposal; please give a reason."
        )
    if len(reason) > 500:
        raise _refuse("reason_length", "理由不能超过 500 字。", "The reason may have at most 500 characters.")
