"""Links in the documents lead somewhere, and what they name in the code exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
# A word in code marks that looks like a path of ours: a known top folder, then a slash.
PATH = re.compile(
    r"`((?:bin|config|docker|docs|grading|itembank|review|tests|templates|static|prompts)/[\w./-]*)(?:: (\w+))?"
)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_and_paths_in_a_document_exist(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    missing = [target for target in LINK.findall(text) if not (document.parent / target).exists()]
    for path, name in PATH.findall(text):
        target = ROOT / path.rstrip("/.")
        if not target.exists():
            missing.append(path)
        elif name and not re.search(
            rf"\b(def|class) {name}\b|^{name}\b", target.read_text(encoding="utf-8"), re.MULTILINE
        ):
            missing.append(f"{path}: {name}")
    assert not missing, missing
