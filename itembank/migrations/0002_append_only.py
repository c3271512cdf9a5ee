"""A version of scoring rules is never changed."""

from django.db import migrations

from config.foundation.append_only import append_only


class Migration(migrations.Migration):
    dependencies = [("itembank", "0001_initial")]
    operations = [append_only("itembank_scoringrules")]
