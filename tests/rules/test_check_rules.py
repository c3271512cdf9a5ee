"""`check_rules`: every fault with path, step, field and what to do; exit codes; mathematics included."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from itembank.domain import rules as rules_module
from itembank.domain.mathematics import mathematical_faults
from itembank.domain.rules import read_rules

EXAMPLE_FILE = Path(rules_module.__file__).with_name("scoring_rules.example.json")


@pytest.fixture
def example() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(EXAMPLE_FILE.read_text("utf-8"))
    return document


def run(*arguments: str) -> int:
    try:
        call_command("check_rules", *arguments)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def step(document: dict[str, Any], path: int, number: int) -> dict[str, Any]:
    found: dict[str, Any] = document["valid_paths"][path]["steps"][number]
    return found


def test_good_rules_end_with_0_and_say_which_rules_they_are(capsys):
    assert run(str(EXAMPLE_FILE)) == 0
    assert "arithmetic-sequence" in capsys.readouterr().out


def test_faults_end_with_1_and_name_path_step_and_field(example, tmp_path, capsys):
    step(example, 0, 1)["points"] = 2.5
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(example), "utf-8")
    assert run(str(file)) == 1
    said = capsys.readouterr().out
    assert "Path_A / A2 / points" in said
    assert "2.5" in said


def test_faults_can_be_read_by_a_program(example, tmp_path, capsys):
    example["max_score"] = 13
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(example), "utf-8")
    assert run(str(file), "--json") == 1
    (fault,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (fault["code"], fault["field"]) == ("total", "max_score")


@pytest.mark.parametrize("content", ["", "{", '{"a": 1, "a": 2}', "[1, NaN]"])
def test_what_is_no_strict_json_ends_with_2_and_one_sentence(content, tmp_path, capsys):
    file = tmp_path / "rules.json"
    file.write_text(content, "utf-8")
    assert run(str(file)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1


def test_a_file_that_is_not_there_ends_with_2(tmp_path, capsys):
    assert run(str(tmp_path / "absent.json")) == 2
    assert "absent.json" in capsys.readouterr().err


def test_a_dash_reads_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(EXAMPLE_FILE.read_bytes())))
    assert run("-") == 0
    assert "arithmetic-sequence" in capsys.readouterr().out


WRONG_MATHEMATICS = {
    "a formula that gives another value": (
        lambda d: step(d, 0, 4).update(yields={"S_10": "10*a_1 + 44*d"}),
        ("wrong-formula", "Path_A", "A5", "yields.S_10"),
    ),
    "a formula that cannot be computed": (
        lambda d: step(d, 0, 2).update(yields={"a_1": "a_3/(a_3-7)"}),
        ("not-computable", "Path_A", "A3", "yields.a_1"),
    ),
    "an expected result that contradicts a quantity": (
        lambda d: step(d, 0, 2).update(expects=["a_1=4"]),
        ("wrong-result", "Path_A", "A3", "expects[0]"),
    ),
    "an expected result that cannot be read": (
        lambda d: step(d, 0, 2).update(expects=["a_1=3", "a_1=?"]),
        ("unreadable", "Path_A", "A3", "expects[1]"),
    ),
    "working that cannot be read": (
        lambda d: step(d, 0, 2).update(working=["a_1=#"]),
        ("unreadable", "Path_A", "A3", "working[0]"),
    ),
    "a given that cannot be read": (
        lambda d: d["givens"].update(a_3="7 ? 2"),
        ("unreadable", None, None, "givens.a_3"),
    ),
}


@pytest.mark.parametrize("name", WRONG_MATHEMATICS)
def test_algebra_finds(name, example):
    damage, expected = WRONG_MATHEMATICS[name]
    damage(example)
    found = mathematical_faults(read_rules(example))
    assert expected in [(one.code, one.path_id, one.step_id, one.field) for one in found]


def test_algebra_finds_nothing_in_the_example(example):
    assert mathematical_faults(read_rules(example)) == []
