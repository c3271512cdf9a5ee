"""What only algebra can see in scoring rules: what does not parse, what contradicts the quantities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from itembank.algebra import Algebra, Comparison, Declares, Result

from .faults import Fault, fault
from .rule_model import Path, Rules, Step


def algebra_for(rules: Rules, *, timeout_ms: int = 2000) -> Algebra:
    """The algebra that understands names as these rules declare them."""
    return Algebra(Declares(functions=rules.functions, assume=rules.assume), timeout_ms=timeout_ms)


def mathematical_faults(rules: Rules, algebra: Algebra | None = None) -> list[Fault]:
    """Every fault in the mathematics of structurally sound rules, in the order of the document."""
    algebra = algebra or algebra_for(rules)
    found = list(_values(rules, algebra))
    for path in rules.paths:
        for step in path.steps:
            found += _expressions(algebra, path, step)
            found += _formulas(rules, algebra, path, step)
            found += _results(rules, algebra, path, step)
    return found


def _values(rules: Rules, algebra: Algebra) -> Iterator[Fault]:
    for field, texts in (("givens", rules.givens), ("quantities", rules.quantities)):
        for name, text in texts.items():
            problem = _unreadable(algebra, text)
            if problem is not None:
                yield fault("unreadable", field=f"{field}.{name}", value=text, detail=problem)


def _expressions(algebra: Algebra, path: Path, step: Step) -> Iterator[Fault]:
    for field, texts in (("expects", step.expects), ("working", step.working)):
        for number, text in enumerate(texts):
            problem = _unreadable(algebra, text)
            where = {"path": path.path_id, "step": step.step_id, "field": f"{field}[{number}]"}
            if problem is not None:
                yield fault("unreadable", value=text, detail=problem, **where)


def _unreadable(algebra: Algebra, text: str) -> str | None:
    """Why the engine cannot read `text`, or None: what it can read it can compare with itself."""
    answer = algebra.compare(text, text)
    return _reason(answer) if answer.result is Result.UNREADABLE else None


def _reason(answer: Comparison) -> str:
    return (answer.witness or {}).get("reason", answer.method)


def _formulas(rules: Rules, algebra: Algebra, path: Path, step: Step) -> Iterator[Fault]:
    for name, formula in step.yields.items():
        where = {"path": path.path_id, "step": step.step_id, "field": f"yields.{name}"}
        got = algebra.evaluate(formula, rules.known_values)
        if got is None:
            yield fault("not-computable", name=name, value=formula, **where)
        elif algebra.compare(rules.quantities[name], got).result is Result.REFUTED:
            yield fault("wrong-formula", name=name, got=got, want=rules.quantities[name], **where)


def _asserted(algebra: Algebra, text: str, known: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Names with the values that a result gives them; several values of a set of solutions are one value."""
    found: dict[str, list[str]] = {}
    for name, value in algebra.asserts(text):
        found.setdefault(name, []).append(value)
    for name, values in found.items():
        is_set = known.get(name, "").startswith(("{", "\\{")) and not values[0].startswith("{")
        yield from [(name, "{" + ", ".join(values) + "}")] if is_set else [(name, value) for value in values]


def _results(rules: Rules, algebra: Algebra, path: Path, step: Step) -> Iterator[Fault]:
    """Expected results that give a known quantity another value, or hold a false equality."""
    known = rules.known_values
    for number, text in enumerate(step.expects):
        where = {"path": path.path_id, "step": step.step_id, "field": f"expects[{number}]"}
        wrong = False
        for name, value in _asserted(algebra, text, known):
            if name in known and algebra.compare(known[name], value).result is Result.REFUTED:
                wrong = True
                yield fault("wrong-result", value=text, name=name, got=value, want=known[name], **where)
        if not wrong and algebra.sound(text, known).result is Result.REFUTED:
            yield fault("unsound", value=text, **where)
