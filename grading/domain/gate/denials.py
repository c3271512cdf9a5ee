"""A denied point needs proof as much as a credited one."""

from __future__ import annotations

from itembank.algebra.results import Comparison, Result

from ..expressions import is_closed
from ..oracle import unrelated
from ..proofs import NOTHING_CITED, Judged, is_wordy
from ..reading import Line
from ..sentences import shown, witness_en, witness_zh
from ..statuses import WRITTEN, Status
from .case import Answer, Case, Finding, Outcome, idle
from .evidence import line_threshold


def denial_proved(case: Case) -> Answer:
    """INVALID rests on a refuted cited line and a failed shadow; MISSING on a fully read page without the result."""
    steps = case.of_status(Status.INVALID, Status.MISSING)
    if not steps:
        return idle("没有扣光分的步骤。", "No step is denied.")
    found = [finding for judged in steps for finding in denial_faults(case, judged)]
    if not found and case.ink is None and case.of_status(Status.MISSING):
        found.append(
            Finding(
                "没有图像，无法确认页面上没有未读的墨迹。",
                "Without images nobody can say that no ink was left unread.",
                outcome=Outcome.NOT_EVALUATED,
            )
        )
    return Answer(
        found,
        "每个未给分的步骤都有证明。",
        "Each denied point is proved.",
        {"steps": [judged.step_id for judged in steps]},
    )


def denial_faults(case: Case, judged: Judged) -> list[Finding]:
    """Why the denial of one step is not proved; empty where it is. Ink that was never measured is not looked at here."""
    fault = _invalid_fault(case, judged) if judged.status is Status.INVALID else _missing_fault(case, judged)
    if fault is None:
        return []
    zh, en = fault
    return [Finding(f"步骤 {judged.step_id}：{zh}。", f"Step {judged.step_id}: {en}.", judged.step_id)]


def _invalid_fault(case: Case, judged: Judged) -> tuple[str, str] | None:
    proofs = case.proofs
    lines = proofs.standing(judged)
    if not judged.step.expects:
        return "以文字说明为据，代数不能证明它错", "it rests on words; algebra cannot prove it wrong"
    if not lines:
        return "判为错误却没有引用未划去的行", "it is judged wrong but cites no standing line"
    proof = proofs.fulfilment(judged)
    if proof.proved and proof.line is not None:
        return (
            f"{case.zh(proof.line)}符合期望 {shown(proof.expected)}",
            f"{case.en(proof.line)} states the expected {shown(proof.expected)}",
        )
    refuted = proof.answer.result is Result.REFUTED or any(
        proofs.soundness(line).result is Result.REFUTED for line in lines
    )
    if not refuted:
        return (
            f"所引的行未被证明为错（{witness_zh(proof.answer)}）",
            f"the cited line is not refuted ({witness_en(proof.answer)})",
        )
    open_line = next(
        ((line, answer) for line in lines for answer in [proofs.may_state(judged.step, line)] if answer), None
    )
    elsewhere = open_line or proofs.stated_elsewhere(judged.step, besides=lines)
    if elsewhere is not None:
        line, answer = elsewhere
        return (
            f"{case.zh(line)}可能已写出结果（{_why(answer)[0]}）",
            f"{case.en(line)} may state the result ({_why(answer)[1]})",
        )
    return _shadow_fault(case, judged)


def _shadow_fault(case: Case, judged: Judged) -> tuple[str, str] | None:
    """A denial needs a shadow that fails: the value does not even follow from the student's own earlier values."""
    if not judged.step.ecf_allow and case.proofs.wrong_before(judged):
        return None
    shadows = [shadow for shadow in case.proofs.stated_shadows(judged) if shadow.student_value is not None]
    if not shadows:
        return (
            "没有可验算的公式，不能证明它不是由前面的值推出",
            "there is no formula to show that it does not follow from earlier values",
        )
    if any(shadow.follows.result is Result.REFUTED for shadow in shadows):
        return None
    first = shadows[0]
    if first.follows.result is Result.PROVED:
        return (
            f"用学生自己的值代入 {first.formula} 正好得 {shown(first.student_value or '')}，可能属于错误延续",
            f"{first.formula} with the student's own values gives just {shown(first.student_value or '')}; it may be a carried error",
        )
    return (
        f"无法用学生自己的值验算 {first.formula}",
        f"{first.formula} cannot be recomputed from the student's own values",
    )


