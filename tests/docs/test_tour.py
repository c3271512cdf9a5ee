"""The tour does not lie: every stop names a file that exists and a function or class in it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
STOP = re.compile(r"\| (\d+) \|.*\| `([^`]+\.py)` `(\w+)` \|")
STOPS = STOP.findall((ROOT / "docs" / "tour.md").read_text(encoding="utf-8"))


def test_the_tour_has_all_its_stops_in_order():
    assert [int(number) for number, _, _ in STOPS] == list(range(1, 20))


@pytest.mark.parametrize(("file", "name"), [(file, name) for _, file, name in STOPS])
def test_a_stop_is_a_function_or_class_of_its_file(file, name):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert name in defined
