"""Marks made before marks named their rules: the migration fills the names, and the triggers hold again afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor

from grading.models import Case, GivenMark, Mark
from tests.review import factory
from tests.schemes.conftest import give

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
BEFORE = [("grading", "0007_passed_on")]


def migrate(targets: list[tuple[str, str]]) -> None:
    MigrationExecutor(connection).migrate(targets)


def triggers() -> set[str]:
    """Names of the triggers that are there and not switched off."""
    statement = (
        "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled = 'O'"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return {row[0] for row in cursor.fetchall()}


def columns(table: str) -> set[str]:
    with connection.cursor() as cursor:
        return {each.name for each in connection.introspection.get_table_description(cursor, table)}


@pytest.fixture
def newest() -> Iterator[list[tuple[str, str]]]:
    """Whatever becomes of the test, the next one finds the newest tables."""
    targets = MigrationExecutor(connection).loader.graph.leaf_nodes()
    yield targets
    migrate(targets)


def test_a_filled_database_gets_the_versions_of_its_marks_and_its_triggers_back(
    transactional_db: None, newest: list[tuple[str, str]], room: Any, people: Any
) -> None:
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9, blind=False)
    room.add(factory.hand_worked_document(failing=()))
    waiting = room.add(None)
    all_triggers = triggers()
    assert all_triggers

    migrate(BEFORE)
    assert "rules_id" not in columns("grading_mark") | columns("grading_case") | columns("grading_givenmark")
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM grading_mark")
        assert cursor.fetchone() == (2,)
    migrate(newest)

    pinned = room.question.rules_id
    assert set(Case.objects.values_list("rules", flat=True)) == {pinned}
    assert set(Mark.objects.values_list("rules", "total")) == {(pinned, Decimal(9))}
    assert GivenMark.objects.get().rules_id == pinned
    assert waiting.pk in Case.objects.filter(rules=pinned).values_list("pk", flat=True)
    assert triggers() == all_triggers
    refused = [
        "UPDATE grading_mark SET total = 12", "DELETE FROM grading_mark", "UPDATE grading_givenmark SET total = 12",
        "DELETE FROM grading_givenmark", "UPDATE foundation_event SET verb = 'x'",
    ]  # fmt: skip
    for statement in refused:
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert set(Mark.objects.values_list("total", flat=True)) == {Decimal(9)}
