"""What one judged answer comes to, step by step, and whether it may stand in a group with others like it.

An answer is described by its outcome (path, and for each step status, score and kind of proof, with the rules that stopped it)
and by what it states for each step. Whatever is unread, doubtful or stopped for a reason that lies outside the compared
results keeps an answer out of every group: a person must look at it by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any

from config.foundation.canonical import document_hash, number_text
from config.foundation.errors import WenshuError

from .credited import Key, details_of, evidence_of
from .oracle import Oracle
from .policy import Policy, read_policy
from .reading import Line, Reading, read_reading
from .scoring import UNKNOWN
from .statuses import Status


class Apart(StrEnum):
    """Why an answer stands in no group."""

    NO_RESULT = "no_result"  # nothing was judged, or the judge failed
    NO_PATH = "no_path"  # no path recognised, blank or a bare answer
    READING = "reading"  # unread ink, a doubtful glyph, a line below the threshold, or ink that was not measured
    REASON = "reason"  # stopped by a rule that looks beyond the results of the steps
    WORDS = "words"  # a step that rests on words, which algebra cannot compare
    RESULT = "result"  # a step whose result algebra cannot read, so that it can be proved equal to nothing
    OTHER_RULES = "other_rules"  # judged by another version of the scoring rules than the question has now
    BOUND = "bound"  # not compared: the bound on questions to algebra was met before


# Rules that may have stopped an answer in a group: they ask about the steps' own results and about certificates, and what they
# see is the same in every answer whose results are proved equal. All others look at what two such answers need not share.
ABOUT_RESULTS = frozenset(("step-proved", "follows", "ecf-allowed", "ecf-shadow", "ecf-not-trivial", "certified"))
STOPPED = frozenset(("fails", "not_evaluated"))

Signature = tuple[Any, ...]
Stated = tuple[tuple[str, str], ...]
"""What an answer states for a step: (name, value) pairs in their order; a statement without a name has the name ""."""


@dataclass(frozen=True)
class StepResult:
    """What an answer comes to in one step. ``stated`` is empty where nothing is written for it."""

    key: Key
    status: Status
    score: Decimal
    proof: str  # PROVED, REFUTED, UNDECIDED, UNREADABLE, or "" where nothing is written and nothing was asked
    stated: Stated


@dataclass(frozen=True)
class Likeness:
    """An answer as it is compared with others. ``apart`` is why it may stand in no group, if so."""

    apart: Apart | None
    signature: Signature = ()
    steps: tuple[StepResult, ...] = ()
    written: tuple[str, ...] = ()  # the lines that the steps cite, as read; tells who wrote it otherwise
    least_confidence: Decimal = Decimal(1)

    def under(self, rules_sha256: str) -> Likeness:
        """The same where it was judged by these rules; else apart."""
        judged_by = self.signature[0] if self.signature else rules_sha256
        return self if judged_by == rules_sha256 else Likeness(Apart.OTHER_RULES)

    @property
    def stated(self) -> tuple[Stated, ...]:
        """The results of all steps, in order."""
        return tuple(step.stated for step in self.steps)


def likeness(document: Mapping[str, Any] | None, oracle: Oracle) -> Likeness:
    """How the answer of a verdict document is compared. ``oracle`` reads what its lines assert."""
    if document is None or document["observation"].get("failure") or document["reading"].get("failure"):
        return Likeness(Apart.NO_RESULT)
    verdict = document["verdict"]
    diagnosis = verdict["diagnosis"]
    if diagnosis["recognition_failure"]:
        return Likeness(Apart.READING)
    if verdict["matched_path_id"] == UNKNOWN or {"ERR_BLANK", "ERR_ANSWER_ONLY"} & set(diagnosis["error_codes"]):
        return Likeness(Apart.NO_PATH)
    try:
        reading, policy = read_reading(document["reading"]), read_policy(document["policy"])
    except WenshuError:
        return Likeness(Apart.NO_RESULT)
    if not surely_read(reading, policy, document["facts"].get("ink")):
        return Likeness(Apart.READING)
    if _stopped_otherwise(document, policy):
        return Likeness(Apart.REASON)
    try:
        steps = tuple(_steps(document, reading, oracle))
    except _KeptApart as kept:
        return Likeness(kept.why)
    written = [line for line in reading.standing if line.line_id in _cited(document)]
    return Likeness(
        None,
        _signature(document, steps),
        steps,
        tuple(line.content for line in written),
        min((line.min_confidence for line in written), default=Decimal(1)),
    )


def surely_read(reading: Reading, policy: Policy, ink: Mapping[str, Any] | None) -> bool:
    """Whether nothing on the pages is unread and nothing read is in doubt: all lines count here, also those struck out."""
    if ink is None or ink.get("unaccounted") or len(ink.get("pages", ())) != len(reading.pages) or not reading.pages:
        return False
    threshold = max(policy.line_confidence, reading.line_threshold)
    lines_sure = all(
        not line.unread_ink and not line.alternatives and min(line.confidence, line.min_confidence) >= threshold
        for line in reading.lines
    )
    pages_read = not any(page.unread_regions for page in reading.pages)
    return bool(reading.standing) and lines_sure and pages_read and not reading.instructions_seen


def _stopped_otherwise(document: Mapping[str, Any], policy: Policy) -> bool:
    """Whether a rule stopped the answer for a reason that its results do not show.

    A reader without a certificate is no doubt about this answer; that each of its lines is sure was asked before. A denial
    that is not proved is about the step's own result only where something is written for the step.
    """
    details = details_of(document)
    written = {step_id for (_, step_id), step in details.items() if step["status"] == Status.INVALID}
    unwritten = {step_id for (_, step_id), step in details.items() if step["status"] != Status.INVALID}
    for entry in document["gate"]:
        if entry["outcome"] not in STOPPED or entry["rule"] in ABOUT_RESULTS:
            continue
        if entry["rule"] == "reading-trusted" and not policy.allow_uncertified:
            continue
        if entry["rule"] == "denial-proved" and entry.get("step_id") in written - unwritten:
            continue
        return True
    return False


class _KeptApart(Exception):
    def __init__(self, why: Apart) -> None:
        super().__init__(why)
        self.why = why


def _steps(document: Mapping[str, Any], reading: Reading, oracle: Oracle) -> Iterator[StepResult]:
    evidence = evidence_of(document)
    expecting = {
        (path["path_id"], step["step_id"]): step.get("expects", ())
        for path in document["rules"]["valid_paths"]
        for step in path["steps"]
    }
    for key, detail in details_of(document).items():
        if key not in evidence or key not in expecting:
            raise _KeptApart(Apart.NO_RESULT)
        status, entry = Status(detail["status"]), evidence[key]
        proof, stated = _result(status, entry, expecting[key], reading, oracle)
        yield StepResult(key, status, Decimal(str(detail["score"])), proof, stated)


def _result(
    status: Status, entry: Mapping[str, Any], expects: Sequence[str], reading: Reading, oracle: Oracle
) -> tuple[str, Stated]:
    """Kind of proof and statements of one step."""
    if status is Status.MISSING:
        return "", ()
    algebra = entry.get("algebra") or {}
    proof = str(algebra.get("result", ""))
    if status is Status.JUMP_VALID:
        # Nothing is written for it; without the proof that the next line contains it there is nothing to compare.
        if proof != "PROVED":
            raise _KeptApart(Apart.RESULT)
        return proof, ()
    if not expects:
        raise _KeptApart(Apart.WORDS)
    if status in (Status.VALID, Status.GAP_DEDUCTION) and proof == "PROVED":
        # The line is proved to state what the rules expect, however it is written.
        return proof, (("", str(algebra["expected"])),)
    shadow = entry.get("shadow") or {}
    carried = [("", str(shadow[name])) for name in ("student_value",) if shadow.get(name)]
    inputs = [(name, str(value)) for name, value in sorted((shadow.get("own_inputs") or {}).items())]
    if status is Status.ECF_GRANTED:
        proof = str(shadow.get("follows", ""))
    lines = [reading.by_id[line_id] for line_id in entry["line_ids"] if line_id in reading.by_id]
    stated = (*_statements(lines, oracle), *carried, *inputs)
    if not lines:
        raise _KeptApart(Apart.RESULT)
    return proof, stated


def _statements(lines: Sequence[Line], oracle: Oracle) -> Iterator[tuple[str, str]]:
    """What the cited lines state, in the order of writing: the last value of each name, else the line as it stands."""
    for line in lines:
        if line.struck_out or line.scratch or not line.content.strip():
            raise _KeptApart(Apart.RESULT)
        asserted = oracle.asserts(line.content)
        yield from asserted or (("", line.content),)


def _cited(document: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(line_id for entry in document["evidence"] for line_id in entry["line_ids"])


def _signature(document: Mapping[str, Any], steps: Sequence[StepResult]) -> Signature:
    """Answers with different signatures are never compared."""
    verdict = document["verdict"]
    stopped = sorted({(e["rule"], e.get("step_id") or "") for e in document["gate"] if e["outcome"] in STOPPED})
    outcomes = (
        (*step.key, step.status.value, number_text(step.score), step.proof, tuple(name for name, _ in step.stated))
        for step in steps
    )
    total = number_text(Decimal(str(verdict["total_score"])))
    return document_hash(document["rules"]), verdict["matched_path_id"], total, tuple(outcomes), tuple(stopped)
