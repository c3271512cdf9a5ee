"""An accepted answer, and what a faulty copy of it may differ in."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from random import Random
from typing import Any

from itembank.algebra.results import Result
from itembank.domain.rules import Path, Rules, Step

from ..gate import ACCEPT, GateInput
from ..observation import Observation, read_observation
from ..oracle import Oracle
from ..reading import Reading, read_reading
from ..scoring import judged_scores
from ..statuses import CREDITED, Status

Steps = list[dict[str, Any]]
Claim = Callable[[GateInput], GateInput]
Forge = Callable[[dict[str, Any]], None]
Box = list[Decimal]

_HEIGHT, _WIDTH = Decimal("0.02"), Decimal("0.2")


@dataclass(frozen=True)
class Credited:
    """A step of the path that counts, as the observation has it. `lines` are the contents of the cited lines."""

    path: Path
    step: Step
    status: Status
    line_ids: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def step_id(self) -> str:
        """Id of the step."""
        return self.step.step_id

    @property
    def where(self) -> tuple[str, str]:
        """Path and step."""
        return self.path.path_id, self.step.step_id


class Base:
    """An accepted verdict document, taken apart. Raises ValueError for any other."""

    def __init__(self, document: Mapping[str, Any], rules: Rules, algebra: Oracle) -> None:
        if document["decision"] != ACCEPT:
            raise ValueError("not accepted")
        self.document = document
        self.rules = rules
        self.algebra = algebra

    @cached_property
    def reading(self) -> Reading:
        """The reading."""
        return read_reading(self.document["reading"])

    @cached_property
    def observation(self) -> Observation:
        """The observation."""
        return read_observation(self.document["observation"])

    @cached_property
    def chosen(self) -> tuple[Path, ...]:
        """The path that counts in each part."""
        matched = str(self.document["verdict"]["matched_path_id"])
        return tuple(self.rules.path(piece.split(":", 1)[1]) for piece in matched.split(";"))

    @cached_property
    def steps(self) -> tuple[Credited, ...]:
        """Each step of the paths that count, in order."""
        return tuple(self._credited(path, step) for path in self.chosen for step in path.steps)

    def _credited(self, path: Path, step: Step) -> Credited:
        proposal = self.observation.proposal(path.path_id, step.step_id)
        ids = proposal.line_ids if proposal else ()
        status = proposal.status if proposal else Status.MISSING
        return Credited(path, step, status, ids, tuple(self.reading.by_id[line_id].content for line_id in ids))

    def earned(self, path: Path) -> Decimal:
        """What a path earns by the observation's statuses."""
        return sum(judged_scores(path, self.observation, self.reading, self.rules), Decimal(0))

    def of(self, *statuses: Status) -> list[Credited]:
        """Steps of these statuses."""
        return [step for step in self.steps if step.status in statuses]

    @cached_property
    def credited(self) -> list[Credited]:
        """Steps that carry credit and rest on lines of their own."""
        return [step for step in self.steps if step.status in CREDITED and step.status is not Status.JUMP_VALID]

    @cached_property
    def proved(self) -> list[Credited]:
        """VALID steps that one cited line alone proves."""
        return [step for step in self.of(Status.VALID) if len(step.line_ids) == 1 and step.step.expects]

    def proves_text(self, wanted: str, content: str) -> bool:
        """Whether algebra proves that a text states a result."""
        return self.algebra.fulfils(wanted, content, givens=self.rules.givens).result is Result.PROVED

    def proves(self, step: Step, content: str) -> bool:
        """Whether algebra proves that a text states a result of the step."""
        return any(self.proves_text(wanted, content) for wanted in step.expects)

    def differs(self, step: Step, content: str) -> bool:
        """Whether algebra refutes every expected result of the step for this text, or finds it about something else."""
        for wanted in step.expects:
            answer = self.algebra.fulfils(wanted, content, givens=self.rules.givens)
            if answer.result is not Result.REFUTED and answer.method != "unrelated":
                return False
        return bool(step.expects)

    @property
    def has_ink(self) -> bool:
        """Whether ink was measured."""
        return isinstance(self.document["facts"]["ink"], Mapping)

    def blank_boxes(self) -> Iterator[tuple[int, Box]]:
        """Places without ink and without lines: page and box."""
        for number in range(1, len(self.reading.pages) + 1):
            taken = [_edges(box) for box in self._regions(number)]
            taken += [_edges(line.box) for line in self.reading.lines if line.page == number and line.box is not None]
            for row in range(2, 47):
                for column in (Decimal("0.05"), Decimal("0.4"), Decimal("0.7")):
                    top = Decimal(row) / 50
                    box = [column, top, column + _WIDTH, top + _HEIGHT]
                    if not any(overlap(box, other) for other in taken):
                        yield number, box

    def _regions(self, number: int) -> Sequence[Sequence[Any]]:
        pages = (self.document["facts"]["ink"] or {}).get("pages", ())
        return pages[number - 1].get("regions", ()) if number <= len(pages) else ()

    def mutant(self) -> Mutant:
        """An unchanged copy."""
        document = self.document
        return Mutant(
            rules=self.rules,
            reading=copy.deepcopy(document["reading"]),
            observation=copy.deepcopy(document["observation"]),
            policy=dict(document["policy"]),
            ink=copy.deepcopy(document["facts"]["ink"]),
            identity=copy.deepcopy(document["facts"]["identity"]),
            current=copy.deepcopy(document["facts"]["current"]),
            second=copy.deepcopy(document["facts"]["second_observation"]),
            certificate=copy.deepcopy(document["facts"]["certificate"]),
            images=copy.deepcopy(document["provenance"]["images"]),
        )


