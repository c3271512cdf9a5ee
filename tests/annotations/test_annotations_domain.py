"""What a mark on an image may be, and how it is drawn; the places of the example were worked by hand."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.foundation import strict_json
from config.foundation.errors import UnusableInput
from grading.domain.annotation_shapes import shape_of, width_of, wrapped
from grading.domain.annotations import (
    LEAST_ARROW,
    LEAST_BOX,
    LONGEST_TEXT,
    MOST_CHANGES,
    MOST_ON_A_PAGE,
    AnnotationKind,
    Draw,
    Erase,
    RefusedChange,
    check_room,
    read_changes,
)
from tests.review.factory import EXAMPLES

EXAMPLE = strict_json.loads((EXAMPLES / "annotations.example.json").read_bytes())
SHARES = st.decimals(min_value=0, max_value=1, places=4)


def drawing(**changes: Any) -> dict[str, Any]:
    return {"do": "draw", "key": "k1", "page": "P1", "image": "0" * 16, "kind": "tick", "at": [0, 1]} | changes


def read_one(**changes: Any) -> Draw:
    (change,) = read_changes([drawing(**changes)])
    assert isinstance(change, Draw)
    return change


@pytest.mark.parametrize("row", EXAMPLE["annotations"], ids=lambda row: row["name"])
def test_each_mark_is_drawn_as_worked_by_hand(row):
    drawn = shape_of(read_one(**row["given"]).annotation, EXAMPLE["page"]["width"], EXAMPLE["page"]["height"])
    assert drawn.path == row["path"]
    assert [[round(line.x, 1), round(line.y, 1), line.words] for line in drawn.lines] == [
        [float(x), float(y), words] for x, y, words in row["lines"]
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"at": [strict_json.loads("1.0001"), 0]}, "place"),
        ({"at": [-1, 0]}, "place"),
        ({"at": [Decimal("NaN"), 0]}, "place"),
        ({"at": [Decimal("Infinity"), 0]}, "place"),
        ({"at": [float("nan"), 0]}, "form"),
        ({"at": [0.5, 0.5]}, "form"),
        ({"at": [True, 0]}, "form"),
        ({"at": ["0", 0]}, "form"),
        ({"at": [0]}, "form"),
        ({"at": [0, 0, 0]}, "form"),
        ({"at": "00"}, "form"),
        ({"at": None}, "form"),
        ({"to": [1, 1]}, "form"),
        ({"kind": "box"}, "form"),
        ({"kind": "box", "to": [0, 1]}, "small"),
        ({"kind": "box", "to": [1, 1]}, "small"),
        ({"kind": "arrow", "to": [0, 1]}, "small"),
        ({"kind": "text"}, "form"),
        ({"kind": "text", "text": " \u200b\n"}, "empty"),
        ({"kind": "text", "text": "长" * (LONGEST_TEXT + 1)}, "text"),
        ({"kind": "text", "text": 5}, "form"),
        ({"kind": "scribble"}, "form"),
        ({"kind": ["tick"]}, "form"),
        ({"key": ""}, "form"),
        ({"key": "k" * 17}, "form"),
        ({"key": "k'1"}, "form"),
        ({"page": "../1"}, "form"),
        ({"image": None}, "form"),
        ({"points": 5}, "form"),
        ({"do": "move"}, "form"),
    ],
)
def test_what_is_no_mark_is_refused_in_both_languages_and_by_its_number(changes, code):
    with pytest.raises(RefusedChange) as refused:
        read_changes([drawing(), drawing(**changes)])
    assert refused.value.number == 1
    assert refused.value.code == f"annotation.{code}"
    assert refused.value.zh
    assert refused.value.en


@pytest.mark.parametrize("document", [None, {}, [], "x", 1, [drawing()] * (MOST_CHANGES + 1)])
def test_anything_but_a_short_list_of_changes_is_refused(document):
    with pytest.raises(UnusableInput):
        read_changes(document)


def test_a_change_names_what_it_erases_and_nothing_else():
    assert read_changes([{"do": "erase", "key": "k1"}]) == [Erase("k1")]
    with pytest.raises(RefusedChange):
        read_changes([{"do": "erase", "key": "k1", "kind": "tick"}])


@given(kind=st.sampled_from(list(AnnotationKind)), at=st.tuples(SHARES, SHARES), to=st.tuples(SHARES, SHARES))
def test_what_is_accepted_lies_on_the_page_and_reads_back_as_itself(kind, at, to):
    sent = drawing(kind=kind.value, at=list(at), text="好")
    if kind in (AnnotationKind.BOX, AnnotationKind.ARROW):
        sent["to"] = list(to)
    across, down = abs(at[0] - to[0]), abs(at[1] - to[1])
    small = {AnnotationKind.BOX: min(across, down) < LEAST_BOX, AnnotationKind.ARROW: max(across, down) < LEAST_ARROW}
    if small.get(kind):
        with pytest.raises(RefusedChange, match="small"):
            read_changes([sent])
        return
    (change,) = read_changes([sent])
    assert isinstance(change, Draw)
    again = change.annotation
    assert all(0 <= edge <= 1 for edge in (*again.at, *(again.to or ())))
    if kind == AnnotationKind.BOX:
        assert again.to is not None
        assert again.at < again.to
        assert {again.at[0], again.to[0]} == {at[0], to[0]}
        assert again.at[1] < again.to[1]
    document = again.document()
    places = {name: [Decimal(edge) for edge in document[name]] for name in ("at", "to") if document[name]}
    assert read_changes([document | {"do": "draw", "key": "k1", "page": "P1", "image": "0"} | places]) == [
        Draw("k1", "P1", "0", again)
    ]


@given(words=st.text(max_size=LONGEST_TEXT), room=st.floats(min_value=4, max_value=60))
def test_breaking_a_text_keeps_every_letter_and_no_line_is_too_long(words, room):
    lines = wrapped(words, room)
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    assert all(sum(map(width_of, line)) <= room for line in lines)


@given(at=st.tuples(SHARES, SHARES), words=st.text(min_size=1, max_size=LONGEST_TEXT))
def test_no_text_runs_off_the_right_edge(at, words):
    try:
        change = read_one(kind="text", at=list(at), text=words)
    except RefusedChange:
        return
    shape = shape_of(change.annotation, 1000, 1400)
    assert all(line.x + sum(map(width_of, line.words)) * shape.size <= 1000 for line in shape.lines)


def test_a_page_bears_only_so_many_marks():
    check_room(MOST_ON_A_PAGE - 1)
    with pytest.raises(UnusableInput):
        check_room(MOST_ON_A_PAGE)
