"""What every judge is: two calls, in an order that cannot be swapped, and no power to write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from itembank.domain.rules import Rules


class Judge(Protocol):
    """A judge of one answer. Failures do not raise: they are documents with `failure: {"code", "detail"}`."""

    name: str

    def read(self, images: Sequence[bytes]) -> dict[str, Any]:
        """The READING document, from the images alone: rules and answers are not there to be leaked."""

    def adjudicate(self, images: Sequence[bytes], reading: dict[str, Any], rules: Rules) -> dict[str, Any]:
        """The OBS document: a proposal for every step of every path."""

    def provenance(self) -> dict[str, Any]:
        """Judge, version, model, parameters, prompts, tokens, cost and references to raw replies."""


def failed_reading(code: str, detail: str = "") -> dict[str, Any]:
    """The reading of a reader that gave none."""
    return {"pages": [], "lines": [], "instructions_seen": [], "failure": {"code": code, "detail": detail[:2000]}}


def failed_observation(judge: str, code: str, detail: str = "") -> dict[str, Any]:
    """The observation of a judge that gave none."""
    return {
        "judge": judge[:200],
        "paths": [],
        "another_method": False,
        "instructions_seen": [],
        "comments": "",
        "failure": {"code": code, "detail": detail[:2000]},
    }
