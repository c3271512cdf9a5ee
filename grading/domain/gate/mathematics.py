"""Rules that rest on algebra for credited steps: proved, sound, without rival, following, and skipped with support."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from itembank.algebra.results import Comparison, Result
from itembank.domain.rules import Step

from ..proofs import Judged, is_wordy
from ..reading import Line
from ..sentences import shown, witness_en, witness_zh
from ..shadow import names_in
from ..statuses import WRITTEN, Status
from ..student_values import Written
from .case import Answer, Case, Finding, idle
from .evidence import equalities_in
from .links import equalities, names, names_of, unexplained_names
from .quoting import printed

_NUMBER = re.compile(r"[0-9]|[一二三四五六七八九十百千]{2,}|\\pi|π|∞|\\infty")
_SIGN = re.compile(r"[∴即则故]?\\?(?P<name>[A-Za-z](?:\w*))(?P<sign>[<>])0")
_ANYWHERE = frozenset({"0", "1", "-1"})


def step_proved(case: Case) -> Answer:
    """Algebra proves each credited step against what it expects (carried errors are proved by `ecf-shadow`)."""
    steps = [judged for judged in case.of_status(Status.VALID, Status.GAP_DEDUCTION) if judged.step.expects]
    if not steps:
        return idle("没有要对照期望结果证明的步骤。", "No step is to be proved against an expected result.")
    found: list[Finding] = []
    for judged in steps:
        proof = case.proofs.fulfilment(judged)
        if proof.proved:
            continue
        expected = proof.expected or judged.step.expects[0]
        where_zh = case.zh(proof.line) if proof.line else "所引的行"
        where_en = case.begin(proof.line) if proof.line else "The cited line"
        verb_zh, verb_en = _how(proof.answer)
        found.append(
            Finding(
                f"步骤 {judged.step_id}：{where_zh}与期望 {shown(expected)} {verb_zh}。",
                f"Step {judged.step_id}: {where_en} {verb_en} the expected {shown(expected)}: {witness_en(proof.answer)}.",
                judged.step_id,
                {"expected": expected, "answer": proof.answer.document()},
            )
        )
    return Answer(
        found,
        f"{len(steps)} 个步骤由代数证明。",
        f"Algebra proves {len(steps)} steps.",
        {"steps": [judged.step_id for judged in steps]},
    )


def _how(answer: Comparison) -> tuple[str, str]:
    if answer.result is Result.REFUTED:
        return f"不等：{witness_zh(answer)}", "differs from"
    if answer.method == "unrelated":
        return "无关", "is not about"
    if answer.method == "bare-value":
        return "值相等，但只写了数值，没有写出式子", "has the value of, but does not show,"
    if answer.method == "not-worked-out":
        return "相等，但没有算完", "is equal to, but not worked out to,"
    if answer.method == "one-of-several":
        return "有关，但只是并列的几种情况之一，没有取舍", "is only one of several cases beside"
    if answer.method == "unfinished":
        return "不符：只写了式子，没有写出值", "is a formula and does not state"
    if answer.method == "demanded-form":
        return (
            "值相等，但未能证明符合要求的形式、单位或精确度",
            "has the value, but not provably the form, unit or rounding, of",
        )
    if answer.result is Result.UNREADABLE:
        return "无法比较：该行无法解析为数学式", "cannot be compared with"
    return "是否相符，代数无法判定", "is not proved to state"


def credited_lines(case: Case) -> dict[str, Line]:
    """Each standing line that a credited step cites, with the first step that cites it."""
    found: dict[str, Line] = {}
    for judged in case.credited:
        for line in case.proofs.standing(judged):
            found.setdefault(line.line_id, line)
    return found


def line_sound(case: Case) -> Answer:
    """Every equality inside a cited line of a credited step is itself proved."""
    lines = credited_lines(case)
    if not lines:
        return idle("没有给分步骤所引的行。", "No credited step cites a line.")
    citing = {
        line.line_id: judged.step_id for judged in reversed(case.credited) for line in case.proofs.standing(judged)
    }
    found: list[Finding] = []
    for line in lines.values():
        if is_wordy(line):
            continue
        answer = case.proofs.soundness(line)
        if answer.result is Result.PROVED:
            found.extend(_unexplained_names(case, line, citing[line.line_id]))
            continue
        if answer.result is Result.REFUTED:
            zh, en = f"内部的等式不成立：{witness_zh(answer)}", f"contains a false equality: {witness_en(answer)}"
        else:
            zh, en = (
                f"内部的等式未能证明：{witness_zh(answer)}",
                f"contains an equality that is not proved: {witness_en(answer)}",
            )
        found.append(
            Finding(
                f"{case.zh(line)}{zh}。",
                f"{case.begin(line)} {en}.",
                citing[line.line_id],
                {"line_id": line.line_id, "answer": answer.document()},
            )
        )
    found.extend(_unexplained(case))
    return Answer(found, f"{len(lines)} 行中的等式都成立。", f"Every equality in {len(lines)} lines is proved.")


def _unexplained_names(case: Case, line: Line, step_id: str) -> list[Finding]:
    names = ", ".join(unexplained_names(case, line))
    return (
        [
            Finding(
                f"{case.zh(line)}的等式里有来历不明的字母 {names}，无从证明。",
                f"{case.begin(line)} gives a value by way of {names}, of which nothing is known; that cannot be proved.",
                step_id,
                {"line_id": line.line_id, "names": names},
            )
        ]
        if names
        else []
    )


def _unexplained(case: Case) -> list[Finding]:
    """False equalities on lines that no step rests on: wrong working that a judge passes over in silence.

    A line that does nothing but give names their values is for `no-rival` to look at.
    """
    cited = {line_id for proposal in case.proposals for line_id in proposal.line_ids}
    return [
        Finding(
            f"{case.zh(line)}的等式不成立（{witness_zh(answer)}），却没有任何步骤引用它。",
            f"{case.begin(line)} holds a false equality ({witness_en(answer)}), and no step rests on it.",
            facts={"line_id": line.line_id, "answer": answer.document()},
        )
        for line in case.reading.standing
        if line.line_id not in cited and not line.scratch and not is_wordy(line)
        if len(case.given.oracle.asserts(line.content)) < equalities_in(line.content)
        for answer in [case.proofs.soundness(line)]
        if answer.result is Result.REFUTED
    ]


def no_rival(case: Case) -> Answer:
    """No second, different value for a credited quantity stands unstruck, nor a given that was copied wrongly."""
    names = _credited_names(case)
    found = _said_afterwards(case)
    if not names and not found:
        return idle("给分步骤没有写出具名的数值。", "No credited step states a named value.")
    for name in names:
        groups = _by_line([item for item in case.proofs.values.written if item.name == name])
        given = case.rules.givens.get(name)
        if given is not None:
            groups = [((given,), None), *groups]
        found.extend(_rivals(case, name, groups))
    return Answer(
        found, "每个给分的量只有一个值。", "Each credited quantity has a single value.", {"names": sorted(names)}
    )


def _said_afterwards(case: Case) -> list[Finding]:
    """Numbers after the last line that any step rests on: what is said last counts (`120`, then `答：130`).

    A line that names a quantity of the rules is compared with the other values of that name, or denied with its step.
    """
    if not case.credited or not case.cited:
        return []
    last = max(case.reading.position[line.line_id] for line in case.cited)
    stated = {item.value for item in case.proofs.values.written if item.position <= last}
    known = case.rules.known_values
    return [
        Finding(
            f"{case.zh(line)}写在所有被引用的行之后，其中的数不是已写出的任何结果。",
            f"{case.begin(line)} stands after every line that counts, and its numbers are no result written before.",
            facts={"line_id": line.line_id},
        )
        for line in case.reading.standing
        if case.reading.position[line.line_id] > last
        and not line.scratch
        and _NUMBER.search(unicodedata.normalize("NFKC", line.content))
        and not any(name in known for name in case.proofs.values.on_line(line.line_id))
        and not _is_its_sign(case, line)
        and not any(case.given.oracle.mentions(line.content, value).result is Result.PROVED for value in stated)
    ]


def _is_its_sign(case: Case, line: Line) -> bool:
    """Whether the line says no more than the sign of a value that is written before it (`\\Delta>0` after `\\Delta=4`)."""
    found = _SIGN.fullmatch(printed(line.content))
    value = case.proofs.values.until(case.reading.position[line.line_id]).get(found["name"]) if found else None
    return bool(found and value and value != "0" and value.startswith("-") is (found["sign"] == "<"))


def _credited_names(case: Case) -> tuple[str, ...]:
    stated: dict[str, None] = {}
    for judged in case.credited:
        stated.update(dict.fromkeys(judged.step.yields))
        for line in case.proofs.standing(judged):
            stated.update(dict.fromkeys(case.proofs.values.on_line(line.line_id)))
    written = {item.name for item in case.proofs.values.written}
    stated.update(dict.fromkeys(name for name in case.rules.givens if name in written))
    return tuple(name for name in stated if name in written)


def _by_line(items: Iterable[Written]) -> list[tuple[tuple[str, ...], str | None]]:
    """Values per line: several values on one line (x=2 或 x=3) are one statement."""
    groups: dict[str, tuple[str, ...]] = {}
    for item in items:
        groups[item.line_id] = (*groups.get(item.line_id, ()), item.value)
    return [(values, line_id) for line_id, values in groups.items()]


def _rivals(case: Case, name: str, groups: list[tuple[tuple[str, ...], str | None]]) -> list[Finding]:
    for values, line_id in groups[1:]:
        first, first_id = groups[0]
        if line_id is not None and not _same_values(case, first, values):
            line = case.reading.by_id[line_id]
            one_zh = case.zh(case.reading.by_id[first_id]) if first_id else f"题设 {name}={first[0]}"
            one_en = case.en(case.reading.by_id[first_id]) if first_id else f"the given {name}={first[0]}"
            return [
                Finding(
                    f"{name} 有两个不同的值，都没有划去：{one_zh}与{case.zh(line)}。",
                    f"{name} stands with two different values, neither struck out: {one_en} and {case.en(line)}.",
                    facts={"name": name, "values": [*first, *values]},
                )
            ]
    return []


def _same_values(case: Case, first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    def has(value: str, others: tuple[str, ...]) -> bool:
        return any(case.given.oracle.compare(other, value).result is Result.PROVED for other in others)

    return all(has(value, first) for value in second) and all(has(value, second) for value in first)


def follows(case: Case) -> Answer:
    """A credited step that builds on a wrong one follows from the student's own written inputs."""
    steps = [
        judged
        for judged in case.of_status(Status.VALID, Status.JUMP_VALID, Status.GAP_DEDUCTION)
        if case.proofs.wrong_before(judged)
    ]
    if not steps:
        return idle("没有建立在错误步骤上的给分步骤。", "No credited step builds on a wrong one.")
    found: list[Finding] = []
    for judged in steps:
        answer = _following(case, judged)
        if answer.result is Result.PROVED:
            continue
        wrong = "、".join(other.step_id for other in case.proofs.wrong_before(judged))
        found.append(
            Finding(
                f"步骤 {judged.step_id} 建立在有误的 {wrong} 上，却不能由学生自己写的值推出：{witness_zh(answer)}。",
                f"Step {judged.step_id} builds on the wrong {wrong} but does not follow from the student's own values: "
                f"{witness_en(answer)}.",
                judged.step_id,
                {"wrong": [other.step_id for other in case.proofs.wrong_before(judged)], "answer": answer.document()},
            )
        )
    return Answer(
        found,
        "建立在错误步骤上的结果由学生自己的值推出。",
        "What builds on a wrong step follows from the student's own values.",
    )


