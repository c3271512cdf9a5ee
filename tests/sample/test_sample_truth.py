"""The truth about the sample is complete, adds up, and has enough of every kind of answer."""

import csv
import json
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grading.sample.answers import QUESTIONS, answers_to, pupils
from grading.sample.hands import HANDS
from grading.sample.markup import UnknownMarkup, parse

WANTED_KINDS = {
    "right": 63,
    "alternative_method": 5,
    "answer_only": 5,
    "blank": 5,
    "carried_error": 5,
    "instruction": 5,
    "miscopied": 5,
    "rival": 5,
    "sideways": 5,
    "sign_error": 5,
    "skipped_step": 5,
    "struck_out": 5,
    "unreadable": 5,
    "wrong_arithmetic": 5,
    "principle_error": 2,
    "gap": 2,
    "incomplete": 2,
}
ERROR_CODES = {
    "ERR_CALC",
    "ERR_CONCEPT",
    "ERR_FORMULA",
    "ERR_LOGIC_GAP",
    "ERR_SIGN",
    "ERR_DOMAIN",
    "ERR_COPY",
    "ERR_READING",
    "ERR_ANSWER_ONLY",
    "ERR_BLANK",
}


def named_paths(rules: Any, truth: dict[str, Any]) -> list[Any]:
    names = [part.split(":")[-1] for part in truth["matched_path"].split(";")]
    return [path for path in rules["valid_paths"] if path["path_id"] in names]


def half(points: Decimal, mark_step: Decimal) -> Decimal:
    return points / 2 // mark_step * mark_step


def expected_scores(rules: Any, truth: dict[str, Any]) -> list[Decimal]:
    """Scores by the design's words: full, none, half for a gap, the running floor of halves for carried errors."""
    statuses = {step["step_id"]: step["status"] for step in truth["steps"]}
    unit = rules["mark_step"]
    scores = []
    for path in named_paths(rules, truth):
        carried = [s for s in path["steps"] if statuses[s["step_id"]] == "ECF_GRANTED" and "ecf_points" not in s]
        for step in path["steps"]:
            status = statuses[step["step_id"]]
            if status in ("VALID", "JUMP_VALID"):
                scores.append(step["points"])
            elif status == "GAP_DEDUCTION":
                scores.append(step.get("gap_points", half(step["points"], unit)))
            elif status == "ECF_GRANTED" and "ecf_points" in step:
                scores.append(step["ecf_points"])
            elif status == "ECF_GRANTED":
                place = carried.index(step)
                before, after = (sum(s["points"] for s in carried[:end]) for end in (place, place + 1))
                scores.append(half(Decimal(after), unit) - half(Decimal(before), unit))
            else:
                assert status in ("INVALID", "MISSING")
                scores.append(Decimal(0))
    return scores


def test_every_candidate_answers_every_question_once(truths: list[dict[str, Any]]) -> None:
    places = Counter((truth["candidate"], truth["question"]) for truth in truths)
    assert len(pupils()) == 30
    assert places == Counter((pupil.number, number) for pupil in pupils() for number in range(1, len(QUESTIONS) + 1))


def test_every_kind_is_there_several_times(truths: list[dict[str, Any]]) -> None:
    kinds = Counter(truth["kind"] for truth in truths)
    assert {kind: kinds[kind] for kind, least in WANTED_KINDS.items() if kinds[kind] < least} == {}
    assert set(kinds) == set(WANTED_KINDS)


def test_a_third_and_more_are_right_and_neat(truths: list[dict[str, Any]]) -> None:
    neat = [truth for truth in truths if truth["kind"] == "right" and truth["neat"]]
    assert len(neat) / len(truths) >= 0.35


def test_every_version_of_an_answer_is_handed_in_by_somebody(truths: list[dict[str, Any]]) -> None:
    used = {(truth["question"], truth["version"]) for truth in truths}
    known = {(number, version) for number in range(1, len(QUESTIONS) + 1) for version in answers_to(number)}
    assert known - used == set()


def test_totals_follow_from_the_statuses(truths: list[dict[str, Any]], rules: dict[int, Any]) -> None:
    checked = 0
    for truth in truths:
        if truth["kind"] == "answer_only" or "another_method" in truth["flags"]:
            continue
        document = rules[truth["question"]]
        if truth["kind"] not in ("blank", "unreadable"):
            scores = expected_scores(document, truth)
            assert [Decimal(step["score"]) for step in truth["steps"]] == scores, truth["version"]
            checked += 1
        assert sum(Decimal(step["score"]) for step in truth["steps"]) == Decimal(truth["total_score"])
    assert checked >= 150


def test_a_bare_answer_earns_what_the_rules_give_for_it(truths: list[dict[str, Any]], rules: dict[int, Any]) -> None:
    bare = [truth for truth in truths if truth["kind"] == "answer_only"]
    for truth in bare:
        assert Decimal(truth["total_score"]) == rules[truth["question"]].get("answer_only_points", 0)
        assert {step["status"] for step in truth["steps"]} == {"MISSING"}
    assert bare


