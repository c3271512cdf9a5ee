"""What is not written for a step: skipped with support, without its reason, truly missing, or perhaps another method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from grading.domain.expressions import flat, sides
from grading.domain.oracle import Oracle
from grading.domain.statuses import ErrorCode, Status
from itembank.algebra.results import Result
from itembank.domain.formula_names import with_values
from itembank.domain.rules import Path, Rules, Step

from .drafts import UNSURE, Draft
from .proofs import SAME_FORM, UNFINISHED, Proofs
from .steps import StepJudge
from .written import Answer, is_worked

GAP = Decimal("0.85")
JUMP = Decimal("0.85")
# Values that stand anywhere by chance and show nothing.
COMMON = frozenset({"0", "1", "-1"})
OTHER_METHOD_LINES = 3

ZERO = Decimal(0)

Drafts = dict[str, Draft]


class Skipped:
    """Second look at the steps of one answer for which no line of their own was found."""

    def __init__(self, rules: Rules, answer: Answer, proofs: Proofs, oracle: Oracle) -> None:
        self._rules = rules
        self._answer = answer
        self._proofs = proofs
        self._oracle = oracle

    def with_codes(self, part: int, drafts: Mapping[str, Drafts]) -> dict[str, Drafts]:
        """Codes for what is not there: nothing of a part written, or a reason left out before a right result."""
        paths = self._rules.paths_of(part)
        found = {path.path_id: dict(drafts[path.path_id]) for path in paths}
        empty = all(draft.status is Status.MISSING for of_path in found.values() for draft in of_path.values())
        for of_path in found.values():
            for step_id, draft in of_path.items():
                if draft.status is not Status.MISSING or draft.codes:
                    continue
                if empty:
                    of_path[step_id] = replace(draft, codes=(ErrorCode.ERR_BLANK,))
                elif any(step_id in one.step.depends_on and one.status is Status.VALID for one in of_path.values()):
                    of_path[step_id] = replace(draft, codes=(ErrorCode.ERR_LOGIC_GAP,))
        return found

    def completed(self, path: Path, drafts: Drafts, judge: StepJudge) -> Drafts:
        """The drafts of a path with jumps and gaps in place of MISSING where the later lines show them."""
        found = dict(drafts)
        jumped_before = False
        for step, following in zip(path.steps, path.steps[1:], strict=False):
            draft = found[step.step_id]
            jumped = None
            if draft.status is Status.MISSING and step.expects and draft.reason is None:
                jumped = None if jumped_before else self._jump(step, found[following.step_id], judge)
                found[step.step_id] = jumped or self._without_reason(step, found, judge) or draft
            jumped_before = jumped is not None and jumped.status is Status.JUMP_VALID
        return found

    def _jump(self, step: Step, following: Draft, judge: StepJudge) -> Draft | None:
        """The next step's written working holds the value or the operation of the skipped one."""
        if step.must_show or following.status not in (Status.VALID, Status.ECF_GRANTED):
            return None
        builds_on = step.step_id in following.step.depends_on or not following.step.depends_on
        if not builds_on:
            return None
        values = [value for value in judge.targets(step).values() if value not in COMMON and value[:1] not in "{("]
        worked = [position for position in following.positions if not self._answer.is_bare(position)]
        for position in worked:
            shown = [piece.right for piece in self._answer.fragments_of(position)]
            mentioned = any(
                self._oracle.mentions(side, value).result is Result.PROVED for side in shown for value in values
            )
            if mentioned or position in self._proofs.working(step):
                reason = "没有单独写出，下一步的算式用到了它的结果"
                return Draft(step, Status.JUMP_VALID, (position,), JUMP, reason=reason)
        if worked and not values:
            # A set of roots or a 0 or 1 cannot be found again in later working; it may have been skipped all the same.
            return Draft(step, Status.MISSING, confidence=UNSURE, reason="没有单独写出，可能是跳步，需教师判断")
        return None

    def _without_reason(self, step: Step, drafts: Drafts, judge: StepJudge) -> Draft | None:
        """Results that rest on a reason are written, the reason is not: a gap where its numbers are put in, else open."""
        resting = [
            draft
            for draft in drafts.values()
            if step.step_id in draft.step.depends_on and draft.status in (Status.VALID, Status.ECF_GRANTED)
        ]
        if not step.must_show or not resting:
            return None
        position = self._numbers_put_in(step, judge)
        if position is not None:
            reason = f"代入的算式写出了，缺少依据：{step.desc}"
            return Draft(step, Status.GAP_DEDUCTION, (position,), GAP, (ErrorCode.ERR_LOGIC_GAP,), reason=reason)
        if any(not self._answer.is_bare(one) for draft in resting for one in draft.positions):
            # The result was worked out in some way; whether that way is the one asked for is not for algebra to say.
            return Draft(step, Status.MISSING, confidence=UNSURE, reason="结果有算式，但看不出用的是不是这一依据")
        return None

    def _numbers_put_in(self, step: Step, judge: StepJudge) -> int | None:
        """The line on which an expected formula, or the step's working, stands with the student's numbers in it."""
        for position in range(len(self._answer.lines)):
            values = judge.values.at(position)
            wanted = [with_values(sides(text)[-1], values) for text in step.expects]
            wanted += [sides(text)[-1] for text in step.working if is_worked(sides(text)[-1])]
            for piece in self._answer.fragments_of(position):
                if is_worked(piece.right) and any(self._alike(text, piece.right) for text in wanted):
                    return position
        return None

    def _alike(self, one: str, other: str) -> bool:
        if flat(one) == flat(other):
            return True
        return self._oracle.compare(one, other, relation="form", options=SAME_FORM).result is Result.PROVED

    # Answers without working --------------------------------------------------------------------------------------------

    def bare(self, paths: Sequence[Path], drafts: Mapping[str, Drafts]) -> dict[str, Drafts]:
        """Right values with nothing that leads to them are an answer only, on every path of the part: for a teacher."""
        found = {path.path_id: dict(drafts[path.path_id]) for path in paths}
        cited = {one for of_path in found.values() for draft in of_path.values() for one in draft.positions}
        if (
            not cited
            or self._is_complete(paths, drafts)
            or not all(self._answer.is_bare(position) for position in cited)
        ):
            return found
        for path in paths:
            of_path = found[path.path_id]
            if len(path.steps) < 2 or not any(draft.status is Status.MISSING for draft in of_path.values()):
                continue
            last = path.steps[-1].step_id
            right = [step_id for step_id, draft in of_path.items() if draft.status is Status.VALID]
            answers_only = last in right and 2 * len(right) <= len(path.steps) and self._is_all_bare()
            for step_id, draft in of_path.items():
                if draft.status is Status.VALID and step_id != last and answers_only:
                    # Bare answers earn the credit for answers once, with the last of them.
                    of_path[step_id] = Draft(draft.step, Status.MISSING, confidence=UNSURE, reason="只有答案，没有过程")
                elif draft.status is Status.VALID:
                    # It may be copied, and what several bare values earn only a person can say.
                    codes, confidence = (ErrorCode.ERR_ANSWER_ONLY,), min(draft.confidence, UNSURE)
                    of_path[step_id] = replace(draft, codes=codes, confidence=confidence, reason="只有答案，没有过程")
        return found

    def _is_all_bare(self) -> bool:
        return all(self._answer.is_bare(position) for position in range(len(self._answer.lines)))

    # Lines that no step accounts for -------------------------------------------------------------------------------------

    def strange_lines(self, drafts: Mapping[str, Drafts]) -> tuple[int, ...]:
        """Mathematical lines that no step cites and no path knows, and that are not plainly false."""
        cited = {one for of_path in drafts.values() for draft in of_path.values() for one in draft.positions}
        return tuple(
            position
            for position in range(len(self._answer.lines))
            if position not in cited
            and self._answer.fragments_of(position)
            and not self._repeats_givens(position)
            and not self._proofs.is_known(position)
        )

    def _repeats_givens(self, position: int) -> bool:
        givens = {flat(f"{name}={value}") for name, value in self._rules.givens.items()}
        return all(flat(piece.text) in givens for piece in self._answer.fragments_of(position))

    def is_another_method(self, drafts: Mapping[str, Drafts], strange: Sequence[int]) -> bool:
        """Several lines of work that no path knows, in an answer that completes no path of some part."""
        worked = [one for one in strange if self._answer.is_sound(one) is not Result.REFUTED]
        return len(worked) >= OTHER_METHOD_LINES and any(
            not self.is_complete(part, drafts) for part in self._rules.parts()
        )

    def outscored(self, part: int, drafts: Mapping[str, Drafts], *, open_lines: bool) -> frozenset[str]:
        """Paths of a part that cannot earn more than another surely earns, even if every doubt falls in their favour.

        With `open_lines` a step called missing may still stand in a line that no step accounts for.
        """
        paths = self._rules.paths_of(part)
        sure = {path.path_id: sum((_surely(draft) for draft in drafts[path.path_id].values()), ZERO) for path in paths}
        best = max(paths, key=lambda path: sure[path.path_id])
        most = {
            path.path_id: sum((_possibly(draft, open_lines) for draft in drafts[path.path_id].values()), ZERO)
            for path in paths
        }
        return frozenset(
            path.path_id for path in paths if path is not best and most[path.path_id] <= sure[best.path_id]
        )

    def is_complete(self, part: int, drafts: Mapping[str, Drafts]) -> bool:
        """Whether some path of the part stands complete and right."""
        return self._is_complete(self._rules.paths_of(part), drafts)

    @staticmethod
    def _is_complete(paths: Sequence[Path], drafts: Mapping[str, Drafts]) -> bool:
        return any(
            all(draft.status in (Status.VALID, Status.JUMP_VALID) for draft in drafts[path.path_id].values())
            for path in paths
        )


def _surely(draft: Draft) -> Decimal:
    sure = draft.status in (Status.VALID, Status.JUMP_VALID) and draft.confidence > UNFINISHED
    return draft.step.points if sure else ZERO


def _possibly(draft: Draft, open_lines: bool) -> Decimal:
    denied = draft.status in (Status.MISSING, Status.INVALID) and draft.confidence > UNFINISHED
    if denied and not (open_lines and draft.status is Status.MISSING):
        return ZERO
    return draft.step.points
