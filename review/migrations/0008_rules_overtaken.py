"""An answer may also be left to a version chosen later; only the known values of the column grow."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('review', '0007_rules_changes'),
    ]

    operations = [
        migrations.AlterField(
            model_name='ruleschangeanswer',
            name='outcome',
            field=models.CharField(blank=True, choices=[('CURRENT', 'CURRENT'), ('TO_JUDGE', 'TO_JUDGE'), ('RENEWED', 'RENEWED'), ('RESTARTED', 'RESTARTED'), ('REQUEUED', 'REQUEUED'), ('RECOMPUTED', 'RECOMPUTED'), ('UNPROVEN', 'UNPROVEN'), ('LEFT', 'LEFT'), ('RELEASED', 'RELEASED'), ('OVERTAKEN', 'OVERTAKEN'), ('APPEAL', 'APPEAL')], max_length=10),
        ),
    ]
