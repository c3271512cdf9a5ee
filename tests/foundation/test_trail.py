"""The trail: events follow from one another, can be added to and never changed."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.db import DatabaseError, connection, transaction

from config.foundation import trail
from config.foundation.models import Anchor, ChainHead, Event
from tests.conftest import append_only_lifted

pytestmark = pytest.mark.django_db


def three_events(chain: str = "case:a") -> list[Event]:
    with transaction.atomic():
        return [trail.append(chain, verb, actor="machine", total="7.5") for verb in ("open", "hand_off", "decide")]


def test_each_event_carries_the_hash_of_the_one_before_it():
    first, second, third = three_events()
    assert first.previous_hash == ""
    assert (second.previous_hash, third.previous_hash) == (first.hash, second.hash)
    assert ChainHead.objects.get(chain="case:a").hash == third.hash
    assert trail.first_broken_link("case:a") is None


def test_an_event_outside_a_transaction_is_refused(transactional_db):
    with pytest.raises(RuntimeError, match="part of a change"):
        trail.append("case:a", "open", actor="machine")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE foundation_event SET verb = 'forged'",
        "DELETE FROM foundation_event",
        "UPDATE foundation_event SET hash = hash",
    ],
)
def test_the_database_refuses_to_change_an_event(statement):
    three_events()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Event.objects.filter(verb="forged").count() == 0
    assert Event.objects.count() == 3


def test_insert_or_replace_does_not_slip_past_the_trigger_on_sqlite():
    if connection.vendor != "sqlite":
        pytest.skip("INSERT OR REPLACE exists on SQLite only")
    event = three_events()[0]
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(
            "INSERT OR REPLACE INTO foundation_event (id, chain, number, verb, actor, body, previous_hash, hash, at) "
            "SELECT id, chain, number, 'forged', actor, body, previous_hash, hash, at FROM foundation_event WHERE id = %s",
            [event.pk],
        )
    assert Event.objects.get(pk=event.pk).verb == "open"


@pytest.mark.parametrize(
    ("forgery", "place", "word"),
    [
        ("UPDATE foundation_event SET body = replace(body, '7.5', '9.5') WHERE number = 2", 2, "hash"),
        ("UPDATE foundation_event SET actor = 'user:9' WHERE number = 1", 1, "columns"),
        ("DELETE FROM foundation_event WHERE number = 2", 2, "missing"),
        ("DELETE FROM foundation_event WHERE number = 3", 3, "head"),
        ("UPDATE foundation_event SET previous_hash = 'x' WHERE number = 3", 3, "follow"),
    ],
)
def test_a_forgery_by_the_owner_of_the_database_is_found_at_its_place(forgery, place, word):
    three_events()
    with append_only_lifted(), connection.cursor() as cursor:
        cursor.execute(forgery)
    broken = trail.first_broken_link("case:a")
    assert broken is not None
    assert broken.number == place
    assert word in broken.en


def test_the_chain_survives_the_database_round_trip_of_numbers_and_chinese():
    with transaction.atomic():
        trail.append(
            "case:b", "decide", actor="user:1", total=Decimal("7.50"), words="按“d=2”计算", nested={"b": [1, None]}
        )
    assert trail.first_broken_link("case:b") is None


def test_two_days_are_anchored_once_each():
    three_events()
    first = trail.anchor(date(2026, 11, 30))
    three_events("case:c")
    assert trail.anchor(date(2026, 11, 30)) == first
    assert trail.anchor(date(2026, 12, 1)).hash != first.hash
    assert Anchor.objects.count() == 2
