"""The page about the complaints names each of them once and says truly which are tests here."""

from __future__ import annotations

import json
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs" / "complaints.md"
ROW = re.compile(r"^\| `(bug-\d\d)` \| .+ \| (.+) \|$", re.MULTILINE)


def rows() -> dict[str, str]:
    found = ROW.findall(PAGE.read_text())
    assert len(found) == len(dict(found))
    return dict(found)


def test_every_complaint_from_outside_stands_on_the_page_once(cases_folder: Path) -> None:
    complaints = [json.loads(line)["id"] for line in (cases_folder / "complaints.jsonl").read_text().splitlines()]
    assert len(complaints) == 28
    assert sorted(rows()) == sorted(complaints)


def test_those_said_to_be_tests_here_are_and_no_others() -> None:
    tested = {
        f"bug-{number}"
        for path in HERE.glob("test_*.py")
        for number in re.findall(r"^def test_bug_(\d\d)_", path.read_text(), re.MULTILINE)
    }
    assert tested == {complaint for complaint, where in rows().items() if where == "`tests/complaints/`"}


def test_the_other_places_exist() -> None:
    for where in rows().values():
        for folder in re.findall(r"`(tests/\w+)/`", where):
            assert (HERE.parent.parent / folder).is_dir()
