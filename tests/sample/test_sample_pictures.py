"""The sample's pictures exist, open, stay small, and show the lines where the truth file says."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageOps

from grading.domain.file_names import place_of

LARGEST_IN_ALL = 15 * 1024 * 1024
ORIENTATION_TAG = 0x0112
DARK = 130


def pictures(truths: list[dict[str, Any]]) -> list[str]:
    return [file for truth in truths for file in truth["files"]]


def upright(path: Path) -> Image.Image:
    with Image.open(path) as image:
        return ImageOps.exif_transpose(image).convert("L")


def test_pictures_and_truth_name_each_other(sample: Path, truths: list[dict[str, Any]]) -> None:
    named = pictures(truths)
    assert len(set(named)) == len(named) >= 180
    assert {f"images/{path.name}" for path in (sample / "images").iterdir()} == set(named)


def test_file_names_tell_whose_answer_it_is(truths: list[dict[str, Any]]) -> None:
    for truth in truths:
        for page, file in enumerate(truth["files"], start=1):
            place = place_of(Path(file).name)
            assert (place.number, place.question, place.page) == (truth["candidate"], truth["question"], page)


def test_the_sample_is_small_and_holds_no_fonts(sample: Path) -> None:
    files = [path for path in sample.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert sum(path.stat().st_size for path in files) <= LARGEST_IN_ALL
    assert not [path for path in files if path.suffix in (".ttf", ".otf", ".ttc", ".woff", ".woff2")]


def test_every_picture_opens_at_the_size_told(sample: Path, truths: list[dict[str, Any]]) -> None:
    formats: Counter[str] = Counter()
    for truth in truths:
        for file, size in zip(truth["files"], truth["pages"], strict=True):
            with Image.open(sample / file) as image:
                formats[str(image.format)] += 1
                image.load()
                shown = ImageOps.exif_transpose(image)
                assert (shown.width, shown.height) == (size["width"], size["height"])
                assert min(shown.size) >= 600
                assert max(shown.size) <= 1700
    assert formats["JPEG"] > formats["PNG"] + formats["WEBP"]
    assert formats["PNG"] >= 6
    assert formats["WEBP"] >= 6


def test_only_the_pictures_that_say_so_carry_an_orientation(sample: Path, truths: list[dict[str, Any]]) -> None:
    orientations: Counter[int] = Counter()
    for truth in truths:
        for file in truth["files"]:
            with Image.open(sample / file) as image:
                orientation = image.getexif().get(ORIENTATION_TAG, 1)
            assert (orientation != 1) == ("exif_orientation" in truth["flags"])
            orientations[orientation] += 1
    assert all(orientations[value] >= 3 for value in (3, 6, 8))


@pytest.mark.slow
def test_each_line_has_ink_in_its_box_and_none_is_left_outside(sample: Path, truths: list[dict[str, Any]]) -> None:
    for truth in truths:
        if truth["kind"] in ("blank", "unreadable"):
            continue
        for number, file in enumerate(truth["files"], start=1):
            dark = np.asarray(upright(sample / file)) < DARK
            height, width = dark.shape
            left_over = dark.copy()
            for line in (line for line in truth["lines"] if line["page"] == number):
                x0, y0, x1, y1 = line["box"]
                rows = slice(int(y0 * height), int(y1 * height) + 1)
                columns = slice(int(x0 * width), int(x1 * width) + 1)
                assert dark[rows, columns].mean() > 0.01, (file, line)
                reach = 24 if line["struck_out"] else 3
                left_over[
                    max(0, rows.start - reach) : rows.stop + reach, max(0, columns.start - reach) : columns.stop + reach
                ] = False
            assert left_over.sum() <= 3, file


def test_blank_pages_hold_no_ink_and_unreadable_ones_do(sample: Path, truths: list[dict[str, Any]]) -> None:
    for truth in truths:
        for file in truth["files"]:
            if truth["kind"] in ("blank", "unreadable"):
                dark = (np.asarray(upright(sample / file)) < DARK).mean()
                assert (dark == 0) if truth["kind"] == "blank" else (dark > 0.005), file


def test_sideways_pages_run_from_top_to_bottom(truths: list[dict[str, Any]]) -> None:
    for truth in truths:
        if truth["kind"] == "sideways":
            size = truth["pages"][0]
            longest = max(truth["lines"], key=lambda line: len(line["latex"]))
            x0, y0, x1, y1 = longest["box"]
            assert (y1 - y0) * size["height"] > 2 * (x1 - x0) * size["width"], truth["version"]
