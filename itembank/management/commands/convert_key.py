"""Turns a printed key with cumulative margins into points per step, and back."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from decimal import Decimal
from typing import Any

from django.core.management.base import BaseCommand

from itembank.domain.cumulative import printed_key, rules_draft
from itembank.domain.faults import UnusableRules
from itembank.domain.rules import rules_document

from ..documents import read_bytes, refuse


class Command(BaseCommand):
    """Writes the converted document; faults go to standard error, one line each, with exit code 2."""

    help = "Convert cumulative margin points to points per step (a draft of scoring rules), or back with --back."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", help="KEY.json (with --back: RULES.json), or - for standard input")
        parser.add_argument("--back", action="store_true", help="from points per step to cumulative margins")
        parser.add_argument("--per-part", action="store_true", help="margins start at zero in each part")

    def handle(self, *args: Any, **options: Any) -> None:
        convert = printed_key if options["back"] else rules_draft
        try:
            document = rules_document(read_bytes(options["key"]))
        except UnusableRules as error:
            refuse(error)
        try:
            converted = convert(document, per_part=options["per_part"])
        except UnusableRules as error:
            for one in error.faults:
                self.stderr.write(f"{one.line('zh')} {one.line('en')}")
            sys.exit(2)
        self.stdout.write(json.dumps(converted, ensure_ascii=False, indent=2, default=_half))


def _half(value: object) -> float:
    """Points are multiples of one half, which a binary float holds exactly."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(type(value).__name__)
