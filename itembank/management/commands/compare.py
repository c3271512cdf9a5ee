"""Compares pairs of expressions from standard input, one JSON object a line, and answers in the same order."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from itembank.algebra import Algebra, Comparison, Declares, Options, begin_warming, warm


class Command(BaseCommand):
    help = "Compares pairs: {id, gold, student, relation?, kind?, options?} per line in, {id, result, …} per line out."
    requires_system_checks: list[str] = []
    _started = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--timeout-ms", type=int, default=2000, help="longest symbolic attempt, in milliseconds")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["timeout_ms"] < 1:
            raise CommandError("--timeout-ms must be at least 1.", returncode=2)
        begin_warming()
        algebra = Algebra(Declares(), timeout_ms=options["timeout_ms"])
        for number, line in enumerate(sys.stdin, 1):
            if line.strip():
                self.stdout.write(json.dumps(self._answer(algebra, line, number), ensure_ascii=False))

    def _answer(self, algebra: Algebra, line: str, number: int) -> dict[str, Any]:
        pair = _pair(line, number)
        try:
            answer, took = _timed(algebra, pair)
            if answer.method == "timeout" and not self._started:
                self._started = warm()  # the start of the child is no fault of the pair: once more, with a child
                answer, took = _timed(algebra, pair)
        except ValueError as error:
            raise CommandError(f"Line {number}: {error}.", returncode=2) from error
        return {"id": pair["id"], **answer.document(), "ms": round(took, 3)}


def _timed(algebra: Algebra, pair: dict[str, Any]) -> tuple[Comparison, float]:
    """The answer and the milliseconds that it took; raises ValueError for options that cannot be."""
    chosen = Options.from_document(pair.get("options") or {})
    began = time.perf_counter()
    answer = algebra.compare(
        pair["gold"],
        pair["student"],
        relation=pair.get("relation") or "value",
        kind=pair.get("kind"),
        options=chosen,
    )
    return answer, (time.perf_counter() - began) * 1000


def _pair(line: str, number: int) -> dict[str, Any]:
    """One input line; raises CommandError with a sentence that says what is wrong with it."""
    try:
        pair = json.loads(line)
    except ValueError as error:
        raise CommandError(f"Line {number} is not JSON: {error}.", returncode=2) from error
    if not isinstance(pair, dict):
        raise CommandError(f"Line {number} is not a JSON object.", returncode=2)
    for name in ("gold", "student"):
        if not isinstance(pair.get(name), str):
            raise CommandError(f"Line {number}: {name} must be a string.", returncode=2)
    if "id" not in pair:
        raise CommandError(f"Line {number}: id is missing.", returncode=2)
    for name in ("relation", "kind"):
        if pair.get(name) is not None and not isinstance(pair[name], str):
            raise CommandError(f"Line {number}: {name} must be a string.", returncode=2)
    return pair
