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
from itembank.algebra.results import Result
from itembank.domain.rules import Path, Rules, Step

from .proofs import Proofs
from .steps import ABSENT, UNSURE, Draft, StepJudge
from .written import Answer

JUDGE = "embedded"
BLANK_COMMENT = "Blank/Unreadable"

GAP = Decimal("0.75")
JUMP = Decimal("0.85")
OTHER_METHOD_LINES = 3


def adjudicate(reading: Reading, rules: Rules, oracle: Oracle) -> dict[str, Any]:
    """The observation document for one answer. Never raises for what a student wrote."""
    oracle = RecordingOracle(oracle)
    answer = Answer(reading, oracle)
    if reading.failure is not None or not answer.lines:
        return _nothing_written(reading, rules)
    proofs = Proofs(rules, answer, oracle)
    drafts: dict[str, dict[str, Draft]] = {}
    earlier: dict[str, Draft] = {}
    for part in rules.parts():
        for path in rules.paths_of(part):
            judge = StepJudge(rules, path, answer, proofs, oracle)
            drafts[path.path_id] = _path_drafts(path, judge, answer, proofs, oracle, earlier)
        for path in rules.paths_of(part):
            earlier |= drafts[path.path_id]
    for part in rules.parts():
        _mark_bare_answers(rules.paths_of(part), drafts, answer)
    another = _is_another_method(rules, drafts, answer, proofs)
    settled = {
        path_id: [_settled(draft, answer, another) for draft in of_path.values()] for path_id, of_path in drafts.items()
    }
    return _document(reading, rules, answer, settled, another)


def _path_drafts(
    path: Path, judge: StepJudge, answer: Answer, proofs: Proofs, oracle: Oracle, earlier: Mapping[str, Draft]
) -> dict[str, Draft]:
    """All steps of one path: first what is written, then what a later line shows to have been skipped."""
    known = dict(earlier)
    drafts: dict[str, Draft] = {}
    for step in path.steps:
        # A result of an earlier part may be used again; its expression is not paid for a second time there.
        drafts[step.step_id] = judge.written(
            step, {**{name: replace(one, paid="") for name, one in known.items()}, **drafts}
        )
    skipped_before = False
    for step, following in zip(path.steps, path.steps[1:], strict=False):
        draft = drafts[step.step_id]
        if draft.status is not Status.MISSING or not step.expects:
            skipped_before = False
            continue
        jump = (
            None
            if skipped_before or step.must_show
            else _jump(step, drafts[following.step_id], judge, answer, proofs, oracle)
        )
        drafts[step.step_id] = jump or _gap(step, path, drafts, judge, answer, proofs, oracle) or draft
        skipped_before = jump is not None
    return drafts


def _jump(
    step: Step, following: Draft, judge: StepJudge, answer: Answer, proofs: Proofs, oracle: Oracle
) -> Draft | None:
    """A skipped step is taken as done where the next step's written working holds its value or its operation."""
    if not following.is_written or following.status is Status.INVALID:
        return None
    values = judge.targets(step).values()
    for position in (*following.positions, *proofs.working(following.step)):
        shown = [piece.right for piece in answer.fragments_of(position) if not answer.is_bare(position)]
        operation = position in proofs.working(step)
        if operation or any(oracle.mentions(side, value).result is Result.PROVED for side in shown for value in values):
            return Draft(step, Status.JUMP_VALID, (position,), JUMP, reason="未单独写出，下一步的算式中用到了它的结果")
    return None


def _gap(
    step: Step,
    path: Path,
    drafts: Mapping[str, Draft],
    judge: StepJudge,
    answer: Answer,
    proofs: Proofs,
    oracle: Oracle,
) -> Draft | None:
    """The result that rests on a reason is written and so is its working, but the reason itself is not."""
    if not step.must_show:
        return None
    resting = [
        draft
        for draft in drafts.values()
        if step.step_id in draft.step.depends_on and draft.status in (Status.VALID, Status.ECF_GRANTED)
    ]
    working = proofs.working(step)
    if not resting or not working:
        return None
    reason = f"写出了结果，缺少依据：{step.desc}"
    return Draft(step, Status.GAP_DEDUCTION, working[:1], GAP, (ErrorCode.ERR_LOGIC_GAP,), reason=reason)


def _mark_bare_answers(paths: Sequence[Path], drafts: dict[str, dict[str, Draft]], answer: Answer) -> None:
    """A right final value with nothing before it is an answer only: marked so on every path, for a teacher to see."""
    worked = any(draft.is_written for path in paths for draft in list(drafts[path.path_id].values())[:-1])
    if worked:
        return
    for path in paths:
        if len(path.steps) < 2:
            continue
        *before, last = drafts[path.path_id].values()
        if last.status is Status.VALID and all(answer.is_bare(position) for position in last.positions):
            drafts[path.path_id][last.step.step_id] = replace(
                last, codes=(ErrorCode.ERR_ANSWER_ONLY,), reason="只有最后答案，没有过程"
            )
            for draft in before:
                drafts[path.path_id][draft.step.step_id] = replace(
                    draft, status=Status.MISSING, positions=(), codes=(ErrorCode.ERR_ANSWER_ONLY,), reason="未写过程"
                )


def _is_another_method(rules: Rules, drafts: Mapping[str, Mapping[str, Draft]], answer: Answer, proofs: Proofs) -> bool:
    """Several true lines that no path knows, beside paths that are not complete: perhaps a method of its own."""
    for part in rules.parts():
        complete = any(
            all(draft.status in (Status.VALID, Status.JUMP_VALID) for draft in drafts[path.path_id].values())
            for path in rules.paths_of(part)
        )
        if not complete:
            break
    else:
        return False
    strange = [
        position
        for position in range(len(answer.lines))
        if answer.fragments_of(position)
        and not answer.is_bare(position)
        and not proofs.is_known(position)
        and answer.is_sound(position) in (Result.PROVED, Result.UNDECIDED)
        and not _is_cited(position, drafts)
    ]
    return len(strange) >= OTHER_METHOD_LINES


def _is_cited(position: int, drafts: Mapping[str, Mapping[str, Draft]]) -> bool:
    return any(position in draft.positions for path in drafts.values() for draft in path.values())


def _settled(draft: Draft, answer: Answer, another_method: bool) -> Draft:
    """The draft with the confidence that the reading of its lines allows."""
    confidence = answer.confidence(draft.positions, draft.confidence)
    denied = draft.status in (Status.MISSING, Status.INVALID)
    if another_method or (denied and not answer.is_trusted):
        confidence = min(confidence, UNSURE)
    if denied and not answer.is_trusted and draft.status is Status.MISSING and draft.reason is None:
        return replace(draft, confidence=confidence, reason="有未能识读的内容，不能断定没有写")
    return replace(draft, confidence=confidence)


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
