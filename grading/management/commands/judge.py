"""``manage.py judge``: rules and images in, a verdict document out; needs no database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from config.foundation.errors import UnusableInput, WenshuError
from grading.judges.registry import NAMES, make_judge
from grading.judging import judge_answer
from grading.judging_cases import judge_settings
from itembank.algebra import warm

from ._judging import checked_reading, pages_of, policy_of, refuse, rules_of, write_document


class Command(BaseCommand):
    """Exit 0 whatever the answer, 2 for input that cannot be used."""

    help = "Judge one answer and print its verdict document as JSON."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rules", required=True, help="scoring rules (JSON)")
        parser.add_argument(
            "--image", action="extend", nargs="+", metavar="FILE", help="a page, in order; may be repeated"
        )
        parser.add_argument("--reading", metavar="FILE", help="take this reading as given")
        parser.add_argument("--judge", default="embedded", metavar="NAME", help=f"one of {', '.join(NAMES)}")
        parser.add_argument("--policy", metavar="FILE", help="policy of the gate (JSON)")
        parser.add_argument("--replay", metavar="PATH", help="recordings for the replay judge")
        parser.add_argument("--out", metavar="DIR", help="also write verdict.json there")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            if not options["image"] and options["reading"] is None:
                raise UnusableInput(
                    "judge.nothing",
                    "请给出图像（--image）或识读结果（--reading）。",
                    "Give images (--image) or a reading (--reading).",
                )
            rules = rules_of(options["rules"])
            pages, hashes = pages_of(options["image"])
            reading = checked_reading(options["reading"])
            judge = make_judge(
                options["judge"], judge_settings(replay_path=Path(options["replay"]) if options["replay"] else None)
            )
            warm()
            document = judge_answer(
                rules=rules.document,
                images=pages,
                received_sha256=hashes,
                judge=judge,
                policy=policy_of(options["policy"]),
                reading=reading,
            )
            self.stdout.write(write_document(document, options["out"]))
        except WenshuError as error:
            refuse(error)
