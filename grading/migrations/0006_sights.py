"""Who has seen the machine's verdict on an answer; no mark of theirs is stored as a blind one.

Unlike other guards this one asks for the absence of a row. The transition asks too; the trigger is there for other ways in.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.foundation.guards import guard, triggers_lifted, triggers_restored

_SEEN = (
    "NEW.blind AND EXISTS (SELECT 1 FROM grading_sight s WHERE s.case_id = NEW.case_id AND s.person_id = NEW.by_id)"
)


class Migration(migrations.Migration):
    dependencies = [("grading", "0005_confidence"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        triggers_lifted(),
        migrations.CreateModel(
            name="Sight",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sights", to="grading.case"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("case", "person"), name="sight_once")],
            },
        ),
        triggers_restored(),
        guard("grading_givenmark", "given_mark_not_blind_after_sight", refused_if=_SEEN),
    ]
