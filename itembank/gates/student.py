"""Who solves as a student at gate 4: another model than the one of gate 3, and it sees the stem alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, Field

from config.foundation.errors import ConfigurationError
from config.foundation.model_access import Budget, Exchange, ModelEndpoint, Prompt

from .asking import Asked, prompt_named
from .claims import Claim, Reading, Why
from .stem import Stem

_Text = Annotated[str, Field(max_length=500)]
_NO_REPLY = Why("这位学生没有给出可用的回复", "the student gave no usable reply")
_NO_ANSWER = Why("这位学生没有作答", "the student answered nothing")


class Student(Protocol):
    """Solves from the stem alone, and names every sensible reading of it."""

    def solve(self, stem: Stem) -> Claim: ...


class _Understood(BaseModel):
    meaning: _Text
    sensible: bool
    values: list[_Text] = Field(max_length=12)
    choices: list[_Text] = Field(max_length=12)


class _Attempt(BaseModel):
    """The reply; the first reading is the one that the student went by."""

    readings: list[_Understood] = Field(max_length=8)
    cannot: _Text
    instructions_seen: list[_Text] = Field(max_length=20)


def prompt_in_use() -> Prompt:
    """The prompt of the one call."""
    return prompt_named("solve_as_student")


def require_another(student: ModelEndpoint, solver: ModelEndpoint | None) -> None:
    """Raises ConfigurationError where both gates would ask one model: its name counts, not its address, case or folder."""
    if solver is not None and _plain(student.model) == _plain(solver.model):
        raise ConfigurationError(
            "items.same_mind",
            f"第四关不可用：{student.model} 就是第三关的模型。请另指定一个不同的模型。",
            f"Gate 4 is not usable: {student.model} is the model of gate 3. Name a different one.",
        )


def _plain(name: str) -> str:
    """One model is served as `Maker/Name`, `name` or `NAME:latest`."""
    return name.strip().casefold().rsplit("/", 1)[-1].removesuffix(":latest")


class ModelStudent:
    """Asks once. Never raises for what the model says.

    `solver` is the model of gate 3, None where plain code computed there; the same model is refused by ConfigurationError.
    """

    def __init__(
        self,
        endpoint: ModelEndpoint,
        *,
        solver: ModelEndpoint | None,
        budget: Budget | None = None,
        key: str = "",
        keep: Callable[[Exchange], None] | None = None,
    ) -> None:
        require_another(endpoint, solver)
        self._asked = Asked(endpoint, budget, key, keep)

    def solve(self, stem: Stem) -> Claim:
        """The sensible readings with their answers; those that the student finds far-fetched are only kept."""
        reply, kept = self._asked.about(stem, prompt_in_use(), _Attempt, role="student")
        if reply.parsed is None:
            return Claim((), _NO_REPLY, artefacts=kept | {"failure": reply.failure})
        return _claimed(reply.parsed, kept)


def _claimed(attempt: _Attempt, kept: dict[str, Any]) -> Claim:
    seen = tuple(attempt.instructions_seen)
    read = [(Reading(tuple(one.values), tuple(one.choices), one.meaning), one.sensible) for one in attempt.readings]
    kept = kept | {
        "cannot": attempt.cannot,
        "far_fetched": [reading.document() for reading, sensible in read if not sensible],
    }
    if attempt.cannot:
        why = Why(f"这位学生说做不出：{attempt.cannot[:200]}", f"the student says it could not: {attempt.cannot[:200]}")
        return Claim((), why, seen, kept)
    sensible = tuple(reading for reading, is_sensible in read if is_sensible)
    if not sensible or not all(reading.values or reading.choices for reading in sensible):
        return Claim((), _NO_ANSWER, seen, kept)
    return Claim(sensible, instructions_seen=seen, artefacts=kept)
