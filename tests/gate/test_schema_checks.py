"""The quick check of a schema says yes exactly where `jsonschema` finds nothing to blame."""

from __future__ import annotations

import copy
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from grading.domain.documents import exact, schema
from grading.domain.schema_checks import compiled

from .cast import li, wang

NAMES = ("reading", "observation", "policy", "verdict")
STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 5, 10**9, Decimal("0.5"), Decimal("1.5"), "", "x", "VALID", "L1", "a" * 3000),
    *([], [1], ["x", "x"], [None], {}, {"x": 1}, {"code": "x"}, {"latex": "x"}, [{"latex": "x"}] * 50),
)


def documents(name: str) -> list[Any]:
    if name == "policy":
        return [{}, {"allow_uncertified": True, "step_confidence": Decimal("0.9"), "version": "v"}]
    made = [exact(answer.decide()) for answer in (wang(), li())]
    return made if name == "verdict" else [document[name] for document in made]


def places(document: Any) -> list[tuple[Any, Any]]:
    """Every container of a document with each of its keys or positions."""
    found: list[tuple[Any, Any]] = []
    if isinstance(document, dict | list):
        for key in list(document) if isinstance(document, dict) else range(len(document)):
            found.append((document, key))
            found.extend(places(document[key]))
    return found


def changed(document: Any, random: Random) -> Any:
    """The document with one to three things replaced, removed, doubled or added."""
    other = copy.deepcopy(document)
    for _ in range(random.randint(1, 3)):
        spots = places(other)
        if not spots:
            return random.choice(STRANGE)
        container, key = random.choice(spots)
        action = random.randrange(4)
        if action == 0:
            container[key] = copy.deepcopy(random.choice(STRANGE))
        elif action == 1:
            del container[key]
        elif action == 2 and isinstance(container, list):
            container.append(copy.deepcopy(container[key]))
        elif isinstance(container, dict):
            container[random.choice(("x", "latex", "text", "failure", "confidence"))] = random.choice(STRANGE)
    return other


@pytest.mark.parametrize("name", NAMES)
def test_the_quick_check_agrees_with_the_full_one_on_sound_and_damaged_documents(name: str) -> None:
    check, full = compiled(schema(name)), Draft202012Validator(schema(name))
    random = Random(name)
    said = {True: 0, False: 0}
    for document in documents(name):
        assert check(document)
        assert full.is_valid(document)
        for _ in range(150):
            other = changed(document, random)
            verdict = check(other)
            assert verdict is full.is_valid(other), other
            said[verdict] += 1
    assert said[True] > 5, said
    assert said[False] > 20, said


def test_a_keyword_that_is_not_known_is_refused_and_not_ignored() -> None:
    with pytest.raises(ValueError, match="multipleOf"):
        compiled({"type": "number", "multipleOf": 2})
