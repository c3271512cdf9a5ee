"""Prompts are files with a version; what was sent can always be named and found again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from config.foundation.canonical import sha256_hex
from config.foundation.errors import ConfigurationError

_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True)
class Prompt:
    """The text of ``FOLDER/NAME/vN.md`` and the hash of the file's bytes."""

    name: str
    version: str
    sha256: str
    text: str

    def fill(self, **values: str) -> str:
        """The text with each ``{{slot}}`` replaced, once: a value that looks like a slot stays as it is.

        Raises KeyError for a slot without value and ValueError for a value without slot.
        """
        slots = set(_SLOT.findall(self.text))
        if unused := set(values) - slots:
            raise ValueError(f"prompt {self.name}/{self.version} has no slot {', '.join(sorted(unused))}")
        return _SLOT.sub(lambda match: values[match[1]], self.text)

    def reference(self) -> dict[str, str]:
        """As it stands in the provenance of a verdict."""
        return {"name": self.name, "version": self.version, "sha256": self.sha256}


@cache
def load_prompt(folder: Path, name: str, version: str) -> Prompt:
    """Read one prompt file; raises ConfigurationError where it is missing or not UTF-8."""
    path = folder / name / f"{version}.md"
    try:
        content = path.read_bytes()
        text = content.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(
            "model.prompt",
            f"提示词文件 {name}/{version}.md 不存在或不是 UTF-8。",
            f"The prompt file {name}/{version}.md is missing or not UTF-8.",
        ) from None
    return Prompt(name, version, sha256_hex(content), text)
