"""Reading scoring rules: what is accepted, and what each fault says."""

from __future__ import annotations

import copy
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from itembank.domain import rules as rules_module
from itembank.domain.rules import UnusableRules, read_rules, read_rules_file

ROOT = Path(__file__).parents[2]
EXAMPLE_FILE = Path(rules_module.__file__).with_name("scoring_rules.example.json")
SAMPLES = sorted((ROOT / "grading" / "sample" / "rules").glob("*.json"))


@pytest.fixture
def example() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(EXAMPLE_FILE.read_text("utf-8"))
    return document


def faults(document: object) -> list[tuple[str, str | None, str | None, str]]:
    with pytest.raises(UnusableRules) as caught:
        read_rules(document)
    return [(one.code, one.path_id, one.step_id, one.field) for one in caught.value.faults]


def step(document: dict[str, Any], path: int, number: int) -> dict[str, Any]:
    found: dict[str, Any] = document["valid_paths"][path]["steps"][number]
    return found


def test_the_committed_example_is_read_with_exact_points(example):
    rules = read_rules(example)
    assert rules.max_score == Decimal(12)
    assert rules.parts() == (1,)
    assert [path.path_id for path in rules.paths_of(1)] == ["Path_A", "Path_B"]
    assert rules.step("Path_A", "A5").points == Decimal(3)
    assert rules.step("Path_A", "A5").yields == {"S_10": "10*a_1 + 45*d"}


@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_every_shipped_rules_file_is_read(file):
    assert read_rules_file(file.read_bytes()).paths


def test_there_are_shipped_rules():
    assert len(SAMPLES) >= 6


def test_must_show_is_true_for_a_concept_and_false_otherwise(example):
    for number in (0, 1):
        step(example, 0, number).pop("must_show", None)
        step(example, 1, number).pop("must_show", None)
    rules = read_rules(example)
    assert rules.step("Path_A", "A1").must_show
    assert not rules.step("Path_A", "A2").must_show


def test_the_hash_does_not_depend_on_key_order_or_on_how_a_whole_number_is_written(example):
    shuffled = dict(reversed(example.items()))
    shuffled["max_score"] = 12.0
    assert read_rules(shuffled).sha256 == read_rules(example).sha256


def test_the_hash_changes_with_the_content(example):
    other = copy.deepcopy(example)
    other["title"] += "。"
    assert read_rules(other).sha256 != read_rules(example).sha256


def test_half_points_are_exact(example):
    example["mark_step"] = 0.5
    for path in example["valid_paths"]:
        path["steps"][2]["points"], path["steps"][3]["points"] = 1.5, 3.5
    rules = read_rules_file(json.dumps(example))
    assert rules.step("Path_A", "A3").points == Decimal("1.5")
    assert isinstance(rules.document["valid_paths"][0]["steps"][2]["points"], Decimal)


def test_all_faults_are_named_at_once_with_path_step_and_field(example):
    del step(example, 0, 1)["points"]
    step(example, 1, 2)["kind"] = "idea"
    example["surprise"] = 1
    assert faults(example) == [
        ("unknown-field", None, None, "surprise"),
        ("required", "Path_A", "A2", "points"),
        ("choice", "Path_B", "B3", "kind"),
    ]


def test_a_misspelt_field_is_recognised(example):
    step(example, 0, 2)["depend_on"] = step(example, 0, 2).pop("depends_on")
    with pytest.raises(UnusableRules) as caught:
        read_rules(example)
    assert "depends_on" in caught.value.faults[0].todo_en
    assert "depends_on" in caught.value.faults[0].todo_zh


