"""Rules are untrusted uploads: whatever is done to a document, reading ends in rules or in named faults."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from itembank.domain import rules as rules_module
from itembank.domain.rules import Rules, UnusableRules, read_rules, read_rules_file

EXAMPLE: dict[str, Any] = json.loads(
    Path(rules_module.__file__).with_name("scoring_rules.example.json").read_text("utf-8")
)


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value of a document."""
    found = [way] if way else []
    if isinstance(value, dict):
        for key, item in value.items():
            found += places(item, (*way, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            found += places(item, (*way, number))
    return found


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=30),
    st.sampled_from(
        ["\\frac{", "$$", "\u202e", "a_1", "x" * 9000, "__import__('os')", "UNKNOWN", "{}{}", "{0.__class__}"]
    ),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3),
)


@st.composite
def damaged(draw: st.DrawFn) -> dict[str, Any]:
    """The example with one to three values replaced, removed or added."""
    document = copy.deepcopy(EXAMPLE)
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(places(document)))
        holder: Any = document
        for part in way:
            holder = holder[part]
        match draw(st.sampled_from(["replace", "remove", "add"])):
            case "replace":
                holder[last] = draw(JUNK)
            case "remove":
                del holder[last]
            case _ if isinstance(holder, dict):
                holder[draw(st.text(max_size=12))] = draw(JUNK)
            case _:
                holder.append(draw(JUNK))
    return document


def outcome(document: object) -> Rules | UnusableRules:
    try:
        return read_rules(document)
    except UnusableRules as error:
        return error


@settings(deadline=None)  # the machine may be busy; what is tested is not speed
@given(damaged())
def test_a_damaged_document_ends_in_rules_or_in_named_faults(document):
    found = outcome(document)
    if isinstance(found, UnusableRules):
        assert found.faults
        for fault in found.faults:
            assert fault.where
            assert fault.line("zh")
            assert fault.line("en")
    else:
        assert sum(found.paths_of(part)[0].points for part in found.parts()) == found.max_score


@settings(deadline=None)  # the machine may be busy; what is tested is not speed
@given(damaged())
def test_reading_is_repeatable_and_leaves_the_document_alone(document):
    before = repr(document)
    first, second = outcome(document), outcome(document)
    assert repr(document) == before
    if isinstance(first, Rules) and isinstance(second, Rules):
        assert first.sha256 == second.sha256
    else:
        assert isinstance(first, UnusableRules)
        assert isinstance(second, UnusableRules)
        assert first.faults == second.faults


@settings(deadline=None)  # the machine may be busy; what is tested is not speed
@given(st.binary(max_size=300))
def test_arbitrary_bytes_are_refused(data):
    with pytest.raises(UnusableRules) as caught:
        read_rules_file(data)
    assert caught.value.faults
