"""The `embedded` judge: a local reader and algebra; no network, no key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grading.domain.reading import read_reading
from itembank.algebra import ENGINE_VERSION
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import Rules

from .adjudicate import adjudicate
from .reader import ReaderSettings, read_pages

VERSION = "1"


class EmbeddedJudge:
    """Reads lines, matches them to steps by algebra, and hands on what it cannot read or prove."""

    name = "embedded"

    def __init__(self, settings: ReaderSettings | None = None) -> None:
        self._settings = settings or ReaderSettings()
        self._reader: dict[str, Any] = {}

    def read(self, images: Sequence[bytes]) -> dict[str, Any]:
        """The local reader's reading."""
        document = read_pages(images, self._settings)
        self._reader = dict(document.get("reader", {}))
        return document

    def adjudicate(self, images: Sequence[bytes], reading: dict[str, Any], rules: Rules) -> dict[str, Any]:
        """Alignment of the lines with the steps by algebra."""
        return adjudicate(read_reading(reading), rules, algebra_for(rules))

    def provenance(self) -> dict[str, Any]:
        """Versions of the parts; there are no prompts, tokens or costs."""
        return {
            "judge": self.name,
            "version": VERSION,
            "model": self._reader.get("version", ""),
            "parameters": {"reader": self._reader, "algebra": ENGINE_VERSION},
            "prompts": [],
            "tokens": {"input": 0, "output": 0},
            "cost": "0",
        }
