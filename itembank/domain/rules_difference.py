"""What differs between two versions of scoring rules: fields of the question, paths, steps, points and flags."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from .presentation import PathView, StepView, rules_view
from .rule_model import Path, Rules, Step

# What a step earns; everything else of a step says what it demands.
POINTS = ("points", "gap_points", "ecf_points")
OF_QUESTION = (
    "title", "stem", "mark_step", "givens", "quantities", "functions", "assume", "answer_only_points",
    "ecf_after_principle", "required_method",
)  # fmt: skip


@dataclass(frozen=True)
class FieldChange:
    """One field of the question as it was and as it is."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True)
class StepChange:
    """One step in both versions; ``changed`` names its fields that differ, empty where nothing does."""

    step_id: str
    before: StepView | None
    after: StepView | None
    changed: tuple[str, ...]

    @property
    def kind(self) -> str:
        """``added``, ``removed``, ``changed`` or ``same``."""
        return kind_of(self.before, self.after, self.changed)


@dataclass(frozen=True)
class PathChange:
    """One path in both versions with its steps."""

    path_id: str
    before: PathView | None
    after: PathView | None
    steps: tuple[StepChange, ...]

    @property
    def kind(self) -> str:
        """``added``, ``removed``, ``changed`` or ``same``."""
        renamed = bool(self.before and self.after and self.before.path.name != self.after.path.name)
        return kind_of(self.before, self.after, renamed or any(step.kind != "same" for step in self.steps))

    @property
    def name(self) -> str:
        shown = self.after or self.before
        return shown.path.name if shown else ""


@dataclass(frozen=True)
class RulesDifference:
    """Everything that differs; paths in the order of the newer version, then those it has dropped."""

    fields: tuple[FieldChange, ...]
    paths: tuple[PathChange, ...]


def kind_of(before: object, after: object, changed: object) -> str:
    """How something stands in the newer version beside the older."""
    if before is None:
        return "added"
    if after is None:
        return "removed"
    return "changed" if changed else "same"


def rules_difference(old: Rules, new: Rules) -> RulesDifference:
    """The newer version beside the older."""
    was = {path.path.path_id: path for part in rules_view(old).parts for path in part.paths}
    now = {path.path.path_id: path for part in rules_view(new).parts for path in part.paths}
    order = [*now, *(path_id for path_id in was if path_id not in now)]
    changed = (FieldChange(name, getattr(old, name), getattr(new, name)) for name in OF_QUESTION)
    return RulesDifference(
        fields=tuple(each for each in changed if each.before != each.after),
        paths=tuple(_path(path_id, was.get(path_id), now.get(path_id)) for path_id in order),
    )


def _path(path_id: str, before: PathView | None, after: PathView | None) -> PathChange:
    was = {view.step.step_id: view for view in before.steps} if before else {}
    now = {view.step.step_id: view for view in after.steps} if after else {}
    order = [*now, *(step_id for step_id in was if step_id not in now)]
    return PathChange(path_id, before, after, tuple(_step(one, was.get(one), now.get(one)) for one in order))


def _step(step_id: str, before: StepView | None, after: StepView | None) -> StepChange:
    changed: tuple[str, ...] = ()
    if before is not None and after is not None:
        names = [field.name for field in fields(Step)]
        changed = tuple(name for name in names if getattr(before.step, name) != getattr(after.step, name))
    return StepChange(step_id, before, after, changed)


def same_demand(old: Step, new: Step) -> bool:
    """Whether a verdict on one step is a verdict on the other: nothing but the points differs."""
    return replace(old, **{name: getattr(new, name) for name in POINTS}) == new


def points_alone(old: Path, new: Path) -> bool:
    """Whether two versions of a path have the same steps in the same order, with other points at most."""
    return len(old.steps) == len(new.steps) and all(
        same_demand(was, now) for was, now in zip(old.steps, new.steps, strict=True)
    )


def same_ground(old: Rules, new: Rules) -> bool:
    """Whether nothing that a verdict on a step may rest on differs outside the paths."""
    return all(
        getattr(old, name) == getattr(new, name) for name in OF_QUESTION if name not in ("title", "answer_only_points")
    )


def same_demands(old: Rules, new: Rules) -> bool:
    """Whether every verdict under one version is a verdict under the other: points alone differ."""
    return (
        same_ground(old, new)
        and [(path.path_id, path.part) for path in old.paths] == [(path.path_id, path.part) for path in new.paths]
        and all(points_alone(was, now) for was, now in zip(old.paths, new.paths, strict=True))
    )
