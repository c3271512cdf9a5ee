"""Faults of skipped steps: jumps that nothing supports, that the rules forbid, or that leave only the answer."""

from __future__ import annotations

from random import Random

from itembank.algebra.results import Result

from ..expressions import sides
from ..shadow import names_in
from ..statuses import Status
from .base import Base, Credited, Mutant
from .run import Kind
from .targets import at_one, pick, saying


def _jump_over_must_show(base: Base, rng: Random) -> Mutant | None:
    found = []
    for step in base.proved:
        place = step.path.steps.index(step.step)
        if step.step.must_show and place + 1 < len(step.path.steps):
            found.append((step, step.path.steps[place + 1]))
    chosen = pick(rng, found)
    if chosen is None:
        return None
    step, following = chosen
    mutant = base.mutant()
    later = base.observation.proposal(step.path.path_id, following.step_id)
    mutant.say(step.where, status="JUMP_VALID", line_ids=list(later.line_ids) if later else [], quote="")
    return mutant


def _chain_of_jumps(base: Base, rng: Random) -> Mutant | None:
    """Two steps in a row are called jumps, with the line of the next one."""
    found = [
        (path, place)
        for path in base.chosen
        for place in range(len(path.steps) - 2)
        if all(
            base.observation.status(path.path_id, step.step_id) is Status.VALID
            for step in path.steps[place : place + 3]
        )
    ]
    chosen = pick(rng, found)
    if chosen is None:
        return None
    path, place = chosen
    mutant = base.mutant()
    last = base.observation.proposal(path.path_id, path.steps[place + 2].step_id)
    for step in path.steps[place : place + 2]:
        mutant.say(
            (path.path_id, step.step_id), status="JUMP_VALID", line_ids=list(last.line_ids) if last else [], quote=""
        )
    return mutant


def _unsupported_jump(base: Base, rng: Random) -> Mutant | None:
    """A step is called a jump that rests on a line which is no working of the next step."""
    steps = [step for step in base.proved if step.step is not step.path.steps[-1]]
    rng.shuffle(steps)
    for step in steps:
        following = step.path.steps[step.path.steps.index(step.step) + 1]
        later = base.observation.proposal(step.path.path_id, following.step_id)
        taken = {*step.line_ids, *(later.line_ids if later else ())}
        strangers = [
            line
            for line in base.reading.standing
            if line.line_id not in taken
            and base.differs(step.step, line.content)
            and not any(base.proves_text(working, line.content) for working in following.working)
        ]
        stranger = pick(rng, strangers)
        if stranger is not None:
            mutant = base.mutant()
            mutant.say(step.where, status="JUMP_VALID", line_ids=[stranger.line_id], quote="")
            return mutant
    return None


def _jump_by_chance(base: Base, rng: Random) -> Mutant | None:
    """The next step's line holds the skipped value's figure, but in arithmetic that has nothing to do with its formula."""
    found = []
    for step in base.proved:
        place = step.path.steps.index(step.step)
        following = next((other for other in base.proved if other.step in step.path.steps[place + 1 : place + 2]), None)
        if following is not None and not step.step.must_show and len(step.step.yields) == 1:
            found.extend(_chances(base, step, following))
    chance = pick(rng, found)
    if chance is None:
        return None
    step, following, content = chance
    mutant = base.mutant()
    mutant.rewrite(following.line_ids[0], content)
    mutant.without_lines(step.line_ids)
    mutant.say(step.where, status="JUMP_VALID", line_ids=[following.line_ids[0]], quote="")
    return mutant


def _chances(base: Base, step: Credited, following: Credited) -> list[tuple[Credited, Credited, str]]:
    [name] = step.step.yields
    known = base.rules.known_values
    value, parts = known.get(name, ""), sides(following.lines[0])
    result = parts[-1]
    if not value.isdigit() or not result.isdigit() or value in ("0", "1") or len(parts) < 2:
        return []
    content = f"{parts[0]}={int(result) - int(value)}+{value}={result}"
    if int(result) <= int(value) or step.line_ids == following.line_ids or "," in following.lines[0]:
        return []
    inputs = [
        other
        for formula in following.step.yields.values()
        if name in names_in(formula, known)
        for other in names_in(formula, known)
        if other != name and known[other] not in ("0", "1", "-1")
    ]
    strangers = [other for other in inputs if base.algebra.mentions(content, known[other]).result is not Result.PROVED]
    return [(step, following, content)] if strangers else []


def _bare_answer(base: Base, rng: Random) -> Mutant | None:
    """Only the final answer is written, and the rest is called jumps."""
    paths = [path for path in base.chosen if len(path.steps) > 1]
    path = pick(rng, paths)
    if path is None:
        return None
    last = next((step for step in base.proved if step.where == (path.path_id, path.steps[-1].step_id)), None)
    if last is None or "=" not in last.lines[0]:
        return None
    parts = sides(last.lines[0])
    mutant = base.mutant()
    mutant.rewrite(last.line_ids[0], f"{parts[0]}={parts[-1]}" if "或" not in last.lines[0] else last.lines[0])
    own = {line_id for step in base.steps if step.path is path for line_id in step.line_ids} - set(last.line_ids)
    mutant.without_lines(own)
    for step in path.steps[:-1]:
        mutant.say((path.path_id, step.step_id), status="JUMP_VALID", line_ids=list(last.line_ids), quote="")
    return mutant


JUMPED: tuple[Kind, ...] = (
    Kind(
        "jump-over-must-show",
        "jump-supported",
        _jump_over_must_show,
        "跳过必须写出的步骤",
        "a jump over a step that must be shown",
    ),
    Kind("chain-of-jumps", "jump-supported", _chain_of_jumps, "连续跳步", "two jumps in a row"),
    Kind("jump-without-support", "jump-supported", _unsupported_jump, "跳步没有依据", "a jump that nothing supports"),
    Kind(
        "jump-by-chance",
        "jump-supported",
        _jump_by_chance,
        "凑巧出现的数当作跳步",
        "a figure by chance taken for a jump",
    ),
    Kind(
        "final-step-as-jump",
        "jump-supported",
        at_one(
            lambda base: [step for step in base.proved if step.step is step.path.steps[-1]],
            saying(status="JUMP_VALID", quote=""),
        ),
        "最后一步算跳步",
        "the last step called a jump",
    ),
    Kind(
        "bare-answer-as-chain",
        "jump-supported",
        _bare_answer,
        "只写答案按跳步给分",
        "a bare answer as a chain of jumps",
    ),
)
