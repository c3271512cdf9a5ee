"""Rules about carried errors (ECF): allowed, proved by shadow computation, and not made easier by the error."""

from __future__ import annotations

import re

from itembank.algebra.results import Comparison, Result

from ..proofs import Judged
from ..sentences import shown, witness_en, witness_zh
from ..shadow import Shadow
from ..statuses import Status
from .case import Answer, Case, Finding, idle

_NO_CARRY = ("没有按错误延续给分的步骤。", "No step is credited as a carried error.")
_TRIVIAL = ("0", "1", "-1")


def ecf_allowed(case: Case) -> Answer:
    """The rules allow it, and the first error is shown to be numerical, not of principle."""
    steps = case.of_status(Status.ECF_GRANTED)
    if not steps:
        return idle(*_NO_CARRY)
    found: list[Finding] = []
    for judged in steps:
        fault = _not_allowed(case, judged)
        if fault is not None:
            found.append(
                Finding(f"步骤 {judged.step_id}：{fault[0]}。", f"Step {judged.step_id}: {fault[1]}.", judged.step_id)
            )
    return Answer(
        found,
        "细则允许延续给分，且最初的错误是计算错误。",
        "The rules allow it and the first error is one of arithmetic.",
    )


def _not_allowed(case: Case, judged: Judged) -> tuple[str, str] | None:
    if not judged.step.ecf_allow:
        return "细则不允许此步延续给分", "the rules do not allow carried credit here"
    roots = [other for other in case.proofs.wrong_before(judged) if other.status is Status.INVALID]
    if not roots:
        return "前面没有判为错误的步骤，谈不上错误延续", "no earlier step is judged wrong, so there is nothing to carry"
    if case.rules.ecf_after_principle:
        return None
    for root in roots:
        if not is_numerical(case, root):
            return (
                f"最初的错误（{root.step_id}）未能证明只是计算错误，可能是原理错误",
                f"the first error ({root.step_id}) is not shown to be one of arithmetic; it may be one of principle",
            )
    return None


def is_numerical(case: Case, judged: Judged) -> bool:
    """Right formula written, wrong arithmetic refuted.

    Either a chain breaks where its left side still has the right value (7-2·2 = 4), or a formula of the step stands in a
    cited line and the stated value is refuted.
    """
    proofs = case.proofs
    lines = proofs.standing(judged)
    expected = [shadow.own_value for shadow in proofs.shadows_of(judged) if shadow.own_value is not None]
    for line in lines:
        answer = proofs.soundness(line)
        left = (answer.witness or {}).get("left")
        if answer.result is Result.REFUTED and left is not None:
            for value in expected:
                if case.given.oracle.compare(value, left).result is Result.PROVED:
                    return True
    refuted = any(
        proofs.fulfils(wanted, line.content).result is Result.REFUTED
        for line in lines
        for wanted in judged.step.expects
    )
    formulas = [*judged.step.working, *(f"{name}={formula}" for name, formula in judged.step.yields.items())]
    return refuted and any(
        proofs.fulfils(formula, line.content).result is Result.PROVED for line in lines for formula in formulas
    )


def ecf_shadow(case: Case) -> Answer:
    """The formula with right inputs gives the right result, and with the student's own gives the student's."""
    steps = case.of_status(Status.ECF_GRANTED)
    if not steps:
        return idle(*_NO_CARRY)
    found: list[Finding] = []
    for judged in steps:
        answer = case.proofs.carried(judged)
        if answer.result is not Result.PROVED:
            zh, en = _shadow_fault(case, judged, answer)
            shadows = [shadow.document() for shadow in case.proofs.shadows_of(judged)]
            found.append(
                Finding(
                    f"步骤 {judged.step_id}：{zh}。",
                    f"Step {judged.step_id}: {en}.",
                    judged.step_id,
                    {"shadows": shadows},
                )
            )
    return Answer(found, "正反两面的验算都成立。", "The shadow computation agrees on both sides.")


