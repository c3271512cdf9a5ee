"""Triggers that refuse a row for the lack of another, on both databases, for use in migrations.

A guard asks for evidence that must be there, never for the absence of something: a row that another transaction is just
adding can then make no difference.
"""

from __future__ import annotations

from typing import Any

from django.db.migrations import RunPython


def _statements(vendor: str, table: str, name: str, events: tuple[str, ...], refused_if: str) -> tuple[list[str], ...]:
    """SQL that creates and SQL that drops the guard."""
    if vendor == "postgresql":
        create = [
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {refused_if} THEN "
            f"RAISE EXCEPTION 'guard: {name}' USING ERRCODE = 'integrity_constraint_violation'; "
            f"END IF; RETURN NEW; END $$",
            f"CREATE TRIGGER {name} BEFORE {' OR '.join(events)} ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()",
        ]
        return create, [f"DROP TRIGGER IF EXISTS {name} ON {table}", f"DROP FUNCTION IF EXISTS {name}()"]
    create = [
        f"CREATE TRIGGER {name}_{event.lower()} BEFORE {event} ON {table} WHEN {refused_if} "
        f"BEGIN SELECT RAISE(ABORT, 'guard: {name}'); END"
        for event in events
    ]
    return create, [f"DROP TRIGGER IF EXISTS {name}_{event.lower()}" for event in events]


def guard(table: str, name: str, *, refused_if: str, events: tuple[str, ...] = ("INSERT", "UPDATE")) -> RunPython:
    """A migration operation: a row of ``table`` is refused while the SQL condition over NEW holds.

    A later migration that changes the columns of a table with triggers, or of one they read, must stand between
    ``triggers_lifted`` and ``triggers_restored``.
    """

    def forwards(apps: Any, editor: Any) -> None:
        for statement in _statements(editor.connection.vendor, table, name, events, refused_if)[0]:
            editor.execute(statement)

    def backwards(apps: Any, editor: Any) -> None:
        for statement in _statements(editor.connection.vendor, table, name, events, refused_if)[1]:
            editor.execute(statement)

    return RunPython(forwards, backwards)


_lifted: dict[str, list[tuple[str, str]]] = {}


def _lift(apps: Any, editor: Any) -> None:
    """Take all triggers away and remember them. Only SQLite needs it: it makes a table anew for most changes."""
    connection = editor.connection
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        _lifted[connection.alias] = list(cursor.fetchall())
    for name, _ in _lifted[connection.alias]:
        editor.execute(f"DROP TRIGGER {name}")


def _restore(apps: Any, editor: Any) -> None:
    for _, statement in _lifted.pop(editor.connection.alias, []):
        editor.execute(statement)


def triggers_lifted() -> RunPython:
    """The first operation of a migration that changes tables with triggers.

    With its old table SQLite loses the table's triggers, and it refuses the new name while a trigger reads the old one.
    """
    return RunPython(_lift, _restore)


def triggers_restored() -> RunPython:
    """The counterpart of ``triggers_lifted`` after the changes, in the same migration."""
    return RunPython(_restore, _lift)
