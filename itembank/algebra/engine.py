"""The algebra as the rest of the product sees it: texts in, answers out, nothing raised on any text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from itembank.algebra import budget, fulfilment, statements
from itembank.algebra.calculus import worked_out
from itembank.algebra.comparing import Comparer
from itembank.algebra.enclosures import Unknown
from itembank.algebra.equality import Ladder
from itembank.algebra.formulas import formula_value, is_wide, worded, written
from itembank.algebra.kept import Kept
from itembank.algebra.lines import asserted, closed, is_name, negated, operands, parts, sound_statement
from itembank.algebra.nodes import Node, substituted, sym, text_of
from itembank.algebra.normal import Normaliser
from itembank.algebra.points import Domain, domain_of
from itembank.algebra.results import (
    ENGINE_VERSION,
    RELATIONS,
    Comparison,
    Declares,
    Exhausted,
    Options,
    Result,
    TooLarge,
    Undefined,
    Unreadable,
    Unsupported,
    proved,
    undecided,
    unreadable,
    worst,
)
from itembank.algebra.statements import DEFAULT_FUNCTIONS, Line, parse, parse_line
from itembank.algebra.symbolic_rung import SymbolicRung
from itembank.algebra.tape import Doubt, doubtful

_CACHE_SIZE = 20_000
_TRANSIENT = frozenset(("timeout", "child-failed", "internal-error"))

_cache: Kept[tuple[object, ...], Comparison] = Kept(_CACHE_SIZE)
"""Answers of all engines of a process; time-outs never enter it."""
_texts: Kept[tuple[object, ...], tuple[tuple[str, str], ...]] = Kept(_CACHE_SIZE)
"""What `asserts` and `evaluate` found; a formula without a value is an empty tuple."""


def clear_cache() -> None:
    """Forgets all answers and all parsed texts of this process, for measurements."""
    _cache.clear()
    _texts.clear()
    statements.forget()


class Algebra:
    """Compares mathematics. `declares` names functions and assumptions; `timeout_ms` bounds the symbolic work for one question."""

    def __init__(self, declares: Declares = Declares(), *, timeout_ms: int = 2000) -> None:  # noqa: B008 - immutable
        self.declares = declares
        self.functions = DEFAULT_FUNCTIONS | frozenset(declares.functions)
        self.timeout_ms = timeout_ms
        self._domain = self._assumed(declares.assume)

    def _assumed(self, texts: tuple[str, ...]) -> Domain:
        nodes = []
        for text in texts:
            try:
                nodes.append(parse(text, self.functions)[0])
            except (Unreadable, RecursionError):
                continue
        return domain_of(nodes)

    def _ladder(self, extra: tuple[str, ...] = ()) -> Ladder:
        domain = self._assumed(self.declares.assume + extra) if extra else self._domain
        return Ladder(domain, SymbolicRung(self.timeout_ms))

    def _answered(self, key: tuple[object, ...], work: Callable[[], Comparison]) -> Comparison:
        key = (*key, self.declares, ENGINE_VERSION)
        found = _cache.get(key)
        if found is not None:
            return found
        answer = _guarded(work)
        if answer.result is Result.UNDECIDED and budget.hindrance():
            return undecided(budget.hindrance())  # whatever was made of it on the way up
        if answer.method not in _TRANSIENT:
            _cache.put(key, answer)
        return answer

    def compare(
        self,
        gold: str,
        student: str,
        *,
        relation: str = "value",
        kind: str | None = None,
        options: Options = Options(),  # noqa: B008 - immutable
    ) -> Comparison:
        """Whether the student's text is what the gold text is, in the sense of `relation`."""
        if relation not in RELATIONS:
            raise ValueError(f"relation must be one of {', '.join(RELATIONS)}")
        if relation == "form" and options.form is None:
            raise ValueError("the relation form needs options.form")
        if relation == "form" and options.form == "decimal_places" and options.dp is None:
            raise ValueError("the form decimal_places needs options.dp")

        def work() -> Comparison:
            comparer = Comparer(self._ladder(options.assume), self.functions, options)
            return comparer.compare(gold, student, relation, kind)

        return self._answered(("compare", gold, student, relation, kind, options), work)

    def fulfils(self, expected: str, line: str, *, givens: Mapping[str, str] = {}) -> Comparison:
        """Whether the line states the expected result; see the module `fulfilment`."""

        def work() -> Comparison:
            answer, doubts = fulfilled(second=False)
            if any(doubt.even for doubt in doubts) and fulfilled(second=True)[0].result is not answer.result:
                return doubtful(doubts)
            return answer

        def fulfilled(*, second: bool) -> tuple[Comparison, list[Doubt]]:
            wanted, doubts = parse(expected, self.functions, frozenset(givens), second=second)
            written = self._line(line, frozenset(givens), second=second)
            return stated(wanted, written), doubts + written.ambiguous

        def stated(wanted: Node, written: Line) -> Comparison:
            if not written.statements and not written.supposed:
                return unreadable(written.unread[0], line) if written.unread else undecided("unrelated")
            known, ladder = self._values(givens), self._ladder()
            if self._line(expected, frozenset(givens)).supposed:
                return _softened(fulfilment.fulfils(wanted, written.all, known, ladder), written)
            answer = fulfilment.fulfils(wanted, written.statements, known, ladder)
            if answer.result is not Result.PROVED and written.supposed:
                supposed = fulfilment.fulfils(wanted, written.supposed, known, ladder)
                if supposed.method != "unrelated" and answer.method == "unrelated":
                    return undecided("supposed")
            return _softened(answer, written)

        return self._answered(("fulfils", expected, line, tuple(sorted(givens.items()))), work)

    def sound(self, line: str, values: Mapping[str, str] = {}) -> Comparison:
        """Whether every equality inside the line is true, with the given values put in for names."""

        def work() -> Comparison:
            written = self._line(line, frozenset(values))
            answer = claimed(written)
            if any(doubt.even for doubt in written.ambiguous):
                other = claimed(self._line(line, frozenset(values), second=True))
                return answer if other.result is answer.result else doubtful(written.ambiguous)
            return answer

        def claimed(written: Line) -> Comparison:
            if written.unread:
                return unreadable(written.unread[0], line)
            known, ladder = self._values(values), self._ladder()
            found = [sound_statement(one, known, ladder) for node in written.all for one in parts(node)]
            answers = [one for one in found if one is not None]
            against = worst(answers)
            if against is not None:
                return _softened(against, written)
            return answers[0] if answers else proved("nothing-claimed")

        return self._answered(("sound", line, tuple(sorted(values.items()))), work)

    def asserts(self, line: str) -> tuple[tuple[str, str], ...]:
        """(name, value) pairs that the line asserts, the last value of each chain; empty where it asserts none."""
        key = ("asserts", line, self.declares, ENGINE_VERSION)
        found = _texts.get(key)
        if found is None:
            found = self._asserted(line)
            _texts.put(key, found)
        return found

    def _asserted(self, line: str) -> tuple[tuple[str, str], ...]:
        said = (one for node in self._line(line).statements for part in parts(node) for one in asserted(part))
        return tuple((text_of(one.name), text_of(one.value)) for one in said)

    def mentions(self, line: str, value: str) -> Comparison:
        """Whether a side of the line or a part of one has exactly that value."""

        def work() -> Comparison:
            wanted, _ = parse(value, self.functions)
            written = self._line(line)
            if not written.statements:
                return unreadable(written.unread[0], line) if written.unread else undecided("unrelated")
            ladder = Ladder(self._domain)
            for node in written.statements:
                for one in operands(node):
                    for form in (one, negated(one)) if one.head in ("num", "neg") else (one,):
                        if closed(form) == closed(wanted) and ladder.quickly_equal(wanted, form):
                            return proved("operand")
            return undecided("unrelated")

        return self._answered(("mentions", line, value), work)

    def evaluate(self, formula: str, values: Mapping[str, str]) -> str | None:
        """The exact value of a formula as text that can be read again; None when there is none.

        A formula with operations, or with values that are sets, points or functions, is read by the module `formulas`.
        """
        key = ("evaluate", formula, tuple(sorted(values.items())), self.declares, ENGINE_VERSION)
        found = _texts.get(key)
        if found is None:
            try:
                with budget.metered():
                    value = self._evaluated(formula, values)
            except (Unreadable, Undefined, TooLarge, Exhausted, Unsupported, ArithmeticError):
                value = None
            except RecursionError:  # depends on how deep the caller already is
                return None
            found = () if value is None else (("", value),)
            if value is not None or not budget.hindrance():  # what a time-out left without a value is asked again
                _texts.put(key, found)
        return found[0][1] if found else None

    def _evaluated(self, formula: str, values: Mapping[str, str]) -> str | None:
        formula, values = worded(formula, values)
        known = self._values(values)
        if is_wide(formula, known):
            return written(formula_value(formula, known, self.functions, self._ladder()))
        node, _ = parse(formula, self.functions, frozenset(values))
        if node.head == "rel" and node.name == "=":
            node = node.args[-1]
        node = worked_out(substituted(node, known))
        if not closed(node):
            return None
        normaliser = Normaliser()
        normaliser.prepare((node,))
        value = normaliser.table.rationalised(normaliser.normal(node))
        return text_of(normaliser.node_of(value))

    def _line(self, text: str, names: frozenset[str] = frozenset(), *, second: bool = False) -> Line:
        return parse_line(text, self.functions, names, second=second)

    def _values(self, values: Mapping[str, str]) -> dict[str, Node]:
        """Readable values by the name that the grammar gives; a value is never a statement."""
        found = {}
        for name, text in values.items():
            try:
                key, _ = parse(name, self.functions, frozenset(values))
                node, _ = parse(text, self.functions)
            except (Unreadable, RecursionError):
                continue
            if key == sym(key.name):
                found[key.name] = node
            elif is_name(key):
                found[text_of(key)] = node
        return found


def _softened(answer: Comparison, line: Line) -> Comparison:
    """A refutation of a line that may be read otherwise is none."""
    if answer.result is Result.REFUTED and any(not doubt.even for doubt in line.ambiguous):
        return doubtful(line.ambiguous)
    return answer


def _guarded(work: Callable[[], Comparison]) -> Comparison:
    """The answer, with every limit that was met turned into UNDECIDED or UNREADABLE."""
    try:
        with budget.metered():
            return work()
    except Unreadable as error:
        return unreadable(error)
    except RecursionError:
        return undecided("limit")
    except (TooLarge, Exhausted, OverflowError, MemoryError):
        return undecided("limit")
    except (Undefined, Unsupported, Unknown):
        return undecided("undefined")
    except (ArithmeticError, ValueError, LookupError, TypeError, AttributeError, AssertionError):
        return undecided("internal-error")


__all__ = ["Algebra", "clear_cache"]
