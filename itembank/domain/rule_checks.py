"""The meaning of scoring rules: sums, ids, dependencies, shared steps and names, as far as no algebra is needed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from config.foundation.canonical import number_text

from .faults import Fault, fault
from .formula_names import unknown_names
from .latex_safety import latex_fault
from .rule_model import Path, Rules, Step

SHARED_FIELDS = ("points", "kind", "demands", "yields", "must_show", "ecf_allow", "gap_points", "ecf_points")


def semantic_faults(rules: Rules) -> list[Fault]:
    """Every fault of meaning: first of the whole document, then path by path and step by step."""
    found = [*_values(rules), *_identifiers(rules), *_sums(rules)]
    for path in rules.paths:
        found += _shared(rules, path)
        for position, step in enumerate(path.steps):
            found += _points(rules, path, step)
            found += _dependencies(rules, path, position)
            found += _formulas(rules, path, step)
            found += _latex(path, step)
    return found


def _values(rules: Rules) -> Iterator[Fault]:
    for name in rules.quantities:
        if name in rules.givens and rules.givens[name] != rules.quantities[name]:
            yield fault("given-and-quantity", field=f"quantities.{name}", value=name)
    for field, texts in (("givens", rules.givens), ("quantities", rules.quantities)):
        for name, text in texts.items():
            yield from _unsafe(text, field=f"{field}.{name}")
    for number, text in enumerate(rules.assume):
        yield from _unsafe(text, field=f"declares.assume[{number}]")
    for field, text in (("title", rules.title), ("stem", rules.stem), ("required_method", rules.required_method or "")):
        yield from _unsafe(text, field=field, prose=True)


def _identifiers(rules: Rules) -> Iterator[Fault]:
    paths: set[str] = set()
    for path in rules.paths:
        if path.path_id in paths:
            yield fault("duplicate-path", path=path.path_id, field="path_id", value=path.path_id)
        paths.add(path.path_id)
        yield from _unsafe(path.name, path=path.path_id, field="name", prose=True)
        steps: set[str] = set()
        for step in path.steps:
            if step.step_id in steps:
                yield fault("duplicate-step", path=path.path_id, step=step.step_id, field="step_id", value=step.step_id)
            steps.add(step.step_id)


def _sums(rules: Rules) -> Iterator[Fault]:
    total = Decimal(0)
    for part in rules.parts():
        first, *others = rules.paths_of(part)
        total += first.points
        for path in others:
            if path.points != first.points:
                got, want = number_text(path.points), number_text(first.points)
                where = {"path": path.path_id, "other": first.path_id}
                yield fault("part-sum", field="steps", part=part, got=got, want=want, **where)
    if total != rules.max_score:
        yield fault("total", field="max_score", got=number_text(total), want=number_text(rules.max_score))
    if rules.max_score % rules.mark_step:
        yield _off_step(rules, rules.max_score, field="max_score")
    if rules.answer_only_points % rules.mark_step:
        yield _off_step(rules, rules.answer_only_points, field="answer_only_points")
    if rules.answer_only_points > rules.max_score:
        value, most = number_text(rules.answer_only_points), number_text(rules.max_score)
        yield fault("answer-only", field="answer_only_points", value=value, most=most)


def _off_step(rules: Rules, value: Decimal, *, field: str, path: str | None = None, step: str | None = None) -> Fault:
    shown, unit = number_text(value), number_text(rules.mark_step)
    return fault("mark-step", path=path, step=step, field=field, value=shown, step_width=unit)


def _points(rules: Rules, path: Path, step: Step) -> Iterator[Fault]:
    for field, value in (("points", step.points), ("gap_points", step.gap_points), ("ecf_points", step.ecf_points)):
        if value is None:
            continue
        if value % rules.mark_step:
            yield _off_step(rules, value, field=field, path=path.path_id, step=step.step_id)
        if value > step.points:
            shown, most = number_text(value), number_text(step.points)
            yield fault("too-many-points", path=path.path_id, step=step.step_id, field=field, value=shown, most=most)


def _dependencies(rules: Rules, path: Path, position: int) -> Iterator[Fault]:
    step = path.steps[position]
    earlier = {one.step_id for one in path.steps[:position]}
    earlier |= {one.step_id for other in rules.paths if other.part < path.part for one in other.steps}
    later = {one.step_id for one in path.steps[position:]}
    everywhere = {one.step_id for other in rules.paths for one in other.steps}
    for number, name in enumerate(step.depends_on):
        if name in earlier:
            continue
        if name in later:
            code = "late-dependency"
        elif name in everywhere:
            code = "foreign-dependency"
        else:
            code = "unknown-dependency"
        yield fault(code, path=path.path_id, step=step.step_id, field=f"depends_on[{number}]", value=name)


def _formulas(rules: Rules, path: Path, step: Step) -> Iterator[Fault]:
    known = frozenset(rules.known_values)
    for name, formula in step.yields.items():
        where = {"path": path.path_id, "step": step.step_id, "field": f"yields.{name}"}
        if name not in rules.quantities:
            yield fault("undeclared-quantity", value=name, **where)
        for unknown in unknown_names(formula, known - {name}, frozenset(rules.functions)):
            yield fault("self-reference" if unknown == name else "unknown-name", value=unknown, **where)


def _shared(rules: Rules, path: Path) -> Iterator[Fault]:
    seen: set[str] = set()
    for step in path.steps:
        if step.shared_id is None:
            continue
        where = {"path": path.path_id, "step": step.step_id}
        if step.shared_id in seen:
            yield fault("shared-twice", field="shared_id", value=step.shared_id, **where)
        seen.add(step.shared_id)
        other_path, other = _first_with(rules, step.shared_id)
        if other is step:
            continue
        if other_path.part != path.part:
            yield fault("shared-part", field="shared_id", value=step.shared_id, **where)
        differing = [field for field in SHARED_FIELDS if getattr(step, field) != getattr(other, field)]
        if set(step.expects) != set(other.expects):
            differing.append("expects")
        for field in differing:
            yield fault("shared-differs", field=field, other=other_path.path_id, **where)


def _first_with(rules: Rules, shared_id: str) -> tuple[Path, Step]:
    return next((path, step) for path in rules.paths for step in path.steps if step.shared_id == shared_id)


def _latex(path: Path, step: Step) -> Iterator[Fault]:
    path_id, step_id = path.path_id, step.step_id
    yield from _unsafe(step.desc, field="desc", prose=True, path=path_id, step=step_id)
    for field, texts in (("expects", step.expects), ("working", step.working)):
        for number, text in enumerate(texts):
            yield from _unsafe(text, field=f"{field}[{number}]", path=path_id, step=step_id)
    for name, text in step.yields.items():
        yield from _unsafe(text, field=f"yields.{name}", path=path_id, step=step_id)


def _unsafe(
    text: str, *, field: str, path: str | None = None, step: str | None = None, prose: bool = False
) -> Iterator[Fault]:
    problem = latex_fault(text, prose=prose)
    if problem is not None:
        zh, en = problem
        yield fault("latex", path=path, step=step, field=field, detail_zh=zh, detail=en)
