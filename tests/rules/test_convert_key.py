"""Cumulative margins and points per step: exactly both ways."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from itembank.domain.cumulative import printed_key, rules_draft
from itembank.domain.faults import UnusableRules


def key(*paths: list[tuple[str, float | int | None]], max_score: float = 12, mark_step: float = 1) -> dict[str, Any]:
    return {
        "question_id": "q",
        "max_score": max_score,
        "mark_step": mark_step,
        "paths": [
            {
                "path_id": f"P{n}",
                "name": f"解法{n}",
                "lines": [{"text": text, "margin": margin} for text, margin in lines],
            }
            for n, lines in enumerate(paths, 1)
        ],
    }


def codes(document: object, **options: bool) -> list[str]:
    with pytest.raises(UnusableRules) as caught:
        rules_draft(document, **options)
    return [one.code for one in caught.value.faults]


def test_4_8_12_becomes_4_4_4():
    draft = rules_draft(key([("a", 4), ("b", 8), ("c", 12)]))
    assert [step["points"] for step in draft["valid_paths"][0]["steps"]] == [4, 4, 4]


def test_lines_before_a_margin_become_its_working():
    draft = rules_draft(key([("4d=8", None), ("d=2", 4), ("x", None), ("x", None), ("S=120", 12)]))
    first, second = draft["valid_paths"][0]["steps"]
    assert (first["working"], first["desc"], first["expects"]) == (["4d=8"], "d=2", ["d=2"])
    assert (second["working"], second["points"], second["kind"]) == (["x", "x"], 8, "conclusion")


def test_a_falling_margin_is_refused_with_path_and_line():
    with pytest.raises(UnusableRules) as caught:
        rules_draft(key([("a", 4), ("b", 3), ("c", 12)]))
    fault = caught.value.faults[0]
    assert (fault.code, fault.path_id, fault.step_id, fault.field) == ("falling-margin", "P1", "lines[1]", "margin")
    assert "4" in fault.zh
    assert "3" in fault.en


def test_a_repeated_margin_is_refused():
    assert codes(key([("a", 4), ("b", 4), ("c", 12)])) == ["falling-margin"]


def test_lines_after_the_last_margin_are_refused():
    assert codes(key([("a", 12), ("b", None)])) == ["no-margin-after"]


def test_margins_that_miss_the_maximum_are_refused():
    assert codes(key([("a", 4), ("b", 11)])) == ["total"]


def test_paths_of_a_part_must_end_alike():
    assert codes(key([("a", 12)], [("a", 4), ("b", 11)])) == ["part-sum"]


def test_a_margin_off_the_mark_step_is_refused():
    assert codes(key([("a", 4.5), ("b", 12)])) == ["mark-step"]


def test_half_points_are_kept():
    draft = rules_draft(key([("a", 0.5), ("b", 2)], max_score=2, mark_step=0.5))
    assert [step["points"] for step in draft["valid_paths"][0]["steps"]] == [Decimal("0.5"), Decimal("1.5")]


def test_margins_run_through_the_whole_question():
    document = key([("a", 4)], [("b", 9), ("c", 12)])
    document["paths"][1]["part"] = 2
    draft = rules_draft(document)
    assert [step["points"] for step in draft["valid_paths"][1]["steps"]] == [5, 3]
    assert printed_key(draft) == document


def test_margins_that_start_again_in_part_two_need_to_be_asked_for():
    document = key([("a", 4)], [("b", 3), ("c", 8)])
    document["paths"][1]["part"] = 2
    assert codes(document) == ["first-margin"]
    draft = rules_draft(document, per_part=True)
    assert [step["points"] for step in draft["valid_paths"][1]["steps"]] == [3, 5]
    assert printed_key(draft, per_part=True) == document


LINE = st.tuples(
    st.text("ab=12+ 所以$", min_size=1, max_size=12), st.lists(st.text("xy=3", min_size=1, max_size=6), max_size=3)
)


@st.composite
def keys(draw: st.DrawFn) -> tuple[dict[str, Any], bool]:
    """Keys with one to three parts of one to three paths, whole or half points."""
    per_part = draw(st.booleans())
    mark_step = draw(st.sampled_from([Decimal(1), Decimal("0.5")]))
    paths: list[dict[str, Any]] = []
    start = Decimal(0)
    for part in range(1, draw(st.integers(1, 3)) + 1):
        cuts = draw(st.integers(1, 5))
        total = mark_step * draw(st.integers(cuts, 40))
        for number in range(draw(st.integers(1, 3))):
            inner = (
                draw(st.sets(st.integers(1, int(total / mark_step) - 1), max_size=cuts)) if total > mark_step else set()
            )
            lines: list[dict[str, Any]] = []
            for units in [*sorted(inner), int(total / mark_step)]:
                text, before = draw(LINE)
                margin = (Decimal(0) if per_part else start) + units * mark_step
                lines += [{"text": one, "margin": None} for one in before]
                lines.append({"text": text, "margin": int(margin) if margin == int(margin) else margin})
            paths.append({"path_id": f"{part}.{number}", "name": "解", "part": part, "lines": lines})
        start += total
    maximum = int(start) if start == int(start) else start
    return {
        "question_id": "q",
        "max_score": maximum,
        "mark_step": int(mark_step) if mark_step == 1 else mark_step,
        "paths": paths,
    }, per_part


@settings(deadline=None)  # the machine may be busy; what is tested is not speed
@given(keys())
def test_back_from_points_per_step_gives_the_same_key(drawn):
    document, per_part = drawn
    assert printed_key(rules_draft(document, per_part=per_part), per_part=per_part) == document


@settings(deadline=None)  # the machine may be busy; what is tested is not speed
@given(keys())
def test_points_per_step_add_up_to_the_maximum_in_every_combination_of_paths(drawn):
    document, per_part = drawn
    draft = rules_draft(document, per_part=per_part)
    totals: dict[int, set[Decimal]] = {}
    for path in draft["valid_paths"]:
        totals.setdefault(path["part"], set()).add(sum((Decimal(step["points"]) for step in path["steps"]), Decimal(0)))
    assert all(len(found) == 1 for found in totals.values())
    assert sum(found.pop() for found in totals.values()) == Decimal(document["max_score"])


def test_the_command_converts_there_and_back(tmp_path, capsys):
    document = key([("4d=8", None), ("所以 $d=2$", 4), ("S=120", 12)])
    file = tmp_path / "key.json"
    file.write_text(json.dumps(document), "utf-8")
    call_command("convert_key", str(file))
    draft = tmp_path / "draft.json"
    draft.write_text(capsys.readouterr().out, "utf-8")
    call_command("convert_key", str(draft), "--back")
    assert json.loads(capsys.readouterr().out) == document


def test_the_command_ends_with_2_and_one_line_a_fault(tmp_path, capsys):
    file = tmp_path / "key.json"
    file.write_text(json.dumps(key([("a", 4), ("b", 3), ("c", 12)])), "utf-8")
    with pytest.raises(SystemExit) as ended:
        call_command("convert_key", str(file))
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    assert "P1 / lines[1] / margin" in said.err
