"""A person's marking sheet: one path per part, a status and a score for each of its steps, the exact total.

A score follows its status until the person types another; changing any status computes the following scores anew, since
carried errors share one running half.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from grading.domain.credited import details_of
from grading.domain.scoring import path_scores
from grading.domain.statuses import Status
from itembank.domain.rules import Path, Rules, Step

Key = tuple[str, str]


@dataclass(frozen=True)
class SheetStep:
    """One step on the sheet. ``status`` and ``score`` are None while nobody has judged it."""

    path: Path
    step: Step
    status: Status | None
    score: Decimal | None
    follows_status: bool = True

    @property
    def key(self) -> Key:
        return self.path.path_id, self.step.step_id


@dataclass(frozen=True)
class MarkingSheet:
    """The sheet of one answer; ``chosen`` maps each part to the path it is marked along."""

    rules: Rules
    chosen: Mapping[int, str]
    steps: tuple[SheetStep, ...]

    @property
    def complete(self) -> bool:
        """Whether every step has a status and a score."""
        return all(each.status is not None and each.score is not None for each in self.steps)

    @property
    def total(self) -> Decimal:
        """The exact sum of the scores given so far."""
        return sum((each.score for each in self.steps if each.score is not None), Decimal(0))

    @property
    def open_steps(self) -> tuple[SheetStep, ...]:
        """Steps that still need a status or a score."""
        return tuple(each for each in self.steps if each.status is None or each.score is None)

    def as_decision(self) -> list[dict[str, Any]]:
        """The steps as a mark stores them; the sheet must be complete."""
        return [
            {
                "path_id": each.path.path_id,
                "step_id": each.step.step_id,
                "status": (each.status or Status.MISSING).value,
                "score": each.score or Decimal(0),
            }
            for each in self.steps
        ]


def bare_answer_excluded(document: Mapping[str, Any] | None) -> bool | None:
    """False where the machine saw working beside the answer; None lets the statuses alone tell a bare answer."""
    if document is None or "ERR_ANSWER_ONLY" in document["verdict"]["diagnosis"]["error_codes"]:
        return None
    return False if document["verdict"]["matched_path_id"] != "UNKNOWN" else None


def _computed(path: Path, statuses: Mapping[Key, Status | None], rules: Rules, bare: bool | None) -> dict[Key, Decimal]:
    """Scores of the steps of a path that have a status, as the rules give them."""
    known = {step.step_id: statuses.get((path.path_id, step.step_id)) for step in path.steps}
    settled = {step_id: status for step_id, status in known.items() if status is not None}
    scores = zip(path.steps, path_scores(path, settled, rules, bare=bare), strict=True)
    return {(path.path_id, step.step_id): score for step, score in scores if step.step_id in settled}


def make_sheet(
    rules: Rules,
    chosen: Mapping[int, str],
    statuses: Mapping[Key, Status | None],
    *,
    given: Mapping[Key, Decimal | None] | None = None,
    before: Mapping[Key, Status | None] | None = None,
    bare: bool | None = None,
) -> MarkingSheet:
    """A sheet from statuses, with scores a person typed in ``given``.

    ``before`` are the statuses that the typed scores stood beside: a typed score that is only what the rules gave for
    those, or whose status has changed, gives way to the newly computed one.
    """
    steps: list[SheetStep] = []
    for path_id in (chosen[part] for part in sorted(chosen)):
        path = rules.path(path_id)
        now = _computed(path, statuses, rules, bare)
        then = _computed(path, statuses if before is None else before, rules, bare)
        for step in path.steps:
            key = (path_id, step.step_id)
            status = statuses.get(key)
            typed = (given or {}).get(key)
            unchanged = before is None or before.get(key) == status
            own = typed is not None and typed != then.get(key) and unchanged
            score = typed if own else now.get(key)
            steps.append(SheetStep(path, step, status, score, follows_status=score == now.get(key)))
    return MarkingSheet(rules, dict(chosen), tuple(steps))


def chosen_paths(rules: Rules, wanted: Mapping[int, str]) -> dict[int, str]:
    """One path for each part: the wanted one where the rules have it there, else the first."""
    chosen: dict[int, str] = {}
    for part in rules.parts():
        names = [path.path_id for path in rules.paths_of(part)]
        chosen[part] = wanted[part] if wanted.get(part) in names else names[0]
    return chosen


def proposed_paths(rules: Rules, document: Mapping[str, Any] | None) -> dict[int, str]:
    """The paths the machine credited, or those its proved steps lie on, or the first ones."""
    if document is None:
        return chosen_paths(rules, {})
    verdict = document["verdict"]
    wanted: dict[int, str] = {}
    if verdict["matched_path_id"] != "UNKNOWN":
        for item in verdict["matched_path_id"].split(";"):
            part, _, path_id = item.partition(":")
            wanted[int(part)] = path_id
        return chosen_paths(rules, wanted)
    named = {path_id for path_id, _ in details_of(document)}
    for path in rules.paths:
        if path.path_id in named:
            wanted.setdefault(path.part, path.path_id)
    return chosen_paths(rules, wanted)


def proposed_statuses(rules: Rules, document: Mapping[str, Any] | None) -> dict[Key, Status | None]:
    """What the machine proposes for each step of every path; None where it proposes nothing.

    An unrecognised answer leaves its unproved steps open: a person must look at each.
    """
    if document is None:
        return {}
    found: dict[Key, Status | None] = {}
    verdict = document["verdict"]
    recognised = verdict["matched_path_id"] != "UNKNOWN"
    for path in document["observation"].get("paths", ()) if recognised else ():
        for step in path["steps"]:
            found[(path["path_id"], step["step_id"])] = Status(step["status"])
    chosen = set(proposed_paths(rules, document).values())
    found |= {key: Status(step["status"]) for key, step in details_of(document).items() if key[0] in chosen}
    return found


def proposed_sheet(
    rules: Rules, document: Mapping[str, Any] | None, wanted: Mapping[int, str] | None = None
) -> MarkingSheet:
    """The sheet as the machine fills it in, along its own paths or the ``wanted`` ones; scores are the verdict's."""
    own = proposed_paths(rules, document)
    chosen = chosen_paths(rules, {**own, **(wanted or {})})
    scores: dict[Key, Decimal | None] = {}
    if document is not None:
        details = {key: Decimal(str(step["score"])) for key, step in details_of(document).items()}
        scores = {
            (path_id, step.step_id): details.get((path_id, step.step_id))
            for part, path_id in own.items()
            if chosen[part] == path_id
            for step in rules.path(path_id).steps
        }
    return make_sheet(
        rules, chosen, proposed_statuses(rules, document), given=scores, bare=bare_answer_excluded(document)
    )


def blank_sheet(rules: Rules, wanted: Mapping[int, str] | None = None) -> MarkingSheet:
    """A sheet on which nothing is judged yet: what a blind marker starts from."""
    return make_sheet(rules, chosen_paths(rules, wanted or {}), {})


def exact_number(text: str) -> Decimal | None:
    """A typed score: digits with an optional decimal point or comma; None when empty. Raises ValueError."""
    cleaned = text.strip().replace(",", ".").replace("。", ".")
    if not cleaned:
        return None
    try:
        number = Decimal(cleaned)
    except InvalidOperation:
        raise ValueError(text) from None
    if not number.is_finite() or len(cleaned) > 8:
        raise ValueError(text)
    return number
