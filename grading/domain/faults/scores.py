"""Faults of counting: scores, totals and paths that do not follow from the statuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from random import Random

from itembank.domain.rules import Path

from ..gate import GateInput
from ..scoring import Scorecard, ScoredStep, judged_scores
from ..statuses import Status
from .base import Base, Make, Mutant
from .run import Kind
from .targets import pick

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


def _with_steps(card: Scorecard, steps: tuple[ScoredStep, ...]) -> Scorecard:
    """Other steps with the total that fits them."""
    return replace(card, steps=steps, total=sum((step.score for step in steps), Decimal(0)))


def _scored(card: Scorecard, place: int, score: Decimal) -> Scorecard:
    steps = list(card.steps)
    steps[place] = replace(steps[place], score=score)
    return _with_steps(card, tuple(steps))


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
    return _with_steps(card, card.steps[:place] + card.steps[place + 1 :])


def _step_counted_twice(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    return _with_steps(card, (*card.steps, rng.choice(card.steps)))


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
        return replace(given, scorecard=replace(_with_steps(card, steps), chosen=chosen))

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
        _with_steps(card, steps),
        chosen={**card.chosen, path.part: path.path_id},
        tied={**card.tied, path.part: (path.path_id,)},
    )


def _unknown_path_with_credit(card: Scorecard, given: GateInput, rng: Random) -> Scorecard:
    return replace(card, matched_path_id="UNKNOWN")


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
