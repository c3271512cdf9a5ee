"""Each case and each mark names the version of the scoring rules it is made under; so far that is the question's."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from config.foundation.guards import triggers_lifted, triggers_restored

OF_CASE = "SELECT q.rules_id FROM grading_response r JOIN grading_question q ON q.id = r.question_id WHERE r.id = "
FILLED = {
    "grading_case": f"{OF_CASE} grading_case.response_id",
    "grading_mark": "SELECT c.rules_id FROM grading_case c WHERE c.id = grading_mark.case_id",
    "grading_givenmark": "SELECT c.rules_id FROM grading_case c WHERE c.id = grading_givenmark.case_id",
}


def fill(apps: Any, editor: Any) -> None:
    """Marks are append-only: PostgreSQL's triggers rest for this one statement (SQLite's are lifted anyway)."""
    postgres = editor.connection.vendor == "postgresql"
    for table, rules in FILLED.items():
        if postgres:
            editor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        editor.execute(f"UPDATE {table} SET rules_id = ({rules})")
        if postgres:
            # Checks put off to the end of the transaction would hold the table against what follows.
            editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            editor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def rules_field(*, null: bool) -> Any:
    return models.ForeignKey(
        null=null, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="itembank.scoringrules"
    )


TABLES = ("case", "mark", "givenmark")


class Migration(migrations.Migration):
    dependencies = [("grading", "0007_passed_on"), ("itembank", "0002_append_only")]

    operations = [
        triggers_lifted(),
        *(migrations.AddField(model_name=table, name="rules", field=rules_field(null=True)) for table in TABLES),
        migrations.RunPython(fill, migrations.RunPython.noop),
        *(migrations.AlterField(model_name=table, name="rules", field=rules_field(null=False)) for table in TABLES),
        triggers_restored(),
    ]
