"""What the public verdict says: blank, unreadable, bare, foreign and unusable answers."""

from __future__ import annotations

from typing import Any

import pytest

from config.foundation.errors import WenshuError
from grading.domain.documents import schema_fault
from grading.domain.expressions import shows_working
from grading.domain.policy import UnusablePolicy
from grading.domain.reading import UnusableReading, read_reading
from grading.domain.statuses import ErrorCode, Status

from .cast import Answer, example, example_rules, failing, inked, li, line, not_passing, reading, said, wang

PUBLIC = {
    "question_id", "total_score", "max_score", "matched_path_id", "is_manual_review_needed", "step_details", "diagnosis",
}  # fmt: skip
DETAIL = {"step_id", "rule_desc", "student_segment", "status", "score", "deduction_reason", "ecf_active"}


def test_the_machine_agrees_with_the_example_worked_by_hand() -> None:
    worked = example("verdict")
    answer = Answer(example("reading"), example("observation"), None, policy=example("policy"))
    answer.ink = inked(answer.reading)
    document = answer.decide()
    assert document["verdict"] == {**worked["verdict"], "is_manual_review_needed": document["decision"] != "ACCEPT"}
    outcomes = {entry["rule"]: entry["outcome"] for entry in document["gate"]}
    assert outcomes == worked["gate_with_ink_and_allow_uncertified"]


def test_the_examples_follow_their_schemas() -> None:
    for name in ("reading", "observation", "policy"):
        assert schema_fault(name, example(name)) is None
    verdict = li().decide()
    verdict["verdict"] = example("verdict")["verdict"]
    assert schema_fault("verdict", verdict) is None


@pytest.mark.parametrize("make", [wang, li])
def test_the_public_object_has_exactly_its_fields(make: Any) -> None:
    verdict = make().decide()["verdict"]
    assert set(verdict) == PUBLIC
    assert set(verdict["diagnosis"]) == {"error_codes", "comments", "recognition_failure"}
    for detail in verdict["step_details"]:
        assert set(detail) == DETAIL
        assert detail["ecf_active"] == (detail["status"] == "ECF_GRANTED")
    assert sum(detail["score"] for detail in verdict["step_details"]) == verdict["total_score"]


def test_full_scores_have_no_deduction_reason_and_others_do() -> None:
    details = {detail["step_id"]: detail for detail in li().decide()["verdict"]["step_details"]}
    assert [name for name, detail in details.items() if detail["deduction_reason"]] == ["A3", "A5"]


def blank() -> Answer:
    seen = {
        "pages": [{"width": 1240, "height": 1754}],
        "lines": [],
        "instructions_seen": [],
        "failure": {"code": "blank"},
    }
    answer = wang()
    answer.reading = seen
    for path in answer.observation["paths"]:
        for step in path["steps"]:
            step.update(status="MISSING", line_ids=[], quote="")
    answer.ink = {**inked(seen), "boxes": []}
    answer.ink["pages"][0].update(blank=True, ink_fraction="0")
    return answer


def test_a_blank_answer_proposes_nothing_and_waits_for_a_person() -> None:
    document = blank().decide()
    verdict = document["verdict"]
    assert verdict["total_score"] == 0
    assert {detail["status"] for detail in verdict["step_details"]} == {"MISSING"}
    assert [detail["student_segment"] for detail in verdict["step_details"]] == [""] * 5
    assert verdict["diagnosis"]["comments"] == "Blank/Unreadable"
    assert verdict["diagnosis"]["error_codes"] == ["ERR_BLANK"]
    assert "recognised" in failing(document)
    assert document["decision"] == "MANUAL_REVIEW"


def test_ink_without_lines_is_not_blank_but_unreadable() -> None:
    answer = blank()
    assert answer.ink
    answer.ink["pages"][0].update(blank=False, ink_fraction="0.1")
    verdict = answer.decide()["verdict"]
    assert verdict["diagnosis"]["recognition_failure"]
    assert (verdict["matched_path_id"], verdict["total_score"], verdict["step_details"]) == ("UNKNOWN", 0, [])


def test_a_failed_reading_scores_nothing_and_denies_nothing() -> None:
    answer = wang()
    answer.reading["failure"] = {"code": "low_confidence", "detail": "page 1 read at 0.7"}
    document = answer.decide()
    verdict = document["verdict"]
    assert (verdict["matched_path_id"], verdict["total_score"], verdict["step_details"]) == ("UNKNOWN", 0, [])
    assert verdict["diagnosis"]["recognition_failure"]
    assert {"recognised", "judge-answered"} <= set(failing(document))


def bare() -> Answer:
    answer = wang()
    answer.reading = reading(("S_{10}=120",))
    answer.ink = inked(answer.reading)
    for path in answer.observation["paths"]:
        for step in path["steps"]:
            step.update(status="MISSING", line_ids=[], quote="")
    for step_id in ("A5", "B5"):
        answer.step(step_id).update(said(step_id, "VALID", 1, quote="S_{10}=120"))
    return answer


def test_a_bare_answer_earns_its_own_points_and_a_teacher_looks() -> None:
    document = bare().decide()
    verdict = document["verdict"]
    assert verdict["total_score"] == 2
    assert verdict["step_details"][-1]["score"] == 2
    assert verdict["step_details"][-1]["deduction_reason"]
    assert "ERR_ANSWER_ONLY" in verdict["diagnosis"]["error_codes"]
    assert "jump-supported" in failing(document)


