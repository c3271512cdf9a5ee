"""Runs carry the least confidence of their steps, so that queues can be sorted by it; runs already made get it, too."""

from typing import Any

from django.db import migrations, models

from config.foundation.guards import triggers_lifted, triggers_restored
from grading.domain.confidence import least_confidence


def _fill(apps: Any, editor: Any) -> None:
    runs = apps.get_model("grading", "JudgeRun").objects
    for key in list(runs.values_list("pk", flat=True)):
        run = runs.get(pk=key)
        runs.filter(pk=key).update(confidence=least_confidence(run.document))


class Migration(migrations.Migration):
    dependencies = [("grading", "0004_problem_papers")]
    operations = [
        triggers_lifted(),
        migrations.AddField(
            model_name="judgerun",
            name="confidence",
            field=models.DecimalField(blank=True, decimal_places=3, max_digits=4, null=True),
        ),
        migrations.RunPython(_fill, migrations.RunPython.noop),
        triggers_restored(),
    ]
