"""docs/settings.md names every variable that the settings read, with default and meaning, and no other."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from config.settings import BASE_DIR

DOCUMENT = BASE_DIR / "docs" / "settings.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \| (.*?) \| (.*?) \|$", re.MULTILINE)
ASK = "from config.settings import env; [print(d.name, d.default, d.meaning, sep='\\t') for d in env.asked.values()]"


def asked(data: Path) -> dict[str, tuple[str, str]]:
    """Name → (default, meaning) as a process without any settings sees them, with the data folder written as DATA."""
    environment = {"PATH": os.environ["PATH"], "WENSHU_DATA_DIR": str(data), "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", ASK], cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=True
    )
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    places = {str(data): "DATA", str(BASE_DIR): "ROOT"}
    found = {}
    for name, default, meaning in rows:
        for place, word in places.items():
            default = default.replace(place, word)
        found[name] = (f"`{default}`" if default else "", meaning.replace("|", "\\|"))
    return found


def documented() -> dict[str, tuple[str, str]]:
    return {name: (default.strip(), meaning) for name, default, meaning in ROW.findall(DOCUMENT.read_text("utf-8"))}


def test_every_variable_is_documented_with_its_default_and_meaning(tmp_path: Path) -> None:
    read, written = asked(tmp_path), documented()
    assert set(written) == set(read)
    for name, row in read.items():
        assert written[name] == row, f"write: | `{name}` | {row[0]} | {row[1]} |"


def test_no_other_document_names_a_variable_that_does_not_exist(tmp_path: Path) -> None:
    known = set(asked(tmp_path)) | {f"{name}_FILE" for name in asked(tmp_path)}
    known |= set(re.findall(r"`(WENSHU_[A-Z_]+)`", DOCUMENT.read_text("utf-8")))
    known |= {"WENSHU_BIND", "WENSHU_IMAGE"}  # read by docker/compose.yaml alone
    for document in [BASE_DIR / "README.md", *sorted((BASE_DIR / "docs").rglob("*.md"))]:
        named = set(re.findall(r"\bWENSHU_[A-Z_]+[A-Z]\b", document.read_text("utf-8")))
        assert named <= known, f"{document.name}: {named - known}"
