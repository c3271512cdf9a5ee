"""Puts an item through its gates, as far as asked, and prints what each of them says."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.foundation.canonical import canonical_text
from config.foundation.errors import UnusableInput
from itembank.algebra import warm
from itembank.domain.item_gates import RELEASING, check_items
from itembank.domain.items import item_documents

from ..documents import read_bytes, refuse


class Command(BaseCommand):
    """One JSON line for each item of the file; exit 0 whatever the gates say, 2 for what is not JSON."""

    help = "Put an item through its gates: structure, novelty and scope, independent computation, another mind."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("item", help="ITEM.json (one item or a list of items), or - for standard input")
        parser.add_argument("--gate", default="all", choices=[*map(str, sorted(RELEASING)), "all"])
        parser.add_argument("--solver", default="", help="who computes at gate 3; none is the deterministic solver")
        parser.add_argument("--student", default="", help="which model solves as a student at gate 4")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            documents = item_documents(read_bytes(options["item"]))
        except UnusableInput as error:
            refuse(error)
        warm()
        wanted = sorted(RELEASING) if options["gate"] == "all" else [int(options["gate"])]
        for found in check_items(documents, wanted):
            name = {} if len(documents) == 1 else {"item_id": found.item_id}
            gates = [one.document() for one in found.outcomes]
            self.stdout.write(canonical_text({**name, "gates": gates, "released": found.released}))
