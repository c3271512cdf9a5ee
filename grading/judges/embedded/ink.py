"""What is written where, in pixels: the ink facts that the policy gate checks every judge against.

Knows no recogniser and no judge. Numbers leave as integers or rounded decimal strings, so that the same page gives
the same bytes, and so the same hash, everywhere. Limits that hold: strokes lighter than about an eighth of full black
count as paper; printed rules across much of the page are removed; a printed template must be given to be masked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grading.judges.embedded.pages import Box, Mask

type UnitBox = tuple[float, float, float, float]
type PagedBox = tuple[int, UnitBox] | Mapping[str, Any]
"""A page, counted from 1, and a box in shares of it; or both in a mapping under "page" and "box"."""

WORKING_SIDE = 1600
"""Pixels of the longer side at which ink is measured, whatever the size of the page."""
BLANK_UNITS = 0.25
"""A page whose ink covers less than this share of one written figure's square is blank."""
SIGNIFICANT_INK = 12
"""Ink pixels (at the working size) that make a region worth an explanation."""
SLACK = 0.006
"""How far, as a share of the page, a box may stop short of its ink: boxes are drawn by eye or by models."""


@dataclass(frozen=True)
class _Page:
    mask: "Mask"
    regions: "list[tuple[Box, int]]"
    unit: float
    width: int
    height: int
    masked: bool


def measure_ink(
    images: Sequence[bytes], boxes: Sequence[PagedBox], templates: Sequence[bytes | None] = ()
) -> dict[str, Any]:
    """Ink of each page, of each given box, and the writing that no box covers.

    Pages count from 1, boxes are fractions of the page. `templates` are blank printed pages, aligned with the scans.
    Raises UnusablePage when an image cannot be decoded.
    """
    pages = [
        _measured(image, templates[number] if number < len(templates) else None) for number, image in enumerate(images)
    ]
    given = [_paged(box) for box in boxes]
    return {
        "pages": [_page_facts(page) for page in pages],
        "boxes": [
            _box_facts(pages, number, box) | {"own_ink": _own_ink(pages, number, box, given)} for number, box in given
        ],
        "unaccounted": [
            facts
            for number, page in enumerate(pages, start=1)
            for facts in _unaccounted(page, number, [box for at, box in given if at == number])
        ],
    }


def _paged(box: PagedBox) -> tuple[int, UnitBox]:
    page, edges = (box["page"], box["box"]) if isinstance(box, Mapping) else box
    x0, y0, x1, y1 = (float(edge) for edge in edges)
    return int(page), (x0, y0, x1, y1)


@lru_cache(maxsize=4)
def _measured(image: bytes, template: bytes | None) -> _Page:
    """The page without its boxes; kept for the next measurement of the same image. Nobody writes into its mask."""
    from grading.judges.embedded import pages

    stored = pages.decode(image)
    flat = pages.flatten(pages.fit(stored, WORKING_SIDE, WORKING_SIDE))
    mask = pages.ink_mask(flat)
    if template is not None:
        mask = _without_template(mask, template)
    unit = pages.writing_unit(mask)
    return _Page(mask, writing_regions(mask, unit), unit, stored.shape[1], stored.shape[0], template is not None)


def _without_template(mask: "Mask", template: bytes) -> "Mask":
    import cv2
    import numpy as np

    from grading.judges.embedded import pages

    printed = pages.ink_mask(pages.flatten(pages.fit(pages.decode(template), WORKING_SIDE, WORKING_SIDE)))
    if printed.shape != mask.shape:
        printed = cv2.resize(printed, (mask.shape[1], mask.shape[0]), interpolation=cv2.INTER_NEAREST)
    grown: Mask = cv2.dilate(printed, np.ones((9, 9), np.uint8))
    left: Mask = mask * (1 - grown)
    return left


def writing_regions(mask: "Mask", unit: float) -> "list[tuple[Box, int]]":
    """Connected stretches of writing with their ink pixels, in reading order; lone specks are left out."""
    import cv2
    import numpy as np

    if unit <= 0:
        return []
    reach = (max(3, round(0.35 * unit) | 1), max(3, round(1.1 * unit) | 1))
    grown = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones(reach, np.uint8))
    count, labels = cv2.connectedComponents(grown, connectivity=8)
    inked = np.bincount(labels[mask > 0], minlength=count)
    regions = []
    for label in range(1, count):
        if inked[label] < SIGNIFICANT_INK:
            continue
        ys, xs = np.nonzero((labels == label) & (mask > 0)) if count < 40 else _extent(labels, mask, label)
        box = (int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)
        regions.append((box, int(inked[label])))
    return sorted(regions, key=lambda region: (region[0][1], region[0][0]))


def _page_facts(page: _Page) -> dict[str, Any]:
    ink = int(page.mask.sum())
    return {
        "width": page.width,
        "height": page.height,
        "ink_fraction": _decimal(ink / page.mask.size, 6),
        "blank": ink < max(SIGNIFICANT_INK, BLANK_UNITS * page.unit * page.unit * 0.1) or not page.regions,
        "regions": [_on_page(box, page.mask) for box, _ in page.regions],
        "template_masked": page.masked,
    }


