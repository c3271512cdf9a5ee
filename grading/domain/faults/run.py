"""Putting mutants through the gate: which decision, and which rules stood in the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from config.foundation import strict_json
from config.foundation.canonical import canonical_json
from config.foundation.errors import UnusableInput

from ..documents import exact, refused_json
from ..gate import ACCEPT, MANUAL_REVIEW, run_gate
from ..oracle import RecordingOracle
from ..verdict import decide, laid_out
from ..verification import verify
from .base import Base, Forge, Make, Mutant

Measure = Callable[[Any], Mapping[str, Any] | None]

MAX_TEXT = 1024 * 1024
MAX_VERDICT = 16 * 1024 * 1024


@dataclass(frozen=True)
class Kind:
    """One kind of fault. `rule` must be among those that fail; None where nothing is wrong and the answer must pass.

    A rule `verify:PART` stands for a verdict document that is changed afterwards: replaying it names that part.
    """

    name: str
    rule: str | None
    make: Make
    zh: str
    en: str

    @property
    def harmful(self) -> bool:
        """Whether a mark would be wrong, or without proof, if it passed."""
        return self.rule is not None


@dataclass(frozen=True)
class Injected:
    """What became of one mutant."""

    mutant: str
    kind: Kind
    decision: str
    failed: tuple[str, ...]

    @property
    def as_expected(self) -> bool:
        """Harmful: stopped, and by the rule that must see it among others. Harmless: accepted."""
        if self.kind.rule is None:
            return self.decision == ACCEPT
        return self.decision != ACCEPT and self.kind.rule in self.failed

    def document(self) -> dict[str, Any]:
        """The outcome as JSON."""
        return {
            "mutant": self.mutant,
            "kind": self.kind.name,
            "harmful": self.kind.harmful,
            "decision": self.decision,
            "expected_rule": self.kind.rule,
            "failed": list(self.failed),
        }


class Injection:
    """One accepted answer against many kinds of faults. `measure` measures the ink in a changed reading's boxes."""

    def __init__(self, base: Base, measure: Measure | None = None) -> None:
        self.base = base
        self._measure = measure
        self._oracle = RecordingOracle(base.algebra)

    def outcomes(self, kinds: Sequence[Kind], *, seed: int = 0, count: int | None = None) -> Iterator[Injected]:
        """`count` mutants, by default one of each kind that applies; the same seed gives the same mutants."""
        wanted = len(kinds) if count is None else count
        order = list(kinds)
        if wanted < len(order):
            _chance(seed).shuffle(order)
        made, turn, before = 0, 0, -1
        while before < made < wanted and (count is not None or turn == 0):
            turn, before = turn + 1, made
            for kind in order:
                mutant = kind.make(self.base, _chance(seed, kind.name, turn)) if made < wanted else None
                if mutant is not None:
                    made += 1
                    yield Injected(f"{kind.name}#{turn}", kind, *self.judged(mutant))

    def judged(self, mutant: Mutant) -> tuple[str, tuple[str, ...]]:
        """The decision about a mutant, and the rules that keep it from passing."""
        given = self._given(mutant)
        if mutant.claim is not None:
            case, _ = laid_out(oracle=self._oracle, **given)
            result = run_gate(mutant.claim(case.given))
            return result.decision, result.failed
        document = decide(oracle=self._oracle, **given)
        if mutant.forge is not None:
            return _verified(document, mutant.forge)
        return document["decision"], not_passing(document)

    def _given(self, mutant: Mutant) -> dict[str, Any]:
        reading = _as_sent(mutant.reading, mutant.reading_text)
        return {
            "rules": mutant.rules,
            "reading": reading,
            "observation": _as_sent(mutant.observation, mutant.observation_text),
            "policy": mutant.policy,
            "ink": self._measure(reading) if mutant.remeasure and self._measure is not None else mutant.ink,
            "identity": mutant.identity,
            "current": mutant.current,
            "provenance": {**self.base.document["provenance"], "images": mutant.images},
            "second_observation": mutant.second,
            "certificate": mutant.certificate,
        }


def _chance(*seed: object) -> Random:
    """The same choices for the same seed, everywhere. It decides what is tried, and guards nothing."""
    return Random(":".join(map(str, seed)))  # noqa: S311


def not_passing(document: Mapping[str, Any]) -> tuple[str, ...]:
    """The rules of a verdict document that keep it from passing, each once."""
    return tuple(
        dict.fromkeys(entry["rule"] for entry in document["gate"] if entry["outcome"] in {"fails", "not_evaluated"})
    )


def _as_sent(document: Any, text: str | None) -> Any:
    """The document, or what strict reading makes of the text that a judge sent in its place."""
    if text is None:
        return document
    try:
        return exact(strict_json.loads(text, max_bytes=MAX_TEXT, allow_controls="\n\t"))
    except UnusableInput as error:
        return refused_json(error, text)


def _verified(document: Mapping[str, Any], forge: Forge) -> tuple[str, tuple[str, ...]]:
    """A stored verdict document changed by somebody: what replaying it names. Named means that nobody may rely on it."""
    stored = strict_json.loads(canonical_json(document), max_bytes=MAX_VERDICT, allow_controls="\n\t")
    forge(stored)
    named = tuple(dict.fromkeys(f"verify:{mismatch.part}" for mismatch in verify(stored)))
    return (MANUAL_REVIEW if named else str(stored["decision"])), named
