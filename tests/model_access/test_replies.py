"""Reading a model's JSON without mercy: a table of texts and what becomes of each."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from config.foundation.model_access import Failure, FailureCode
from config.foundation.model_access.replies import parse_content, read_envelope, wire_schema


class Line(BaseModel):
    """A shape with one field of each kind that models get wrong."""

    model_config = ConfigDict(strict=True, extra="forbid")

    latex: Annotated[str, Field(max_length=20)]
    page: Annotated[int, Field(ge=1, le=9)]
    description: str = ""


TABLE = {
    "single backslash before f": (r'{"latex": "\frac12", "page": 1}', "control_characters"),
    "single backslash before b": (r'{"latex": "\beta", "page": 1}', "control_characters"),
    "single backslash before t": (r'{"latex": "\theta", "page": 1}', "control_characters"),
    "single backslash before n": (r'{"latex": "\neq", "page": 1}', "control_characters"),
    "single backslash before r": (r'{"latex": "\rho", "page": 1}', "control_characters"),
    "single backslash before s": (r'{"latex": "\sqrt2", "page": 1}', "control_characters"),
    "single backslash before u": (r'{"latex": "\underline2", "page": 1}', "control_characters"),
    "a line break inside a text": ('{"latex": "a\nb", "page": 1}', "control_characters"),
    "NUL": (r'{"latex": "\u0000", "page": 1}', "control_characters"),
    "DEL": ('{"latex": "\x7f", "page": 1}', "control_characters"),
    "half a character": (r'{"latex": "\ud800", "page": 1}', "bad_encoding"),
    "key twice": ('{"latex": "a", "page": 1, "page": 2}', "invalid_json"),
    "key twice in disguise": ('{"latex": "a", "page": 1, "p\\u0061ge": 2}', "invalid_json"),
    "NaN": ('{"latex": "a", "page": NaN}', "invalid_json"),
    "minus infinity": ('{"latex": "a", "page": -Infinity}', "invalid_json"),
    "1e999": ('{"latex": "a", "page": 1e999}', "invalid_json"),
    "five thousand digits": ('{"latex": "a", "page": ' + "9" * 5000 + "}", "invalid_json"),
    "a hundred thousand brackets": ("[" * 100_000, "reply_too_large"),
    "a thousand brackets": ("[" * 1000 + "]" * 1000, "invalid_json"),
    "something after it": ('{"latex": "a", "page": 1} ok', "invalid_json"),
    "two objects": ('{"latex": "a", "page": 1}{"latex": "a", "page": 1}', "invalid_json"),
    "comment": ('{"latex": "a", "page": 1} // fine', "invalid_json"),
    "trailing comma": ('{"latex": "a", "page": 1,}', "invalid_json"),
    "single quotes": ("{'latex': 'a', 'page': 1}", "invalid_json"),
    "too large": ('{"latex": "' + "a" * 70_000 + '", "page": 1}', "reply_too_large"),
    "number as text": ('{"latex": "a", "page": "1"}', "invalid_shape"),
    "number with a point": ('{"latex": "a", "page": 1.0}', "invalid_shape"),
    "true for a number": ('{"latex": "a", "page": true}', "invalid_shape"),
    "out of range": ('{"latex": "a", "page": 10}', "invalid_shape"),
    "text too long": ('{"latex": "aaaaaaaaaaaaaaaaaaaaa", "page": 1}', "invalid_shape"),
    "extra field": ('{"latex": "a", "page": 1, "score": 12}', "invalid_shape"),
    "missing field": ('{"latex": "a"}', "invalid_shape"),
    "a list": ("[]", "invalid_shape"),
    "null": ("null", "invalid_shape"),
}


@pytest.mark.parametrize(("text", "code"), TABLE.values(), ids=TABLE.keys())
def test_a_text_that_is_not_exactly_what_was_asked_for_is_a_failure(text: str, code: str) -> None:
    outcome = parse_content(text, Line)
    assert isinstance(outcome, Failure)
    assert outcome.code == code


def test_a_text_that_is_exactly_what_was_asked_for_is_taken() -> None:
    outcome = parse_content(r'{"latex": "\\frac{1}{2}", "page": 1}', Line)
    assert isinstance(outcome, Line)
    assert outcome.latex == r"\frac{1}{2}"


def test_texts_that_look_equal_become_equal() -> None:
    outcome = parse_content('{"latex": "e\u0301", "page": 1}', Line)
    assert isinstance(outcome, Line)
    assert outcome.latex == "\u00e9"


def test_a_failure_says_where_without_repeating_what_was_sent() -> None:
    outcome = parse_content('{"latex": "a", "page": "李华"}', Line)
    assert isinstance(outcome, Failure)
    assert outcome.detail.startswith("page: ")
    assert "李华" not in outcome.detail


@pytest.mark.parametrize("usage", [None, [], {"prompt_tokens": True}, {"prompt_tokens": -1}, {"prompt_tokens": 10**30}])
def test_a_usage_that_makes_no_sense_is_no_usage(usage: Any) -> None:
    body = {"choices": [{"finish_reason": "stop", "message": {"content": "{}"}}], "usage": usage}
    envelope = read_envelope(json.dumps(body).encode(), "application/json", max_bytes=10_000)
    assert envelope.failure is None
    assert envelope.tokens_in is None


def test_line_breaks_between_the_parts_of_a_reply_are_fine() -> None:
    body = b'{"choices": [{"finish_reason": "stop", "message": {"content": "{\\n\\t}\\n"}}]}'
    assert read_envelope(body, "application/json; charset=utf-8", max_bytes=10_000).content == "{\n\t}\n"


def test_the_schema_sent_demands_every_field_and_forbids_others_and_keeps_a_field_called_description() -> None:
    class Page(BaseModel):
        """Nested, so that definitions are seen too."""

        lines: list[Line]
        size: Decimal | None

    schema = wire_schema(Page)
    assert schema["required"] == ["lines", "size"]
    assert schema["additionalProperties"] is False
    line = schema["$defs"]["Line"]
    assert line["required"] == ["latex", "page", "description"]
    assert line["properties"]["page"] == {"type": "integer"}


@settings(deadline=None)
@given(
    st.binary(max_size=400) | st.text(max_size=200).map(str.encode),
    st.sampled_from(["application/json", "text/html", ""]),
)
def test_no_bytes_whatever_break_the_reading_of_an_envelope(body: bytes, kind: str) -> None:
    envelope = read_envelope(body, kind, max_bytes=300)
    assert (envelope.failure is None) == (envelope.content is not None)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
ENVELOPES = st.fixed_dictionaries(
    {},
    optional={
        "choices": JSON_VALUES
        | st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "finish_reason": st.sampled_from(["stop", "length", 3, None]),
                    "message": st.fixed_dictionaries(
                        {}, optional={"content": JSON_VALUES, "refusal": JSON_VALUES, "tool_calls": JSON_VALUES}
                    )
                    | JSON_VALUES,
                },
            )
            | JSON_VALUES,
            max_size=2,
        ),
        "usage": JSON_VALUES,
        "model": JSON_VALUES,
    },
)


@settings(deadline=None)
@given(ENVELOPES)
def test_a_frame_of_any_shape_is_a_message_or_a_failure(document: Any) -> None:
    envelope = read_envelope(json.dumps(document).encode(), "application/json", max_bytes=100_000)
    assert (envelope.failure is None) or envelope.failure.code in set(FailureCode)
    if envelope.failure is None:
        assert isinstance(envelope.content, str)


@settings(deadline=None)
@given(st.text(max_size=300) | JSON_VALUES.map(json.dumps))
def test_a_content_of_any_shape_is_the_shape_asked_for_or_a_failure(content: str) -> None:
    assert isinstance(parse_content(content, Line), Line | Failure)
