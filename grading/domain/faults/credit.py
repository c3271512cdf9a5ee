"""Faults of judging: scores that do not follow, credit that is not earned, points that are taken without proof."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from random import Random

from itembank.algebra.results import Result
from itembank.domain.rules import Path

from ..expressions import has_symbols, is_worked, sides
from ..gate import GateInput
from ..scoring import Scorecard, ScoredStep, judged_scores
from ..shadow import names_in
from ..statuses import CREDITED, Status
from .base import Base, Credited, Make, Mutant, other_numbers, pick
from .run import Kind

ONE = Decimal(1)


def _claimed(change: Callable[[Scorecard, GateInput, Random], Scorecard | None]) -> Make:
    """The scores that go with the statuses are others."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()

        def claim(given: GateInput) -> GateInput:
            card = change(given.scorecard, given, rng)
            return given if card is None else replace(given, scorecard=card)

        mutant.claim = claim
        return mutant

    return make


def _scored(card: Scorecard, place: int, score: Decimal, *, total: Decimal | None = None) -> Scorecard:
    steps = list(card.steps)
    steps[place] = replace(steps[place], score=score)
    summed = sum((step.score for step in steps), Decimal(0))
    return replace(card, steps=tuple(steps), total=summed if total is None else total)


def _above_the_step(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    place = rng.randrange(len(card.steps))
    return _scored(card, place, card.steps[place].step.points + given.rules.mark_step)


def _off_by_one(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    return replace(card, total=card.total + rng.choice((ONE, -ONE)))


def _above_the_maximum(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    over = given.rules.max_score - card.total + ONE
    return _scored(card, 0, card.steps[0].score + over)


def _half_a_mark(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    place = rng.randrange(len(card.steps))
    return _scored(card, place, card.steps[place].score - given.rules.mark_step / 2)


def _moved_points(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    """One step gives a point to another; the sum is right."""
    one, other = rng.sample(range(len(card.steps)), 2)
    moved = _scored(card, one, card.steps[one].score - given.rules.mark_step)
    return _scored(moved, other, moved.steps[other].score + given.rules.mark_step)


def _step_dropped(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    """A step is not counted at all, and the total fits what is left."""
    place = rng.randrange(len(card.steps))
    steps = card.steps[:place] + card.steps[place + 1 :]
    return replace(card, steps=steps, total=sum((step.score for step in steps), Decimal(0)))


def _step_counted_twice(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    steps = (*card.steps, rng.choice(card.steps))
    return replace(card, steps=steps, total=sum((step.score for step in steps), Decimal(0)))


def _part_dropped(base: Base, rng: Random) -> Mutant | None:
    """A whole part is not counted."""
    if len(base.chosen) < 2:
        return None
    part = rng.choice(base.chosen).part
    mutant = base.mutant()

    def claim(given: GateInput) -> GateInput:
        card = given.scorecard
        steps = tuple(step for step in card.steps if step.part != part)
        chosen = {number: path_id for number, path_id in card.chosen.items() if number != part}
        total = sum((step.score for step in steps), Decimal(0))
        return replace(given, scorecard=replace(card, chosen=chosen, steps=steps, total=total))

    mutant.claim = claim
    return mutant


def _paths_mixed(base: Base, rng: Random) -> Mutant | None:
    """A step of the credited path is exchanged for one of another path of the part that is worth as much."""
    chosen = {path.part: path for path in base.chosen}
    swaps = [
        (place, path, step)
        for place, own in enumerate(base.steps)
        for path in base.rules.paths_of(own.path.part)
        for step in path.steps
        if path is not chosen[own.path.part]
        and step.points == own.step.points
        and (step.shared_id is None or step.shared_id != own.step.shared_id)
    ]
    swap = pick(rng, swaps)
    if swap is None:
        return None
    place, path, step = swap
    mutant = base.mutant()

    def claim(given: GateInput) -> GateInput:
        card = given.scorecard
        steps = list(card.steps)
        old = steps[place]
        steps[place] = ScoredStep(old.part, path, step, old.proposal, old.status, old.score, old.bare_answer)
        return replace(given, scorecard=replace(card, steps=tuple(steps)))

    mutant.claim = claim
    return mutant


def _poorer_path(base: Base, rng: Random) -> Mutant | None:
    """Another path of the part counts, although it earns less."""
    poorer = [
        path
        for own in base.chosen
        for path in base.rules.paths_of(own.part)
        if path is not own and base.earned(path) < base.earned(own)
    ]
    path = pick(rng, poorer)
    if path is None:
        return None
    mutant = base.mutant()
    mutant.claim = lambda given: replace(given, scorecard=_taken(given, path))
    return mutant


def _taken(given: GateInput, path: Path) -> Scorecard:
    """The scorecard with another path for one part, scored as the observation says."""
    card = given.scorecard
    if given.observation is None:
        return card
    scores = judged_scores(path, given.observation, given.reading, given.rules)
    mine = tuple(
        ScoredStep(path.part, path, step, proposal, proposal.status if proposal else Status.MISSING, score)
        for step, score in zip(path.steps, scores, strict=True)
        for proposal in [given.observation.proposal(path.path_id, step.step_id)]
    )
    steps = tuple(step for step in card.steps if step.part != path.part) + mine
    return replace(
        card,
        chosen={**card.chosen, path.part: path.path_id},
        tied={**card.tied, path.part: (path.path_id,)},
        steps=steps,
        total=sum((step.score for step in steps), Decimal(0)),
    )


def _unknown_path_with_credit(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    return replace(card, matched_path_id="UNKNOWN")


def _right_work(change: Callable[[Base, Credited, Mutant, Random], bool]) -> Make:
    """A change at a VALID step that one line proves."""

    def make(base: Base, rng: Random) -> Mutant | None:
        mutant = base.mutant()
        steps = list(base.proved)
        rng.shuffle(steps)
        for step in steps:
            if change(base, step, mutant, rng):
                return mutant
            mutant = base.mutant()
        return None

    return make


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


def _swapped(base: Base, rng: Random) -> Mutant | None:
    """Two steps exchange their evidence."""
    pairs = [
        (one, other)
        for one in base.proved
        for other in base.proved
        if one.path is other.path
        and one.line_ids != other.line_ids
        and base.differs(one.step, other.lines[0])
        and base.differs(other.step, one.lines[0])
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
        if base.algebra.compare(parts[-1], other).result.value == "REFUTED":
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
        for one in base.proved
        for other in base.proved
        if one.path is other.path
        and one.line_ids != other.line_ids
        and len(sides(other.lines[0])) == 2
        and not any(sign in other.lines[0] for sign in "或,，;；且")
        and base.proves(one.step, other.lines[0])
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
            if base.algebra.compare(value, other).result.value == "REFUTED" and base.algebra.asserts(content):
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


def _right_called(status: str) -> Callable[[Base, Credited, Mutant, Random], bool]:
    def change(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
        mutant.deny(step.where, status)
        return True

    return change


def _all_denied(base: Base, rng: Random) -> Mutant | None:
    """Everything is called missing but one step, so that the answer is still recognised."""
    mutant = base.mutant()
    if len(base.proved) < 2:
        return None
    kept = rng.choice(base.proved)
    for step in base.credited:
        if not set(map(id, mutant.alike(*step.where))) & set(map(id, mutant.alike(*kept.where))):
            mutant.deny(step.where)
    for _, proposal in mutant.all_steps():
        if proposal["status"] in CREDITED and proposal not in mutant.alike(*kept.where):
            proposal.update(status="MISSING", line_ids=[], quote="")
    return mutant


_FULL_WIDTH = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F) if chr(code) not in "\\{}_^"})


def _full_width_called_missing(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """The result stands there in full-width signs, and is called missing."""
    content = step.lines[0].translate(_FULL_WIDTH)
    if "\\" in content or not base.proves(step.step, content):
        return False
    mutant.rewrite(step.line_ids[0], content)
    for _, proposal in mutant.all_steps():
        if proposal.get("line_ids") == list(step.line_ids):
            proposal.update(status="MISSING", line_ids=[], quote="")
    return True


def _gap_under_certificate(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    """With a certificate nothing but another judge can say whether a reason is missing."""
    mutant.certificate = {"id": "C", "valid": True, "reader": True}
    mutant.second = None
    mutant.say(step.where, status="GAP_DEDUCTION")
    return True


def _jump_called_missing(base: Base, rng: Random) -> Mutant | None:
    """A step that the next line shows is called missing."""
    step = pick(rng, base.of(Status.JUMP_VALID))
    if step is None:
        return None
    mutant = base.mutant()
    mutant.deny(step.where)
    return mutant


def _missing_but_cited(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    mutant.say(step.where, status="MISSING", quote="")
    return True


def _reduced_to_gap(base: Base, step: Credited, mutant: Mutant, rng: Random) -> bool:
    mutant.say(step.where, status="GAP_DEDUCTION")
    return mutant.certificate is None


def _last_as_jump(base: Base, rng: Random) -> Mutant | None:
    """The final answer is called a jump."""
    step = pick(rng, [step for step in base.proved if step.step is step.path.steps[-1]])
    if step is None:
        return None
    mutant = base.mutant()
    mutant.say(step.where, status="JUMP_VALID", quote="")
    return mutant


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
    own = step.line_ids[0]
    mutant.reading["lines"] = [line for line in mutant.reading["lines"] if line["line_id"] != own]
    for _, proposal in mutant.all_steps():
        if own in proposal.get("line_ids", ()):
            proposal.update(status="MISSING", line_ids=[], quote="")
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
    mutant.reading["lines"] = [line for line in mutant.reading["lines"] if line["line_id"] not in own]
    for _, proposal in mutant.all_steps():
        if own & set(proposal.get("line_ids", ())):
            proposal.update(status="MISSING", line_ids=[], quote="")
    for step in path.steps[:-1]:
        mutant.say((path.path_id, step.step_id), status="JUMP_VALID", line_ids=list(last.line_ids), quote="")
    return mutant


SCORED: tuple[Kind, ...] = (
    Kind(
        "score-above-step",
        "score-sum",
        _claimed(_above_the_step),
        "步骤得分高于该步满分",
        "a score above the step's points",
    ),
    Kind("total-off-by-one", "score-sum", _claimed(_off_by_one), "总分差一分", "a total off by one"),
    Kind("total-above-maximum", "score-sum", _claimed(_above_the_maximum), "总分高于满分", "a total above the maximum"),
    Kind(
        "half-a-mark",
        "score-sum",
        _claimed(_half_a_mark),
        "得分不是最小分值的整数倍",
        "a score that is no multiple of the mark step",
    ),
    Kind(
        "points-moved",
        "score-sum",
        _claimed(_moved_points),
        "步骤之间挪分、总分不变",
        "points moved between steps, the sum unchanged",
    ),
    Kind("step-not-counted", "score-sum", _claimed(_step_dropped), "一步没有计分", "a step that is not counted"),
    Kind(
        "step-counted-twice", "score-sum", _claimed(_step_counted_twice), "一步计了两次", "a step that is counted twice"
    ),
    Kind("paths-mixed", "best-path", _paths_mixed, "同一小问混用两条路径", "steps of two paths in one part"),
    Kind("part-not-counted", "best-path", _part_dropped, "一个小问没有计分", "a part that is not counted"),
    Kind("poorer-path", "best-path", _poorer_path, "取了得分较低的路径", "the path that earns less"),
    Kind(
        "path-unknown",
        "best-path",
        _claimed(_unknown_path_with_credit),
        "没有对上路径却给分",
        "credit without a recognised path",
    ),
)

PROVED: tuple[Kind, ...] = (
    Kind(
        "wrong-value-called-valid",
        "step-proved",
        _right_work(_wrong_value),
        "错值判为正确",
        "a wrong value called VALID",
    ),
    Kind(
        "sign-turned",
        "step-proved",
        _right_work(_sign_turned),
        "符号相反判为正确",
        "a value of the other sign called VALID",
    ),
    Kind(
        "line-of-another-step",
        "step-proved",
        _right_work(_line_of_another_step),
        "以别的步骤的行为据",
        "the line of another step as evidence",
    ),
    Kind("swapped-steps", "step-proved", _swapped, "两步的依据互换", "two steps with their evidence exchanged"),
    Kind("unfinished", "step-proved", _right_work(_unfinished), "只列式没有算出值", "a formula without its value"),
    Kind(
        "one-of-several",
        "step-proved",
        _right_work(_one_of_several),
        "两个值并列而不取舍",
        "two values side by side, none chosen",
    ),
    Kind(
        "gap-called-valid",
        "step-proved",
        _right_work(_bare_result_for_reasoning),
        "只有结果却按有理由给分",
        "a gap called VALID: the result where the formula is asked for",
    ),
    Kind(
        "errors-that-cancel",
        "line-sound",
        _right_work(_false_equality),
        "两个错误互相抵消",
        "two errors that cancel out",
    ),
    Kind(
        "false-working",
        "line-sound",
        _right_work(_false_working),
        "过程错而结果对",
        "wrong working before the right value",
    ),
    Kind(
        "working-passed-over",
        "line-sound",
        _right_work(_working_passed_over),
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
    Kind("rival-value", "no-rival", _right_work(_rival), "同一个量有两个值", "a second value for a credited quantity"),
    Kind("miscopied-given", "no-rival", _miscopied_given, "抄错题设", "a given that is copied wrongly"),
)

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
    Kind("final-step-as-jump", "jump-supported", _last_as_jump, "最后一步算跳步", "the last step called a jump"),
    Kind(
        "bare-answer-as-chain",
        "jump-supported",
        _bare_answer,
        "只写答案按跳步给分",
        "a bare answer as a chain of jumps",
    ),
)

DENIED: tuple[Kind, ...] = (
    Kind(
        "right-called-invalid",
        "denial-proved",
        _right_work(_right_called("INVALID")),
        "对的判为错",
        "a right step called INVALID",
    ),
    Kind(
        "present-called-missing",
        "denial-proved",
        _right_work(_right_called("MISSING")),
        "写了的判为没写",
        "a present step called MISSING",
    ),
    Kind("all-denied", "denial-proved", _all_denied, "几乎全部判为没写", "nearly everything called MISSING"),
    Kind(
        "missing-but-cited",
        "denial-proved",
        _right_work(_missing_but_cited),
        "判为没写却引用了行",
        "MISSING with a line cited",
    ),
    Kind("reduced-to-gap", "certified", _right_work(_reduced_to_gap), "无故扣为缺理由", "full work reduced to a gap"),
    Kind(
        "jump-called-missing",
        "denial-proved",
        _jump_called_missing,
        "有据的跳步判为没写",
        "a supported jump called MISSING",
    ),
    Kind(
        "full-width-called-missing",
        "denial-proved",
        _right_work(_full_width_called_missing),
        "全角书写的结果判为没写",
        "a result in full-width signs called MISSING",
    ),
    Kind(
        "gap-under-certificate",
        "second-judge",
        _right_work(_gap_under_certificate),
        "有证书时无故扣为缺理由",
        "full work reduced to a gap where a certificate is held",
    ),
)
