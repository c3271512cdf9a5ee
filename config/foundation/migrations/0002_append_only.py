"""The trail can be added to and never changed."""

from django.db import migrations

from config.foundation.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("foundation", "0001_initial")]
    operations = [append_only("foundation_event", "foundation_anchor")]
