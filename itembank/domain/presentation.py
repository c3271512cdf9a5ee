"""Scoring rules as a person reads them: parts, solutions, steps with points and running totals, LaTeX ready."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from .rule_model import Path, Rules, Step


@dataclass(frozen=True)
class Credit:
    """Points for a status, and whether they are the default rather than written in the rules."""

    points: Decimal | None
    is_default: bool


@dataclass(frozen=True)
class StepView:
    """One mark point. `reached` is the running total of the path, printed at the right margin of Chinese keys."""

    step: Step
    reached: Decimal
    expects: tuple[str, ...]
    working: tuple[str, ...]
    formulas: tuple[str, ...]
    shared_with: tuple[str, ...]
    gap: Credit
    ecf: Credit


@dataclass(frozen=True)
class PathView:
    """One solution of a part."""

    path: Path
    points: Decimal
    steps: tuple[StepView, ...]


@dataclass(frozen=True)
class PartView:
    """One part (小问) with its solutions, in the order of the document."""

    part: int
    points: Decimal
    paths: tuple[PathView, ...]


@dataclass(frozen=True)
class RulesView:
    """Everything a page of rules shows. `givens` and `quantities` are LaTeX equations."""

    rules: Rules
    givens: tuple[str, ...]
    quantities: tuple[str, ...]
    parts: tuple[PartView, ...]


def rules_view(rules: Rules) -> RulesView:
    """The readable form of checked rules."""
    return RulesView(
        rules=rules,
        givens=tuple(f"{latex_name(name)}={value}" for name, value in rules.givens.items()),
        quantities=tuple(f"{latex_name(name)}={value}" for name, value in rules.quantities.items()),
        parts=tuple(_part(rules, part) for part in rules.parts()),
    )


def latex_name(name: str) -> str:
    r"""The plain name of a quantity as LaTeX.

    >>> latex_name("S_10"), latex_name("cos(A)"), latex_name("Delta"), latex_name("f(-1)")
    ('S_{10}', '\\cos(A)', '\\Delta', 'f(-1)')
    """
    text = re.sub(r"_([A-Za-z0-9]+)", r"_{\1}", name)
    return re.sub(r"^(arccos|arcsin|arctan|cos|sin|tan|cot|log|ln|lg|Delta|Omega)(?![A-Za-z])", r"\\\1", text)


def latex_formula(formula: str) -> str:
    r"""A plain formula of `yields` as LaTeX: products without stars, indices in braces, roots as roots.

    >>> latex_formula("10*a_1 + 45*d"), latex_formula("sqrt(p*(p-a))"), latex_formula("(a_7-a_3)/4")
    ('10a_{1} + 45d', '\\sqrt{p(p-a)}', '(a_{7}-a_{3})/4')
    """
    if "\\" in formula:
        return formula
    text = re.sub(r"_([A-Za-z0-9]+)", r"_{\1}", formula)
    text = re.sub(r"(?<=\d)\s*\*\s*(?=\d)", r"\\times ", text)
    text = re.sub(r"\s*\*\s*(?!\*)", "", text.replace("**", "^"))
    text = re.sub(r"(?<![A-Za-z\\])(cos|sin|tan|log|ln)(?=\()", r"\\\1", text)
    return _rooted(text)


def _rooted(text: str) -> str:
    """`sqrt(…)` with its matching bracket as a root."""
    while (start := text.find("sqrt(")) >= 0 and not text[:start].endswith("\\"):
        depth, end = 0, len(text)
        for position in range(start + 4, len(text)):
            depth += {"(": 1, ")": -1}.get(text[position], 0)
            if depth == 0:
                end = position
                break
        text = f"{text[:start]}\\sqrt{{{text[start + 5 : end]}}}{text[end + 1 :]}"
    return text


def _part(rules: Rules, part: int) -> PartView:
    paths = tuple(_path(rules, path) for path in rules.paths_of(part))
    return PartView(part=part, points=paths[0].points, paths=paths)


def _path(rules: Rules, path: Path) -> PathView:
    reached = Decimal(0)
    steps = []
    for step in path.steps:
        reached += step.points
        steps.append(_step(rules, path, step, reached))
    return PathView(path=path, points=path.points, steps=tuple(steps))


def _step(rules: Rules, path: Path, step: Step, reached: Decimal) -> StepView:
    half = step.points / 2
    default_gap = half - half % rules.mark_step
    shared = tuple(
        other.path_id
        for other in rules.paths
        if other is not path and step.shared_id and any(one.shared_id == step.shared_id for one in other.steps)
    )
    return StepView(
        step=step,
        reached=reached,
        expects=step.expects,
        working=step.working,
        formulas=tuple(f"{latex_name(name)}={latex_formula(text)}" for name, text in step.yields.items()),
        shared_with=shared,
        gap=Credit(default_gap if step.gap_points is None else step.gap_points, step.gap_points is None),
        ecf=Credit(step.ecf_points, step.ecf_points is None) if step.ecf_allow else Credit(Decimal(0), False),
    )
