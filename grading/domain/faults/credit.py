"""Faults of credit: a step is called VALID for work that is wrong, borrowed, unfinished or contradicted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

from itembank.algebra.results import Result

from ..expressions import has_symbols, is_worked, shape_fault, sides
from .base import Base, Credited, Mutant
from .run import Kind
from .targets import at_proved, other_numbers, pick


def _wrong_value(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    for other in other_numbers(step.lines[0], rng):
        if base.differs(step.step, other):
            mutant.rewrite(step.line_ids[0], other)
            return True
    return False


def _sign_turned(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    head, equals, last = step.lines[0].rpartition("=")
    other = f"{head}={last[1:] if last.startswith('-') else '-' + last}"
    if not equals or not base.differs(step.step, other):
        return False
    mutant.rewrite(step.line_ids[0], other)
    return True


def _line_of_another_step(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """Another line is cited, and quoted truly; it does not prove the step."""
    others = [line for line in base.reading.standing if base.differs(step.step, line.content)]
    line = pick(rng, others)
    if line is None:
        return False
    mutant.say(step.where, line_ids=[line.line_id], quote=line.content)
    return True


def _neighbours(base: Base) -> Iterator[tuple[Credited, Credited]]:
    """Two proved steps of one path that rest on different lines, in either order."""
    for one, other in permutations(base.proved, 2):
        if one.path is other.path and one.line_ids != other.line_ids:
            yield one, other


def _swapped(base: Base, rng: Random) -> Mutant | None:
    """Two steps exchange their evidence."""
    pairs = [
        (one, other)
        for one, other in _neighbours(base)
        if base.differs(one.step, other.lines[0]) and base.differs(other.step, one.lines[0])
    ]
    pair = pick(rng, pairs)
    if pair is None:
        return None
    one, other = pair
    mutant = base.mutant()
    for step, source in ((one, other), (other, one)):
        mutant.say(step.where, line_ids=list(source.line_ids), quote=source.lines[0])
    return mutant


def _unfinished(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """The working without its value."""
    parts = sides(step.lines[0])
    if len(parts) < 3 or not is_worked(parts[-2]) or any(is_worked(sides(wanted)[-1]) for wanted in step.step.expects):
        return False
    mutant.rewrite(step.line_ids[0], "=".join(parts[:-1]))
    return True


def _one_of_several(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    content = step.lines[0]
    if (
        any(sign in content + "".join(step.step.expects) for sign in "或,，±∈")
        or "\\pm" in content
        or "=" not in content
    ):
        return False
    for other in other_numbers(content, rng):
        if base.differs(step.step, other):
            mutant.rewrite(step.line_ids[0], f"{content} 或 {other}")
            return True
    return False


def _bare_result_for_reasoning(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """Only the value where the formula is asked for: a gap claimed as valid."""
    expected = step.step.expects[0]
    left = sides(step.lines[0])
    if step.step.kind != "concept" or len(sides(expected)) < 2 or not is_worked(sides(expected)[-1]) or len(left) < 2:
        return False
    values = [sides(line.content)[-1] for line in base.reading.standing if line.content.startswith(left[0] + "=")]
    bare = next(
        (f"{left[0]}={value}" for value in reversed(values) if not is_worked(value) and not has_symbols(value)), None
    )
    if bare is None or base.proves(step.step, bare) is False:
        return False
    mutant.rewrite(step.line_ids[0], bare)
    return True


def _false_equality(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """A wrong intermediate value before the right one: two errors that cancel out."""
    parts = list(sides(step.lines[0]))
    if len(parts) < 2 or not parts[-1].lstrip("-").isdigit():
        return False
    wrong = int(parts[-1]) + rng.choice((1, 2, 10))
    mutant.rewrite(step.line_ids[0], "=".join([*parts[:-1], str(wrong), parts[-1]]))
    return True


def _false_working(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """Working with a wrong number in it, and the right value all the same."""
    parts = list(sides(step.lines[0]))
    worked = [place for place, part in enumerate(parts[1:-1], 1) if is_worked(part)]
    if not worked:
        return False
    for other in other_numbers(parts[worked[-1]], rng):
        if base.algebra.compare(parts[-1], other).result is Result.REFUTED:
            parts[worked[-1]] = other
            mutant.rewrite(step.line_ids[0], "=".join(parts))
            return True
    return False


def _working_passed_over(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """Wrong working on a line of its own that no step cites; the right value follows all the same."""
    parts = sides(step.lines[0])
    worked = [part for part in parts[1:-1] if is_worked(part)]
    for other in other_numbers(parts[-1], rng) if worked else ():
        content = f"{worked[-1]}={other}"
        if base.algebra.sound(content).result is Result.REFUTED:
            return mutant.add_line(base, content, first=rng.random() < 0.5) is not None
    return False


def _other_answer_afterwards(base: Base, rng: Random) -> Mutant | None:
    """Below everything else stands another answer, in words or under another name."""
    mutant = base.mutant()
    for number in (997, 983):
        said = rng.choice(
            (f"答：{number}", f"S={number}", rf"\therefore {number}", f"所以结果是{number}", "Ｓ＝９９７")
        )
        if not any(
            base.algebra.mentions(line.content, str(number)).result is Result.PROVED for line in base.reading.lines
        ):
            return mutant if mutant.add_line(base, said) is not None else None
    return None


def _paid_twice(base: Base, rng: Random) -> Mutant | None:
    """One expression is paid for two steps."""
    pairs = [
        (one, other)
        for one, other in _neighbours(base)
        if len(sides(other.lines[0])) == 2
        and not any(sign in other.lines[0] for sign in "或,，;；且")
        and any(
            shape_fault(wanted, other.lines[0]) is None and base.proves_text(wanted, other.lines[0])
            for wanted in one.step.expects
        )
    ]
    pair = pick(rng, pairs)
    if pair is None:
        return None
    one, other = pair
    mutant = base.mutant()
    mutant.say(one.where, line_ids=list(other.line_ids), quote=other.lines[0])
    return mutant


def _rival(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """A second value for a credited quantity, further down, not struck out."""
    for name, value in base.algebra.asserts(step.lines[0]):
        for other in other_numbers(value, rng):
            content = f"{name}={other}"
            if base.algebra.compare(value, other).result is Result.REFUTED and base.algebra.asserts(content):
                return mutant.add_line(base, content, first=rng.random() < 0.5) is not None
    return False


def _miscopied_given(base: Base, rng: Random) -> Mutant | None:
    mutant = base.mutant()
    givens = [(name, value) for name, value in base.rules.givens.items() if base.algebra.asserts(f"{name}={value}")]
    given = pick(rng, givens)
    other = None if given is None else next(other_numbers(given[1], rng), None)
    if given is None or other is None or mutant.add_line(base, f"{given[0]}={other}") is None:
        return None
    return mutant


PROVED: tuple[Kind, ...] = (
    Kind(
        "wrong-value-called-valid",
        "step-proved",
        at_proved(_wrong_value),
        "错值判为正确",
        "a wrong value called VALID",
    ),
    Kind(
        "sign-turned",
        "step-proved",
        at_proved(_sign_turned),
        "符号相反判为正确",
        "a value of the other sign called VALID",
    ),
    Kind(
        "line-of-another-step",
        "step-proved",
        at_proved(_line_of_another_step),
        "以别的步骤的行为据",
        "the line of another step as evidence",
    ),
    Kind("swapped-steps", "step-proved", _swapped, "两步的依据互换", "two steps with their evidence exchanged"),
    Kind("unfinished", "step-proved", at_proved(_unfinished), "只列式没有算出值", "a formula without its value"),
    Kind(
        "one-of-several",
        "step-proved",
        at_proved(_one_of_several),
        "两个值并列而不取舍",
        "two values side by side, none chosen",
    ),
    Kind(
        "gap-called-valid",
        "step-proved",
        at_proved(_bare_result_for_reasoning),
        "只有结果却按有理由给分",
        "a gap called VALID: the result where the formula is asked for",
    ),
    Kind(
        "errors-that-cancel",
        "line-sound",
        at_proved(_false_equality),
        "两个错误互相抵消",
        "two errors that cancel out",
    ),
    Kind(
        "false-working",
        "line-sound",
        at_proved(_false_working),
        "过程错而结果对",
        "wrong working before the right value",
    ),
    Kind(
        "working-passed-over",
        "line-sound",
        at_proved(_working_passed_over),
        "不引用错误的过程",
        "wrong working that no step cites",
    ),
    Kind(
        "one-expression-paid-twice",
        "evidence-quoted",
        _paid_twice,
        "一个式子付两次分",
        "one expression paid for two steps",
    ),
    Kind("other-answer-afterwards", "no-rival", _other_answer_afterwards, "最后又写了别的答案", "another answer below"),
    Kind("rival-value", "no-rival", at_proved(_rival), "同一个量有两个值", "a second value for a credited quantity"),
    Kind("miscopied-given", "no-rival", _miscopied_given, "抄错题设", "a given that is copied wrongly"),
)
