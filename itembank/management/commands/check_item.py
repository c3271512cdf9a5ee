"""Puts an item through its gates, as far as asked, and prints what each of them says."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.foundation.canonical import canonical_text
from config.foundation.errors import ConfigurationError, UnusableInput
from itembank.algebra import warm
from itembank.domain.gates import COMPUTATION, OTHER_MIND
from itembank.domain.item_gates import RELEASING, LaterGate, check_items
from itembank.domain.items import item_documents
from itembank.gates.computation import compute
from itembank.gates.model import endpoint_from_settings
from itembank.gates.other_mind import consult
from itembank.gates.plain_solver import PlainSolver
from itembank.gates.solver import ModelSolver, Solver
from itembank.gates.student import ModelStudent
from itembank.sandbox import Sandbox

from ..documents import read_bytes, refuse


class Command(BaseCommand):
    """One JSON line for each item of the file; exit 0 whatever the gates say, 2 for what is not JSON."""

    help = "Put an item through its gates: structure, novelty and scope, independent computation, another mind."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("item", help="ITEM.json (one item or a list of items), or - for standard input")
        parser.add_argument("--gate", default="all", choices=[*map(str, sorted(RELEASING)), "all"])
        parser.add_argument(
            "--solver",
            default="plain",
            choices=["plain", "model"],
            help="who computes at gate 3: plain code, or the model",
        )
        parser.add_argument("--student", default="", help="name of the other model that solves as a student at gate 4")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            documents = item_documents(read_bytes(options["item"]))
            later = _later(options["solver"], options["student"])
        except (UnusableInput, ConfigurationError) as error:
            refuse(error)
        warm()
        wanted = sorted(RELEASING) if options["gate"] == "all" else [int(options["gate"])]
        for found in check_items(documents, wanted, later=later):
            name = {} if len(documents) == 1 else {"item_id": found.item_id}
            gates = [one.document() for one in found.outcomes]
            self.stdout.write(canonical_text({**name, "gates": gates, "released": found.released}))


def _later(solver: str, student: str) -> dict[int, LaterGate]:
    """The gates that somebody can answer. Raises ConfigurationError; so also where the student is the model of gate 3."""
    gates: dict[int, LaterGate] = {COMPUTATION: partial(compute, solver=_solver(solver))}
    if student:
        configured = endpoint_from_settings(settings)
        other = ModelStudent(replace(configured, model=student), solver=configured if solver == "model" else None)
        gates[OTHER_MIND] = partial(consult, student=other)
    return gates


def _solver(name: str) -> Solver:
    """Raises ConfigurationError where the model is wanted and not configured."""
    if name == "plain":
        return PlainSolver()
    return ModelSolver(endpoint_from_settings(settings), Sandbox(settings.SANDBOX_SOCKET, size=1))
