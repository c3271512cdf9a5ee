"""From the stored bytes of a page to clean ink: what is pen, what is paper, rule or shading.

Both the reader and the ink measurement of the policy gate start here, so that they mean the same thing by "ink".
All pixel boxes are ``(x0, y0, x1, y1)`` with exclusive ends; the `Upright` of a page maps them back to the stored page.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

type Gray = NDArray[np.uint8]
type Mask = NDArray[np.uint8]
type Box = tuple[int, int, int, int]
type UnitBox = tuple[float, float, float, float]

FAINTEST_INK = 0.13
"""Darkness (0 paper … 1 black) below which the darkest class of a page is noise or shading, not even pencil."""
RULE_SPAN = 0.45
"""A straight horizontal line at least this share of the page width is a printed rule, never writing."""


class UnusablePage(ValueError):
    """The bytes of a page are not an image that can be decoded."""


def decode(image: bytes) -> Gray:
    """The page as 8-bit grey; EXIF orientation is intake's work and ignored here.

    Raises UnusablePage when the bytes are no image.
    """
    flags = cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        page: Gray | None = cv2.imdecode(np.frombuffer(image, dtype=np.uint8), flags)
    except cv2.error as problem:
        raise UnusablePage("the page is not a readable image") from problem
    if page is None:
        raise UnusablePage("the page is not a readable image")
    return page


def fit(page: Gray, max_side: int, min_side: int = 0) -> Gray:
    """The page scaled so that its longer side is at most `max_side` (and at least `min_side`) pixels."""
    longest = max(page.shape)
    scale = max_side / longest if longest > max_side else max(1.0, min_side / longest)
    if scale == 1.0:
        return page
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = (max(1, round(page.shape[1] * scale)), max(1, round(page.shape[0] * scale)))
    scaled: Gray = cv2.resize(page, size, interpolation=method)
    return scaled


def flatten(page: Gray) -> Gray:
    """The page with uneven light divided away: paper becomes white whatever the shadow."""
    small = cv2.resize(page, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    reach = max(9, (min(small.shape) // 12) | 1)
    paper = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    paper = cv2.blur(paper, (reach, reach))
    paper = cv2.resize(paper, (page.shape[1], page.shape[0]), interpolation=cv2.INTER_LINEAR)
    flat = page.astype(np.float32) * 255.0 / np.maximum(paper.astype(np.float32), 1.0)
    even: Gray = np.clip(flat, 0, 255).astype(np.uint8)
    return even


def ink_mask(flat: Gray) -> Mask:
    """1 where a pen was, 0 elsewhere, of a flattened page; rules, light grids and specks are removed.

    Ink is found by hysteresis: clearly dark pixels, and the softer ones that touch them. The limits lie relative to
    the darkness of the page's own pen, so that a light blue rule under dark ink falls out by itself.
    """
    darkness = 1.0 - flat.astype(np.float32) / 255.0
    pen = _pen_darkness(darkness)
    if pen < FAINTEST_INK:
        return np.zeros(flat.shape, np.uint8)
    soft = (darkness > 0.38 * pen).astype(np.uint8)
    soft = without_rules(soft)
    hard = (darkness > 0.62 * pen).astype(np.uint8) & soft
    _, labels = cv2.connectedComponents(soft, connectivity=8)
    seeded = np.zeros(int(labels.max()) + 1, np.uint8)
    seeded[np.unique(labels[hard > 0])] = 1
    seeded[0] = 0
    return _without_specks(seeded[labels])


def _pen_darkness(darkness: NDArray[np.float32]) -> float:
    """How dark this page's pen is: the upper middle of the dark class."""
    level, _ = cv2.threshold((darkness * 255).astype(np.uint8), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    dark = darkness[darkness > max(float(level) / 255.0, FAINTEST_INK)]
    if dark.size < 12:
        return 0.0
    return float(np.percentile(dark, 75))


def without_rules(mask: Mask) -> Mask:
    """The mask without printed rules: straight horizontals or verticals that cross much of the page.

    Where a pen stroke crosses a rule the stroke is kept, because there the ink is thicker than the rule.
    """
    cleaned = mask.copy()
    for axis in (0, 1):
        view = cleaned if axis == 0 else cleaned.T.copy()
        width = view.shape[1]
        bridged = cv2.morphologyEx(view, cv2.MORPH_CLOSE, np.ones((1, 5), np.uint8))
        long = cv2.morphologyEx(bridged, cv2.MORPH_OPEN, np.ones((1, max(25, width // 12)), np.uint8))
        rules = _spanning(long, int(RULE_SPAN * width))
        if not rules.any():
            continue
        thickness = max(3, round(float(np.median(rules.sum(axis=0)[rules.any(axis=0)]) / max(1, _count(rules))) * 2))
        tall = cv2.morphologyEx(view, cv2.MORPH_OPEN, np.ones((thickness + 3, 1), np.uint8))
        view = np.where((rules > 0) & (tall == 0), 0, view).astype(np.uint8)
        cleaned = view if axis == 0 else view.T.copy()
    return cleaned


def _spanning(long: Mask, span: int) -> Mask:
    """The parts of the long runs that together cross at least `span` pixels at one height."""
    joined = cv2.dilate(long, np.ones((3, max(3, long.shape[1] // 20)), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    keep = np.zeros(count, np.uint8)
    keep[1:] = stats[1:, cv2.CC_STAT_WIDTH] >= span
    spanning: Mask = keep[labels] & long
    return spanning


def _count(rules: Mask) -> int:
    """How many separate rules lie above one another."""
    rows = rules.any(axis=1).astype(np.int8)
    return max(1, int((np.diff(np.concatenate(([0], rows))) == 1).sum()))


def _without_specks(mask: Mask) -> Mask:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    if count <= 1:
        return mask
    smallest = max(4, round((max(mask.shape) / 600.0) ** 2))
    keep = (stats[:, cv2.CC_STAT_AREA] >= smallest).astype(np.uint8)
    keep[0] = 0
    kept: Mask = keep[labels]
    return kept


@dataclass(frozen=True)
class Upright:
    """A page turned and straightened for reading, and the way back to the page as it is stored."""

    gray: Gray
    quarter_turns: int
    skew: float
    stored: tuple[int, int]
    """Width and height of the stored page in pixels."""
    working: tuple[int, int]
    """Width and height at which the page was worked on, before any turn."""

    def on_stored_page(self, box: Box) -> UnitBox:
        """A pixel box of this upright page as fractions of the stored page."""
        height, width = self.gray.shape
        x0, y0, x1, y1 = box
        corners = np.array([[x0, y0, 1], [x1, y0, 1], [x1, y1, 1], [x0, y1, 1]], np.float64)
        if self.skew:
            back = cv2.invertAffineTransform(cv2.getRotationMatrix2D((width / 2, height / 2), self.skew, 1))
            corners[:, :2] = corners @ back.T
        xs, ys = corners[:, 0] / width, corners[:, 1] / height
        for _ in range(self.quarter_turns):
            xs, ys = 1.0 - ys, xs
        unit = (float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))
        a, b, c, d = (min(1.0, max(0.0, value)) for value in unit)
        return (a, b, c, d)


def upright(page: Gray, flat: Gray, skew: float, quarter_turns: int = 0) -> Upright:
    """The flattened page turned counter-clockwise by quarter turns and straightened by `skew` degrees."""
    turned: Gray = np.ascontiguousarray(np.rot90(flat, quarter_turns))
    height, width = turned.shape
    if skew:
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), skew, 1)
        turned = cv2.warpAffine(turned, matrix, (width, height), flags=cv2.INTER_CUBIC, borderValue=255)
    return Upright(turned, quarter_turns % 4, skew, (page.shape[1], page.shape[0]), (flat.shape[1], flat.shape[0]))


def writing_unit(mask: Mask) -> float:
    """The usual height of a written figure in pixels, from the ink components; 0.0 on an empty page."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    heights = stats[1:count, cv2.CC_STAT_HEIGHT]
    widths = stats[1:count, cv2.CC_STAT_WIDTH]
    if heights.size == 0:
        return 0.0
    floor = max(6.0, max(mask.shape) / 200.0)
    figures = heights[(heights >= floor) & (heights >= 0.6 * widths)]
    if figures.size == 0:
        return float(max(floor, float(heights.max())))
    return float(np.percentile(figures, 60))