def _shadow_fault(case: Case, judged: Judged, answer: Comparison) -> tuple[str, str]:
    if not judged.step.yields:
        return "细则没有给出可验算的公式", "the rules give no formula to compute with"
    if answer.method == "nothing-wrong":
        return "所写的值并不错，不是错误延续", "the value is right, so nothing was carried"
    if answer.method == "right-or-wrong":
        return (
            "所写的值是对是错，代数无法判定，因此不能断定是错误延续",
            "algebra cannot decide whether the value is right or wrong, so it is not shown to be carried",
        )
    for shadow in case.proofs.shadows_of(judged):
        if shadow.student_value is None:
            continue
        if shadow.right_agrees.result is not Result.PROVED:
            return (
                f"公式 {shadow.formula} 代入正确值得不到正确结果",
                f"{shadow.formula} with right inputs does not give the right result",
            )
        if shadow.follows.result is Result.REFUTED:
            return (
                f"用学生自己的值代入 {shadow.formula} 得 {shown(shadow.own_value or '')}，学生写的是 {shown(shadow.student_value)}",
                f"{shadow.formula} with the student's own values gives {shown(shadow.own_value or '')}, "
                f"the student wrote {shown(shadow.student_value)}",
            )
    return (
        f"无法用学生自己的值验算（{witness_zh(answer)}）",
        f"it cannot be recomputed from the student's values ({witness_en(answer)})",
    )


def ecf_not_trivial(case: Case) -> Answer:
    """The wrong value did not make the rest easier: zero, one, a cancelled term, a simpler kind of number."""
    steps = case.of_status(Status.ECF_GRANTED)
    if not steps:
        return idle(*_NO_CARRY)
    found: list[Finding] = []
    for judged in steps:
        for shadow in case.proofs.shadows_of(judged):
            fault = _easier(case, shadow)
            if fault is not None:
                found.append(
                    Finding(
                        f"步骤 {judged.step_id}：{fault[0]}，后面的计算因此变简单。",
                        f"Step {judged.step_id}: {fault[1]}, which made the rest easier.",
                        judged.step_id,
                        {"shadow": shadow.document()},
                    )
                )
                break
    return Answer(found, "错误的值没有使后面的计算变简单。", "The wrong value did not make the rest easier.")


def _easier(case: Case, shadow: Shadow) -> tuple[str, str] | None:
    for name, (right, own) in shadow.wrong_inputs.items():
        shrunk = _shrunk(own, right)
        if shrunk is not None:
            return f"错误的 {name} {shrunk[0]}", f"the wrong {name} {shrunk[1]}"
        trivial = _became_trivial(case, own, right)
        if trivial is not None:
            return f"错误的 {name} 等于 {trivial}", f"the wrong {name} equals {trivial}"
        if _kind(own) < _kind(right):
            return (
                f"错误的 {name}={shown(own)} 比正确的 {shown(right)} 简单",
                f"the wrong {name}={shown(own)} is simpler than {shown(right)}",
            )
    if shadow.own_value is None or shadow.right_value is None:
        return "无法验算错误值的影响", "the effect of the wrong value cannot be computed"
    shrunk = _shrunk(shadow.own_value, shadow.right_value)
    if shrunk is not None:
        return f"结果{shrunk[0]}", f"the result {shrunk[1]}"
    trivial = _became_trivial(case, shadow.own_value, shadow.right_value)
    if trivial is not None:
        return f"结果变成了 {trivial}", f"the result became {trivial}"
    if _kind(shadow.own_value) < _kind(shadow.right_value):
        return (
            f"结果 {shown(shadow.own_value)} 比正确的 {shown(shadow.right_value)} 简单",
            f"the result {shown(shadow.own_value)} is simpler than {shown(shadow.right_value)}",
        )
    return _vanished(case, shadow)


