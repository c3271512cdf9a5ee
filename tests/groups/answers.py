"""Answers that wait for people because their question has no certificate: Wang's and Li's, in several writings."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from tests.gate.cast import Answer, li, wang

# Other ways to write a line of the same result; line number → text.
WRITINGS: dict[str, tuple[dict[int, str], ...]] = {
    "right": (
        {},
        {2: "d=8/4=2"},
        {3: "a_1=a_3-2d=7-4=3"},
        {5: r"S_{10}=10\times 3+90=30+90=120"},
        {2: r"d=\frac{8}{4}=2"},
    ),
    "carried": ({}, {2: "d=8/4=2"}, {5: r"S_{10}=40+90=130"}),
}


def _answer(name: str, writing: int) -> Answer:
    answer = (wang if name == "right" else li)()
    answer.policy = {}
    for number, latex in WRITINGS[name][writing].items():
        answer.rewrite(number, latex)
    return answer


@cache
def _document(name: str, writing: int) -> dict[str, Any]:
    return _answer(name, writing).decide()


def document(name: str = "right", writing: int = 0, *, key: str = "") -> dict[str, Any]:
    """A fresh copy of the verdict document of one writing; ``key`` tells runs apart."""
    found = copy.deepcopy(_document(name, writing))
    found["provenance"]["idempotency_key"] = key or f"{name}-{writing}"
    return found
