"""Measures the algebra over a file of pairs, alone or beside another tool, in one run and on one core.

Both tools are asked in turn, pair by pair, so that whatever else the machine does falls on both. Before each pass every
answer, parsed text and remembered simplification of both is forgotten; what stays warm is the program itself.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from itembank.algebra import ENGINE_VERSION, Algebra, Options, Result, clear_cache, warm


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of the file. `equal` is None where the file gives no truth; doubtful lines count apart."""

    id: str
    gold: str
    student: str
    relation: str
    kind: str | None
    options: Options
    equal: bool | None
    doubtful: bool

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Pair:
        """Raises KeyError, TypeError or ValueError for what is no pair."""
        if not isinstance(document["gold"], str) or not isinstance(document["student"], str):
            raise TypeError("gold and student must be strings")
        return cls(
            id=str(document["id"]),
            gold=document["gold"],
            student=document["student"],
            relation=document.get("relation") or "value",
            kind=document.get("kind"),
            options=Options.from_document(document.get("options") or {}),
            equal=document.get("equal"),
            doubtful=bool(document.get("doubtful")),
        )

    @property
    def judged(self) -> bool:
        """Whether an answer to it can be called right or wrong."""
        return self.equal is not None and not self.doubtful


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool said: equal, different or nothing; and why nothing ("timeout", "unreadable", "open")."""

    equal: bool | None
    why: str = ""


class Tool(Protocol):
    name: str

    def ask(self, pair: Pair) -> Answer:
        """Its answer; never raises."""

    def forget(self) -> None:
        """Drops whatever it remembers of earlier pairs."""


class OurAlgebra:
    """The product's algebra, with the time limit that a marking run uses."""

    def __init__(self, timeout_ms: int) -> None:
        self.name = f"wenshu algebra {ENGINE_VERSION}"
        self._algebra = Algebra(timeout_ms=timeout_ms)

    def start(self) -> float:
        """Seconds until the child is ready, which a server pays when it starts."""
        began = time.perf_counter()
        warm()
        return time.perf_counter() - began

    def ask(self, pair: Pair) -> Answer:
        found = self._algebra.compare(
            pair.gold, pair.student, relation=pair.relation, kind=pair.kind, options=pair.options
        )
        if found.result in (Result.PROVED, Result.REFUTED):
            return Answer(found.result is Result.PROVED)
        if found.result is Result.UNREADABLE:
            return Answer(None, "unreadable")
        return Answer(None, "timeout" if found.method == "timeout" else "open")

    def forget(self) -> None:
        clear_cache()