def _shrunk(own: str, right: str) -> tuple[str, str] | None:
    """Fewer solutions, none that is real, or a lower degree than with the right value: what is left to do is less."""
    members, due = _members(own), _members(right)
    if members is not None and due is not None and members < due:
        return f"只有 {members} 个值，正确的有 {due} 个", f"holds {members} values, the right one {due}"
    if _is_imaginary(own) and not _is_imaginary(right):
        return "不是实数", "is not real"
    degree, wanted = _degree(own), _degree(right)
    if degree < wanted:
        return f"的次数是 {degree}，正确的是 {wanted}", f"has degree {degree}, the right one {wanted}"
    return None


def _members(value: str) -> int | None:
    """How many values a set or a point lists; None for anything else."""
    plain = value.replace("\\{", "{").replace("\\}", "}").strip()
    if plain in ("∅", "{}", "\\varnothing", "\\emptyset"):
        return 0
    if plain[:1] not in "{(" or plain[-1:] not in "})" or not plain:
        return None
    depth, count = 0, 1
    for character in plain[1:-1]:
        depth += (character in "([{") - (character in ")]}")
        count += character == "," and depth == 0
    return count


def _is_imaginary(value: str) -> bool:
    return bool(re.search(r"(?<![A-Za-z\\])i(?![A-Za-z])", value))


def _degree(value: str) -> int:
    """The highest written power of a letter: 2 for 3x^2-1, 1 for 2x, 0 where no letter stands."""
    plain = re.sub(r"\\[A-Za-z]+|sqrt|sin|cos|tan|log|ln|pi", " ", value)
    powers = [int(found or "1") for found in re.findall(r"[a-zA-Z](?:\^\{?(\d+)\}?)?", plain)]
    return max(powers, default=0)


def _vanished(case: Case, shadow: Shadow) -> tuple[str, str] | None:
    for piece in pieces_of(shadow.formula):
        own = case.given.oracle.evaluate(piece, shadow.own_inputs)
        right = case.given.oracle.evaluate(piece, shadow.right_inputs)
        if own is None or right is None:
            return f"无法验算 {piece}", f"{piece} cannot be computed"
        trivial = _became_trivial(case, own, right)
        if trivial is not None:
            return f"{piece} 变成了 {trivial}", f"{piece} became {trivial}"
    return None


def _became_trivial(case: Case, own: str, right: str) -> str | None:
    """0, 1 or -1 where the student's value is, or may be, just that and the right one is not."""
    for trivial in _TRIVIAL:
        may_be = own == trivial or case.given.oracle.compare(trivial, own).result is not Result.REFUTED
        if may_be and not (right == trivial or case.given.oracle.compare(trivial, right).result is Result.PROVED):
            return trivial
    return None


def _kind(value: str) -> int:
    """0 whole number, 1 fraction, 2 anything else (roots, π, symbols): a rough measure of how hard a value is."""
    if re.fullmatch(r"-?\d+", value):
        return 0
    if re.fullmatch(r"-?\d+/\d+|-?\d+\.\d+", value):
        return 1
    return 2


def pieces_of(formula: str) -> tuple[str, ...]:
    """Terms of a sum and contents of brackets, at any depth: where a wrong value can make something vanish."""
    found: dict[str, None] = {}
    _collect(formula, found)
    found.pop(formula.strip(), None)
    return tuple(found)[:20]


def _collect(text: str, found: dict[str, None]) -> None:
    depth, start, opened = 0, 0, 0
    terms: list[str] = []
    for place, character in enumerate(text):
        if character in "({[":
            if depth == 0:
                opened = place
            depth += 1
        elif character in ")}]":
            depth -= 1
            if depth == 0 and character == ")":
                inner = text[opened + 1 : place].strip()
                is_argument = opened > 0 and (text[opened - 1].isalnum() or text[opened - 1] in "}'")
                if inner and not is_argument:
                    found.setdefault(inner)
                    _collect(inner, found)
        elif character in "+-" and depth == 0 and text[start:place].strip() and text[:place].rstrip()[-1] not in "*/^(":
            terms.append(text[start:place].strip())
            start = place + 1
    if terms:
        for term in (*terms, text[start:].strip()):
            if term and re.search(r"[A-Za-z]", term):
                found.setdefault(term)
