"""The two models of the planted set as scripts of the model server; each sees the stem that was sent, and no key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import sympy

from config.foundation.model_access import ModelEndpoint
from itembank.domain.gates import COMPUTATION, OTHER_MIND
from itembank.domain.item_gates import Checked, check_items
from itembank.domain.items import read_item
from itembank.domain.scope_gate import Neighbourhood, neighbour_of
from itembank.gates.computation import compute
from itembank.gates.other_mind import consult
from itembank.gates.solver import ModelSolver
from itembank.gates.student import ModelStudent
from itembank.sandbox import Sandbox
from tests.items.planted import Planted
from tests.model_server import ModelServer

SOLVER, STUDENT = "scripted-solver", "scripted-student"
GATES = (1, 2, COMPUTATION, OTHER_MIND)


def stem_sent(body: dict[str, Any]) -> str:
    """What stands between the boundaries of the request."""
    (match,) = re.findall(r"<<<题面-\w+>>>\n(.*)\n<<<题面-\w+>>>", _text(body["messages"][-1]["content"]), re.DOTALL)
    return str(match)


def _text(content: object) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)  # type: ignore[attr-defined]


class Models:
    """Answers as both models, by the name that the request asks for, from the stem that it carries."""

    def __init__(self, planted: Iterable[Planted]) -> None:
        self.by_stem: dict[str, Planted] = {}
        for each in planted:
            item = each.document
            lines = [item["stem"], *(f"{one['label']}. {one['content']}" for one in item.get("options", []))]
            self.by_stem["\n".join(lines)] = each

    def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        each, stem = self.by_stem[stem_sent(body)], stem_sent(body)
        return program(each, stem) if body["model"] == SOLVER else attempt(each, stem)


def program(each: Planted, stem: str) -> dict[str, Any]:
    """The item's code, and a print of what it left: one reading of several blanks, or several readings of one."""
    blanks = max(stem.count("____"), 1)
    last = (
        f"readings = [answers] if len(answers) == {blanks} else [[one] for one in answers]",
        'print(json.dumps({"readings": [{"values": r, "choices": []} for r in readings], "not_computable": ""}))',
    )
    return {"lines": ["import json", *each.code.split("\n"), *last], "instructions_seen": []}


def attempt(each: Planted, stem: str) -> dict[str, Any]:
    """The student's own answer first, each further reading that it names with an answer of its own."""
    names: dict[str, Any] = {"sympy": sympy}
    exec(each.code, names)
    worked: list[str] = names["answers"]
    blanks = max(stem.count("____"), 1)
    first = list(each.student) or worked[:blanks]
    meanings = each.readings or ("题面只有这一种理解",)
    others = [first, *([worked[:blanks]] * (len(meanings) - 1))]
    readings = [
        {"meaning": meaning, "sensible": True, "values": values, "choices": []}
        for meaning, values in zip(meanings, others, strict=True)
    ]
    return {"readings": readings, "cannot": "", "instructions_seen": []}


@contextmanager
def asked(planted: Iterable[Planted], sandbox: Sandbox) -> Iterator[dict[int, Any]]:
    """Gates 3 and 4 as `check_items` takes them, over HTTP and the real sandbox."""
    with ModelServer(script=Models(planted)) as server:
        solver = ModelEndpoint(base_url=server.base_url, api_key="sk-local-0123456789", model=SOLVER, timeout=10.0)
        student = ModelEndpoint(base_url=server.base_url, api_key="sk-local-0123456789", model=STUDENT, timeout=10.0)
        yield {
            COMPUTATION: partial(compute, solver=ModelSolver(solver, sandbox)),
            OTHER_MIND: partial(consult, student=ModelStudent(student, solver=solver)),
        }


def through_all_gates(each: Planted, later: dict[int, Any]) -> Checked:
    """One faulty item, entered into a bank that holds only what stands beside it."""
    known = Neighbourhood([neighbour_of(read_item(other)) for other in each.beside])
    (found,) = check_items([each.document], GATES, later=later, known=known)
    return found


def stopping(found: Checked) -> set[int]:
    """The gates that do not let the item on."""
    return {outcome.gate for outcome in found.outcomes if not outcome.passes}


__all__ = ["GATES", "Models", "asked", "stopping", "through_all_gates"]