@dataclass
class Mutant:
    """What a run of the gate is given.

    A text, where set, stands for its document as a judge would have sent it. `claim` changes what the gate is asked (scores
    that a program derived), `forge` the verdict document afterwards.
    """

    rules: Rules
    reading: Any
    observation: Any
    policy: dict[str, Any]
    ink: Any
    identity: dict[str, Any] | None
    current: dict[str, Any] | None
    second: Any
    certificate: dict[str, Any] | None
    images: list[dict[str, str]]
    observation_text: str | None = None
    reading_text: str | None = None
    remeasure: bool = False
    claim: Claim | None = None
    forge: Forge | None = None

    def line(self, line_id: str) -> dict[str, Any]:
        """A line of the reading."""
        found: dict[str, Any] = next(line for line in self.reading["lines"] if line["line_id"] == line_id)
        return found

    def steps_of(self, path_id: str) -> Steps:
        """What is proposed for a path."""
        found: Steps = next(path["steps"] for path in self.observation["paths"] if path["path_id"] == path_id)
        return found

    def all_steps(self) -> list[tuple[str, dict[str, Any]]]:
        """Every proposal with the id of its path."""
        return [(path["path_id"], step) for path in self.observation["paths"] for step in path["steps"]]

    def alike(self, path_id: str, step_id: str) -> list[dict[str, Any]]:
        """The proposals for a step and for the same (shared) step on other paths."""
        step = next(step for step in self.rules.path(path_id).steps if step.step_id == step_id)
        names = {
            (path.path_id, other.step_id)
            for path in self.rules.paths
            for other in path.steps
            if step.shared_id is not None and other.shared_id == step.shared_id
        } | {(path_id, step_id)}
        return [found for path, found in self.all_steps() if (path, found["step_id"]) in names]

    def say(self, where: tuple[str, str], **changes: Any) -> None:
        """Change what is proposed for a step, on every path that shares it."""
        for proposal in self.alike(*where):
            proposal.update(copy.deepcopy(changes))

    def deny(self, where: tuple[str, str], status: str = "MISSING") -> None:
        """Call a step missing (citing nothing) or wrong (citing what it cites)."""
        self.say(where, status=status, **({"line_ids": [], "quote": ""} if status == "MISSING" else {}))

    def without_lines(self, line_ids: Collection[str]) -> None:
        """Take lines out of the reading; what rested on one of them is missing."""
        self.reading["lines"] = [line for line in self.reading["lines"] if line["line_id"] not in line_ids]
        for _, proposal in self.all_steps():
            if not set(line_ids).isdisjoint(proposal.get("line_ids", ())):
                call_missing(proposal)

    def rewrite(self, line_id: str, content: str) -> None:
        """The line says something else, and everything that cites it quotes it truly."""
        line = self.line(line_id)
        line["latex" if "latex" in line else "text"] = content
        line["alternatives"] = []
        self.quote_truly(line_id)

    def quote_truly(self, line_id: str) -> None:
        """Give each proposal that cites a line the whole of its lines as its quote."""
        for _, proposal in self.all_steps():
            if line_id in proposal.get("line_ids", ()) and proposal.get("quote"):
                proposal["quote"] = self.contents(proposal["line_ids"])

    def contents(self, line_ids: Iterable[str]) -> str:
        """The cited lines one after another, in the order of writing."""
        wanted = set(line_ids)
        return "\n".join(content_of(line) for line in self.reading["lines"] if line["line_id"] in wanted)

    def add_line(self, base: Base, content: str, *, first: bool = False) -> str | None:
        """One more line, well read and inked, in an empty place; its id, or None where no place is empty."""
        place = next(base.blank_boxes(), None)
        if place is None:
            return None
        page, box = place
        line_id = "added"
        line = {
            "line_id": line_id,
            "latex": content,
            "page": page,
            "box": box,
            "struck_out": False,
            "confidence": Decimal("0.99"),
            "alternatives": [],
        }
        self.reading["lines"].insert(0 if first else len(self.reading["lines"]), line)
        if isinstance(self.ink, dict):
            self.ink["boxes"].append(
                {
                    "page": page,
                    "box": [str(value) for value in box],
                    "on_page": True,
                    "ink_fraction": "0.1",
                    "has_ink": True,
                    "struck": False,
                }
            )
        return line_id

    def ink_of(self, line_id: str) -> dict[str, Any] | None:
        """The measurement of a line's box; None where there is none."""
        line = self.line(line_id)
        if not isinstance(self.ink, dict) or "box" not in line:
            return None
        page = line.get("page", 1)
        for entry in self.ink["boxes"]:
            if entry["page"] == page and _near(entry["box"], line["box"]):
                return dict_of(entry)
        return None


Make = Callable[[Base, Random], Mutant | None]


def call_missing(proposal: dict[str, Any]) -> None:
    """Nothing is written for the step any more."""
    proposal.update(status="MISSING", line_ids=[], quote="")


def content_of(line: Mapping[str, Any]) -> str:
    """LaTeX or text of a line document."""
    return str(line["latex"] if "latex" in line else line["text"])


def dict_of(value: Any) -> dict[str, Any]:
    """The value itself, known to be an object."""
    if not isinstance(value, dict):
        raise TypeError(type(value).__name__)
    return value


def _edges(box: Iterable[Any]) -> Box:
    return [Decimal(str(value)) for value in box]


def overlap(one: Sequence[Decimal], other: Sequence[Decimal]) -> bool:
    """Whether two boxes share a piece of the page."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _near(one: Iterable[Any], other: Iterable[Any]) -> bool:
    return all(abs(a - b) <= Decimal("0.0001") for a, b in zip(_edges(one), _edges(other), strict=True))
