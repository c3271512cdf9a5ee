"""Who computes the answer from the stem alone: a model that writes a program, which the sandbox runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from pydantic import BaseModel, Field

from config.foundation import strict_json
from config.foundation.model_access import Budget, Exchange, ModelEndpoint, Prompt
from itembank.sandbox import Sandbox, Status

from .asking import Asked, prompt_named
from .claims import NO_REASON, Claim, Reading, Why
from .stem import Stem

_MOST_LINES = 600
_MOST_PRINTED = 16_384
_MOST_READINGS, _MOST_VALUES, _MOST_LENGTH = 8, 12, 500

_NO_PROGRAM = Why("模型没有给出程序", "the model gave no program")
_NO_SANDBOX = Why("沙箱不可用", "the sandbox is unavailable")
_NOT_ENDED = Why("程序没有正常结束", "the program did not end well")
_NO_LINE = Why("程序没有打印一行 JSON", "the program did not print one line of JSON")
_ANOTHER_FORM = Why("程序打印的不是所要的格式", "the program printed another form")


class Solver(Protocol):
    """Computes from the stem alone."""

    def solve(self, stem: Stem) -> Claim: ...


class _Program(BaseModel):
    """Lines, because a strict reply holds no control character, so no line break either."""

    lines: list[str] = Field(min_length=1, max_length=_MOST_LINES)
    instructions_seen: list[str] = Field(max_length=20)


def prompt_in_use() -> Prompt:
    """The prompt of the one call."""
    return prompt_named("solve_stem")


class ModelSolver:
    """Asks once and runs what comes. Never raises for what the model or its program does."""

    def __init__(
        self,
        endpoint: ModelEndpoint,
        sandbox: Sandbox,
        *,
        budget: Budget | None = None,
        key: str = "",
        keep: Callable[[Exchange], None] | None = None,
    ) -> None:
        self._asked = Asked(endpoint, budget, key, keep)
        self._sandbox = sandbox

    def solve(self, stem: Stem) -> Claim:
        """A program from the model, run once in the sandbox; what it prints is a claim."""
        reply, kept = self._asked.about(stem, prompt_in_use(), _Program, role="solver")
        if reply.parsed is None:
            return Claim((), _NO_PROGRAM, artefacts=kept | {"failure": reply.failure})
        seen = tuple(reply.parsed.instructions_seen)
        code = "\n".join(reply.parsed.lines)
        ran = self._sandbox.run(code)
        kept |= {"code": code, "run": ran.document()}
        if ran.status is not Status.OK:
            return Claim((), _NO_SANDBOX if ran.status is Status.UNAVAILABLE else _NOT_ENDED, seen, kept)
        readings, why = printed(ran.stdout)
        return Claim(readings, why, seen, kept)


def printed(stdout: str) -> tuple[tuple[Reading, ...], Why]:
    """The readings that a program printed, or none and why. Anything but the one line that was asked for is none."""
    try:
        document = strict_json.loads(stdout.strip().encode(), max_bytes=_MOST_PRINTED)
    except strict_json.UnusableJSON:
        return (), _NO_LINE
    if not isinstance(document, dict) or set(document) != {"readings", "not_computable"}:
        return (), _ANOTHER_FORM
    why, listed = document["not_computable"], document["readings"]
    if not isinstance(why, str) or not isinstance(listed, list) or len(listed) > _MOST_READINGS:
        return (), _ANOTHER_FORM
    if why or not listed:
        return (), Why(f"程序说算不出：{why[:200]}", f"the program says it could not: {why[:200]}")
    readings = [_reading(each) for each in listed]
    found = tuple(each for each in readings if each is not None)
    return (found, NO_REASON) if len(found) == len(listed) else ((), _ANOTHER_FORM)


def _reading(document: object) -> Reading | None:
    if not isinstance(document, dict) or set(document) != {"values", "choices"}:
        return None
    lists = [document["values"], document["choices"]]
    for texts in lists:
        if not isinstance(texts, list) or len(texts) > _MOST_VALUES:
            return None
        if not all(isinstance(text, str) and len(text) <= _MOST_LENGTH for text in texts):
            return None
    values, choices = (tuple(texts) for texts in lists)
    return Reading(values, choices) if values or choices else None
