"""``manage.py verify``: replays a verdict document from itself alone and names every mismatch; needs no database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.foundation.errors import UnusableInput, WenshuError
from grading.domain.verification import Mismatch, recompute_algebra, recompute_ink, verify
from grading.judging import measured_ink
from itembank.algebra import warm
from itembank.domain.mathematics import algebra_for
from itembank.domain.rules import read_rules

from ._judging import MAX_DOCUMENT, document_of, images_of, pages_of, refuse


class Command(BaseCommand):
    """Exit 0 when everything fits, 1 with mismatches (or differences of recomputed facts), 2 for unusable input."""

    help = "Replay a verdict document; with images check their hashes; with --recompute derive the facts again."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("verdict", help="verdict document (JSON), or - for standard input")
        parser.add_argument(
            "--image", action="extend", nargs="+", metavar="FILE", help="a page, in order; may be repeated"
        )
        parser.add_argument("--recompute", action="store_true", help="ask algebra and measure ink again")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            document = document_of(options["verdict"], max_bytes=MAX_DOCUMENT)
            images = images_of(options["image"]) if options["image"] else None
            if not isinstance(document, dict) or not {"verdict", "gate"} & set(document):
                raise UnusableInput("verdict", "这不是判定文件。", f"{options['verdict']} is no verdict document.")
            mismatches = verify(document, images)
            differences = (
                self._recomputed(document, options["image"])
                if options["recompute"] and self._usable(mismatches)
                else []
            )
        except WenshuError as error:
            refuse(error)
        self._report("mismatch", mismatches)
        self._report("recomputed", differences)
        if mismatches or differences:
            sys.exit(1)
        self.stdout.write("判定文件与重放一致。 The document fits its replay.")

    @staticmethod
    def _usable(mismatches: list[Mismatch]) -> bool:
        return not any(found.part in {"document", "replay"} for found in mismatches)

    @staticmethod
    def _recomputed(document: dict[str, Any], names: list[str] | None) -> list[Mismatch]:
        warm()
        differences = recompute_algebra(document, algebra_for(read_rules(document["rules"])))
        if names:
            differences.extend(recompute_ink(document, measured_ink(pages_of(names)[0], document["reading"])))
        return differences

    def _report(self, kind: str, found: list[Mismatch]) -> None:
        for one in found:
            self.stdout.write(f"{kind} {one.part}: {one.zh} {one.en}")
