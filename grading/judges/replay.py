"""The `replay` judge: stored readings and observations, for tests and comparisons.

A store is a folder of JSON files `{"images": [sha256, …], "reading", "observation", "scripted"?}`, or verdict documents
as they were written. What a person wrote as a script is labelled scripted wherever it shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from config.foundation import strict_json
from config.foundation.canonical import document_hash, sha256_hex
from config.foundation.errors import UnusableInput
from itembank.domain.rules import Rules

from .base import failed_observation, failed_reading

MAX_BYTES = 8 * 1024 * 1024


class ReplayJudge:
    """Answers with what was stored for the same images; anything else is a failure, never a guess."""

    name = "replay"

    def __init__(self, recordings: Sequence[Mapping[str, Any]]) -> None:
        self._recordings = recordings
        self._used: Mapping[str, Any] | None = None

    @classmethod
    def from_path(cls, path: Path) -> ReplayJudge:
        """A judge for one recording or a folder of them; raises UnusableInput."""
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
        if not files or not path.exists():
            raise UnusableInput("replay.empty", f"{path} 中没有可重放的记录。", f"{path} holds nothing to replay.")
        return cls([_recording(strict_json.loads(file.read_bytes(), max_bytes=MAX_BYTES), file) for file in files])

    def read(self, images: Sequence[bytes]) -> dict[str, Any]:
        """The stored reading of these images."""
        found = self._find(images)
        return (
            failed_reading("not-recorded", "no recording for these images") if found is None else dict(found["reading"])
        )

    def adjudicate(self, images: Sequence[bytes], reading: dict[str, Any], rules: Rules) -> dict[str, Any]:
        """The stored observation, if it was made of this very reading."""
        found = self._find(images)
        if found is None:
            return failed_observation(self.name, "not-recorded", "no recording for these images")
        if document_hash(found["reading"]) != document_hash(reading):
            return failed_observation(self.name, "other-reading", "the recording was made of another reading")
        return dict(found["observation"])

    def provenance(self) -> dict[str, Any]:
        """Where it comes from; `scripted` when a person wrote the observation."""
        scripted = bool(self._used and self._used.get("scripted"))
        return {
            "judge": self.name,
            "version": "1",
            "model": "scripted" if scripted else "recorded",
            "parameters": {"scripted": scripted},
            "prompts": [],
            "tokens": None,
            "cost": None,
        }

    def _find(self, images: Sequence[bytes]) -> Mapping[str, Any] | None:
        hashes = [sha256_hex(image) for image in images]
        for recording in self._recordings:
            wanted = recording.get("images")
            if wanted is None or list(wanted) == hashes:
                self._used = recording
                return recording
        return None


def _recording(document: Any, file: Path) -> Mapping[str, Any]:
    if not isinstance(document, dict) or not {"reading", "observation"} <= set(document):
        raise UnusableInput(
            "replay.form", f"{file.name} 中没有 reading 与 observation。", f"{file.name} lacks reading or observation."
        )
    if "provenance" in document:
        images = [image["stored_sha256"] for image in document["provenance"].get("images", ())]
        return {"images": images, "reading": document["reading"], "observation": document["observation"]}
    return document