def _following(case: Case, judged: Judged) -> Comparison:
    """PROVED where every stated quantity is what the formulas make of the student's own values, or none is stated."""
    shadows = [shadow for shadow in case.proofs.stated_shadows(judged) if shadow.student_value is not None]
    for shadow in shadows:
        if shadow.follows.result is not Result.PROVED:
            return shadow.follows
    if shadows:
        return Comparison(Result.PROVED, "shadow")
    lines = case.proofs.standing(judged)
    if judged.step.kind != "concept" or not lines:
        return Comparison(Result.UNDECIDED, "no-shadow")
    for line in lines:
        answer = case.proofs.soundness(line)
        if answer.result is not Result.PROVED:
            return answer
    return Comparison(Result.PROVED, "formula")


def jump_supported(case: Case) -> Answer:
    """A skipped step may be skipped, is the only one in a row, and shows in the next step's written working."""
    found = [
        Finding(
            f"只写了最终答案（步骤 {judged.step_id}），按“仅答案”计分，需教师查看。",
            f"Only the final answer is written (step {judged.step_id}); it earns answer-only points, a teacher looks.",
            judged.step_id,
            {"answer_only": True},
        )
        for judged in case.judged
        if judged.bare_answer
    ]
    jumps = case.of_status(Status.JUMP_VALID)
    for judged in jumps:
        fault = _jump_fault(case, judged)
        if fault is not None:
            found.append(
                Finding(f"步骤 {judged.step_id} {fault[0]}。", f"Step {judged.step_id} {fault[1]}.", judged.step_id)
            )
    if not jumps and not found:
        return idle("没有跳过的步骤。", "No step was skipped.")
    return Answer(found, "跳过的步骤都能从后一步的书写中看出。", "Each skipped step shows in the next step's working.")


