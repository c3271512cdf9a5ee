"""Small pages drawn for the tests, and the pages of the sample with their truth."""

import io
import json
import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

SAMPLE = Path(__file__).parents[2] / "grading" / "sample"


def paper(width: int = 1000, height: int = 700, *, ruled: bool = False, tone: int = 245) -> NDArray[np.uint8]:
    """A sheet with a little noise, shaded from left to right, with light rules if wanted."""
    shade = np.linspace(0, 25, width)[None, :] + np.zeros((height, 1))
    noise = np.random.default_rng(7).normal(0, 1.5, (height, width))
    sheet = np.clip(tone - shade + noise, 0, 255).astype(np.uint8)
    if ruled:
        for y in range(60, height, 60):
            cv2.line(sheet, (0, y), (width, y), 195, 2)
    return sheet


def write(sheet: NDArray[np.uint8], text: str, at: tuple[int, int], ink: int = 40) -> None:
    """Plain capital-height text of about 45 pixels with its left foot at `at`."""
    cv2.putText(sheet, text, at, cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 5, cv2.LINE_AA)


def png(sheet: NDArray[np.uint8]) -> bytes:
    """The sheet as the bytes of a PNG."""
    done, buffer = cv2.imencode(".png", sheet)
    assert done
    return buffer.tobytes()


def truths() -> list[dict[str, Any]]:
    """The truth about each answer of the sample."""
    return [json.loads(line) for line in (SAMPLE / "truth.jsonl").read_text("utf-8").splitlines()]


def images_of(truth: dict[str, Any]) -> list[bytes]:
    """The pages of a sample answer as intake stores them: turned by EXIF, without metadata."""
    return [stored(SAMPLE / file) for file in truth["files"]]


def stored(path: Path) -> bytes:
    """An image file decoded, turned as its EXIF says, and encoded anew."""
    buffer = io.BytesIO()
    ImageOps.exif_transpose(Image.open(path)).convert("RGB").save(buffer, "PNG")
    return buffer.getvalue()


def same(latex: str) -> str:
    """One spelling for LaTeX that means the same: widths, spaces, braces around one sign, order of scripts."""
    text = latex.translate({0xFF01 + k: 0x21 + k for k in range(94)})
    text = re.sub(r"\^\{?\\circ\}?", "°", text.replace("−", "-").replace("、", ","))
    text = re.sub(r"\s", "", text).replace(r"\leq", r"\le").replace(r"\geq", r"\ge").replace(r"\neq", r"\ne")
    text = re.sub(r"([\^_])\{(.)\}", r"\1\2", text)
    text = re.sub(r"\^(\{[^{}]*\}|.)_(\{[^{}]*\}|.)", r"_\2^\1", text)
    return re.sub(r"\\(left|right|,|;|quad)(?![a-z])", "", text).rstrip(".。")
