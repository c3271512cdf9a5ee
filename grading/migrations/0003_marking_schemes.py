import config.foundation.fields
import config.foundation.public_ids
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.foundation.append_only import append_only
from config.foundation.guards import guard, triggers_lifted, triggers_restored

# Who puts a mark on an answer has touched it; an arbiter's and an appeal's mark needs a touch made for just that, and
# since a person has one touch for each answer, nobody with an earlier one can have it.
TOUCHED = """NOT EXISTS (
    SELECT 1 FROM grading_touch t JOIN grading_case c ON c.response_id = t.response_id
    WHERE c.id = NEW.case_id AND t.person_id = NEW.by_id
      AND ({place} <> 'ARBITER' OR t.role = 'arbiter') AND ({place} <> 'APPEAL' OR t.role = 'appeal'))"""

class Migration(migrations.Migration):

    dependencies = [
        ('grading', '0002_append_only'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        triggers_lifted(),
        migrations.CreateModel(
            name='GivenMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=config.foundation.public_ids.new_public_id, editable=False, max_length=16, unique=True)),
                ('life_cycle', models.PositiveIntegerField()),
                ('place', models.CharField(choices=[('FIRST', 'FIRST'), ('SECOND', 'SECOND'), ('THIRD', 'THIRD'), ('REVIEW', 'REVIEW'), ('ARBITER', 'ARBITER'), ('APPEAL', 'APPEAL')], max_length=8)),
                ('blind', models.BooleanField()),
                ('total', models.DecimalField(decimal_places=2, max_digits=6)),
                ('max_score', models.DecimalField(decimal_places=1, max_digits=5)),
                ('steps', config.foundation.fields.DocumentField(default=list)),
                ('reason', models.CharField(blank=True, max_length=500)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['case', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='MarkingScheme',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=config.foundation.public_ids.new_public_id, editable=False, max_length=16, unique=True)),
                ('version', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('1', 'SINGLE'), ('1+1', 'REVIEWED'), ('2+1', 'DOUBLE'), ('2+1+1', 'TRIPLE'), ('AI+1', 'WITH_MACHINE')], max_length=8)),
                ('tolerance', models.DecimalField(decimal_places=2, max_digits=6)),
                ('rounding', models.CharField(choices=[('HALF_UP', 'HALF_UP'), ('UP', 'UP'), ('DOWN', 'DOWN'), ('EXACT', 'EXACT')], max_length=8)),
                ('blind_share', models.PositiveSmallIntegerField(default=0)),
                ('blind_seed', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField()),
            ],
            options={
                'ordering': ['question', 'version'],
            },
        ),
        migrations.AlterModelOptions(
            name='assessment',
            options={'default_permissions': (), 'ordering': ['-created_at', 'code'], 'permissions': [('create_assessment', 'May set up new assessments'), ('administer_assessment', 'May set up, upload and export'), ('mark_assessment', 'May mark and review answers'), ('lead_assessment', 'May lead the marking'), ('arbitrate_assessment', 'May arbitrate and decide appeals'), ('audit_assessment', 'May sample and audit')]},
        ),
        migrations.RemoveConstraint(
            model_name='mark',
            name='mark_has_its_maker',
        ),
        migrations.AddField(
            model_name='case',
            name='need',
            field=models.CharField(choices=[('FIRST', 'FIRST'), ('SECOND', 'SECOND'), ('THIRD', 'THIRD'), ('REVIEW', 'REVIEW'), ('ARBITER', 'ARBITER'), ('APPEAL', 'APPEAL')], default='FIRST', max_length=8),
        ),
        migrations.AddField(
            model_name='mark',
            name='basis',
            field=config.foundation.fields.DocumentField(default=dict),
        ),
        migrations.AddField(
            model_name='mark',
            name='rule',
            field=models.CharField(blank=True, max_length=24),
        ),
        migrations.AlterField(
            model_name='mark',
            name='source',
            field=models.CharField(choices=[('MACHINE', 'Machine'), ('PERSON', 'Person'), ('AGREED', 'Agreed')], max_length=8),
        ),
        migrations.AlterField(
            model_name='mark',
            name='total',
            field=models.DecimalField(decimal_places=2, max_digits=6),
        ),
        migrations.AddConstraint(
            model_name='mark',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('by__isnull', True), ('run__isnull', False), ('source', 'MACHINE')), models.Q(('by__isnull', False), ('source', 'PERSON')), models.Q(('by__isnull', True), ('source', 'AGREED'), models.Q(('rule', ''), _negated=True)), _connector='OR'), name='mark_has_its_maker'),
        ),
        migrations.AddConstraint(
            model_name='touch',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ('marker', 'arbiter', 'auditor', 'appeal'))), name='touch_has_a_known_role'),
        ),
        migrations.AddField(
            model_name='givenmark',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='givenmark',
            name='case',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='given_marks', to='grading.case'),
        ),
        migrations.AddField(
            model_name='givenmark',
            name='run',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.judgerun'),
        ),
        migrations.AddField(
            model_name='markingscheme',
            name='arbiter',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='markingscheme',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='markingscheme',
            name='question',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='schemes', to='grading.question'),
        ),
        migrations.AddField(
            model_name='givenmark',
            name='scheme',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='grading.markingscheme'),
        ),
        migrations.AddConstraint(
            model_name='markingscheme',
            constraint=models.UniqueConstraint(fields=('question', 'version'), name='scheme_version_once'),
        ),
        migrations.AddConstraint(
            model_name='markingscheme',
            constraint=models.CheckConstraint(condition=models.Q(('tolerance__gte', 0)), name='scheme_tolerance_not_negative'),
        ),
        migrations.AddConstraint(
            model_name='markingscheme',
            constraint=models.CheckConstraint(condition=models.Q(('blind_share__lte', 100)), name='scheme_share_in_per_cent'),
        ),
        migrations.AddConstraint(
            model_name='givenmark',
            constraint=models.UniqueConstraint(fields=('case', 'life_cycle', 'place'), name='given_mark_place_once'),
        ),
        migrations.AddConstraint(
            model_name='givenmark',
            constraint=models.UniqueConstraint(fields=('case', 'life_cycle', 'by'), name='given_mark_person_once'),
        ),
        migrations.AddConstraint(
            model_name='givenmark',
            constraint=models.CheckConstraint(condition=models.Q(('total__gte', 0), ('total__lte', models.F('max_score'))), name='given_mark_in_range'),
        ),
        triggers_restored(),
        append_only('grading_markingscheme', 'grading_givenmark'),
        guard('grading_givenmark', 'given_mark_needs_touch', refused_if=TOUCHED.format(place='NEW.place')),
        guard(
            'grading_mark',
            'mark_needs_touch',
            refused_if='NEW.by_id IS NOT NULL AND ' + TOUCHED.format(place='c.need'),
        ),
    ]
