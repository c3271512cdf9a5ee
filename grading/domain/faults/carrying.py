"""Faults about carried errors: credit for what was not carried, carried wrongly, or made easy by the error."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from itembank.domain.rules import read_rules

from ..expressions import sides
from ..statuses import Status
from .base import Base, Credited, Make, Mutant
from .run import Kind
from .targets import Change, at_one, denying, other_numbers, pick, saying


def _carried(change: Change) -> Make:
    """A change at a step that is credited as a carried error."""
    return at_one(lambda base: base.of(Status.ECF_GRANTED), change)


def _root(base: Base, step: Credited) -> Credited | None:
    """The step that is judged wrong and on which a carried one rests, where one line holds it."""
    wrong = [other for other in base.of(Status.INVALID) if len(other.line_ids) == 1 and len(sides(other.lines[0])) > 1]
    place = base.steps.index(step)
    return next((other for other in reversed(wrong) if base.steps.index(other) < place), None)


def _with_rules(mutant: Mutant, document: dict[str, Any]) -> None:
    mutant.rules = read_rules(document)
    if mutant.identity is not None:
        mutant.identity["rules_sha256"] = mutant.rules.sha256


def _forbidden(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    document = copy.deepcopy(dict(base.rules.document))
    for path in document["valid_paths"]:
        for each in path["steps"]:
            each["ecf_allow"] = False
            each.pop("ecf_points", None)
    _with_rules(mutant, document)
    return True


def _root_written(wording: Callable[[str, str], str]) -> Change:
    """The line of the wrong value says otherwise how it was found: made of its name and the value."""

    def change(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
        root = _root(base, step)
        if root is None or base.rules.ecf_after_principle:
            return False
        parts = sides(root.lines[0])
        mutant.rewrite(root.line_ids[0], wording(parts[0], parts[-1]))
        return True

    return change


def _wrong_arithmetic(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """What is carried on is computed wrongly as well."""
    if len(step.line_ids) != 1:
        return False
    head, equals, last = step.lines[0].rpartition("=")
    other = next(other_numbers(last, rng), None)
    if not equals or other is None:
        return False
    mutant.rewrite(step.line_ids[0], f"{sides(head)[0]}={other}")
    return True


def _right_value_pasted(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """After the error the right value stands there, as if copied, and is called VALID."""
    if len(step.line_ids) != 1 or not step.step.expects:
        return False
    mutant.rewrite(step.line_ids[0], step.step.expects[0])
    for proposal in (*mutant.alike(*step.where), *_on_line(mutant, step.line_ids[0])):
        if proposal["status"] in (Status.ECF_GRANTED, Status.INVALID):
            proposal["status"] = "VALID"
    return True


def _on_line(mutant: Mutant, line_id: str) -> list[dict[str, Any]]:
    return [step for _, step in mutant.all_steps() if step.get("line_ids") == [line_id]]


def _trivial(value: str) -> Change:
    """The wrong value is one that makes the rest easy, and the rest is computed rightly from it."""

    def change(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
        root = _root(base, step)
        if root is None or len(root.step.yields) != 1 or len(step.step.yields) != 1 or len(step.line_ids) != 1:
            return False
        [name], [formula] = root.step.yields, step.step.yields.values()
        parts = sides(root.lines[0])
        known = base.rules.known_values
        own = base.algebra.evaluate(formula, {**known, name: value})
        if own is None or known.get(name) == value or name not in formula:
            return False
        mutant.rewrite(root.line_ids[0], "=".join([*parts[:-1], value]))
        mutant.rewrite(step.line_ids[0], f"{sides(step.lines[0])[0]}={own}")
        return True

    return change


def _called_valid(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    mutant.say(step.where, status="VALID")
    return bool(step.step.expects)


def _error_carried_by_itself(base: Base, rng: Random) -> Mutant | None:
    """The first error is called a carried one, with nothing before it that was wrong."""
    steps = base.of(Status.INVALID)
    first = steps[0] if steps else None
    if first is None or any(step.status is Status.ECF_GRANTED for step in base.steps[: base.steps.index(first)]):
        return None
    mutant = base.mutant()
    mutant.say(first.where, status="ECF_GRANTED")
    return mutant


def _carried_after_nothing(base: Base, rng: Random) -> Mutant | None:
    """A slip in the last step, with everything right before it, is called a carried error."""
    steps = [step for step in base.proved if step.step.yields and step.step is step.path.steps[-1]]
    step = pick(rng, steps)
    if step is None or base.of(Status.INVALID, Status.ECF_GRANTED):
        return None
    for other in other_numbers(step.lines[0], rng):
        if base.differs(step.step, other):
            mutant = base.mutant()
            mutant.rewrite(step.line_ids[0], other)
            mutant.say(step.where, status="ECF_GRANTED")
            return mutant
    return None


def _denial_with_another_line(base: Base, rng: Random) -> Mutant | None:
    """What is called wrong rests on a line that is right and about something else."""
    step = pick(rng, base.of(Status.INVALID))
    right = [other for other in base.proved if step is not None and other.path is step.path]
    other = pick(rng, right)
    if step is None or other is None:
        return None
    mutant = base.mutant()
    mutant.say(step.where, line_ids=list(other.line_ids), quote=other.lines[0])
    return mutant


CARRIED: tuple[Kind, ...] = (
    Kind(
        "carry-forbidden",
        "ecf-allowed",
        _carried(_forbidden),
        "细则不许延续给分",
        "carried credit where the rules forbid it",
    ),
    Kind(
        "carry-after-principle",
        "ecf-allowed",
        # Without the formula that would show a mere slip.
        _carried(_root_written(lambda name, value: f"{name}={value}")),
        "原理错误之后延续给分",
        "carried credit after an error of principle",
    ),
    Kind(
        "carry-after-wrong-formula",
        "ecf-allowed",
        # By a formula that is itself wrong, with right arithmetic.
        _carried(_root_written(lambda name, value: f"{name}={value}+1-1={value}")),
        "公式错误之后延续给分",
        "carried credit after a wrong formula",
    ),
    Kind(
        "carry-of-nothing",
        "ecf-allowed",
        _error_carried_by_itself,
        "最初的错误自己算延续",
        "the first error called a carried one",
    ),
    Kind(
        "carry-after-right-steps",
        "ecf-allowed",
        _carried_after_nothing,
        "前面全对却按延续给分",
        "a slip after right steps called a carried error",
    ),
    Kind(
        "right-called-carried",
        "ecf-shadow",
        at_one(lambda base: [step for step in base.proved if step.step.yields], saying(status="ECF_GRANTED")),
        "对的判为延续错误",
        "a right step called a carried error",
    ),
    Kind(
        "carry-with-wrong-arithmetic",
        "ecf-shadow",
        _carried(_wrong_arithmetic),
        "延续计算又算错",
        "a carried error computed wrongly",
    ),
    Kind(
        "carry-of-zero", "ecf-not-trivial", _carried(_trivial("0")), "错误的值是 0，后面变简单", "a carried value of 0"
    ),
    Kind(
        "carry-of-one", "ecf-not-trivial", _carried(_trivial("1")), "错误的值是 1，后面变简单", "a carried value of 1"
    ),
    Kind(
        "carried-called-valid",
        "step-proved",
        _carried(_called_valid),
        "延续的错值判为正确",
        "a carried value called VALID",
    ),
    Kind(
        "error-forgiven",
        "step-proved",
        at_one(lambda base: [step for step in base.of(Status.INVALID) if step.step.expects], saying(status="VALID")),
        "最初的错误判为正确",
        "the first error called VALID",
    ),
    Kind(
        "right-value-pasted",
        "follows",
        _carried(_right_value_pasted),
        "错误之后贴上正确答案",
        "the right value pasted after an error",
    ),
    Kind(
        "carried-denied",
        "denial-proved",
        _carried(saying(status="INVALID")),
        "由自己的值推出却判错",
        "what follows from the student's own value called wrong",
    ),
    Kind(
        "denial-with-another-line",
        "denial-proved",
        _denial_with_another_line,
        "以别的行为据判错",
        "a denial that cites another line",
    ),
    Kind(
        "wrong-called-missing",
        "denial-proved",
        at_one(
            lambda base: [step for step in base.of(Status.INVALID) if step.step.kind != "concept"], denying("MISSING")
        ),
        "写错的判为没写",
        "a wrong value called MISSING",
    ),
)
