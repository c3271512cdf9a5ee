"""``manage.py inject_faults``: spoils an accepted answer in many ways and looks whether the gate notices; no database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand

from config.foundation.canonical import canonical_text
from config.foundation.errors import UnusableInput, WenshuError
from grading.domain.faults import KINDS, Base, Injected, Injection
from grading.domain.faults.run import not_passing
from grading.domain.gate import ACCEPT
from grading.judging import measured_ink
from itembank.domain.mathematics import algebra_for

from ._judging import (
    add_gated_answer,
    gated_answer,
    refuse,
)


def positive(text: str) -> int:
    """A whole number from 1; raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text} is no number from 1")
    return int(text)


class Command(BaseCommand):
    """Exit 1 when a harmful mutant was accepted or its rule did not fail, 2 when the base itself is not accepted."""

    help = "Spoil an accepted answer in many ways: one JSON line for each mutant, with the rules that stopped it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_gated_answer(parser)
        parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same mutants")
        parser.add_argument("--count", type=positive, help="how many mutants; left out, one of each kind that applies")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            injection = self._injection(options)
        except WenshuError as error:
            refuse(error)
        found: list[Injected] = []
        for injected in injection.outcomes(KINDS, seed=options["seed"], count=options["count"]):
            found.append(injected)
            self.stdout.write(canonical_text(injected.document()))
        self.stderr.write(summary(found))
        if any(each.kind.harmful and not each.as_expected for each in found):
            sys.exit(1)

    @staticmethod
    def _injection(options: dict[str, Any]) -> Injection:
        document, rules, pages = gated_answer(options)
        if document["decision"] != ACCEPT:
            stopped = ", ".join(not_passing(document))
            raise UnusableInput(
                "not-accepted",
                f"这份答卷本身没有放行（{stopped}），无从检验。",
                f"The answer itself is not accepted ({stopped}), so that nothing can be tried on it.",
            )
        return Injection(Base(document, rules, algebra_for(rules)), lambda reading: measured_ink(pages, reading))


def summary(found: list[Injected]) -> str:
    """One sentence about a run, in both languages."""
    harmful = [each for each in found if each.kind.harmful]
    harmless = [each for each in found if not each.kind.harmful]
    slipped = sum(each.decision == ACCEPT for each in harmful)
    expected = sum(each.as_expected for each in harmful)
    passed = sum(each.as_expected for each in harmless)
    return (
        f"有害 {len(harmful)} 个，放行 {slipped} 个，被预期的规则拦下 {expected} 个；无害 {len(harmless)} 个，放行 {passed} 个。 "
        f"{len(harmful)} harmful, {slipped} accepted, {expected} stopped by the expected rule; "
        f"{len(harmless)} harmless, {passed} accepted."
    )