def _is_first_error(case: Case, judged: Judged) -> bool:
    """Whether everything before the step is right, so that its own inputs are the right ones and refutation is enough.

    Only for results that are plain values: a formula that is not the expected one may be another right formula.
    """
    if judged.step.kind == "concept" or not all(is_closed(expected) for expected in judged.step.expects):
        return False
    earlier = judged.path.steps[: judged.path.steps.index(judged.step)]
    before = [case.proofs.judged(judged.path, step) for step in earlier]
    named = [step_id for step_id in judged.step.depends_on if step_id not in {step.step_id for step in earlier}]
    return all(one.status is Status.VALID and case.proofs.fulfilment(one).proved for one in before) and not named


def _missing_fault(case: Case, judged: Judged) -> tuple[str, str] | None:
    if judged.line_ids:
        return "判为未写却引用了行", "it is judged not written but cites lines"
    if not judged.step.expects:
        return "以文字说明为据，代数不能证明它没有写", "it rests on words; algebra cannot prove that it is not there"
    if case.scorecard.blank:
        return "答卷空白，由人确认", "the answer is blank; a person confirms"
    threshold = line_threshold(case)
    for line in case.reading.lines:
        if line.unread_ink and not line.scratch:
            return f"{case.zh(line)}中有未读的墨迹", f"{case.en(line)} holds unread ink"
        if line.min_confidence < threshold and not line.struck_out:
            return f"{case.zh(line)}读得不够可靠", f"{case.en(line)} is not read reliably"
    if (case.ink or {}).get("unaccounted"):
        return "页面上有未读的墨迹", "there is unread ink on the page"
    elsewhere = case.proofs.stated_elsewhere(judged.step)
    if elsewhere is not None:
        line, answer = elsewhere
        return (
            f"{case.zh(line)}可能已写出结果（{_why(answer)[0]}）",
            f"{case.en(line)} may state the result ({_why(answer)[1]})",
        )
    other = _other_value(case, judged)
    if other is not None:
        return (
            f"{case.zh(other)}写了另一个值，不是没有写",
            f"{case.en(other)} states another value, so it is not missing",
        )
    return _possible_jump(case, judged)


def _other_value(case: Case, judged: Judged) -> Line | None:
    """A standing line that refutes a plain value: something was written for the step, and it is wrong."""
    if judged.step.kind == "concept" or not all(is_closed(expected) for expected in judged.step.expects):
        return None
    for line in case.reading.standing:
        for expected in judged.step.expects:
            if not is_wordy(line) and case.proofs.fulfils(expected, line.content).result is Result.REFUTED:
                return line
    return None


def _possible_jump(case: Case, judged: Judged) -> tuple[str, str] | None:
    """A step whose value shows in the next written step was skipped, not missing."""
    before, following = judged.neighbours
    if judged.step.must_show or following is None or judged.bare_answer:
        return None
    path_id = judged.path.path_id
    if before is not None and case.observation.status(path_id, before.step_id) is Status.JUMP_VALID:
        return None
    if case.observation.status(path_id, following.step_id) not in WRITTEN:
        return None
    answer = case.proofs.jump_support(judged)
    if answer == NOTHING_CITED or answer.result is Result.REFUTED or unrelated(answer):
        return None
    return (
        f"下一步 {following.step_id} 的书写可能含有它的结果，或属跳步",
        f"the working of {following.step_id} may contain its result; it may have been skipped",
    )


def _why(answer: Comparison) -> tuple[str, str]:
    if answer.result is Result.PROVED:
        return "代数证明相符", "algebra proves it"
    return witness_zh(answer), witness_en(answer)
