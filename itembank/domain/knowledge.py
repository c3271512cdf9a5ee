"""The tree of knowledge points (知识点): ids tell the way from the root, each point the stage that first teaches it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from config.foundation.errors import UnusableInput

from .item_model import STAGES

FILE = Path(__file__).with_name("knowledge_points.json")
MOST_POINTS = 5_000
_ID = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+){0,7}")


@dataclass(frozen=True)
class KnowledgePoint:
    """One point. `point_id` is `parent.own`; a root has no dot."""

    point_id: str
    zh: str
    en: str
    stage: str

    @property
    def parent_id(self) -> str | None:
        """The id of the point above it; None for a root."""
        return self.point_id.rpartition(".")[0] or None


class KnowledgeTree:
    """All points by id; parents come before their children."""

    def __init__(self, points: Mapping[str, KnowledgePoint]) -> None:
        self.points = dict(points)

    def __contains__(self, point_id: str) -> bool:
        return point_id in self.points

    def __iter__(self) -> Iterator[KnowledgePoint]:
        return iter(self.points.values())

    def __len__(self) -> int:
        return len(self.points)

    def get(self, point_id: str) -> KnowledgePoint | None:
        """The point of that id, or None."""
        return self.points.get(point_id)

    def way(self, point_id: str) -> tuple[KnowledgePoint, ...]:
        """The points from the root down to this one; empty for an unknown id."""
        point = self.points.get(point_id)
        if point is None:
            return ()
        return (*(self.way(point.parent_id) if point.parent_id else ()), point)

    def within(self, point_id: str, stage: str) -> bool | None:
        """Whether the stage has been taught the point; None where the tree does not know it."""
        point = self.points.get(point_id)
        return None if point is None else STAGES.index(point.stage) <= STAGES.index(stage)


def read_tree(document: object) -> KnowledgeTree:
    """The tree in a document `{"points": [{"id", "zh", "en", "stage"}, …]}`; raises UnusableInput, naming the first bad row.

    A point stands after its parent, and is taught no earlier than the parent begins.
    """
    rows = document.get("points") if isinstance(document, dict) else None
    if not isinstance(rows, list) or not rows or len(rows) > MOST_POINTS:
        raise UnusableInput(
            "knowledge-tree",
            f'知识点文件应为 {{"points": […]}}，1 至 {MOST_POINTS} 项。',
            f'A file of knowledge points is {{"points": […]}} with 1 to {MOST_POINTS} entries.',
        )
    points: dict[str, KnowledgePoint] = {}
    for number, row in enumerate(rows, start=1):
        point = _point(row, number)
        parent = points.get(point.parent_id) if point.parent_id else None
        if point.point_id in points:
            raise _bad(number, f"编号 {point.point_id} 重复", f"the id {point.point_id} stands twice")
        if point.parent_id and parent is None:
            raise _bad(number, f"上级 {point.parent_id} 应先写出", f"its parent {point.parent_id} must stand before it")
        if parent is not None and STAGES.index(point.stage) < STAGES.index(parent.stage):
            raise _bad(number, "学段早于上级知识点", "its stage is earlier than that of its parent")
        points[point.point_id] = point
    return KnowledgeTree(points)


def _point(row: object, number: int) -> KnowledgePoint:
    if not isinstance(row, dict) or set(row) != {"id", "zh", "en", "stage"}:
        raise _bad(number, "应恰有 id、zh、en、stage 四项", "it must have exactly id, zh, en and stage")
    if not all(isinstance(value, str) and 0 < len(value) <= 80 for value in row.values()):
        raise _bad(number, "每项都应是 1 至 80 字的文字", "each must be text of 1 to 80 characters")
    if not _ID.fullmatch(row["id"]):
        raise _bad(number, f"编号 {row['id']} 写法不对", f"the id {row['id']} is not written as it must be")
    if row["stage"] not in STAGES:
        raise _bad(number, f"学段应为 {'、'.join(STAGES)} 之一", f"the stage must be one of {', '.join(STAGES)}")
    return KnowledgePoint(row["id"], row["zh"], row["en"], row["stage"])


def _bad(number: int, zh: str, en: str) -> UnusableInput:
    return UnusableInput("knowledge-tree", f"知识点第 {number} 项：{zh}。", f"Knowledge point {number}: {en}.")


@cache
def shipped_tree() -> KnowledgeTree:
    """The tree that comes with the product; a school may import its own."""
    return read_tree(json.loads(FILE.read_text("utf-8")))
