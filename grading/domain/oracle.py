"""Algebra as the gate sees it: asked live and recorded, or answered from the record alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Protocol

from config.foundation.canonical import canonical_text, sha256_hex
from itembank.algebra.results import Comparison, Options, Result

NOT_RECORDED = Comparison(Result.UNDECIDED, "not-recorded")

Pairs = tuple[tuple[str, str], ...]
Question = tuple[Any, ...]


def question(op: str, args: Sequence[Any]) -> Question:
    """What tells one recorded question from another; equal exactly where the canonical texts of both are."""
    return (op, *[arg if arg is None or type(arg) is str else _hashable(arg) for arg in args])


def _hashable(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, dict | Mapping):
        ordered = sorted(value.items(), key=itemgetter(0)) if value else ()
        return ("{", *[pair if type(pair[1]) is str else (pair[0], _hashable(pair[1])) for pair in ordered])
    if isinstance(value, list | tuple):
        return ("[", *[_hashable(item) for item in value])
    return (str(type(value) is bool), value)


class Oracle(Protocol):
    """What the gate asks. Implemented by `itembank.algebra.Algebra`; never raises on untrusted text."""

    def compare(
        self, gold: str, student: str, *, relation: str = ..., kind: str | None = ..., options: Options = ...
    ) -> Comparison:
        """Whether two expressions are equal."""

    def fulfils(self, expected: str, line: str, *, givens: Mapping[str, str] = ...) -> Comparison:
        """Whether a written line states the expected result."""

    def sound(self, line: str, values: Mapping[str, str] = ...) -> Comparison:
        """Whether every equality inside a line is true."""

    def asserts(self, line: str) -> Pairs:
        """Names and closed values that a line asserts."""

    def mentions(self, line: str, value: str) -> Comparison:
        """Whether a value stands inside a line."""

    def evaluate(self, formula: str, values: Mapping[str, str]) -> str | None:
        """Exact value of a formula."""


class RecordingOracle:
    """Asks the algebra once per question and keeps every answer; the record is what `verify` replays."""

    def __init__(self, algebra: Oracle) -> None:
        self._algebra = algebra
        self._answers: dict[Question, tuple[list[Any], Any, Any]] = {}

    def _ask(self, op: str, args: list[Any], call: Callable[[], Any], encode: Callable[[Any], Any]) -> Any:
        key = question(op, args)
        known = self._answers.get(key)
        if known is None:
            answer = call()
            known = self._answers[key] = (args, answer, encode(answer))
        return known[1]

    def compare(
        self,
        gold: str,
        student: str,
        *,
        relation: str = "value",
        kind: str | None = None,
        options: Options | None = None,
    ) -> Comparison:
        """As `Oracle.compare`; options are recorded by what they set."""
        chosen = options or Options()
        args = [gold, student, relation, kind, options_document(chosen)]
        answer: Comparison = self._ask(
            "compare",
            args,
            lambda: self._algebra.compare(gold, student, relation=relation, kind=kind, options=chosen),
            Comparison.document,
        )
        return answer

    def fulfils(self, expected: str, line: str, *, givens: Mapping[str, str] | None = None) -> Comparison:
        """As `Oracle.fulfils`."""
        known = dict(givens or {})
        answer: Comparison = self._ask(
            "fulfils",
            [expected, line, known],
            lambda: self._algebra.fulfils(expected, line, givens=known),
            Comparison.document,
        )
        return answer

    def sound(self, line: str, values: Mapping[str, str] | None = None) -> Comparison:
        """As `Oracle.sound`."""
        known = dict(values or {})
        answer: Comparison = self._ask(
            "sound", [line, known], lambda: self._algebra.sound(line, known), Comparison.document
        )
        return answer

    def asserts(self, line: str) -> Pairs:
        """As `Oracle.asserts`."""
        answer: Pairs = self._ask(
            "asserts", [line], lambda: self._algebra.asserts(line), lambda pairs: [list(pair) for pair in pairs]
        )
        return answer

    def mentions(self, line: str, value: str) -> Comparison:
        """As `Oracle.mentions`."""
        answer: Comparison = self._ask(
            "mentions", [line, value], lambda: self._algebra.mentions(line, value), Comparison.document
        )
        return answer

    def evaluate(self, formula: str, values: Mapping[str, str]) -> str | None:
        """As `Oracle.evaluate`."""
        known = dict(values)
        answer: str | None = self._ask(
            "evaluate", [formula, known], lambda: self._algebra.evaluate(formula, known), lambda text: text
        )
        return answer

    def record(self) -> tuple[list[dict[str, Any]], str]:
        """Every question with its answer, sorted by question: `facts.algebra` of a verdict document, and its `document_hash`.

        What a question asks is written out once, to sort by and to be hashed.
        """
        entries = sorted(
            (key[0], canonical_text(args), args, encoded) for key, (args, _, encoded) in self._answers.items()
        )
        texts = [
            f'{{"answer":{canonical_text(encoded)},"args":{asked},"op":"{op}"}}' for op, asked, _, encoded in entries
        ]
        document = [{"op": op, "args": args, "answer": encoded} for op, _, args, encoded in entries]
        return document, sha256_hex(f"[{','.join(texts)}]".encode())


class RecordedOracle:
    """Answers from a record alone. A question that was never asked is UNDECIDED by method `not-recorded`."""

    def __init__(self, record: Sequence[Mapping[str, Any]]) -> None:
        self._answers: dict[Question, Any] = {}
        self.unrecorded: list[str] = []
        for entry in record:
            self._answers.setdefault(question(entry["op"], entry["args"]), entry["answer"])

    def _recall(self, op: str, args: list[Any]) -> tuple[bool, Any]:
        key = question(op, args)
        if key not in self._answers:
            self.unrecorded.append(canonical_text([op, args]))
            return False, None
        return True, self._answers[key]

    def _comparison(self, op: str, args: list[Any]) -> Comparison:
        found, answer = self._recall(op, args)
        if not found or not isinstance(answer, Mapping):
            return NOT_RECORDED
        try:
            return Comparison.from_document(answer)
        except ValueError:
            return NOT_RECORDED

    def compare(
        self,
        gold: str,
        student: str,
        *,
        relation: str = "value",
        kind: str | None = None,
        options: Options | None = None,
    ) -> Comparison:
        """The recorded answer."""
        return self._comparison("compare", [gold, student, relation, kind, options_document(options or Options())])

    def fulfils(self, expected: str, line: str, *, givens: Mapping[str, str] | None = None) -> Comparison:
        """The recorded answer."""
        return self._comparison("fulfils", [expected, line, dict(givens or {})])

    def sound(self, line: str, values: Mapping[str, str] | None = None) -> Comparison:
        """The recorded answer."""
        return self._comparison("sound", [line, dict(values or {})])

    def asserts(self, line: str) -> Pairs:
        """The recorded answer."""
        _, answer = self._recall("asserts", [line])
        return tuple((str(pair[0]), str(pair[1])) for pair in answer or () if len(pair) == 2)

    def mentions(self, line: str, value: str) -> Comparison:
        """The recorded answer."""
        return self._comparison("mentions", [line, value])

    def evaluate(self, formula: str, values: Mapping[str, str]) -> str | None:
        """The recorded answer."""
        _, answer = self._recall("evaluate", [formula, dict(values)])
        return answer if isinstance(answer, str) else None


_PLAIN = Options()


def options_document(options: Options) -> dict[str, Any]:
    """The options that differ from the defaults, as JSON."""
    if options == _PLAIN:
        return {}
    names = ("rtol", "atol", "dp", "sf", "variable", "fixed", "notation", "form", "domain", "assume")
    chosen = {name: getattr(options, name) for name in names if getattr(options, name) != getattr(_PLAIN, name)}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in chosen.items()}


def unrelated(answer: Comparison) -> bool:
    """Whether algebra is sure that the line is about something else."""
    return answer.result is Result.UNDECIDED and answer.method == "unrelated"