def _jump_fault(case: Case, judged: Judged) -> tuple[str, str] | None:
    if judged.step.must_show:
        return "按细则必须写出，不能跳过", "must be shown by the rules and may not be skipped"
    before, following = judged.neighbours
    path_id = judged.path.path_id
    if before is not None and case.observation.status(path_id, before.step_id) is Status.JUMP_VALID:
        return "是连续第二个跳步", "is the second skipped step in a row"
    if following is None:
        return "之后没有步骤，不能算跳步", "is the last step and cannot be skipped"
    status = case.observation.status(path_id, following.step_id)
    if status not in WRITTEN:
        return f"的下一步 {following.step_id} 没有写出", f"is followed by {following.step_id}, which is not written"
    later = case.observation.proposal(path_id, following.step_id)
    working = {line.line_id for line in case.proofs.working_lines(case.proofs.judged(judged.path, following))}
    if later is None or not set(judged.line_ids) <= working:
        return "所引的行不是下一步的书写", "does not cite the written working of the next step"
    answer = case.proofs.jump_support(judged)
    if answer.result is not Result.PROVED:
        return "的数值或运算没有出现在下一步的书写中", "does not show its value or operation in the next step's working"
    if not _is_used(case, judged, following):
        return (
            "的数值没有与下一步公式的其他已知量一起出现",
            "shows its value, but not beside what else the next step's formula needs",
        )
    return None


