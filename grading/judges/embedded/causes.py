"""Why a wrong value is wrong: of arithmetic, of principle, copied, or with the wrong sign; what decides whether it carries."""

from __future__ import annotations

from collections.abc import Mapping

from grading.domain.copied import explanations, numbers_in
from grading.domain.oracle import Oracle
from grading.domain.statuses import ErrorCode
from itembank.algebra.results import Result
from itembank.domain.formula_names import used_names
from itembank.domain.rules import Rules, Step

from .carried import OwnValues
from .drafts import Cause, Draft, Wrong
from .proofs import Proofs
from .written import Answer, has_symbols, is_worked


class Causes:
    """Looks for the cause of wrong values of one path."""

    def __init__(self, rules: Rules, answer: Answer, proofs: Proofs, oracle: Oracle, values: OwnValues) -> None:
        self._rules = rules
        self._answer = answer
        self._proofs = proofs
        self._oracle = oracle
        self._values = values

    def cause(self, step: Step, wrong: Wrong, drafts: Mapping[str, Draft]) -> Cause:
        """Arithmetic: the right formula stands there and an equality fails. Principle: the formula itself is false."""
        formula = step.yields.get(wrong.name)
        before = [drafts[name] for name in step.depends_on if name in drafts]
        if any(draft.cause == "principle" for draft in before):
            return "principle"
        lines = {wrong.position, *(one for draft in before for one in draft.positions), *self._proofs.working(step)}
        broken = [one for one in sorted(lines) if self._answer.is_sound(one) is Result.REFUTED]
        due = None
        if formula is not None:
            due = self._values.carried(wrong.name, formula, (wrong.position,)).shadow.own_value
        written = self._written_formula(wrong, due)
        worked = any(one < wrong.position for one in self._proofs.working(step))
        if written is not False and (broken or worked):
            return "arithmetic"
        if formula is not None and written is None and self._is_rightly_worked(step, wrong):
            return "principle"
        return "principle" if written is False else "unknown"

    def _is_rightly_worked(self, step: Step, wrong: Wrong) -> bool:
        """Whether the wrong value is the true result of the arithmetic written for it, no given value miscopied."""
        pieces = self._answer.fragments_of(wrong.position)
        worked = any(not piece.is_last and is_worked(piece.right) for piece in pieces)
        sound = self._answer.is_sound(wrong.position) is Result.PROVED
        return worked and sound and not self._is_miscopied(step, wrong)

    def _written_formula(self, wrong: Wrong, due: str | None) -> bool | None:
        """Whether a side of the wrong line gives the value due; False where a formula in letters gives another."""
        verdict: bool | None = None
        known = self._values.at(wrong.position)
        for piece in self._answer.fragments_of(wrong.position):
            if piece.is_last or due is None:
                continue
            value = self._oracle.evaluate(piece.right, known)
            if value is None:
                continue
            if self._oracle.compare(due, value).result is Result.PROVED:
                return True
            if has_symbols(piece.right):
                verdict = False
        return verdict

    def code(self, step: Step, wrong: Wrong, right: str, cause: Cause) -> ErrorCode:
        if cause == "principle":
            return ErrorCode.ERR_FORMULA
        if self.is_opposite(right, wrong.value):
            return ErrorCode.ERR_SIGN
        return ErrorCode.ERR_COPY if self._is_miscopied(step, wrong) else ErrorCode.ERR_CALC

    def is_opposite(self, right: str, value: str) -> bool:
        return self._oracle.compare(f"-({right})", value).result is Result.PROVED

    def _is_miscopied(self, step: Step, wrong: Wrong) -> bool:
        """Whether a number of the step's lines in place of one given value explains the wrong result."""
        formula = step.yields.get(wrong.name)
        if formula is None:
            return False
        lines = self._answer.lines[max(0, wrong.position - 1) : wrong.position + 1]
        numbers = numbers_in(line.content for line in lines)
        values = self._values.at(wrong.position)
        given = [name for name in used_names(formula, frozenset(values)) if name in self._rules.givens]
        return any(explanations(formula, wrong.value, numbers, values, given, self._oracle))
