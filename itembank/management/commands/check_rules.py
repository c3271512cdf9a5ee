"""Checks a file of scoring rules and names every fault: path, step, field and what to do."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from itembank.algebra import warm
from itembank.domain.faults import Fault, UnusableRules
from itembank.domain.mathematics import mathematical_faults
from itembank.domain.rules import read_rules, rules_document

from ..documents import read_bytes, refuse


class Command(BaseCommand):
    """Exit 0 without faults, 1 with faults, 2 where the file is not strict JSON at all."""

    help = "Check scoring rules; prints every fault with path, step, field and what to do."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("rules", help="RULES.json, or - for standard input")
        parser.add_argument("--json", action="store_true", help="one JSON object a line for each fault")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            document = rules_document(read_bytes(options["rules"]))
        except UnusableRules as error:
            refuse(error)
        try:
            rules = read_rules(document)
            warm()
            faults: tuple[Fault, ...] = tuple(mathematical_faults(rules))
        except UnusableRules as error:
            faults = error.faults
        for one in faults:
            if options["json"]:
                self.stdout.write(json.dumps(one.document(), ensure_ascii=False))
            else:
                self.stdout.write(f"{one.line('zh')}\n    {one.line('en')}")
        if faults:
            sys.exit(1)
        if not options["json"]:
            self.stdout.write(
                f"{rules.question_id}: {len(rules.paths)} paths, {rules.max_score} points, {rules.sha256}"
            )
