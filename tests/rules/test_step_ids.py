"""A step id is unique within its path: other paths and other parts may use it again, everywhere in the product."""

from __future__ import annotations

import copy
import io
import json
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command

from grading.domain.credited import details_of, evidence_of
from grading.domain.packet import packet_document
from grading.domain.verification import verify
from grading.transitions.cases import decided_steps
from itembank.domain.rules import UnusableRules, read_rules, rules_document
from review.domain.marking_sheet import proposed_sheet
from tests.gate.cast import RULES_FILE

SECOND_PART = {
    "path_id": "Path_T",
    "name": "第二问",
    "part": 2,
    "steps": [
        {
            "step_id": "S1",
            "desc": "写出 T=S_{10}+d",
            "points": 2,
            "kind": "computation",
            "expects": ["T=122"],
            "yields": {"T": "S_10+d"},
            "depends_on": ["S5"],
        },
        {
            "step_id": "S2",
            "desc": "求 U",
            "points": 2,
            "kind": "conclusion",
            "expects": ["U=61"],
            "yields": {"U": "T/2"},
            "depends_on": ["S1"],
        },
    ],
}
RIGHT = (
    "a_7-a_3=4d",
    r"d=\frac{15-7}{4}=2",
    r"a_1=7-2\times 2=3",
    "S_{10}=10a_1+45d",
    r"S_{10}=10\times 3+45\times 2=120",
    "T=120+2=122",
    r"U=\frac{122}{2}=61",
)


def reused() -> Any:
    """The example with steps S1, S2, … on every path and in a second part."""
    rules = rules_document(RULES_FILE.read_bytes())
    for path in rules["valid_paths"]:
        new = {step["step_id"]: f"S{number}" for number, step in enumerate(path["steps"], 1)}
        for step in path["steps"]:
            step["step_id"] = new[step["step_id"]]
            step["depends_on"] = [new[name] for name in step.get("depends_on", [])]
    rules["valid_paths"].append(copy.deepcopy(SECOND_PART))
    rules["quantities"] |= {"T": "122", "U": "61"}
    rules["max_score"] = rules["max_score"] + 4
    return rules


def judged(tmp_path, *lines: str) -> Any:
    rules, reading, out = tmp_path / "rules.json", tmp_path / "reading.json", io.StringIO()
    rules.write_text(json.dumps(reused(), default=int), encoding="utf-8")
    given = [
        {"line_id": f"L{n}", "latex": text, "confidence": 0.97, "struck_out": False} for n, text in enumerate(lines, 1)
    ]
    reading.write_text(json.dumps({"pages": [], "lines": given, "instructions_seen": []}), encoding="utf-8")
    call_command("judge", rules=str(rules), reading=str(reading), stdout=out)
    return json.loads(out.getvalue(), parse_float=Decimal)


def test_other_paths_and_other_parts_may_use_an_id_again():
    rules = read_rules(reused())
    assert {path.path_id: path.steps[0].step_id for path in rules.paths} == {
        "Path_A": "S1",
        "Path_B": "S1",
        "Path_T": "S1",
    }


def test_one_path_may_not():
    document = reused()
    document["valid_paths"][0]["steps"][1]["step_id"] = "S1"
    with pytest.raises(UnusableRules) as caught:
        read_rules(document)
    assert caught.value.faults[0].code == "duplicate-step"


def test_a_right_answer_earns_everything_in_both_parts(tmp_path):
    document = judged(tmp_path, *RIGHT)
    assert document["verdict"]["total_score"] == document["verdict"]["max_score"]
    assert document["verdict"]["matched_path_id"] == "1:Path_A;2:Path_T"
    assert [step["status"] for step in document["verdict"]["step_details"]] == ["VALID"] * 7
    assert {entry["rule"]: entry["outcome"] for entry in document["gate"]}["coverage"] == "holds"


def test_evidence_details_and_marks_name_the_path_of_each_step(tmp_path):
    document = judged(tmp_path, *RIGHT)
    expected = [("Path_A", f"S{n}") for n in range(1, 6)] + [("Path_T", "S1"), ("Path_T", "S2")]
    assert list(details_of(document)) == list(evidence_of(document)) == expected
    assert evidence_of(document)["Path_T", "S1"]["line_ids"] == ["L6"]
    assert evidence_of(document)["Path_A", "S1"]["line_ids"] == ["L1"]
    assert [(step["path_id"], step["step_id"]) for step in decided_steps(document)] == expected


def test_a_slip_in_the_second_part_costs_only_there(tmp_path):
    document = judged(tmp_path, *RIGHT[:-1], r"U=\frac{122}{2}=62")
    details = details_of(document)
    assert details["Path_T", "S2"]["status"] == "INVALID"
    assert details["Path_A", "S2"]["status"] == "VALID"
    assert document["verdict"]["total_score"] == document["verdict"]["max_score"] - 2
    sheet = proposed_sheet(read_rules(document["rules"]), document)
    assert sheet.total == document["verdict"]["total_score"]
    packet = packet_document(document, reasons=["policy"])
    assert packet["unknown"] == ["S2"]


def test_an_earlier_part_is_meant_where_the_path_itself_has_no_such_step_before(tmp_path):
    wrong = [*RIGHT[:3], RIGHT[3], r"S_{10}=10\times 3+45\times 2=130", "T=130+2=132", r"U=\frac{132}{2}=66"]
    details = details_of(judged(tmp_path, *wrong))
    assert details["Path_A", "S5"]["status"] == "INVALID"
    assert [details["Path_T", name]["status"] for name in ("S1", "S2")] == ["ECF_GRANTED", "ECF_GRANTED"]


def test_such_a_verdict_replays_and_a_changed_score_of_the_second_part_is_named(tmp_path):
    document = judged(tmp_path, *RIGHT)
    assert verify(document, None) == []
    document["verdict"]["step_details"][5]["score"] = 1
    assert verify(document, None)
