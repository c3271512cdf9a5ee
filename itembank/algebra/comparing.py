"""`compare`: two texts under a relation."""

from __future__ import annotations

from fractions import Fraction

from itembank.algebra import closeness, families, forms
from itembank.algebra.equality import Ladder
from itembank.algebra.nodes import Node, num, text_of
from itembank.algebra.points import rational_at
from itembank.algebra.quantities import Quantity, has_quantity, quantity_of, read_quantity
from itembank.algebra.relations import same_statement
from itembank.algebra.results import (
    NOTATIONS,
    Comparison,
    Options,
    Result,
    Undefined,
    Unreadable,
    Unsupported,
    proved,
    refuted,
    undecided,
    unreadable,
)
from itembank.algebra.statements import parse
from itembank.algebra.symbolic_rung import SymbolicRung
from itembank.algebra.tape import Doubt, doubtful


class Comparer:
    """One comparison of two texts."""

    def __init__(self, ladder: Ladder, functions: frozenset[str], options: Options) -> None:
        self.ladder = ladder
        self.functions = functions
        self.options = options

    def compare(self, gold: str, student: str, relation: str, kind: str | None) -> Comparison:
        if self.options.extra:
            return undecided("option " + self.options.extra[0])
        if relation == "unit" or kind == "unit":
            return self._units(gold, student, strict=relation == "unit")
        if self.options.notation is not None and self.options.notation not in NOTATIONS:
            return undecided("option notation")
        try:
            left, gold_doubts = self._read(gold)
        except Unreadable as error:
            return unreadable(error, gold)
        try:
            right, doubts = self._read(student)
        except Unreadable as error:
            return unreadable(error, student)
        answer = self._under(relation, left, right, kind, student)
        doubts = gold_doubts + doubts
        if answer.result is Result.REFUTED and any(not doubt.even for doubt in doubts):
            return doubtful(doubts)
        if any(doubt.even for doubt in doubts):
            return self._otherwise(answer, relation, gold, student, kind, doubts)
        return answer

    def _read(self, text: str, *, second: bool = False) -> tuple[Node, list[Doubt]]:
        return parse(text, self.functions, notation=self.options.notation, second=second)

    def _otherwise(
        self, answer: Comparison, relation: str, gold: str, student: str, kind: str | None, doubts: list[Doubt]
    ) -> Comparison:
        """What may evenly be read in two ways is decided only where both readings say the same."""
        for first, second in ((False, True), (True, False), (True, True)):
            try:
                left, right = self._read(gold, second=first)[0], self._read(student, second=second)[0]
            except Unreadable:
                continue
            if self._under(relation, left, right, kind, student).result is not answer.result:
                return doubtful(doubts)
        return answer

    def _under(self, relation: str, left: Node, right: Node, kind: str | None, student: str) -> Comparison:
        if relation == "form":
            return self._form(left, right, kind)
        if relation == "tolerance":
            return closeness.close(left, right, self.options, self.ladder)
        if relation == "up_to_constant":
            return families.up_to_constant(left, right, self.options.variable, self.ladder)
        if relation == "up_to_renaming":
            return families.up_to_renaming(left, right, self.options, self.ladder)
        if has_quantity(left) and has_quantity(right):
            return self._same_quantity(quantity_of(left), quantity_of(right), student, strict=False)
        return same_statement(left, right, self.ladder, kind, self.options.domain)

    def _form(self, left: Node, right: Node, kind: str | None) -> Comparison:
        form = self.options.form
        assert form is not None
        if form in ("same_tree", "same_up_to_order"):
            return forms.same_form(left, right, form)
        if form == "decimal_places":
            return self._decimal_places(left, right)
        value = same_statement(left, right, self.ladder, kind)
        rung = self.ladder.symbolic
        assert isinstance(rung, SymbolicRung)
        return forms.with_value(value, forms.meets(right, form, rung))

    def _decimal_places(self, left: Node, right: Node) -> Comparison:
        wanted = self.options.dp
        assert wanted is not None
        written = right.args[0] if right.head == "neg" else right
        if written.head != "num":
            return undecided("form")
        if (written.places or 0) != wanted:
            return refuted("form", right=text_of(right), demanded=f"{wanted} decimal places")
        return closeness.within(left, right, num(Fraction(1, 2 * 10**wanted)))

    # -- quantities -------------------------------------------------------------------------------------------
    def _units(self, gold: str, student: str, *, strict: bool) -> Comparison:
        try:
            left = read_quantity(gold, self.functions)
        except Unreadable as error:
            return unreadable(error, gold)
        try:
            right = read_quantity(student, self.functions)
        except Unreadable as error:
            return unreadable(error, student)
        return self._same_quantity(left, right, student, strict=strict)

    def _same_quantity(self, left: Quantity, right: Quantity, student: str, *, strict: bool) -> Comparison:
        if not strict and left.has_unit != right.has_unit:
            return same_statement(left.written, right.written, self.ladder)
        if left.dimension != right.dimension:
            return refuted("unit", left="unit of the expected value", right="another kind of unit")
        exact = same_statement(left.value, right.value, self.ladder)
        if self.options.sf is not None:
            return self._figures(left, right, student)
        if self.options.rtol is not None or self.options.atol is not None or self.options.dp is not None:
            return self._tolerated(left, right)
        if exact.result is not Result.REFUTED or not strict:
            return exact
        rounding = self._last_digit(left)
        if rounding is None:
            return exact
        return closeness.within(left.value, right.value, num(rounding))

    def _tolerated(self, left: Quantity, right: Quantity) -> Comparison:
        options = self.options
        if options.atol is not None and not _is_number(options.atol):
            margin = read_quantity(options.atol, self.functions)
            if margin.dimension != left.dimension:
                return undecided("tolerance")
            return closeness.within(left.value, right.value, margin.value)
        if options.rtol is not None:
            return closeness.close(left.value, right.value, options, self.ladder)
        scaled = closeness.allowance(left.written, options)
        return closeness.within(left.value, right.value, Node("mul", (scaled, num(left.size))))

    def _figures(self, left: Quantity, right: Quantity, student: str) -> Comparison:
        """A value to so many significant figures, and written with so many."""
        wanted = self.options.sf or 1
        try:
            limit = closeness.half_unit(left.value, wanted)
        except (Unsupported, Undefined):
            return undecided("tolerance")
        near = closeness.within(left.value, right.value, num(limit))
        claimed = closeness.significant_figures(right.written, student)
        if near.result is not Result.PROVED:
            return near
        if claimed is None or not claimed[0] <= wanted <= claimed[1]:
            return refuted("figures", right=student, demanded=f"{wanted} significant figures")
        return proved("figures")

    def _last_digit(self, left: Quantity) -> Fraction | None:
        """Half a unit of the last decimal of the gold value, in SI."""
        written = left.written.args[0] if left.written.head == "neg" else left.written
        if written.head != "num" or not written.places or rational_at(written, {}) is None:
            return None
        return left.size * Fraction(1, 2 * 10**written.places)


def _is_number(text: str) -> bool:
    try:
        Fraction(text)
    except ValueError:
        return False
    return True
