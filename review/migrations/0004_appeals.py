import config.foundation.public_ids
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.foundation.append_only import append_only
from config.foundation.guards import guard

FRESH = """NEW.decided_by_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM grading_touch t JOIN grading_case c ON c.response_id = t.response_id
    WHERE c.id = NEW.case_id AND t.person_id = NEW.decided_by_id AND t.role = 'appeal')"""
OPEN_CLAIM = "NEW.closed_at IS NOT NULL AND EXISTS (SELECT 1 FROM review_appealclaim k WHERE k.appeal_id = NEW.id AND k.outcome = '')"
OPEN_CASE = """NEW.closed_at IS NOT NULL AND EXISTS (
    SELECT 1 FROM review_appealclaim k JOIN review_appeal a ON a.id = k.appeal_id
    WHERE a.case_id = NEW.id AND k.outcome = '')"""
REWRITTEN = """OLD.outcome <> '' OR NEW.appeal_id <> OLD.appeal_id OR NEW.number <> OLD.number OR NEW.goal <> OLD.goal
    OR NEW.path_id <> OLD.path_id OR NEW.step_id <> OLD.step_id OR NEW.words <> OLD.words
    OR COALESCE(NEW.after, 0) <> COALESCE(OLD.after, 0) OR NEW.evidence <> OLD.evidence OR NEW.covered <> OLD.covered"""


class Migration(migrations.Migration):

    dependencies = [
        ('grading', '0003_marking_schemes'),
        ('review', '0003_draft'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Appeal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=config.foundation.public_ids.new_public_id, editable=False, max_length=16, unique=True)),
                ('life_cycle', models.PositiveIntegerField()),
                ('tone', models.CharField(choices=[('CALM', 'CALM'), ('UPSET', 'UPSET')], max_length=8)),
                ('words', models.CharField(blank=True, max_length=2000)),
                ('filed_at', models.DateTimeField()),
                ('reply_by', models.DateField()),
                ('closed_at', models.DateTimeField(blank=True, null=True)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='appeals', to='grading.case')),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('filed_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('new_mark', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.mark')),
                ('old_mark', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.mark')),
            ],
            options={
                'ordering': ['filed_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='AppealClaim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('goal', models.CharField(choices=[('STEP', 'STEP'), ('READING', 'READING'), ('METHOD', 'METHOD'), ('SUM', 'SUM')], max_length=8)),
                ('path_id', models.CharField(blank=True, max_length=64)),
                ('step_id', models.CharField(blank=True, max_length=64)),
                ('words', models.CharField(max_length=1000)),
                ('after', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('evidence', models.CharField(blank=True, max_length=1000)),
                ('covered', models.BooleanField()),
                ('outcome', models.CharField(blank=True, choices=[('UPHELD', 'UPHELD'), ('REJECTED', 'REJECTED'), ('NOT_TRIGGERED', 'NOT_TRIGGERED')], max_length=13)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('appeal', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='claims', to='review.appeal')),
            ],
            options={
                'ordering': ['appeal', 'number'],
            },
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.UniqueConstraint(fields=('case', 'life_cycle'), name='appeal_once_per_life'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('closed_at__isnull', True), ('decided_by__isnull', True), ('new_mark__isnull', True)), models.Q(('closed_at__isnull', False), ('decided_by__isnull', False), ('new_mark__isnull', False)), _connector='OR'), name='appeal_closed_has_decision'),
        ),
        migrations.AddConstraint(
            model_name='appeal',
            constraint=models.CheckConstraint(condition=models.Q(('decided_by__isnull', True), models.Q(('decided_by', models.F('filed_by')), _negated=True), _connector='OR'), name='appeal_decided_by_another'),
        ),
        migrations.AddConstraint(
            model_name='appealclaim',
            constraint=models.UniqueConstraint(fields=('appeal', 'number'), name='appeal_claim_once'),
        ),
        migrations.AddConstraint(
            model_name='appealclaim',
            constraint=models.CheckConstraint(condition=models.Q(('after__isnull', True), ('after__lt', models.F('number')), _connector='OR'), name='appeal_claim_looks_back'),
        ),
        append_only('review_appeal', 'review_appealclaim', forbid=('DELETE',)),
        guard('review_appeal', 'appeal_needs_fresh_eyes', refused_if=FRESH),
        guard('review_appeal', 'appeal_closes_settled', refused_if=OPEN_CLAIM),
        guard('review_appeal', 'appeal_closes_once', refused_if='OLD.closed_at IS NOT NULL', events=('UPDATE',)),
        guard('review_appealclaim', 'claim_is_settled_once', refused_if=REWRITTEN, events=('UPDATE',)),
        guard('grading_case', 'case_has_open_claims', refused_if=OPEN_CASE, events=('UPDATE',)),
    ]
