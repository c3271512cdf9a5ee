"""Documents: strict when read, canonical when written, the same after the database."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.foundation import strict_json
from config.foundation.canonical import canonical_json, canonical_text, document_hash
from config.foundation.strict_json import UnusableJSON

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.decimals("-1000", "1000", places=2)
    | st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=20)
)
documents = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(documents)
def test_what_is_written_canonically_is_read_back_and_written_the_same(document):
    text = canonical_json(document)
    assert canonical_json(strict_json.loads(text)) == text


@pytest.mark.parametrize(
    ("number", "text"), [("2.0", "2"), ("0.50", "0.5"), ("-0", "0"), ("1E+2", "100"), ("0E-3", "0"), ("12.500", "12.5")]
)
def test_a_number_has_one_text(number, text):
    assert canonical_text(Decimal(number)) == text


def test_a_binary_float_is_refused():
    with pytest.raises(TypeError):
        canonical_text({"score": 0.1})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"a": 1, "a": 2}', "json.duplicate_key"),
        ('{"a": 1, "\\u0061": 2}', "json.duplicate_key"),
        ('{"a": NaN}', "json.not_a_number"),
        ('{"a": -Infinity}', "json.not_a_number"),
        ('{"a": 1e999}', "json.number_too_long"),
        ('{"a": ' + "1" * 5000 + "}", "json.number_too_long"),
        ("[" * 100 + "]" * 100, "json.too_deep"),
        ("[" * 100_000 + "]" * 100_000, "json.too_large"),
        ('{"latex": "\\frac{1}{2}"}', "json.control_character"),
        ('{"latex": "\\theta"}', "json.control_character"),
        ('{"a": "\\ud800"}', "json.surrogate"),
        ('{"a": "\\u0000"}', "json.control_character"),
        ('{"a": 1} and more', "json.syntax"),
        ("{'a': 1}", "json.syntax"),
        ("", "json.syntax"),
        (b'{"a": "\xff"}', "json.encoding"),
        ('{"a": "' + "x" * 70_000 + '"}', "json.too_large"),
    ],
)
def test_what_a_lenient_reader_would_take_is_refused_with_its_reason(text, code):
    with pytest.raises(UnusableJSON) as refused:
        strict_json.loads(text)
    assert refused.value.code == code
    assert refused.value.zh
    assert refused.value.en


def test_the_hash_does_not_depend_on_the_order_of_keys():
    assert document_hash({"a": 1, "b": [2]}) == document_hash({"b": [2], "a": 1})
    assert document_hash({"a": 1}) != document_hash({"a": 2})
