"""The schema of scoring rules takes what the design describes and refuses what it does not."""

import copy
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grading.sample.answers import HERE, QUESTIONS
from tests.sample.conftest import read_as_imported, read_decimal

DOMAIN = Path(__file__).parents[2] / "itembank" / "domain"
EXAMPLE = DOMAIN / "scoring_rules.example.json"
DOCUMENTS = [EXAMPLE, *(HERE / "rules" / f"{name}.json" for name in QUESTIONS)]


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json.loads((DOMAIN / "scoring_rules.schema.json").read_text("utf-8"), parse_float=Decimal)
    Draft202012Validator.check_schema(json.loads((DOMAIN / "scoring_rules.schema.json").read_text("utf-8")))
    return Draft202012Validator(schema)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_the_example_and_every_sample_rules_file_are_valid(path: Path, validator: Draft202012Validator) -> None:
    assert [error.message for error in validator.iter_errors(read_as_imported(path))] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_steps_add_up_to_their_part_and_parts_to_the_maximum(path: Path) -> None:
    rules = read_decimal(path)
    parts: dict[int, set[Decimal]] = {}
    for route in rules["valid_paths"]:
        parts.setdefault(int(route.get("part", 1)), set()).add(sum(step["points"] for step in route["steps"]))
    assert all(len(totals) == 1 for totals in parts.values()), parts
    assert sum(max(totals) for totals in parts.values()) == rules["max_score"]
    points = [step["points"] for route in rules["valid_paths"] for step in route["steps"]]
    assert all(amount % rules["mark_step"] == 0 for amount in points)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_step_ids_are_unique_and_dependencies_point_backwards(path: Path) -> None:
    rules = read_decimal(path)
    steps = [(int(route.get("part", 1)), step) for route in rules["valid_paths"] for step in route["steps"]]
    ids = [step["step_id"] for _, step in steps]
    assert len(set(ids)) == len(ids)
    for route in rules["valid_paths"]:
        part = int(route.get("part", 1))
        known = {step["step_id"] for other, step in steps if other < part}
        for step in route["steps"]:
            assert set(step.get("depends_on", [])) <= known, step["step_id"]
            known.add(step["step_id"])


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_steps_with_one_shared_id_are_worth_and_accept_the_same(path: Path) -> None:
    shared: dict[str, Any] = {}
    for route in read_decimal(path)["valid_paths"]:
        for step in route["steps"]:
            if "shared_id" in step:
                same = {key: step.get(key) for key in ("points", "kind", "expects", "demands", "yields", "must_show")}
                assert shared.setdefault(step["shared_id"], same) == same


def _without_points(rules: Any) -> None:
    del rules["valid_paths"][0]["steps"][0]["points"]


def _with_a_typing_mistake(rules: Any) -> None:
    rules["valid_paths"][0]["steps"][0]["expcets"] = ["d=2"]


def _with_points_as_text(rules: Any) -> None:
    rules["valid_paths"][0]["steps"][0]["points"] = "2"


def _with_a_quarter_point(rules: Any) -> None:
    rules["valid_paths"][0]["steps"][0]["points"] = Decimal("0.25")


def _with_negative_points(rules: Any) -> None:
    rules["valid_paths"][0]["steps"][0]["points"] = -1


def _with_a_mark_step_of_two(rules: Any) -> None:
    rules["mark_step"] = 2


def _with_an_unknown_kind(rules: Any) -> None:
    rules["valid_paths"][0]["steps"][0]["kind"] = "guess"


def _with_an_unknown_demand(rules: Any) -> None:
    rules["valid_paths"][0]["steps"][0]["demands"] = ["neatness"]


def _with_a_colon_in_a_path_id(rules: Any) -> None:
    rules["valid_paths"][0]["path_id"] = "1:A"


def _with_the_path_unknown(rules: Any) -> None:
    rules["valid_paths"][0]["path_id"] = "UNKNOWN"


def _with_part_zero(rules: Any) -> None:
    rules["valid_paths"][0]["part"] = 0


def _with_a_brace_in_a_quantity(rules: Any) -> None:
    rules["quantities"]["S_{10}"] = "120"


def _without_paths(rules: Any) -> None:
    rules["valid_paths"] = []


@pytest.mark.parametrize(
    "spoil",
    [
        _without_points,
        _with_a_typing_mistake,
        _with_points_as_text,
        _with_a_quarter_point,
        _with_negative_points,
        _with_a_mark_step_of_two,
        _with_an_unknown_kind,
        _with_an_unknown_demand,
        _with_a_colon_in_a_path_id,
        _with_the_path_unknown,
        _with_part_zero,
        _with_a_brace_in_a_quantity,
        _without_paths,
    ],
    ids=lambda spoil: spoil.__name__.strip("_"),
)
def test_one_fault_in_good_rules_is_exactly_one_error(
    spoil: Callable[[Any], None], validator: Draft202012Validator
) -> None:
    rules = copy.deepcopy(read_as_imported(EXAMPLE))
    spoil(rules)
    assert len(list(validator.iter_errors(rules))) == 1
