"""The parts of scoring rules as plain values: steps, paths and the rules of one question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

Kind = Literal["concept", "computation", "conclusion"]


@dataclass(frozen=True)
class Step:
    """One mark point (得分点). `points` is what it earns when it is right and shown."""

    step_id: str
    desc: str
    points: Decimal
    kind: Kind
    expects: tuple[str, ...]
    working: tuple[str, ...]
    demands: tuple[str, ...]
    yields: Mapping[str, str]
    depends_on: tuple[str, ...]
    shared_id: str | None
    must_show: bool
    ecf_allow: bool
    gap_points: Decimal | None
    ecf_points: Decimal | None


@dataclass(frozen=True)
class Path:
    """One way to solve one part of the question."""

    path_id: str
    name: str
    part: int
    steps: tuple[Step, ...]

    @property
    def points(self) -> Decimal:
        """What the path earns when every step is right."""
        return sum((step.points for step in self.steps), Decimal(0))

    def step(self, step_id: str) -> Step:
        """The step of that id; raises KeyError."""
        for step in self.steps:
            if step.step_id == step_id:
                return step
        raise KeyError(step_id)


@dataclass(frozen=True)
class Rules:
    """The scoring rules of one question as read and checked.

    `document` is the document as received with its numbers normalised (whole numbers are int, others Decimal);
    `sha256` is the hash of its canonical JSON and identifies this version of the rules.
    """

    question_id: str
    title: str
    stem: str
    max_score: Decimal
    mark_step: Decimal
    givens: Mapping[str, str]
    quantities: Mapping[str, str]
    functions: tuple[str, ...]
    assume: tuple[str, ...]
    paths: tuple[Path, ...]
    answer_only_points: Decimal
    ecf_after_principle: bool
    required_method: str | None
    document: dict[str, Any]
    sha256: str

    def path(self, path_id: str) -> Path:
        """The path of that id; raises KeyError."""
        for path in self.paths:
            if path.path_id == path_id:
                return path
        raise KeyError(path_id)

    def parts(self) -> tuple[int, ...]:
        """The numbers of the parts in ascending order."""
        return tuple(sorted({path.part for path in self.paths}))

    def paths_of(self, part: int) -> tuple[Path, ...]:
        """The paths that solve that part, in the order of the document."""
        return tuple(path for path in self.paths if path.part == part)

    def step(self, path_id: str, step_id: str) -> Step:
        """The step of that path; raises KeyError."""
        return self.path(path_id).step(step_id)

    @property
    def known_values(self) -> dict[str, str]:
        """Givens and right quantities together, by name: what a formula may use."""
        return {**self.givens, **self.quantities}
