"""`check_item`: the public command, its output and its exit codes."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.items.cast import FOLDER, fill_in, single


def checked(path: Path, *options: str) -> list[dict[str, Any]]:
    out = StringIO()
    call_command("check_item", str(path), *options, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def written(folder: Path, document: object) -> Path:
    path = folder / "item.json"
    path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    return path


@pytest.mark.parametrize("gate", ["1", "2"])
def test_one_gate_of_the_worked_example(gate):
    (answer,) = checked(FOLDER / "item.example.json", "--gate", gate)
    assert set(answer) == {"gates", "released"}
    assert [(one["gate"], one["outcome"]) for one in answer["gates"]] == [(int(gate), "PASSED")]
    assert set(answer["gates"][0]) == {"gate", "outcome", "detail", "artefacts"}
    assert answer["released"] is False, "one gate releases nothing"


def test_gates_that_nobody_can_answer_are_an_honest_exit_and_never_a_pass():
    (answer,) = checked(FOLDER / "item.example.json")
    assert [one["gate"] for one in answer["gates"]] == [1, 2, 3, 4]
    assert {one["outcome"] for one in answer["gates"][2:]} <= {"NOT_COMPUTABLE"}
    assert answer["released"] is False


def test_a_faulty_item_is_an_answer_and_no_error(tmp_path: Path):
    (answer,) = checked(written(tmp_path, single(answer={"choices": ["E"]})), "--gate", "1")
    assert answer["gates"][0]["outcome"] == "FAILED"
    assert {"code", "where", "zh", "en"} == set(answer["gates"][0]["detail"][0])


def test_an_item_that_cannot_be_read_stops_at_gate_1_whatever_was_asked(tmp_path: Path):
    (answer,) = checked(written(tmp_path, {"item_id": "x"}), "--gate", "2")
    assert [(one["gate"], one["outcome"]) for one in answer["gates"]] == [(1, "FAILED")]
    assert answer["released"] is False


def test_a_file_of_several_items_gives_a_line_for_each(tmp_path: Path):
    lines = checked(written(tmp_path, [single(), fill_in(), single(item_id="copy")]), "--gate", "2")
    assert [line["item_id"] for line in lines] == ["half", "root", "copy"]
    assert [line["gates"][0]["outcome"] for line in lines] == ["PASSED", "PASSED", "FAILED"]


@pytest.mark.parametrize("text", ["", "{", '{"item_id": "a", "item_id": "b"}', "[]"])
def test_what_is_no_json_ends_with_2(tmp_path: Path, text: str, capsys):
    path = tmp_path / "item.json"
    path.write_text(text)
    with pytest.raises(SystemExit) as ended:
        call_command("check_item", str(path))
    assert ended.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_student_who_is_the_model_of_gate_3_is_refused_in_one_line(tmp_path: Path, settings, capsys):
    settings.MODEL_BASE_URL, settings.MODEL_NAME = "http://127.0.0.1:9/v1", "maker/one"
    path = written(tmp_path, single())
    with pytest.raises(SystemExit) as ended:
        call_command("check_item", str(path), "--solver", "model", "--student", "ONE")
    assert ended.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "not usable" in line


def test_a_student_who_cannot_be_reached_is_no_pass(tmp_path: Path, settings):
    settings.MODEL_BASE_URL, settings.MODEL_NAME, settings.MODEL_MAX_RETRIES = "http://127.0.0.1:9/v1", "one", 0
    (answer,) = checked(written(tmp_path, single()), "--gate", "4", "--student", "another")
    (gate,) = answer["gates"]
    assert gate["outcome"] == "NOT_COMPUTABLE"
    assert gate["artefacts"]["parts"][0]["student"] == "another"
