"""Marks, packets and their entries are only added to."""

from django.db import migrations

from config.foundation.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("grading", "0001_initial")]
    operations = [append_only("grading_mark", "grading_packet", "grading_packetentry", "grading_touch")]
