"""An observation: what a judge proposes for each step of each path. It proposes; it awards nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from config.foundation.errors import UnusableInput

from .documents import exact, schema_fault
from .reading import Failure, read_failure
from .statuses import ErrorCode, Status


class UnusableObservation(UnusableInput):
    """The document is no observation; the message names path, step and field."""


@dataclass(frozen=True)
class StepProposal:
    """What a judge says of one step, and the lines it rests on."""

    path_id: str
    step_id: str
    status: Status
    line_ids: tuple[str, ...] = ()
    quote: str = ""
    confidence: Decimal = Decimal(0)
    error_codes: tuple[ErrorCode, ...] = ()
    formula: str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Observation:
    """All proposals of one judge. A path that stands twice keeps all of its steps, so that `coverage` sees it."""

    judge: str
    paths: Mapping[str, tuple[StepProposal, ...]]
    another_method: bool = False
    instructions_seen: tuple[str, ...] = ()
    comments: str = ""
    failure: Failure | None = None
    document: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @cached_property
    def _first(self) -> dict[tuple[str, str], StepProposal]:
        """The first proposal for each step of each path."""
        found: dict[tuple[str, str], StepProposal] = {}
        for path_id, steps in self.paths.items():
            for step in steps:
                found.setdefault((path_id, step.step_id), step)
        return found

    def proposal(self, path_id: str, step_id: str) -> StepProposal | None:
        """The first proposal for a step; None where the judge said nothing."""
        return self._first.get((path_id, step_id))

    def status(self, path_id: str, step_id: str) -> Status:
        """The proposed status; MISSING where the judge said nothing."""
        found = self.proposal(path_id, step_id)
        return Status.MISSING if found is None else found.status


def read_observation(document: object, *, is_exact: bool = False) -> Observation:
    """The observation in a parsed JSON document; raises UnusableObservation. `is_exact`: it comes from `exact`."""
    clean: Any = document if is_exact else exact(document)
    fault = schema_fault("observation", clean, allow_controls="\n\t")
    if fault is not None:
        where = f" {fault.where}" if fault.where else ""
        raise UnusableObservation(
            "observation.schema", f"判读意见{where}：{fault.zh}。", f"Observation{where}: {fault.en}."
        )
    _refuse_eaten_backslashes(clean["paths"])
    paths: dict[str, tuple[StepProposal, ...]] = {}
    for path in clean["paths"]:
        steps = tuple(_proposal(path["path_id"], step) for step in path["steps"])
        paths[path["path_id"]] = paths.get(path["path_id"], ()) + steps
    return Observation(
        judge=clean["judge"],
        paths=paths,
        another_method=clean.get("another_method", False),
        instructions_seen=tuple(clean.get("instructions_seen", ())),
        comments=clean.get("comments", ""),
        failure=read_failure(clean.get("failure")),
        document=clean,
    )


def _refuse_eaten_backslashes(paths: list[dict[str, Any]]) -> None:
    r"""A tab inside mathematics is what JSON makes of `\times` with one backslash; line breaks may part quoted lines."""
    for step in (step for path in paths for step in path["steps"]):
        if "\t" in step.get("quote", "") + (step.get("formula") or ""):
            raise UnusableObservation(
                "observation.control_character",
                f"判读意见 {step['step_id']}：文字里有制表符（反斜杠可能没有写成两个）。",
                f"Observation {step['step_id']}: a tab (a backslash may not have been doubled).",
            )


def _proposal(path_id: str, step: dict[str, Any]) -> StepProposal:
    return StepProposal(
        path_id=path_id,
        step_id=step["step_id"],
        status=Status(step["status"]),
        line_ids=tuple(step.get("line_ids", ())),
        quote=step.get("quote", ""),
        confidence=Decimal(step["confidence"]),
        error_codes=tuple(ErrorCode(code) for code in step.get("error_codes", ())),
        formula=step.get("formula"),
        reason=step.get("reason"),
    )
