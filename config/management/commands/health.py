"""``manage.py health``: every part of the product with what was seen of it; exit 1 when one is not well."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand

from config import health


class Command(BaseCommand):
    help = "Look at database, migrations, broker, storage, waiting jobs and scheduler."

    def handle(self, *args: Any, **options: Any) -> None:
        findings = health.look(health.DEEP)
        for finding in findings:
            self.stdout.write(f"{'ok ' if finding.well else 'BAD'} {finding.part}: {finding.seen} ({finding.ms} ms)")
        if not all(finding.well for finding in findings):
            sys.exit(1)
