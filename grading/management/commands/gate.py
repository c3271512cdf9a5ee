"""``manage.py gate``: the verdict document that the gate makes of a given observation; needs no database."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.foundation.errors import WenshuError

from ._judging import (
    add_gated_answer,
    gated_answer,
    refuse,
    write_document,
)


class Command(BaseCommand):
    """Exit 0 whatever the decision, 2 for input that cannot be used."""

    help = "Put a given observation through the gate and print the verdict document as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_gated_answer(parser)
        parser.add_argument("--out", metavar="DIR", help="also write verdict.json there")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            document, _rules, _pages = gated_answer(options)
            self.stdout.write(write_document(document, options["out"]))
        except WenshuError as error:
            refuse(error)
