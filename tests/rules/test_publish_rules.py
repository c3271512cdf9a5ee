"""Publishing scoring rules: immutable versions, the same content once, nothing wrong gets in."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from itembank.domain import rules as rules_module
from itembank.domain.rules import UnusableRules, read_rules
from itembank.models import ScoringRules
from itembank.transitions import publish_rules

EXAMPLE_FILE = Path(rules_module.__file__).with_name("scoring_rules.example.json")

pytestmark = pytest.mark.django_db


@pytest.fixture
def example() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(EXAMPLE_FILE.read_text("utf-8"))
    return document


def test_the_first_version_is_1_and_the_document_comes_back_exactly(example):
    published = publish_rules(example, by=None)
    again = ScoringRules.objects.get(public_id=published.public_id)
    assert (again.version, again.question_id, again.title) == (1, example["question_id"], example["title"])
    assert read_rules(again.document).sha256 == again.sha256 == read_rules(example).sha256


def test_half_points_come_back_as_exact_decimals(example):
    example["mark_step"] = 0.5
    example["answer_only_points"] = 1.5
    published = publish_rules(example, by=None)
    assert ScoringRules.objects.get(pk=published.pk).document["answer_only_points"] == Decimal("1.5")


def test_the_same_content_twice_is_one_version(example):
    first = publish_rules(example, by=None)
    example["max_score"] = 12.0
    assert publish_rules(dict(reversed(example.items())), by=None) == first
    assert ScoringRules.objects.count() == 1


def test_a_change_makes_the_next_version_and_keeps_the_first(example):
    first = publish_rules(example, by=None)
    example["title"] = "改过的题目"
    second = publish_rules(example, by=None)
    assert (first.version, second.version) == (1, 2)
    assert ScoringRules.objects.get(version=1).title != second.title


def test_going_back_to_old_content_gives_the_old_version(example):
    first = publish_rules(example, by=None)
    publish_rules({**example, "title": "改过"}, by=None)
    assert publish_rules(example, by=None) == first


def test_versions_count_for_each_question_alone(example):
    publish_rules(example, by=None)
    other = publish_rules({**example, "question_id": "another"}, by=None)
    assert other.version == 1


def test_rules_with_a_fault_are_not_stored(example):
    example["max_score"] = 13
    with pytest.raises(UnusableRules):
        publish_rules(example, by=None)
    assert not ScoringRules.objects.exists()


def test_rules_whose_mathematics_is_wrong_are_not_stored(example):
    example["quantities"]["S_10"] = "121"
    with pytest.raises(UnusableRules) as caught:
        publish_rules(example, by=None)
    assert {"wrong-formula", "wrong-result"} <= {one.code for one in caught.value.faults}
    assert not ScoringRules.objects.exists()


def test_the_database_refuses_to_change_a_version(example):
    published = publish_rules(example, by=None)
    with pytest.raises(DatabaseError), transaction.atomic():
        ScoringRules.objects.filter(pk=published.pk).update(title="x")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE itembank_scoringrules SET version = 7")
    assert ScoringRules.objects.get(pk=published.pk).version == 1


def test_the_database_refuses_to_delete_a_version(example):
    published = publish_rules(example, by=None)
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM itembank_scoringrules")
    assert ScoringRules.objects.filter(pk=published.pk).exists()
