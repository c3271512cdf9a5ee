"""One step of one path: what was written for it, whether it is right, wrong, or wrong only because of what went before."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from grading.domain.expressions import flat, sides
from grading.domain.oracle import Oracle
from grading.domain.shadow import argument_of
from grading.domain.statuses import ErrorCode, Status
from itembank.algebra.results import Result
from itembank.domain.rules import Path, Rules, Step

from .carried import Carried, OwnValues
from .causes import Causes
from .conclusions import concluded
from .drafts import FOLLOWED, KEY_WORDS, REFUTED, UNSURE, WORDS, Draft, Wrong
from .proofs import Contradiction, Proof, Proofs, is_set, is_value
from .written import Answer, has_alternatives, has_symbols

# Only what rules demand beside the value can cost credit, and how much it costs is for a teacher.
_DEMANDS = {"unit": "单位", "sf": "有效数字", "left_side": "左边"}


class StepJudge:
    """Judges the steps of one path in order; `drafts` holds those already judged, also of earlier parts."""

    def __init__(self, rules: Rules, path: Path, answer: Answer, proofs: Proofs, oracle: Oracle) -> None:
        self._rules = rules
        self._path = path
        self._answer = answer
        self._proofs = proofs
        self._oracle = oracle
        self.values = OwnValues(rules, path, answer, oracle)
        self._causes = Causes(rules, answer, proofs, oracle, self.values)

    def written(self, step: Step, drafts: Mapping[str, Draft]) -> Draft:
        """The step by what is written for it alone; MISSING where nothing is."""
        if not step.expects:
            return self._in_words(step, drafts)
        proofs = self._proofs.of(step)
        wrong = self._wrong_value(step)
        last_proof = max((max(proof.positions) for proof in proofs), default=-1)
        if wrong is not None and wrong.position >= last_proof and not (proofs and wrong.name.startswith("step_")):
            if self._proofs.leaves_open(step, wrong.position):
                return self._left_open(step, wrong.position)
            return self._wrong(step, wrong, drafts)
        if proofs:
            return self._right(step, proofs, drafts)
        contradictions = self._proofs.contradictions(step)
        if contradictions:
            return self._contradicted(step, contradictions[-1], drafts)
        placed = self._in_its_place(step, drafts)
        if placed is not None:
            return placed
        if self._proofs.is_only_supposed(step):
            return Draft(step, Status.MISSING, confidence=UNSURE, reason="只作为假设或几种可能之一写出")
        position = concluded(step, self._answer, self._oracle)
        if position is not None:
            reason = "写出了结论，缺少得出它的计算"
            return Draft(step, Status.GAP_DEDUCTION, (position,), UNSURE, (ErrorCode.ERR_LOGIC_GAP,), reason=reason)
        if self._is_touched(step):
            return Draft(step, Status.MISSING, confidence=UNSURE, reason="写到了这个量，但没有写出要求的结果")
        return Draft(step, Status.MISSING)

    def _in_its_place(self, step: Step, drafts: Mapping[str, Draft]) -> Draft | None:
        """A bare expression where the step's own should stand: after what it builds on, and cited by nothing else."""
        unfinished = self._without_constant(step)
        right = self.values.bare_result(step)
        if unfinished is not None:
            return unfinished
        if right is None:
            return None
        cited = {one for draft in drafts.values() for one in draft.positions}
        after = max(cited, default=-1)
        known = (self._proofs.of(other) for other in self._path.steps if other is not step)
        taken = cited | {position for proofs in known for proof in proofs for position in proof.positions}
        for position in range(after + 1, len(self._answer.lines)):
            value = self.values.bare_on(step, position)
            if position in taken or value is None:
                continue
            if self._oracle.compare(right, value).result is not Result.REFUTED:
                return None
            return self._wrong(step, Wrong(position, self.values.name_of_result(step), value, False), drafts)
        return None

    def _without_constant(self, step: Step) -> Draft | None:
        """An antiderivative that lacks only the constant which the step expects."""
        for text in step.expects:
            without = re.sub(r"\s*\+\s*[Cc]\s*$", "", text)
            lines = range(len(self._answer.lines)) if without != text else ()
            found = [
                one
                for one in lines
                if self._oracle.fulfils(without, self._answer.lines[one].content).result is Result.PROVED
            ]
            if found:
                reason, codes = "不定积分的结果缺少任意常数", (ErrorCode.ERR_LOGIC_GAP,)
                return Draft(step, Status.INVALID, (found[-1],), UNSURE, codes, None, reason, "unknown")
        return None

    def _is_touched(self, step: Step) -> bool:
        """Whether a line says something of the step's quantity without an equality, such as `Δ>0`, or a bare `=4`."""
        values = [text for text in step.expects if is_value(text)]
        names = {flat(sides(text)[0]) for text in values}
        rights = [sides(text)[-1] for text in values]
        for position, line in enumerate(self._answer.lines):
            text = flat(line.content)
            if self._answer.fragments_of(position) or not self._answer.is_mathematical(position):
                continue
            bare = text.removeprefix("=")
            if any(text.startswith(name) for name in names):
                return True
            if not has_symbols(bare) and any(
                self._oracle.compare(right, bare).result is Result.PROVED for right in rights
            ):
                return True
        return False

    # Right ------------------------------------------------------------------------------------------------------------

    def _right(self, step: Step, proofs: Sequence[Proof], drafts: Mapping[str, Draft]) -> Draft:
        paid = {(draft.positions, draft.paid) for draft in drafts.values() if draft.paid}
        free = [proof for proof in proofs if (proof.positions, proof.text) not in paid]
        if not free:
            return Draft(step, Status.MISSING, confidence=UNSURE, reason="这一式已作为另一步的依据，不重复给分")
        floor = 0 if step.kind == "concept" else self._floor(step, drafts)
        in_order = [proof for proof in free if proof.first >= floor]
        proof = max(in_order or free, key=lambda one: (not self._proofs.lacks(step, one), one.strength, -one.first))
        lacking = self._proofs.lacks(step, proof)
        if lacking:
            reason = f"值正确，但没有按要求写出{'、'.join(_DEMANDS[one] for one in lacking)}"
            return Draft(step, Status.GAP_DEDUCTION, proof.positions, UNSURE, reason=reason, paid=proof.text)
        draft = Draft(step, Status.VALID, proof.positions, proof.strength, paid=proof.text)
        if not in_order:
            draft = _less_sure(draft, "写在它所依据的步骤之前，先后次序需教师判断")
        later = [one for one in self._proofs.contradictions(step) if one.position > max(proof.positions)]
        if later and not self.targets(step) and any(is_set(text) for text in step.expects):
            # The value asserted last and not struck out is the student's value.
            reason, codes = "后面又写了与此不同的结果", (ErrorCode.ERR_CALC,)
            return Draft(step, Status.INVALID, (later[-1].position,), UNSURE, codes, None, reason, "unknown")
        if later and not self.targets(step):
            draft = _less_sure(draft, "后面又写了与此不同的结果")
        return self._following(draft, drafts)

    def _floor(self, step: Step, drafts: Mapping[str, Draft]) -> int:
        """The earliest line on which a step may stand: not before what it builds on."""
        before = [drafts[name].positions[0] for name in step.depends_on if name in drafts and drafts[name].positions]
        return max(before, default=0)

    def _following(self, draft: Draft, drafts: Mapping[str, Draft]) -> Draft:
        """A right result must also follow from the student's own inputs; right by luck is for a teacher."""
        step = draft.step
        for name, formula in step.yields.items():
            carried = self.values.carried(name, formula, draft.positions)
            if carried.wrong and not carried.follows:
                if all(self._is_left_open(one) for one in carried.wrong):
                    return _less_sure(draft, "前面有错的步骤，这一结果是否由它得出需教师判断")
                reason = f"结果正确，但由前面写的 {'、'.join(carried.wrong)} 推不出这一结果"
                code = (ErrorCode.ERR_LOGIC_GAP,)
                return Draft(step, Status.INVALID, draft.positions, UNSURE, code, formula, reason, "unknown")
        builds_on_wrong = any(drafts[name].is_wrong for name in step.depends_on if name in drafts)
        if builds_on_wrong and not step.yields and any(is_value(text) for text in step.expects):
            return _less_sure(draft, "前面有错的步骤，这一结果是否由它得出需教师判断")
        return draft

    def _is_left_open(self, name: str) -> bool:
        """Whether the last value of a name stands as one of several possibilities, so that it is not yet the student's."""
        last = self.values.last(name)
        return last is not None and has_alternatives(self._answer.lines[last[0]].content)

    # Wrong ------------------------------------------------------------------------------------------------------------

    def targets(self, step: Step) -> dict[str, str]:
        """The names that a step gives a value to, with their right values."""
        found = {name: self._rules.quantities[name] for name in step.yields}
        if not found:
            for text in step.expects:
                if is_value(text):
                    found.update(self._oracle.asserts(text)[:1])
        return found

    def _results(self, step: Step) -> dict[str, str]:
        """As `targets`, and for a step that names nothing its result as a whole: roots, a function, an equation."""
        found = self.targets(step)
        if not found and step in self._path.steps:
            right = self.values.right_result(step)
            found = {} if right is None else {self.values.name_of(step): right}
        return found

    def _wrong_value(self, step: Step) -> Wrong | None:
        """The last wrong value that stands for the step, where it is also the student's last word on that name."""
        found = []
        for name, right in self._results(step).items():
            written = self.values.last(name) if name in step.yields or name.startswith("step_") else None
            written = written or self._answer.last_value(name)
            if written is not None and self._is_wrong(step, name, right, written):
                beside = [value for position, value in self._answer.assertions.get(name, ()) if position == written[0]]
                found.append(Wrong(written[0], name, written[1], len(set(beside)) > 1))
        return max(found, key=lambda one: one.position, default=None)

    def _is_wrong(self, step: Step, name: str, right: str, written: tuple[int, str]) -> bool:
        """Whether a value differs from the right one, or is just what the student's own wrong inputs give."""
        answer = self._oracle.compare(right, written[1])
        if answer.result is not Result.UNDECIDED or name not in step.yields:
            return answer.result is Result.REFUTED
        carried = self.values.carried(name, step.yields[name], (written[0],))
        own = carried.shadow.own_value
        return carried.is_carried and own is not None and self._oracle.compare(right, own).result is not Result.PROVED

    def _wrong(self, step: Step, wrong: Wrong, drafts: Mapping[str, Draft]) -> Draft:
        formula = step.yields.get(wrong.name)
        carried = None if formula is None else self.values.carried(wrong.name, formula, (wrong.position,))
        proposed = () if step.yields else self.values.proposed(step, (wrong.position,))
        following = carried or next((one for one in proposed if one.is_carried), None)
        if following is not None and following.is_carried:
            sure = all(one.shadow.follows.result is Result.PROVED for one in proposed if one.wrong)
            return self._carried(step, wrong, following, drafts, sure=sure)
        copied = self._miscopied(step, wrong.position, drafts)
        if copied is not None:
            return copied
        restated = self._restated(step, wrong, drafts) if carried is None else None
        if restated is not None and (restated.cause != "principle" or self._rules.ecf_after_principle):
            return restated
        return self._own_error(step, wrong, carried, drafts)

    def _miscopied(self, step: Step, position: int, drafts: Mapping[str, Draft]) -> Draft | None:
        """The first step that rests on a miscopied value of the question bears it; the steps after it carry it."""
        copied = self.values.copied_on(position)
        if copied is None or any(ErrorCode.ERR_COPY in draft.codes for draft in drafts.values()):
            return None
        reason = f"题目中的 {copied.name}={self._rules.givens[copied.name]} 抄成了 {copied.value}"
        return Draft(step, Status.INVALID, (position,), UNSURE, (ErrorCode.ERR_COPY,), None, reason, "unknown")

    def _carried(
        self, step: Step, wrong: Wrong, carried: Carried, drafts: Mapping[str, Draft], *, sure: bool = True
    ) -> Draft:
        names, formula, positions = (
            "、".join(map(self._called, carried.wrong)),
            carried.shadow.formula,
            (wrong.position,),
        )
        if not step.ecf_allow:
            reason = f"由前面写错的 {names} 得出，但本步不允许连带给分"
            return Draft(step, Status.INVALID, positions, REFUTED, (), formula, reason, "arithmetic")
        origins = self._origins(carried.wrong, drafts)
        if any(draft.cause == "principle" for draft in origins) and not self._rules.ecf_after_principle:
            reason = f"前面 {names} 的错误是方法性的，之后的步骤不连带给分"
            return Draft(step, Status.INVALID, positions, UNSURE, (), formula, reason, "principle")
        given = [name for name in carried.wrong if name in self._rules.givens]
        if given and not any(ErrorCode.ERR_COPY in draft.codes for draft in drafts.values()):
            # The first step that uses a miscopied value bears it; the steps after it carry it.
            reason = f"题目中的 {'、'.join(given)} 抄错"
            return Draft(step, Status.INVALID, positions, UNSURE, (ErrorCode.ERR_COPY,), formula, reason, "unknown")
        reason = f"代入前面写的 {names} 计算，所得与此一致；前面的错误不重复扣分"
        shown = bool(origins) and all(draft.cause == "arithmetic" for draft in origins)
        confidence = FOLLOWED if shown and sure else UNSURE
        return Draft(
            step, Status.ECF_GRANTED, positions, confidence, (), formula, reason, "arithmetic" if shown else "unknown"
        )

    def _restated(self, step: Step, wrong: Wrong, drafts: Mapping[str, Draft]) -> Draft | None:
        """A value without a formula that says again what an earlier step got wrong: M = f(3), or A from cos A."""
        right = self._results(step)[wrong.name]
        for name in step.depends_on:
            draft = drafts.get(name)
            if draft is None or not draft.is_wrong or not step.ecf_allow:
                continue
            for quantity, due in self.targets(draft.step).items():
                own = self._answer.last_value(quantity)
                if own is not None and self._says_again(wrong, right, quantity, own[1], due):
                    reason = f"与前面写的 {quantity} 一致；前面的错误不重复扣分"
                    return Draft(step, Status.ECF_GRANTED, (wrong.position,), UNSURE, reason=reason, cause=draft.cause)
        return None

    def _says_again(self, wrong: Wrong, right: str, quantity: str, own: str, due: str) -> bool:
        same = self._oracle.compare(own, wrong.value).result is Result.PROVED
        if same and self._oracle.compare(due, right).result is Result.PROVED:
            return True
        if argument_of(quantity) != wrong.name:
            return False
        value = self._oracle.evaluate(quantity, {wrong.name: wrong.value})
        return value is not None and self._oracle.compare(own, value).result is Result.PROVED

    def _called(self, name: str) -> str:
        """A name as a teacher knows it; the result of a step by what the rules expect there."""
        number = re.fullmatch(r"step_(\d+)", name)
        if number is None:
            return name
        step = self._path.steps[int(number.group(1)) - 1]
        return sides(step.expects[0])[0] if len(sides(step.expects[0])) > 1 else f"第 {number.group(1)} 步的结果"

    def _origins(self, names: Sequence[str], drafts: Mapping[str, Draft]) -> list[Draft]:
        """The drafts of the steps that gave those names their wrong values."""
        return [draft for draft in drafts.values() if draft.is_wrong and set(names) & set(self._results(draft.step))]

    def _own_error(self, step: Step, wrong: Wrong, carried: Carried | None, drafts: Mapping[str, Draft]) -> Draft:
        right = self._results(step)[wrong.name]
        cause = self._causes.cause(step, wrong, drafts)
        code = self._causes.code(step, wrong, right, cause)
        before = tuple(one for one in self._proofs.working(step) if one < wrong.position)
        positions = (*before[-1:], wrong.position) if cause == "arithmetic" else (wrong.position,)
        reason = f"{self._called(wrong.name)} 应为 {right}，写成了 {wrong.value}"
        if cause == "arithmetic":
            reason = f"算式正确，计算有误：{reason}"
        confidence = UNSURE if wrong.is_one_of_several or self._may_be_carried(step, carried, drafts) else REFUTED
        formula = None if carried is None else carried.shadow.formula
        return Draft(step, Status.INVALID, positions, confidence, (code,), formula, reason, cause)

    def _may_be_carried(self, step: Step, carried: Carried | None, drafts: Mapping[str, Draft]) -> bool:
        """Whether a wrong value may follow from earlier errors in a way that no formula of the step can show."""
        before = [drafts[name] for name in step.depends_on if name in drafts]
        if carried is None:
            unproved = any(draft.status is Status.MISSING for draft in before)
            return unproved or any(draft.is_wrong for draft in drafts.values())
        # A formula over givens alone cannot carry what went wrong, or could not be judged, in the step before it.
        doubtful = any(draft.is_wrong or draft.confidence <= UNSURE for draft in before)
        copied = any(ErrorCode.ERR_COPY in draft.codes for draft in drafts.values())
        return carried.shadow.own_value is None or copied or (doubtful and not carried.wrong)

    def _contradicted(self, step: Step, found: Contradiction, drafts: Mapping[str, Draft]) -> Draft:
        """A statement in the place of an expected one is false; without a formula nothing shows what it follows from."""
        builds_on_wrong = any(drafts[name].is_wrong for name in step.depends_on if name in drafts)
        position, concept = found.position, step.kind == "concept" or found.formula
        if found.open:
            return self._left_open(step, position)
        copied = self._miscopied(step, position, drafts)
        if copied is not None:
            return copied
        code = ErrorCode.ERR_FORMULA if concept else ErrorCode.ERR_CALC
        for piece in self._answer.fragments_of(position):
            if any(is_value(one) and self._causes.is_opposite(sides(one)[-1], piece.right) for one in step.expects):
                code = ErrorCode.ERR_SIGN
        confidence = UNSURE if builds_on_wrong or not concept or not found.certain else REFUTED
        reason = f"应为 {step.expects[0]}"
        return Draft(
            step, Status.INVALID, (position,), confidence, (code,), None, reason, "principle" if concept else "unknown"
        )

    def _left_open(self, step: Step, position: int) -> Draft:
        """The right result is one of several that the line leaves open: unfinished, and wrong where it is the answer."""
        if step.kind == "conclusion":
            reason, codes = "最后的答案中有应当舍去的值", (ErrorCode.ERR_DOMAIN,)
            return Draft(step, Status.INVALID, (position,), UNSURE, codes, None, reason, "unknown")
        reason = "写出了几种可能，没有说明舍去其余的理由"
        return Draft(step, Status.GAP_DEDUCTION, (position,), UNSURE, (ErrorCode.ERR_LOGIC_GAP,), reason=reason)

    # In words ---------------------------------------------------------------------------------------------------------

    def _in_words(self, step: Step, drafts: Mapping[str, Draft]) -> Draft:
        """A reason in words cannot be proved; a line that shares its key words is shown to a teacher."""
        wanted = _word_pairs(step.desc)
        best, position = Decimal(0), None
        for index, line in enumerate(self._answer.lines):
            share = Decimal(len(wanted & _word_pairs(line.content))) / max(len(wanted), 1)
            if share > best:
                best, position = share, index
        if position is not None and best >= KEY_WORDS:
            left_out = [name for name in step.depends_on if name in drafts and drafts[name].status is Status.MISSING]
            if left_out:
                reason = f"写出了结论，缺少它所依据的步骤 {'、'.join(left_out)}"
                return Draft(step, Status.GAP_DEDUCTION, (position,), WORDS, (ErrorCode.ERR_LOGIC_GAP,), reason=reason)
            return Draft(step, Status.VALID, (position,), WORDS, reason="文字理由，需教师确认")
        if not self._answer.has_words:
            return Draft(step, Status.MISSING, reason="没有写文字说明")
        return Draft(step, Status.MISSING, confidence=WORDS, reason="文字理由，未能识别，需教师确认")


def _less_sure(draft: Draft, reason: str) -> Draft:
    return Draft(draft.step, draft.status, draft.positions, UNSURE, draft.codes, draft.formula, reason, paid=draft.paid)


def _word_pairs(text: str) -> set[str]:
    """Neighbouring Chinese characters and longer English words: a crude measure of shared words without a dictionary."""
    pairs = {run[n : n + 2] for run in re.findall(r"[\u3400-\u9fff]+", text) for n in range(len(run) - 1)}
    plain = re.sub(r"\\[A-Za-z]+", " ", text)
    return pairs | {word.lower() for word in re.findall(r"[A-Za-z]{3,}", plain)}
