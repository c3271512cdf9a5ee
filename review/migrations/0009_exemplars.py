import config.foundation.public_ids
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.foundation.append_only import append_only
from config.foundation.guards import guard

DECIDED = """NOT EXISTS (
    SELECT 1 FROM grading_mark m JOIN grading_case c ON c.id = m.case_id
    WHERE m.id = NEW.mark_id AND c.id = NEW.case_id AND c.closed_at IS NOT NULL)"""
REWRITTEN = """OLD.withdrawn_at IS NOT NULL OR NEW.case_id <> OLD.case_id OR NEW.mark_id <> OLD.mark_id OR NEW.note <> OLD.note
    OR NEW.by_id <> OLD.by_id OR NEW.named_at <> OLD.named_at OR NEW.public_id <> OLD.public_id"""


class Migration(migrations.Migration):

    dependencies = [
        ('grading', '0010_marker_limits'),
        ('review', '0008_rules_overtaken'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Exemplar',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=config.foundation.public_ids.new_public_id, editable=False, max_length=16, unique=True)),
                ('note', models.CharField(max_length=300)),
                ('named_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='exemplars', to='grading.case')),
                ('mark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.mark')),
                ('withdrawn_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['named_at', 'pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('withdrawn_at__isnull', True)), fields=('case',), name='exemplar_once_at_a_time'), models.CheckConstraint(condition=models.Q(('note', ''), _negated=True), name='exemplar_says_why'), models.CheckConstraint(condition=models.Q(models.Q(('withdrawn_at__isnull', True), ('withdrawn_by__isnull', True)), models.Q(('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False)), _connector='OR'), name='exemplar_withdrawn_by_somebody')],
            },
        ),
        append_only('review_exemplar', forbid=('DELETE',)),
        guard('review_exemplar', 'exemplar_is_decided', refused_if=DECIDED, events=('INSERT',)),
        guard('review_exemplar', 'exemplar_is_only_withdrawn', refused_if=REWRITTEN, events=('UPDATE',)),
    ]
