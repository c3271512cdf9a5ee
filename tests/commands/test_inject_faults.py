"""`inject_faults` on the command line: a line for each mutant, and its exit codes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from grading.domain.faults import KINDS
from tests.gate.cast import wang

from .paper import Desk, page

DOCUMENTS = ("rules", "reading", "observation", "policy", "image")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, wang())


def run(*arguments: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    call_command("inject_faults", *arguments, stdout=out, stderr=io.StringIO())
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_each_mutant_is_one_line_with_exactly_the_agreed_fields(desk: Desk) -> None:
    lines = run(*desk.documents(*DOCUMENTS))
    assert len(lines) > 100
    assert len({line["mutant"] for line in lines}) == len(lines)
    for line in lines:
        assert set(line) == {"mutant", "kind", "harmful", "decision", "expected_rule", "failed"}
        if line["harmful"]:
            assert line["decision"] == "MANUAL_REVIEW"
            assert line["expected_rule"] in line["failed"]
        else:
            assert (line["decision"], line["expected_rule"], line["failed"]) == ("ACCEPT", None, [])


def test_count_and_seed_choose_the_mutants(desk: Desk) -> None:
    arguments = [*desk.documents(*DOCUMENTS), "--count", "9"]
    first = run(*arguments, "--seed", "1")
    assert len(first) == 9
    assert run(*arguments, "--seed", "1") == first
    assert [line["kind"] for line in run(*arguments, "--seed", "2")] != [line["kind"] for line in first]


def test_more_than_one_mutant_of_a_kind_can_be_asked_for(desk: Desk) -> None:
    lines = run(*desk.documents(*DOCUMENTS), "--count", str(len(KINDS) + 10))
    assert len(lines) == len(KINDS) + 10
    assert len({line["mutant"] for line in lines}) == len(lines)


def test_an_answer_that_is_not_accepted_is_no_base(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Desk(tmp_path, wang(), page(wang(), extra=True))
    with pytest.raises(SystemExit) as ended:
        run(*desk.documents(*DOCUMENTS))
    assert ended.value.code == 2
    assert "recognised" in capsys.readouterr().err


def test_without_images_there_is_no_base(desk: Desk) -> None:
    with pytest.raises(SystemExit) as ended:
        run(*desk.documents("rules", "reading", "observation", "policy"))
    assert ended.value.code == 2


def test_a_harmful_mutant_that_passes_ends_with_one(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a catalogue that holds one harmless change called harmful."""
    from dataclasses import replace

    from grading.management.commands import inject_faults

    harmless = next(kind for kind in KINDS if kind.name == "other-comments")
    monkeypatch.setattr(inject_faults, "KINDS", (replace(harmless, rule="schema"),))
    with pytest.raises(SystemExit) as ended:
        run(*desk.documents(*DOCUMENTS))
    assert ended.value.code == 1
