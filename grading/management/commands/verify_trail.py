"""``manage.py verify_trail [--assessment CODE]``: recompute the hash chains and name the first broken link of each."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.foundation import trail
from config.foundation.models import ChainHead, Event
from grading import queries
from grading.chains import assessment_chain, case_chain

from ._arguments import assessment_named


class Command(BaseCommand):
    help = "Verify the append-only trail; exit 1 when a link is broken."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--assessment", help="code of one assessment; all chains when left out")

    def handle(self, *args: Any, **options: Any) -> None:
        chains: list[str] | None = None
        if options["assessment"]:
            assessment = assessment_named(options["assessment"])
            chains = [assessment_chain(assessment), *(case_chain(case) for case in queries.cases_of(assessment))]
        broken = list(trail.broken_links(chains))
        for link in broken:
            self.stderr.write(f"{link.chain}, event {link.number}: {link.en} ({link.zh})")
        events = Event.objects.all() if chains is None else Event.objects.filter(chain__in=chains)
        heads = ChainHead.objects.count() if chains is None else len(chains)
        self.stdout.write(f"{events.count()} events in {heads} chains, {len(broken)} broken")
        if broken:
            sys.exit(1)
