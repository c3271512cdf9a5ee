"""The embedded judge's second call: a reading and rules in, a proposal for every step of every path out.

Lines are matched to steps by algebra. What algebra cannot decide gets a confidence below 0.7, so that the gate hands it
to a teacher; nothing is called missing or wrong with confidence while a line of the answer is unread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from grading.domain.documents import exact
from grading.domain.oracle import Oracle, RecordingOracle
from grading.domain.reading import Reading
from grading.domain.statuses import ErrorCode, Status
from itembank.domain.rules import Path, Rules

from .drafts import ABSENT, UNSURE, Draft
from .proofs import Proofs
from .skipped import Drafts, Skipped
from .steps import StepJudge
from .written import Answer

JUDGE = "embedded"
BLANK_COMMENT = "Blank/Unreadable"


def adjudicate(reading: Reading, rules: Rules, oracle: Oracle) -> dict[str, Any]:
    """The observation document for one answer. Never raises for what a student wrote."""
    oracle = RecordingOracle(oracle)  # each question to the algebra is asked once
    answer = Answer(reading, oracle)
    if reading.failure is not None or not answer.lines:
        return _nothing_written(reading, rules)
    proofs = Proofs(rules, answer, oracle)
    skipped = Skipped(rules, answer, proofs, oracle)
    drafts: dict[str, Drafts] = {}
    for part in rules.parts():
        earlier = _earlier(drafts)
        paths = rules.paths_of(part)
        for path in paths:
            judge = StepJudge(rules, path, answer, proofs, oracle)
            drafts[path.path_id] = skipped.completed(path, _written(path, judge, earlier), judge)
        drafts |= skipped.bare(paths, drafts)
        drafts |= skipped.with_codes(part, drafts)
    strange = skipped.strange_lines(drafts)
    another = skipped.is_another_method(drafts, strange)
    settled: dict[str, list[Draft]] = {}
    for path in rules.paths:
        open_lines = bool(strange) and not skipped.is_complete(path.part, drafts)
        outscored = path.path_id in skipped.outscored(path.part, drafts, open_lines=open_lines)
        settled[path.path_id] = [
            _settled(draft, answer, outscored=outscored, open_lines=open_lines and not outscored, another=another)
            for draft in drafts[path.path_id].values()
        ]
    return _document(reading, rules, answer, settled, another)


def _earlier(drafts: Mapping[str, Drafts]) -> Drafts:
    """Steps of earlier parts: each by path and step, and by step id alone as it stands on the path that earned most."""
    found = {f"{path_id} {step_id}": draft for path_id, of_path in drafts.items() for step_id, draft in of_path.items()}
    for of_path in sorted(drafts.values(), key=_earned):
        found.update(of_path)
    return found


def _earned(of_path: Drafts) -> Decimal:
    right = (Status.VALID, Status.JUMP_VALID)
    return sum((draft.step.points for draft in of_path.values() if draft.status in right), Decimal(0))


def _written(path: Path, judge: StepJudge, earlier: Mapping[str, Draft]) -> Drafts:
    """All steps of one path by what is written for each of them."""
    # A result of an earlier part may be used again: what was paid for there does not count as paid here.
    known = {step_id: replace(draft, paid="") for step_id, draft in earlier.items()}
    drafts: Drafts = {}
    for step in path.steps:
        draft = judge.written(step, {**known, **drafts})
        drafts[step.step_id] = draft
        judge.values.note(step, draft.positions)
    return drafts


def _settled(draft: Draft, answer: Answer, *, outscored: bool, open_lines: bool, another: bool) -> Draft:
    """The draft with the confidence that the reading of its lines allows, and what no step accounts for."""
    missing = draft.status is Status.MISSING
    denied = missing or draft.status is Status.INVALID
    # Where another path surely earns as much as this one possibly could, a doubt here decides nothing.
    strength = max(ABSENT, draft.confidence) if denied and outscored else draft.confidence
    confidence = answer.confidence(draft.positions, strength)
    untrusted = denied and not answer.is_trusted
    unexplained = missing and open_lines and bool(draft.step.expects)
    if another or untrusted or unexplained:
        confidence = min(confidence, UNSURE)
    reason = draft.reason
    if missing and reason is None and untrusted:
        reason = "有未能识读的内容，不能断定没有写"
    elif missing and reason is None and unexplained:
        reason = "有未归入任何步骤的式子，不能断定没有写"
    return replace(draft, confidence=confidence, reason=reason)


def _nothing_written(reading: Reading, rules: Rules) -> dict[str, Any]:
    """Blank or unreadable: everything missing, for a person to confirm."""
    unreadable = reading.failure is not None
    code = ErrorCode.ERR_READING if unreadable else ErrorCode.ERR_BLANK
    confidence = Decimal(0) if unreadable else ABSENT
    settled = {
        path.path_id: [Draft(step, Status.MISSING, confidence=confidence, codes=(code,)) for step in path.steps]
        for path in rules.paths
    }
    return _document(reading, rules, None, settled, False, comments=BLANK_COMMENT)


def _document(
    reading: Reading,
    rules: Rules,
    answer: Answer | None,
    settled: Mapping[str, Sequence[Draft]],
    another_method: bool,
    comments: str = "",
) -> dict[str, Any]:
    paths = [
        {"path_id": path.path_id, "steps": [_step_document(draft, answer) for draft in settled[path.path_id]]}
        for path in rules.paths
    ]
    if not comments and answer is not None and answer.unread:
        comments = f"未能识读的行：{'、'.join(answer.unread)}"
    document: dict[str, Any] = exact(
        {
            "judge": JUDGE,
            "paths": paths,
            "another_method": another_method,
            "instructions_seen": list(reading.instructions_seen),
            "comments": comments,
        }
    )
    return document


def _step_document(draft: Draft, answer: Answer | None) -> dict[str, Any]:
    cited = answer is not None and draft.positions
    document: dict[str, Any] = {
        "step_id": draft.step.step_id,
        "status": draft.status.value,
        "line_ids": [answer.lines[one].line_id for one in draft.positions] if answer is not None else [],
        "quote": answer.quote(draft.positions) if answer is not None and cited else "",
        "confidence": draft.confidence,
        "error_codes": [code.value for code in draft.codes],
    }
    if draft.formula is not None:
        document["formula"] = draft.formula
    if draft.reason is not None:
        document["reason"] = draft.reason
    return document
