"""The one text recogniser of a process: PP-OCRv6 small from the `rapidocr` package, weights inside the wheel.

It reads one line of text at a time and knows nothing of fractions, roots or scripts; `layout` does. Only the bundled
models are used: naming another size would make the package download weights, which this project never does.
"""

import importlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

LINE_HEIGHT = 48
"""Height in pixels at which the model sees a line; fixed by the weights."""
STRIDE = 8
"""Columns of the scaled line image per output step of the model; fixed by the weights."""


class ReaderUnavailable(RuntimeError):
    """The packages or weights of the embedded reader are missing or damaged."""


@dataclass(frozen=True)
class Candidate:
    """One character the model saw at a place, with its probability (0…1)."""

    char: str
    probability: float


@dataclass(frozen=True)
class Glyph:
    """A recognised character: best guess first, and where it stands in the line image (pixels, centre)."""

    candidates: tuple[Candidate, ...]
    x: float

    @property
    def char(self) -> str:
        """The best guess."""
        return self.candidates[0].char

    @property
    def probability(self) -> float:
        """How sure the model is of the best guess, 0…1."""
        return self.candidates[0].probability


class Recogniser:
    """A loaded engine behind a lock: ONNX sessions are shared, rapidocr's wrapper is not safe for threads."""

    def __init__(self, threads: int) -> None:
        try:
            rapidocr = importlib.import_module("rapidocr")
            importlib.import_module("onnxruntime")
        except ImportError as missing:
            raise ReaderUnavailable(
                f"the embedded reader needs the packages rapidocr and onnxruntime ({missing.name} is missing)"
            ) from missing
        self._lock = threading.Lock()
        settings = {
            "Global.text_score": 0.0,
            "Global.log_level": "critical",
            "Global.use_cls": False,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
        try:
            engine = rapidocr.RapidOCR(params=settings)
            self._reader: Any = engine._load_rec_model()
            self._engine: Any = engine
        except Exception as problem:
            raise ReaderUnavailable(f"the embedded reader could not load its bundled models: {problem}") from problem
        self._alphabet: list[str] = list(self._reader.postprocess_op.character)

    def boxes(self, bgr: NDArray[np.uint8]) -> list[tuple[int, int, int, int]]:
        """Upright pixel boxes of the text lines that the detector sees, top to bottom."""
        with self._lock:
            found = self._engine._load_det_model()(bgr)
        quads = [] if found.boxes is None else found.boxes
        boxes = []
        for quad in quads:
            x0, y0 = np.floor(quad.min(axis=0)).astype(int)
            x1, y1 = np.ceil(quad.max(axis=0)).astype(int)
            boxes.append((int(x0), int(y0), int(x1), int(y1)))
        return sorted(boxes, key=lambda box: (box[1], box[0]))

    def read(self, lines: Sequence[NDArray[np.uint8]]) -> list[list[Glyph]]:
        """The characters of each grey line image, in the order of the images."""
        readings: list[list[Glyph]] = [[] for _ in lines]
        order = sorted(range(len(lines)), key=lambda index: lines[index].shape[1] / lines[index].shape[0])
        for start in range(0, len(order), 8):
            batch = order[start : start + 8]
            for index, glyphs in zip(batch, self._read_batch([lines[index] for index in batch]), strict=True):
                readings[index] = glyphs
        return readings

    def _read_batch(self, lines: Sequence[NDArray[np.uint8]]) -> list[list[Glyph]]:
        scaled = []
        for line in lines:
            width = max(16, round(line.shape[1] * LINE_HEIGHT / line.shape[0]))
            scaled.append(cv2.resize(line, (width, LINE_HEIGHT), interpolation=cv2.INTER_AREA))
        widest = max(96, *(image.shape[1] for image in scaled))
        widest = (widest + 31) // 32 * 32
        batch = np.zeros((len(scaled), 3, LINE_HEIGHT, widest), np.float32)
        for row, image in enumerate(scaled):
            batch[row, :, :, : image.shape[1]] = image.astype(np.float32) / 127.5 - 1.0
        with self._lock:
            steps = np.asarray(self._reader.session(batch))
        return [
            self._decode(steps[row], widest / steps.shape[1], line.shape[0] / LINE_HEIGHT)
            for row, line in enumerate(lines)
        ]

    def _decode(self, steps: NDArray[np.float32], stride: float, scale: float) -> list[Glyph]:
        """Greedy CTC, keeping the runners-up of every character at its most certain step."""
        best = steps.argmax(axis=1)
        glyphs: list[Glyph] = []
        start = 0
        for end in range(1, len(best) + 1):
            if end < len(best) and best[end] == best[start]:
                continue
            if best[start] != 0:
                peak = start + int(steps[start:end, best[start]].argmax())
                glyphs.append(Glyph(self._candidates(steps[peak]), ((start + end) / 2) * stride * scale))
            start = end
        return glyphs

    def _candidates(self, step: NDArray[np.float32]) -> tuple[Candidate, ...]:
        few = np.argpartition(step, -4)[-4:]
        top = [int(index) for index in few[np.argsort(step[few])[::-1]] if index != 0]
        return tuple(Candidate(self._alphabet[index], float(step[index])) for index in top[:3])


_engine: Recogniser | None = None
_engine_lock = threading.Lock()


def recogniser(threads: int = 1) -> Recogniser:
    """The engine of this process, loaded at first use; `threads` counts only then.

    Raises ReaderUnavailable when the packages or their weights are missing.
    """
    global _engine
    with _engine_lock:
        if _engine is None:
            _engine = Recogniser(threads)
        return _engine
