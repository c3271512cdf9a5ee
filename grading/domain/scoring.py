"""From statuses to scores, exactly: half credit, carried errors, the bare answer, and the best path of each part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from itembank.domain.rules import Path, Rules, Step

from .expressions import shows_working
from .observation import Observation, StepProposal
from .reading import Reading
from .statuses import CREDITED, ErrorCode, Status

ZERO = Decimal(0)
UNKNOWN = "UNKNOWN"
BLANK_COMMENT = "Blank/Unreadable"

Proved = Callable[[Path, Step], bool]


def floor_to(value: Decimal, mark_step: Decimal) -> Decimal:
    """The largest multiple of `mark_step` that is not above `value`."""
    return (value / mark_step).to_integral_value(ROUND_FLOOR) * mark_step


def gap_score(step: Step, mark_step: Decimal) -> Decimal:
    """Credit for GAP_DEDUCTION: the rules' own figure, else half rounded down to `mark_step`."""
    return step.gap_points if step.gap_points is not None else floor_to(step.points / 2, mark_step)


def step_score(step: Step, status: Status, mark_step: Decimal, ecf_points_before: Decimal = ZERO) -> Decimal:
    """Score of one step. `ecf_points_before`: points of earlier carried-error steps that share the running half."""
    if status in (Status.VALID, Status.JUMP_VALID):
        return step.points
    if status is Status.GAP_DEDUCTION:
        return gap_score(step, mark_step)
    if status is Status.ECF_GRANTED:
        if step.ecf_points is not None:
            return step.ecf_points
        earned = floor_to(ecf_points_before / 2, mark_step)
        return floor_to((ecf_points_before + step.points) / 2, mark_step) - earned
    return ZERO


def is_bare_answer(path: Path, statuses: Mapping[str, Status]) -> bool:
    """Whether nothing of the path is written but its final answer: neither a chain of jumps nor full credit."""
    if len(path.steps) < 2:
        return False
    *earlier, last = path.steps
    return statuses.get(last.step_id, Status.MISSING) in (Status.VALID, Status.GAP_DEDUCTION) and all(
        statuses.get(step.step_id, Status.MISSING) in (Status.MISSING, Status.JUMP_VALID) for step in earlier
    )


def path_scores(
    path: Path, statuses: Mapping[str, Status], rules: Rules, *, bare: bool | None = None
) -> tuple[Decimal, ...]:
    """Scores of the steps of one path, in order. A step without a status is MISSING.

    `bare` says whether the final answer stands without any working; left out, the statuses alone decide.
    """
    if is_bare_answer(path, statuses) if bare is None else bare:
        return (ZERO,) * (len(path.steps) - 1) + (min(rules.answer_only_points, path.steps[-1].points),)
    scores: list[Decimal] = []
    carried = ZERO
    for step in path.steps:
        status = statuses.get(step.step_id, Status.MISSING)
        scores.append(step_score(step, status, rules.mark_step, carried))
        if status is Status.ECF_GRANTED and step.ecf_points is None:
            carried += step.points
    return tuple(scores)


def score_path(path: Path, proposals: Sequence[StepProposal], rules: Rules) -> tuple[Decimal, ...]:
    """`path_scores` for a judge's proposals."""
    return path_scores(path, {step.step_id: step.status for step in proposals}, rules)


def total_of_steps(rules: Rules, chosen: Mapping[int, str], statuses: Mapping[str, Status]) -> Decimal:
    """Total when the path of each part and the status of each of its steps are known (a teacher changed one)."""
    return sum((sum(path_scores(rules.path(path_id), statuses, rules), ZERO) for path_id in chosen.values()), ZERO)


@dataclass(frozen=True)
class ScoredStep:
    """One step of a credited path with its final status and score."""

    part: int
    path: Path
    step: Step
    proposal: StepProposal | None
    status: Status
    score: Decimal
    bare_answer: bool = False

    @property
    def credited(self) -> bool:
        """Whether the step's status carries credit."""
        return self.status in CREDITED


@dataclass(frozen=True)
class Scorecard:
    """What the answer earns. `tied` names, per part, every path that earns as much as the chosen one."""

    matched_path_id: str
    chosen: Mapping[int, str]
    tied: Mapping[int, tuple[str, ...]]
    path_totals: Mapping[str, Decimal]
    steps: tuple[ScoredStep, ...]
    total: Decimal
    unreadable: bool = False
    blank: bool = False
    bare_parts: tuple[int, ...] = ()
    extra_codes: tuple[ErrorCode, ...] = ()

    @property
    def matched(self) -> bool:
        """Whether a path was recognised in each part."""
        return self.matched_path_id != UNKNOWN


def statuses_of(path: Path, observation: Observation) -> dict[str, Status]:
    """The proposed status of each step of a path."""
    return {step.step_id: observation.status(path.path_id, step.step_id) for step in path.steps}


def stands_bare(path: Path, observation: Observation, reading: Reading | None) -> bool:
    """Whether a path's final answer stands bare: nothing else of the path is written, and its lines show no working."""
    if not is_bare_answer(path, statuses_of(path, observation)):
        return False
    proposal = observation.proposal(path.path_id, path.steps[-1].step_id)
    if reading is None or proposal is None:
        return True
    lines = [reading.by_id[line_id].content for line_id in proposal.line_ids if line_id in reading.by_id]
    return not any(shows_working(content) for content in lines)


