"""Marks on the image of an answer, and which of them were erased; rows are only added."""

import config.foundation.public_ids
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from config.foundation.append_only import append_only


class Migration(migrations.Migration):

    dependencies = [
        ('grading', '0008_rules_of_cases_and_marks'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Annotation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=config.foundation.public_ids.new_public_id, editable=False, max_length=16, unique=True)),
                ('life_cycle', models.PositiveIntegerField()),
                ('key', models.CharField(max_length=16)),
                ('image_sha256', models.CharField(max_length=64)),
                ('kind', models.CharField(choices=[('tick', 'TICK'), ('cross', 'CROSS'), ('box', 'BOX'), ('text', 'TEXT'), ('arrow', 'ARROW')], max_length=5)),
                ('x', models.DecimalField(decimal_places=4, max_digits=5)),
                ('y', models.DecimalField(decimal_places=4, max_digits=5)),
                ('to_x', models.DecimalField(blank=True, decimal_places=4, max_digits=5, null=True)),
                ('to_y', models.DecimalField(blank=True, decimal_places=4, max_digits=5, null=True)),
                ('text', models.CharField(blank=True, max_length=200)),
                ('at', models.DateTimeField()),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='annotations', to='grading.case')),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='annotations', to='grading.page')),
            ],
            options={
                'ordering': ['case', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('case', 'by', 'key'), name='annotation_key_once'),
                    models.CheckConstraint(condition=models.Q(('x__gte', 0), ('x__lte', 1), ('y__gte', 0), ('y__lte', 1)), name='annotation_on_the_page'),
                    models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['box', 'arrow']), ('to_x__gte', 0), ('to_x__lte', 1), ('to_y__gte', 0), ('to_y__lte', 1)), models.Q(models.Q(('kind__in', ['box', 'arrow']), _negated=True), ('to_x__isnull', True), ('to_y__isnull', True)), _connector='OR'), name='annotation_reaches_on_the_page'),
                    models.CheckConstraint(condition=models.Q(models.Q(('kind', 'text'), models.Q(('text', ''), _negated=True)), models.Q(models.Q(('kind', 'text'), _negated=True), ('text', '')), _connector='OR'), name='annotation_only_text_has_words'),
                ],
            },
        ),
        migrations.CreateModel(
            name='ErasedAnnotation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('annotation', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='erased', to='grading.annotation')),
            ],
        ),
        append_only("grading_annotation", "grading_erasedannotation"),
    ]