def test_blank_and_unreadable_answers_earn_nothing(truths: list[dict[str, Any]]) -> None:
    for truth in truths:
        if truth["kind"] in ("blank", "unreadable"):
            assert Decimal(truth["total_score"]) == 0
            assert truth["lines"] == []


def test_a_right_answer_earns_everything_and_a_wrong_one_less(truths: list[dict[str, Any]]) -> None:
    full = {"right", "sideways"}
    less = {"wrong_arithmetic", "carried_error", "miscopied", "principle_error", "gap", "incomplete", "sign_error"}
    for truth in truths:
        score, maximum = Decimal(truth["total_score"]), Decimal(truth["max_score"])
        assert 0 <= score <= maximum
        if truth["kind"] in full:
            assert score == maximum, truth["version"]
        if truth["kind"] in less:
            assert score < maximum, truth["version"]


def test_steps_are_those_of_the_matched_path_in_order(truths: list[dict[str, Any]], rules: dict[int, Any]) -> None:
    for truth in truths:
        paths = named_paths(rules[truth["question"]], truth)
        if truth["matched_path"] == "UNKNOWN":
            assert paths == []
            continue
        expected = [step["step_id"] for path in paths for step in path["steps"]]
        assert [step["step_id"] for step in truth["steps"]] == expected
        assert {path.get("part", 1) for path in paths} == {
            path.get("part", 1) for path in rules[truth["question"]]["valid_paths"]
        }


def test_steps_stand_on_lines_that_are_written_and_not_struck_out(truths: list[dict[str, Any]]) -> None:
    for truth in truths:
        standing = {line["line_id"] for line in truth["lines"] if not line["struck_out"]}
        for step in truth["steps"]:
            assert set(step["line_ids"]) <= standing, (truth["version"], step)
            assert bool(step["line_ids"]) == (step["status"] != "MISSING"), (truth["version"], step)
            assert set(step["error_codes"]) <= ERROR_CODES
            assert bool(step["error_codes"]) == (step["status"] in ("INVALID", "MISSING", "GAP_DEDUCTION"))


def test_flags_name_what_a_teacher_must_be_told(truths: list[dict[str, Any]]) -> None:
    for truth in truths:
        for kind in ("instruction", "rival", "answer_only", "blank", "unreadable", "sideways"):
            assert (kind in truth["flags"]) == (kind == truth["kind"])
        assert ("two_pages" in truth["flags"]) == (len(truth["files"]) > 1)
        notes = [line["latex"] for line in truth["lines"] if line["margin"]]
        assert all("满分" in note for note in notes)
        assert bool(notes) == (truth["kind"] == "instruction")


def test_the_truth_file_says_what_the_answers_say(truths: list[dict[str, Any]]) -> None:
    written = {pupil.number: pupil for pupil in pupils()}
    for truth in truths:
        sheet = written[truth["candidate"]].sheets[truth["question"] - 1]
        assert truth["version"] == sheet.answer.id
        sources = [line.removeprefix("~~").removeprefix(">>") for page in sheet.answer.pages for line in page]
        assert [line["latex"] for line in truth["lines"]] == sources


def test_every_written_line_can_be_drawn() -> None:
    for number in range(1, len(QUESTIONS) + 1):
        for answer in answers_to(number).values():
            for page in answer.pages:
                for line in page:
                    assert parse(line.removeprefix("~~").removeprefix(">>"))
    with pytest.raises(UnknownMarkup, match="int"):
        parse("\\int x")


def test_the_class_list_and_the_description_name_the_same_people(sample: Path, rules: dict[int, Any]) -> None:
    description = json.loads((sample / "assessment.json").read_text("utf-8"))
    with (sample / "roster.csv").open(encoding="utf-8-sig", newline="") as file:
        roster = list(csv.DictReader(file))
    assert list(roster[0]) == ["学号", "姓名", "班级"]
    people = [(row["number"], row["name"], row["class"]) for row in description["candidates"]]
    assert [(row["学号"], row["姓名"], row["班级"]) for row in roster] == people
    assert people == [(pupil.number, pupil.name, pupil.school_class) for pupil in pupils()]
    assert len({name for _, name, _ in people}) == 30
    assert {school_class for _, _, school_class in people} == set(description["classes"])
    assert description["policy"]["allow_uncertified"] is True
    for question in description["questions"]:
        assert (sample / question["rules"]).is_file()
        assert question["question_id"] == rules[question["number"]]["question_id"]
        assert Decimal(str(question["max_score"])) == rules[question["number"]]["max_score"]


def test_every_hand_writes_for_somebody(truths: list[dict[str, Any]]) -> None:
    assert {truth["hand"] for truth in truths} == set(HANDS)