def judged_scores(path: Path, observation: Observation, reading: Reading | None, rules: Rules) -> tuple[Decimal, ...]:
    """Scores of a path by the statuses of an observation."""
    bare = stands_bare(path, observation, reading)
    return path_scores(path, statuses_of(path, observation), rules, bare=bare)


def best_paths(
    rules: Rules, observation: Observation, proved: Proved, reading: Reading | None = None
) -> tuple[dict[int, str], dict[int, tuple[str, ...]]]:
    """Per part: the path that counts, and all that earn as much. Ties: more proved steps, then order in the rules."""
    chosen: dict[int, str] = {}
    tied: dict[int, tuple[str, ...]] = {}
    for part in rules.parts():
        totals = {
            path.path_id: sum(judged_scores(path, observation, reading, rules), ZERO) for path in rules.paths_of(part)
        }
        best = max(totals.values())
        level = [path for path in rules.paths_of(part) if totals[path.path_id] == best]
        if len(level) > 1:
            counts = [sum(proved(path, step) for step in path.steps) for path in level]
            chosen[part] = level[counts.index(max(counts))].path_id
        else:
            chosen[part] = level[0].path_id
        tied[part] = tuple(path.path_id for path in level)
    return chosen, tied


def nothing_scored(rules: Rules, *, unreadable: bool = False, codes: tuple[ErrorCode, ...] = ()) -> Scorecard:
    """The scorecard of an answer that could not be judged."""
    return Scorecard(UNKNOWN, {}, {}, {}, (), ZERO, unreadable=unreadable, extra_codes=codes)


def is_blank(reading: Reading, ink: Mapping[str, object] | None) -> bool:
    """Nothing written: no standing line, and no page with ink outside the print where ink was measured."""
    if any(not line.struck_out and line.content.strip() for line in reading.lines):
        return False
    if ink is None:
        return reading.failure is None or reading.failure.code == "blank"
    pages = ink.get("pages")
    return (
        isinstance(pages, list)
        and bool(pages)
        and all(isinstance(page, dict) and page.get("blank") is True for page in pages)
    )


def scorecard(
    rules: Rules,
    reading: Reading | None,
    observation: Observation | None,
    ink: Mapping[str, object] | None,
    proved: Proved,
) -> Scorecard:
    """What the proposals of an observation are worth under the rules."""
    if reading is None:
        return nothing_scored(rules)
    if is_blank(reading, ink):
        return _blank(rules)
    if reading.failure is not None or not reading.standing:
        return nothing_scored(rules, unreadable=True, codes=(ErrorCode.ERR_READING,))
    if observation is None or (observation.failure is not None and not observation.paths):
        return nothing_scored(rules)
    chosen, tied = best_paths(rules, observation, proved, reading)
    totals = {path.path_id: sum(judged_scores(path, observation, reading, rules), ZERO) for path in rules.paths}
    steps, bare = _steps(rules, chosen, observation, reading)
    recognised = not observation.another_method and any(step.status is not Status.MISSING for step in steps)
    if not recognised:
        steps = tuple(step for step in steps if step.credited and proved(step.path, step.step))
    return Scorecard(
        matched_path_id=";".join(f"{part}:{path_id}" for part, path_id in chosen.items()) if recognised else UNKNOWN,
        chosen=chosen,
        tied=tied,
        path_totals=totals,
        steps=steps,
        total=sum((step.score for step in steps), ZERO),
        bare_parts=bare,
        extra_codes=(ErrorCode.ERR_ANSWER_ONLY,) if bare else (),
    )


def _steps(
    rules: Rules, chosen: Mapping[int, str], observation: Observation, reading: Reading
) -> tuple[tuple[ScoredStep, ...], tuple[int, ...]]:
    steps: list[ScoredStep] = []
    bare_parts: list[int] = []
    for part, path_id in chosen.items():
        path = rules.path(path_id)
        statuses = statuses_of(path, observation)
        bare = stands_bare(path, observation, reading)
        scores = path_scores(path, statuses, rules, bare=bare)
        if bare:
            bare_parts.append(part)
            statuses = {
                step_id: Status.MISSING if status is Status.JUMP_VALID else status
                for step_id, status in statuses.items()
            }
        for step, score in zip(path.steps, scores, strict=True):
            proposal = observation.proposal(path_id, step.step_id)
            is_last = step is path.steps[-1]
            steps.append(ScoredStep(part, path, step, proposal, statuses[step.step_id], score, bare and is_last))
    return tuple(steps), tuple(bare_parts)


def _blank(rules: Rules) -> Scorecard:
    chosen = {part: rules.paths_of(part)[0].path_id for part in rules.parts()}
    steps = tuple(
        ScoredStep(part, rules.path(path_id), step, None, Status.MISSING, ZERO)
        for part, path_id in chosen.items()
        for step in rules.path(path_id).steps
    )
    return Scorecard(
        matched_path_id=";".join(f"{part}:{path_id}" for part, path_id in chosen.items()),
        chosen=chosen,
        tied={part: (path_id,) for part, path_id in chosen.items()},
        path_totals={path.path_id: ZERO for path in rules.paths},
        steps=steps,
        total=ZERO,
        blank=True,
        extra_codes=(ErrorCode.ERR_BLANK,),
    )
