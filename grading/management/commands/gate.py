"""``manage.py gate``: the verdict document that the gate makes of a given observation; needs no database."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.foundation.errors import WenshuError
from grading.judging import gate_observation
from itembank.algebra import warm

from ._judging import (
    checked_reading,
    judged_document_of,
    pages_of,
    policy_of,
    refuse,
    rules_of,
    write_document,
)


class Command(BaseCommand):
    """Exit 0 whatever the decision, 2 for input that cannot be used."""

    help = "Put a given observation through the gate and print the verdict document as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rules", required=True, help="scoring rules (JSON)")
        parser.add_argument("--reading", required=True, metavar="FILE", help="reading (JSON)")
        parser.add_argument("--observation", required=True, metavar="FILE", help="what a judge proposes (JSON)")
        parser.add_argument("--second-observation", metavar="FILE", help="what a second judge proposes (JSON)")
        parser.add_argument(
            "--image", action="extend", nargs="+", metavar="FILE", help="a page, in order; may be repeated"
        )
        parser.add_argument("--policy", metavar="FILE", help="policy of the gate (JSON)")
        parser.add_argument("--out", metavar="DIR", help="also write verdict.json there")

    def handle(self, *args: Any, **options: Any) -> None:
        warm()
        try:
            pages, hashes = pages_of(options["image"])
            second = options["second_observation"]
            document = gate_observation(
                rules=rules_of(options["rules"]),
                reading=checked_reading(options["reading"]),
                observation=judged_document_of(options["observation"]),
                second_observation=None if second is None else judged_document_of(second),
                policy=policy_of(options["policy"]),
                images=pages,
                received_sha256=hashes,
            )
            self.stdout.write(write_document(document, options["out"]))
        except WenshuError as error:
            refuse(error)
