"""docs/gate-rules.md says which rules may be left unasked and why; the gate is asked whether that is so."""

from __future__ import annotations

import re

from grading.domain.gate import RULES

from .cast import ROOT, Answer, wang

PAGE = ROOT / "docs" / "gate-rules.md"
COLUMNS = ("nothing judged", "no usable reading", "no images", "no second opinion")


def nothing_judged() -> Answer:
    answer = wang()
    answer.observation = {"judge": "scripted", "paths": "all right"}
    return answer


def no_usable_reading() -> Answer:
    answer = wang()
    answer.reading = {"lines": "none"}
    return answer


def no_images() -> Answer:
    answer = wang()
    answer.ink = None
    return answer


def no_second_opinion() -> Answer:
    answer = wang()
    answer.policy["second_judge"] = True
    return answer


SITUATIONS = dict(zip(COLUMNS, (nothing_judged, no_usable_reading, no_images, no_second_opinion), strict=True))


def left_unasked(answer: Answer) -> set[str]:
    document = answer.decide()
    assert document["decision"] == "MANUAL_REVIEW"
    return {entry["rule"] for entry in document["gate"] if entry["outcome"] == "not_evaluated"}


def on_the_page() -> dict[str, set[str]]:
    """The rules that the page marks in each column."""
    marked: dict[str, set[str]] = {column: set() for column in COLUMNS}
    for row in re.findall(r"^\| `([a-z-]+)` \|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE):
        cells = [cell.strip() for cell in row[1].split("|")]
        for column, cell in zip(COLUMNS, cells, strict=False):
            assert cell in ("", "yes"), row
            if cell:
                marked[column].add(row[0])
    return marked


def test_the_page_names_every_rule_once_and_in_order() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [entry.rule for entry in RULES]


def test_each_rule_is_left_unasked_exactly_where_the_page_says() -> None:
    assert {column: left_unasked(make()) for column, make in SITUATIONS.items()} == on_the_page()