def _box_facts(pages: Sequence[_Page], number: int, box: UnitBox) -> dict[str, Any]:
    facts: dict[str, Any] = {"page": number, "box": [_decimal(value, 4) for value in box]}
    x0, y0, x1, y1 = box
    on_page = 1 <= number <= len(pages) and 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1
    if not on_page:
        return facts | {"on_page": False, "ink_fraction": "0", "has_ink": False, "struck": None}
    page = pages[number - 1]
    height, width = page.mask.shape
    crop = page.mask[round(y0 * height) : max(1, round(y1 * height)), round(x0 * width) : max(1, round(x1 * width))]
    ink = int(crop.sum())
    has_ink = crop.size > 0 and ink >= SIGNIFICANT_INK
    return facts | {
        "on_page": True,
        "ink_fraction": _decimal(ink / crop.size if crop.size else 0.0, 6),
        "has_ink": has_ink,
        "struck": struck_out(crop, page.unit) if has_ink else None,
    }


def _own_ink(pages: Sequence[_Page], number: int, box: UnitBox, given: Sequence[tuple[int, UnitBox]]) -> bool:
    """Whether enough ink for a line lies in the box and in no other one: ink that is read twice speaks for one line only."""
    if not 1 <= number <= len(pages):
        return False
    mask = pages[number - 1].mask
    height, width = mask.shape

    def pixels(edges: UnitBox) -> tuple[slice, slice]:
        x0, y0, x1, y1 = (max(0.0, edge) for edge in edges)
        return slice(round(y0 * height), round(y1 * height)), slice(round(x0 * width), round(x1 * width))

    own = mask.copy()
    same = 0
    for page, other in given:
        if page == number and other == box and same == 0:
            same = 1
        elif page == number:
            own[pixels(other)] = 0
    return int(own[pixels(box)].sum()) >= SIGNIFICANT_INK


def _unaccounted(page: _Page, number: int, boxes: Sequence[UnitBox]) -> list[dict[str, Any]]:
    left = page.mask.copy()
    height, width = left.shape
    for x0, y0, x1, y1 in boxes:
        top, bottom = max(0, round((y0 - SLACK) * height)), round((y1 + SLACK) * height)
        start, end = max(0, round((x0 - SLACK) * width)), round((x1 + SLACK) * width)
        left[top : max(0, bottom), start : max(0, end)] = 0
    least = max(SIGNIFICANT_INK, round(0.02 * page.unit * page.unit))
    return [
        {"page": number, "box": _on_page(box, left), "ink_fraction": _decimal(ink / left.size, 6)}
        for box, ink in writing_regions(left, page.unit)
        if ink >= least
    ]


def struck_out(crop: "Mask", unit: float) -> bool:
    """True when one or two long strokes run through most of the writing in the crop (0/1 ink).

    A bar with ink on one side only, as in an underline or the roof of a root, strikes nothing out, nor does a fraction
    bar that leaves air: short strokes must leave the long one on both sides.
    """
    import cv2
    import numpy as np

    ys, xs = np.nonzero(crop)
    if xs.size == 0 or unit <= 0:
        return False
    ink = np.ascontiguousarray(crop[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1])
    height, width = ink.shape
    least = max(0.6 * width, 1.2 * unit)
    if width < unit or least > np.hypot(width, height):
        return False
    found = cv2.HoughLinesP(ink * 255, 1, np.pi / 360, 40, minLineLength=int(least), maxLineGap=max(2, round(unit / 8)))
    lines = [] if found is None else sorted(found.reshape(-1, 4).tolist(), key=lambda line: line[1] + line[3])
    lines = [line for line in lines if abs(line[2] - line[0]) >= 0.6 * width]
    sides = [_touches(ink, line, unit) for line in lines[:: max(1, len(lines) // 40)]]
    solid = [side for side in sides if side is not None]
    return any(above >= 2 for above, _ in solid) and any(below >= 2 for _, below in solid)


def _touches(ink: "Mask", line: Sequence[int], unit: float) -> tuple[int, int] | None:
    """How many short strokes leave the line upwards and downwards; None when the line is not solid ink."""
    import numpy as np

    x0, y0, x1, y1 = (float(value) for value in line)
    steps = int(abs(x1 - x0)) + 1
    xs = np.clip(np.round(np.linspace(x0, x1, steps)).astype(int), 0, ink.shape[1] - 1)
    ys = np.linspace(y0, y1, steps)

    def along(shift: float) -> "np.ndarray[Any, Any]":
        rows = np.round(ys + shift).astype(int)
        inside = (rows >= 0) & (rows < ink.shape[0])
        covered: np.ndarray[Any, Any] = (ink[np.clip(rows, 0, ink.shape[0] - 1), xs] > 0) & inside
        return covered

    if (along(-2) | along(-1) | along(0) | along(1) | along(2)).mean() < 0.93:
        return None
    near, far = max(5.0, 0.13 * unit), max(7.0, 0.18 * unit)
    above = _short_runs(along(-near) & along(-far), 0.7 * unit)
    below = _short_runs(along(near) & along(far), 0.7 * unit)
    return above, below


def _short_runs(covered: Any, longest: float) -> int:
    """Stretches of covered pixels no longer than `longest`: cut strokes, not a second line."""
    import numpy as np

    edges = np.diff(np.concatenate(([0], covered.astype(np.int8), [0])))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return int(((ends - starts >= 2) & (ends - starts <= longest)).sum())


def _extent(labels: Any, mask: "Mask", label: int) -> Any:
    import numpy as np

    return np.nonzero((labels == label) & (mask > 0))


def _on_page(box: "Box", mask: "Mask") -> list[str]:
    height, width = mask.shape
    x0, y0, x1, y1 = box
    return [_decimal(x0 / width, 4), _decimal(y0 / height, 4), _decimal(x1 / width, 4), _decimal(y1 / height, 4)]


def _decimal(value: float, places: int) -> str:
    """A rounded decimal without trailing zeros: one spelling for one number."""
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text