@dataclass(slots=True)
class Record:
    """What one tool answered: one row of seconds per pass, the first of them cold."""

    name: str
    answers: list[Answer] = field(default_factory=list)
    passes: list[list[float]] = field(default_factory=list)

    def add(self, answered: list[tuple[Answer, float]]) -> None:
        """One pass. A pair that timed out once counts as timed out, whatever a later pass said."""
        answers = [answer for answer, _ in answered]
        if self.answers:
            answers = [
                first if first.why == "timeout" else last for first, last in zip(self.answers, answers, strict=True)
            ]
        self.answers = answers
        self.passes.append([seconds for _, seconds in answered])

    def decided(self, places: Iterable[int]) -> list[int]:
        return [place for place in places if self.answers[place].equal is not None]

    def seconds(self, places: Iterable[int], *, cold: bool) -> list[float]:
        """Seconds of the named pairs, of the cold pass or of all warm ones together."""
        rows = self.passes[:1] if cold else self.passes[1:]
        return [row[place] for place in places for row in rows]

    def speed(self, places: Sequence[int], *, cold: bool) -> dict[str, float | None]:
        """Pairs per second over the named pairs, and the median and 99th percentile in milliseconds."""
        taken = sorted(self.seconds(places, cold=cold))
        total = sum(taken)
        if not taken or not total:
            return {"pairs_per_second": None, "median_ms": None, "p99_ms": None}
        return {
            "pairs_per_second": round(len(taken) / total, 1),
            "median_ms": round(_quantile(taken, 0.5) * 1000, 3),
            "p99_ms": round(_quantile(taken, 0.99) * 1000, 3),
        }


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The least value that at least that share of the sorted values do not exceed."""
    return ordered[max(0, -(-int(share * 1000) * len(ordered) // 1000) - 1)]


def on_one_core(work: Callable[[], list[Record]]) -> list[Record]:
    """Runs the work with this process and its children held to one core, where the system allows that."""
    if not hasattr(os, "sched_setaffinity"):
        return work()
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        return work()
    finally:
        os.sched_setaffinity(0, allowed)


def measured(tools: Sequence[Tool], pairs: Sequence[Pair], warm_passes: int) -> list[Record]:
    """One cold pass and some warm ones, all tools in turn at each pair. A tool is asked what it has a word for."""
    records = [Record(tool.name) for tool in tools]
    for _ in range(1 + warm_passes):
        for tool in tools:
            tool.forget()
        rows: list[list[tuple[Answer, float]]] = [[] for _ in tools]
        for pair in pairs:
            for tool, row in zip(tools, rows, strict=True):
                began = time.perf_counter()
                answer = tool.ask(pair)
                row.append((answer, time.perf_counter() - began))
        for record, row in zip(records, rows, strict=True):
            record.add(row)
    return records


def summary(record: Record, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Shares decided and severe errors of undoubtful lines per relation, speeds, time-outs and doubtful lines apart."""
    everything = range(len(pairs))
    decided = record.decided(everything)
    relations = {
        relation: _relation(record, pairs, [i for i in everything if pairs[i].relation == relation and pairs[i].judged])
        for relation in dict.fromkeys(pair.relation for pair in pairs)
    }
    late = [place for place in everything if record.answers[place].why == "timeout"]
    return {
        "tool": record.name,
        "pairs": len(pairs),
        "relations": {name: found for name, found in relations.items() if found["pairs"]},
        "cold": record.speed(decided, cold=True),
        "warm": record.speed(decided, cold=False),
        "timeouts": {
            "pairs": [pairs[place].id for place in late],
            "seconds": round(sum(record.seconds(late, cold=True)), 3),
        },
        "doubtful": dict(
            Counter(
                _word(record.answers[place])
                for place in everything
                if pairs[place].doubtful and pairs[place].equal is not None
            )
        ),
    }


def _word(answer: Answer) -> str:
    return answer.why if answer.equal is None else ("equal" if answer.equal else "different")


def _relation(record: Record, pairs: Sequence[Pair], places: Sequence[int]) -> dict[str, Any]:
    decided = record.decided(places)
    wrong = [place for place in decided if record.answers[place].equal is not pairs[place].equal]
    return {
        "pairs": len(places),
        "decided": len(decided),
        "share": round(len(decided) / len(places), 4) if places else None,
        "open": dict(Counter(record.answers[place].why for place in places if record.answers[place].equal is None)),
        "accepted_wrongly": [pairs[place].id for place in wrong if record.answers[place].equal],
        "rejected_wrongly": [pairs[place].id for place in wrong if not record.answers[place].equal],
    }


def against(ours: Record, other: Record, pairs: Sequence[Pair]) -> dict[str, Any]:
    """Speeds of both tools over the `value` pairs that both decide, and how many times faster ours is."""
    value = [place for place, pair in enumerate(pairs) if pair.relation == "value"]
    both = [place for place in ours.decided(value) if other.answers[place].equal is not None]
    found: dict[str, Any] = {"pairs": len(both)}
    for state in ("cold", "warm"):
        speeds = [record.speed(both, cold=state == "cold") for record in (ours, other)]
        rates = [speed["pairs_per_second"] for speed in speeds]
        found[state] = {
            "ours": speeds[0],
            "other": speeds[1],
            "ratio": round(rates[0] / rates[1], 1) if rates[0] and rates[1] else None,
        }
    return found
