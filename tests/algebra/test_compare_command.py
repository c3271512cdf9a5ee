"""`manage compare`: one JSON line in, one out, in the same order; a bad line is exit 2 with a sentence."""

import io
import json

import pytest
from django.core.management import CommandError, call_command


def _run(monkeypatch, *lines, **options):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    out = io.StringIO()
    call_command("compare", stdout=out, **options)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_answers_come_in_the_order_of_the_pairs(monkeypatch):
    found = _run(
        monkeypatch,
        json.dumps({"id": "b", "gold": "x^2-2x+1", "student": "(x-1)^2"}),
        json.dumps({"id": "a", "gold": "\\frac12", "student": "0.6"}),
        json.dumps({"id": 3, "gold": "1", "student": "__import__('os')"}),
    )
    assert [(one["id"], one["result"]) for one in found] == [("b", "PROVED"), ("a", "REFUTED"), (3, "UNREADABLE")]
    assert all(set(one) == {"id", "result", "method", "witness", "ms"} for one in found)
    assert found[0]["witness"] is None
    assert found[1]["witness"]["right"] == "3/5"


def test_relation_kind_and_options_are_followed(monkeypatch):
    found = _run(
        monkeypatch,
        json.dumps({"id": 1, "gold": "1/3", "student": "0.33", "relation": "tolerance", "options": {"dp": 2}}),
        json.dumps({"id": 2, "gold": "x^2-1", "student": "x^2-1", "relation": "form", "options": {"form": "factored"}}),
        json.dumps({"id": 3, "gold": "(x^2-1)/(x-1)", "student": "x+1", "options": {"domain": "strict"}}),
        json.dumps({"id": 4, "gold": "(x^2-1)/(x-1)", "student": "x+1"}),
        json.dumps({"id": 5, "gold": "5 km", "student": "5000 m", "relation": "unit"}),
        json.dumps({"id": 6, "gold": "sqrt(x^2)", "student": "x", "options": {"assume": ["x>0"]}}),
    )
    assert [one["result"] for one in found] == ["PROVED", "REFUTED", "REFUTED", "PROVED", "PROVED", "PROVED"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("not json", "Line 1 is not JSON"),
        ("[]", "not a JSON object"),
        ('{"id": 1, "gold": "1"}', "student must be a string"),
        ('{"gold": "1", "student": "1"}', "id is missing"),
        ('{"id": 1, "gold": "1", "student": "1", "relation": "same"}', "relation must be one of"),
        ('{"id": 1, "gold": "1", "student": "1", "options": {"form": "nice"}}', "form must be one of"),
        ('{"id": 1, "gold": "1", "student": "1", "relation": "form"}', "needs options.form"),
    ],
)
def test_input_that_cannot_be_used_ends_with_2_and_a_sentence(monkeypatch, line, sentence):
    with pytest.raises(CommandError, match=sentence) as raised:
        _run(monkeypatch, line)
    assert raised.value.returncode == 2
