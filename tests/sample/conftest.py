"""The sample as it is committed: its truth lines, its rules and the folder that holds them."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grading.sample.answers import HERE, QUESTIONS


def read_as_imported(path: Path) -> Any:
    """Whole numbers as int, all others exact."""
    return json.loads(path.read_text("utf-8"), parse_float=Decimal)


def read_decimal(path: Path) -> Any:
    """Every number exact, for arithmetic with points."""
    return json.loads(path.read_text("utf-8"), parse_float=Decimal, parse_int=Decimal)


@pytest.fixture(scope="session")
def sample() -> Path:
    return HERE


@pytest.fixture(scope="session")
def truths() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / "truth.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="session")
def rules() -> dict[int, Any]:
    return {number: read_decimal(HERE / "rules" / f"{name}.json") for number, name in enumerate(QUESTIONS, start=1)}