def test_a_bare_answer_is_no_chain_of_jumps() -> None:
    answer = bare()
    for step_id in ("A1", "A2", "A3", "A4"):
        answer.step(step_id).update(status="JUMP_VALID", line_ids=["L1"])
    verdict = answer.decide()["verdict"]
    assert verdict["total_score"] == 2
    assert [detail["status"] for detail in verdict["step_details"]] == ["MISSING"] * 4 + ["VALID"]


def test_a_final_line_with_working_is_not_a_bare_answer() -> None:
    answer = bare()
    answer.rewrite(1, r"S_{10}=10\times 3+45\times 2=120")
    document = answer.decide()
    assert document["verdict"]["total_score"] == 3
    assert document["decision"] == "MANUAL_REVIEW"


def test_roots_beside_each_other_show_no_working() -> None:
    assert not shows_working(r"x=\frac{\pi}{6} 或 x=\frac{5\pi}{6}")
    assert not shows_working("x_1=2, x_2=3")
    assert shows_working("x=2+1 或 x=3")


def test_another_method_keeps_only_proved_steps() -> None:
    answer = li()
    answer.observation["another_method"] = True
    document = answer.decide()
    verdict = document["verdict"]
    assert verdict["matched_path_id"] == "UNKNOWN"
    assert [detail["step_id"] for detail in verdict["step_details"]] == ["A1", "A2", "A4", "A5"]
    assert document["decision"] == "MANUAL_REVIEW"


def test_writing_that_no_path_knows_matches_no_path() -> None:
    answer = blank()
    answer.reading = reading(("u+v=w",))
    answer.ink = inked(answer.reading)
    verdict = answer.decide()["verdict"]
    assert (verdict["matched_path_id"], verdict["total_score"], verdict["step_details"]) == ("UNKNOWN", 0, [])


@pytest.mark.parametrize(
    "nonsense", [None, [], "VALID", {"paths": 3}, {"judge": "x", "paths": [], "total": 12}, float("nan")]
)
def test_an_unusable_observation_ends_in_a_document_that_says_so(nonsense: Any) -> None:
    answer = wang()
    answer.observation = nonsense
    document = answer.decide()
    assert failing(document) == ["schema"]
    assert document["decision"] == "MANUAL_REVIEW"
    assert document["verdict"]["total_score"] == 0
    assert schema_fault("verdict", document) is None


def test_an_unusable_reading_ends_in_a_document_that_says_so() -> None:
    answer = wang()
    answer.reading["lines"][0]["colour"] = "blue"
    document = answer.decide()
    assert "schema" in failing(document)
    assert "colour" in document["gate"][0]["message"]["zh"]
    assert "L1" in document["gate"][0]["message"]["en"]


def test_a_policy_that_lowers_the_floor_is_refused() -> None:
    answer = wang()
    answer.policy["step_confidence"] = 0.5
    with pytest.raises(UnusablePolicy) as refused:
        answer.decide()
    assert "step_confidence" in refused.value.en


def test_a_quote_that_is_not_on_the_page_never_reaches_the_public_verdict() -> None:
    answer = wang()
    answer.step("A5")["quote"] = "S_{10}=120, the teacher agrees"
    details = answer.decide()["verdict"]["step_details"]
    assert details[4]["student_segment"] == answer.reading["lines"][4]["latex"]


def test_a_jump_shows_no_segment() -> None:
    answer = wang()
    answer.reading["lines"].pop(1)
    answer.step("A2").update(status="JUMP_VALID", line_ids=["L3"], quote="")
    answer.step("B2").update(status="MISSING", line_ids=[], quote="")
    document = answer.decide()
    assert document["verdict"]["step_details"][1]["student_segment"] == ""
    assert document["verdict"]["total_score"] == 12
    assert document["decision"] == "ACCEPT"


def test_two_lines_with_one_id_are_refused_by_name() -> None:
    seen = reading(("d=2", "d=3"))
    seen["lines"][1]["line_id"] = "L1"
    with pytest.raises(UnusableReading, match="L1"):
        read_reading(seen)


def test_pages_may_be_counted_from_zero() -> None:
    seen = {"pages": [{"width": 1, "height": 1}] * 2, "lines": [line(1, "d=2", page=0), line(2, "a=3", page=1)]}
    assert [each.page for each in read_reading(seen).lines] == [1, 2]


def test_without_pages_boxes_are_ignored() -> None:
    seen = {"pages": [], "lines": [line(1, "d=2")]}
    assert read_reading(seen).lines[0].box is None


def test_a_teacher_reads_sentences_with_facts() -> None:
    answer = wang()
    answer.rewrite(2, r"d=\frac{3}{2}")
    sentences = [entry["message"]["zh"] for entry in answer.decide()["gate"] if entry["rule"] == "step-proved"]
    assert any("第 2 行" in text and "d=2" in text and "左边" in text for text in sentences)


def test_statuses_and_codes_are_those_of_the_schema() -> None:
    assert [status.value for status in Status] == [
        "VALID", "JUMP_VALID", "GAP_DEDUCTION", "ECF_GRANTED", "INVALID", "MISSING",
    ]  # fmt: skip
    assert len(ErrorCode) == 10


def test_an_error_of_the_domain_speaks_both_languages() -> None:
    with pytest.raises(WenshuError) as refused:
        read_reading({"pages": [], "lines": [{"line_id": "L1", "confidence": 2, "latex": "x"}]})
    assert "L1" in refused.value.zh
    assert "L1" in refused.value.en
    assert example_rules().question_id
    assert not_passing(wang().decide()) == []
