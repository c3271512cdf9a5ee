"""A group as it is looked at: what its answers have in common, and each answer cut down to the lines that count."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from grading.domain.likeness import Likeness
from grading.models import Case, Page
from itembank.domain.rules import Rules

from .like_answers import ContactSheet
from .presentation import LineShown, lines_of
from .words import ALGEBRA, STATUSES, StatusWords, Words

MARGIN = Decimal("0.03")
"""How much of the page's width is shown around the lines."""


@dataclass(frozen=True)
class CommonStep:
    """One step of the common outcome: what all answers of the group state for it, and how that is known."""

    number: int
    desc: str
    status: StatusWords
    score: Decimal
    points: Decimal
    stated: tuple[str, ...]
    proof: str
    proof_shape: str
    proof_word: Words


def common_steps(like: Likeness, rules: Rules) -> list[CommonStep]:
    """The steps that all answers of a group share."""
    steps = {(path.path_id, step.step_id): step for path in rules.paths for step in path.steps}
    found = []
    for number, result in enumerate(like.steps, start=1):
        shape, word = ALGEBRA.get(result.proof, ("", ""))
        texts = dict.fromkeys(f"{_braced(name)}={value}" if name else value for name, value in result.stated)
        found.append(
            CommonStep(
                number=number,
                desc=steps[result.key].desc,
                status=STATUSES[result.status.value],
                score=result.score,
                points=steps[result.key].points,
                stated=tuple(texts),
                proof=result.proof,
                proof_shape=shape,
                proof_word=word,
            )
        )
    return found


def _braced(name: str) -> str:
    """A name as algebra writes it, for typesetting: S_10 becomes S_{10}."""
    return re.sub(r"_(\w{2,})", r"_{\1}", name)


@dataclass(frozen=True)
class Crop:
    """The part of one page with the lines that the steps rest on; ``view`` is x, y, width and height in its pixels."""

    page: Page
    view: str
    lines: tuple[LineShown, ...]


@dataclass(frozen=True)
class Tile:
    """One answer of the contact sheet."""

    case: Case
    odd: bool
    crops: tuple[Crop, ...]
    lines: tuple[LineShown, ...]
    excluded: bool

    @property
    def pages(self) -> tuple[Page, ...]:
        """The pages shown."""
        return tuple(crop.page for crop in self.crops)


def tiles(sheet: ContactSheet, without: Sequence[str]) -> list[Tile]:
    """The answers of a sheet, odd ones first, with what the person has excluded so far."""
    found = []
    for case in sheet.cases:
        pages, document = sheet.pages[case.pk], sheet.documents[case.pk]
        cited = tuple(line for line in lines_of(document, pages) if line.step_ids)
        crops = tuple(_crop(page, [line for line in cited if line.page == page.number]) for page in pages)
        found.append(Tile(case, case.pk in sheet.group.odd, crops, cited, case.public_id in without))
    return found


def _crop(page: Page, lines: Sequence[LineShown]) -> Crop:
    """Around the lines with a box; the whole page where none of its lines counts."""
    boxes = [tuple(Decimal(edge) for edge in line.box) for line in lines if line.box]
    if not boxes:
        return Crop(page, f"0 0 {page.width} {page.height}", tuple(lines))
    margin = page.width * MARGIN
    left = max(Decimal(0), min(box[0] for box in boxes) - margin)
    top = max(Decimal(0), min(box[1] for box in boxes) - margin)
    right = min(Decimal(page.width), max(box[0] + box[2] for box in boxes) + margin)
    bottom = min(Decimal(page.height), max(box[1] + box[3] for box in boxes) + margin)
    edges = (left, top, right - left, bottom - top)
    return Crop(page, " ".join(f"{edge:.1f}" for edge in edges), tuple(lines))


def first_document(sheet: ContactSheet) -> Mapping[str, Any]:
    """The verdict that stands for all of the group: they propose the same."""
    return sheet.documents[sheet.cases[0].pk]