BROKEN = {
    "points that are no multiple of mark_step": (
        lambda d: step(d, 0, 0).update(points=2.5),
        ("mark-step", "Path_A", "A1", "points"),
    ),
    "a gap credit that is no multiple of mark_step": (
        lambda d: step(d, 0, 3).update(gap_points=0.5),
        ("mark-step", "Path_A", "A4", "gap_points"),
    ),
    "paths of a part with different sums": (
        lambda d: step(d, 1, 4).update(points=4),
        ("part-sum", "Path_B", None, "steps"),
    ),
    "parts that miss the maximum": (lambda d: d.update(max_score=13), ("total", None, None, "max_score")),
    "an unknown dependency": (
        lambda d: step(d, 0, 2).update(depends_on=["A9"]),
        ("unknown-dependency", "Path_A", "A3", "depends_on[0]"),
    ),
    "a dependency on itself": (
        lambda d: step(d, 0, 2).update(depends_on=["A3"]),
        ("late-dependency", "Path_A", "A3", "depends_on[0]"),
    ),
    "a dependency on a later step": (
        lambda d: step(d, 0, 1).update(depends_on=["A4"]),
        ("late-dependency", "Path_A", "A2", "depends_on[0]"),
    ),
    "a dependency on another path": (
        lambda d: step(d, 1, 2).update(depends_on=["A3"]),
        ("foreign-dependency", "Path_B", "B3", "depends_on[0]"),
    ),
    "an undeclared quantity": (
        lambda d: d["quantities"].pop("a_8"),
        ("undeclared-quantity", "Path_B", "B3", "yields.a_8"),
    ),
    "a formula with an unknown name": (
        lambda d: step(d, 0, 2).update(yields={"a_1": "a_3-2*q"}),
        ("unknown-name", "Path_A", "A3", "yields.a_1"),
    ),
    "a formula that uses what it computes": (
        lambda d: step(d, 0, 2).update(yields={"a_1": "a_1+0*d"}),
        ("self-reference", "Path_A", "A3", "yields.a_1"),
    ),
    "a step id used twice": (
        lambda d: step(d, 0, 1).update(step_id="A1"),
        ("duplicate-step", "Path_A", "A1", "step_id"),
    ),
    "a path id used twice": (
        lambda d: d["valid_paths"][1].update(path_id="Path_A"),
        ("duplicate-path", "Path_A", None, "path_id"),
    ),
    "shared steps that differ": (
        lambda d: step(d, 1, 1).update(expects=["d=2", "2=d"]),
        ("shared-differs", "Path_B", "B2", "expects"),
    ),
    "a shared id twice on a path": (
        lambda d: step(d, 0, 2).update(shared_id="relation"),
        ("shared-twice", "Path_A", "A3", "shared_id"),
    ),
    "more gap credit than points": (
        lambda d: step(d, 0, 3).update(gap_points=4),
        ("too-many-points", "Path_A", "A4", "gap_points"),
    ),
    "more for the bare answer than the question": (
        lambda d: d.update(answer_only_points=13),
        ("answer-only", None, None, "answer_only_points"),
    ),
    "a dollar sign in mathematics": (
        lambda d: step(d, 0, 2).update(expects=["$a_1=3$"]),
        ("latex", "Path_A", "A3", "expects[0]"),
    ),
    "an unclosed brace": (
        lambda d: step(d, 0, 2).update(expects=[r"a_1=\frac{6}{2"]),
        ("latex", "Path_A", "A3", "expects[0]"),
    ),
    "a command that loads a file": (lambda d: d.update(stem=r"$\input{x}$"), ("latex", None, None, "stem")),
    "a lonely dollar sign": (lambda d: d.update(stem="价格 5$"), ("latex", None, None, "stem")),
    "a name with braces": (
        lambda d: d["quantities"].update({"S_{10}": "120"}),
        ("pattern", None, None, "quantities"),
    ),
    "points as text": (lambda d: step(d, 0, 0).update(points="2"), ("type", "Path_A", "A1", "points")),
    "true as a number": (lambda d: d.update(max_score=True), ("type", None, None, "max_score")),
    "no paths": (lambda d: d.update(valid_paths=[]), ("length", None, None, "valid_paths")),
    "UNKNOWN as a path id": (
        lambda d: d["valid_paths"][1].update(path_id="UNKNOWN"),
        ("pattern", "UNKNOWN", None, "path_id"),
    ),
    "an expected result twice": (
        lambda d: step(d, 0, 2).update(expects=["a_1=3", "a_1=3"]),
        ("repeated-entry", "Path_A", "A3", "expects"),
    ),
    "a quantity that is also given otherwise": (
        lambda d: d["givens"].update(d="3"),
        ("given-and-quantity", None, None, "quantities.d"),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_fault_is_found_where_it_is(name, example):
    damage, expected = BROKEN[name]
    damage(example)
    assert expected in faults(example)


@pytest.mark.parametrize("name", BROKEN)
def test_every_fault_says_in_both_languages_what_to_do(name, example):
    BROKEN[name][0](example)
    with pytest.raises(UnusableRules) as caught:
        read_rules(example)
    for fault in caught.value.faults:
        for text in (fault.zh, fault.en, fault.todo_zh, fault.todo_en):
            assert text
            assert "{" not in text.replace("S_{10}", "").replace("\\frac{", "")
        assert any("\u4e00" <= character <= "\u9fff" for character in fault.zh + fault.todo_zh)


def test_a_step_of_an_earlier_part_may_be_built_on(example):
    example["max_score"] = 14
    example["valid_paths"].append(
        {
            "path_id": "Second",
            "name": "第二问",
            "part": 2,
            "steps": [
                {
                    "step_id": "C1",
                    "desc": "d",
                    "points": 2,
                    "kind": "conclusion",
                    "expects": ["2d=4"],
                    "depends_on": ["B2"],
                }
            ],
        }
    )
    rules = read_rules(example)
    assert rules.parts() == (1, 2)
    assert rules.step("Second", "C1").depends_on == ("B2",)


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b'{"a": 1, "a": 2}',
        b'{"a": NaN}',
        b'{"a": 1} trailing',
        b'{"stem": "\\frac"}',
        b"\xff\xfe",
        b"[" * 2000 + b"]" * 2000,
        b'{"a": "' + b"x" * 300_000 + b'"}',
    ],
    ids=["cut off", "duplicate key", "NaN", "trailing text", "swallowed backslash", "not UTF-8", "deep", "large"],
)
def test_a_file_that_is_not_strict_json_is_refused(data):
    with pytest.raises(UnusableRules) as caught:
        read_rules_file(data)
    assert caught.value.faults[0].code == "not-json"


@pytest.mark.parametrize(
    "document",
    [None, [], "rules", {"stem": float("nan")}, {"stem": object()}, {"stem": "a\u202eb"}, {"valid_paths": [0] * 101}],
    ids=["null", "list", "text", "NaN", "foreign object", "hidden direction", "long list"],
)
def test_hostile_documents_are_refused_before_anything_looks_at_them(document):
    assert faults(document)


def test_deep_nesting_is_refused():
    document: Any = {}
    for _ in range(5000):
        document = {"a": document}
    assert faults(document)[0][0] == "too-large"


def test_an_id_with_a_line_break_is_refused(example):
    step(example, 0, 0)["step_id"] = "A1\n"
    assert faults(example)[0][0] == "control-character"


def test_a_stem_may_have_line_breaks(example):
    example["stem"] += "\n(1) …"
    assert "\n" in read_rules(example).stem


@pytest.mark.parametrize("formula", ["10a_1+45d", r"10a_{1}+\frac{10\times 9}{2}d", "10 * a_1 + 45 * d"])
def test_a_formula_may_be_plain_or_latex(formula, example):
    step(example, 0, 4)["yields"] = {"S_10": formula}
    assert read_rules(example)
