"""The trail can be added to and never changed, on either database, also by raw SQL."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from config.foundation import trail
from config.foundation.models import Event
from tests.conftest import append_only_triggers


def _one_event() -> Event:
    with transaction.atomic():
        return trail.append("case:test", "opened", actor="system")


@pytest.mark.django_db
@pytest.mark.parametrize("statement", ["UPDATE foundation_event SET actor = 'someone'", "DELETE FROM foundation_event"])
def test_an_event_can_be_neither_changed_nor_deleted(statement: str) -> None:
    _one_event()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Event.objects.get().actor == "system"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("turn", [1, 2])
def test_a_test_with_real_transactions_starts_with_an_empty_trail_and_all_triggers(turn: int) -> None:
    assert not Event.objects.exists()
    assert len(append_only_triggers()) >= 4
    _one_event()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Event.objects.all().update(actor="someone")
