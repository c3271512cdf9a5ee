"""Marks on images as a page shows them: their strokes, whose they are, and what a screen reader says of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from config.foundation.templatetags.people import person_name
from grading.annotations import annotations_seen, shape_on
from grading.domain.annotation_shapes import Shape
from grading.models import Annotation, Case

from .words import DRAWN, Words


@dataclass(frozen=True)
class DrawnShown:
    """One mark on page ``page``. ``by`` is empty for the reader's own; ``document`` is what the desk's script draws by."""

    key: str
    page: int
    kind: str
    name: Words
    text: str
    by: str
    shape: Shape
    document: str

    @property
    def corner(self) -> tuple[str, str]:
        """Where the name of its maker stands: over its upper left, in pixels of the page."""
        points = [point for stroke in self.shape.strokes for point in stroke]
        points += [(line.x, line.y - self.shape.size) for line in self.shape.lines]
        over = self.shape.stroke * 2
        return f"{min(x for x, _y in points):.1f}", f"{max(self.label, min(y for _x, y in points) - over):.1f}"

    @property
    def label(self) -> float:
        """Height of its maker's name in pixels."""
        return self.shape.stroke * 4.5


def _shown(each: Annotation, person: Any) -> DrawnShown:
    document = {"kind": each.kind, "at": [float(each.x), float(each.y)], "text": each.text}
    if each.to_x is not None and each.to_y is not None:
        document["to"] = [float(each.to_x), float(each.to_y)]
    own = each.by_id == person.pk
    return DrawnShown(
        each.key if own else "", each.page.number, each.kind, DRAWN[each.kind], each.text,
        "" if own else str(person_name(each.by)), shape_on(each), json.dumps(document, ensure_ascii=False),
    )  # fmt: skip


def drawn_on(case: Case, person: Any) -> list[DrawnShown]:
    """What a person may see drawn on an answer; one query where they have it in hand to mark it alone."""
    return [_shown(each, person) for each in annotations_seen(case, person)]
