"""Triggers that make a table append-only on both databases, for use in migrations."""

from __future__ import annotations

from typing import Any

from django.db.migrations import RunPython


def _statements(vendor: str, table: str, *, forbid: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """SQL that creates and SQL that drops the triggers of one table."""
    if vendor == "postgresql":
        function = f"{table}_append_only"
        events = " OR ".join(forbid)
        create = [
            f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION 'append-only: {table}' USING ERRCODE = 'integrity_constraint_violation'; END $$",
            f"CREATE TRIGGER {function}_row BEFORE {events} ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()",
            f"CREATE TRIGGER {function}_all BEFORE TRUNCATE ON {table} EXECUTE FUNCTION {function}()",
        ]
        drop = [
            f"DROP TRIGGER IF EXISTS {function}_row ON {table}",
            f"DROP TRIGGER IF EXISTS {function}_all ON {table}",
            f"DROP FUNCTION IF EXISTS {function}()",
        ]
        return create, drop
    create = [
        f"CREATE TRIGGER {table}_no_{event.lower()} BEFORE {event} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'append-only: {table}'); END"
        for event in forbid
    ]
    drop = [f"DROP TRIGGER IF EXISTS {table}_no_{event.lower()}" for event in forbid]
    return create, drop


def append_only(*tables: str, forbid: tuple[str, ...] = ("UPDATE", "DELETE")) -> RunPython:
    """A migration operation after which rows of ``tables`` can be added and never changed.

    On SQLite ``INSERT OR REPLACE`` deletes without asking the trigger unless ``recursive_triggers`` is on; the
    settings switch it on for each connection.
    """

    def forwards(apps: Any, editor: Any) -> None:
        for table in tables:
            for statement in _statements(editor.connection.vendor, table, forbid=forbid)[0]:
                editor.execute(statement)

    def backwards(apps: Any, editor: Any) -> None:
        for table in tables:
            for statement in _statements(editor.connection.vendor, table, forbid=forbid)[1]:
                editor.execute(statement)

    return RunPython(forwards, backwards)
