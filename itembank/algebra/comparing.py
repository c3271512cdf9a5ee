"""`compare`: two texts under a relation."""

from __future__ import annotations

from itembank.algebra.equality import Ladder
from itembank.algebra.relations import same_statement
from itembank.algebra.results import Comparison, Options, Result, Unreadable, undecided, unreadable
from itembank.algebra.statements import parse


class Comparer:
    """One comparison of two texts."""

    def __init__(self, ladder: Ladder, functions: frozenset[str], options: Options) -> None:
        self.ladder = ladder
        self.functions = functions
        self.options = options

    def compare(self, gold: str, student: str, relation: str, kind: str | None) -> Comparison:
        try:
            left, _ = parse(gold, self.functions, notation=self.options.notation)
        except Unreadable as error:
            return unreadable(error, gold)
        try:
            right, ambiguous = parse(student, self.functions, notation=self.options.notation)
        except Unreadable as error:
            return unreadable(error, student)
        if relation != "value":
            return undecided("relation")
        answer = same_statement(left, right, self.ladder)
        if answer.result is Result.REFUTED and ambiguous:
            return undecided("ambiguous")
        return answer