def _is_used(case: Case, judged: Judged, following: Step) -> bool:
    """Whether one equality of the next step's working holds the skipped value and all else that goes into its formula.

    `a_1=5-2=3` holds a 2, but it is not the d of a_1 = a_3 - 2d; nor is the 2 before the letter in `a_1+2d=7`. True where no
    formula of the next step uses the value.
    """
    proofs = case.proofs
    known = case.rules.known_values
    formulas = [names_in(formula, known) for formula in following.yields.values()]
    needed = [
        tuple(own_or_right(case, name) for name in used) for used in formulas if set(used) & set(judged.step.yields)
    ]
    skipped = names_of(judged.step.yields)
    for line in proofs.working_lines(proofs.judged(judged.path, following)):
        if any(proofs.fulfils(working, line.content).result is Result.PROVED for working in judged.step.working):
            return True
        for equality in equalities(line.content):
            if skipped.isdisjoint(names(equality)) and any(_holds(case, equality, values) for values in needed):
                return True
    return not needed


def _holds(case: Case, equality: str, values: tuple[str, ...]) -> bool:
    return all(
        value in _ANYWHERE or case.given.oracle.mentions(equality, value).result is Result.PROVED for value in values
    )


def own_or_right(case: Case, name: str) -> str:
    """The student's own last value of a name, else the right one."""
    written = {item.name: item.value for item in case.proofs.values.written}
    return written.get(name) or case.rules.known_values[name]
