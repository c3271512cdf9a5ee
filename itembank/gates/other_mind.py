"""Gate 4, another mind: a different model solves as a student, first; only then the key is compared, by algebra.

Two sensible readings stop an item even where both come to the key: students read it, and one number changed would tell
them apart. What algebra cannot decide, or the student could not do, is NOT_COMPUTABLE, never a pass.
"""

from __future__ import annotations

from typing import Any

from itembank.algebra import Algebra
from itembank.domain.gates import OTHER_MIND, Detail, GateOutcome, Outcome
from itembank.domain.item_model import Item, Part

from .claims import Claim, ignored, instructions, record
from .comparison import compared, of_all_parts, place, shown_readings
from .stem import Stem
from .student import Student


def consult(item: Item, student: Student) -> GateOutcome:
    """Gate 4 for one item. Never raises for what the item or the student says."""
    algebra = Algebra(item.declares)
    said = [_part(item, part, student, algebra) for part in item.parts]
    return GateOutcome(
        OTHER_MIND,
        of_all_parts([outcome for outcome, _, _ in said]),
        tuple(detail for _, details, _ in said for detail in details),
        {"parts": [artefacts for _, _, artefacts in said]},
    )


def _part(
    item: Item, part: Part, student: Student, algebra: Algebra
) -> tuple[Outcome, tuple[Detail, ...], dict[str, Any]]:
    stem = Stem.of(item, part)
    claim = student.solve(stem)
    # From here on the claimed answer may be looked at; nothing is asked any more.
    outcome, details, comparisons = compared(part, claim, algebra)
    if len(claim.readings) > 1:
        outcome, details = Outcome.AMBIGUOUS, (_several(claim, place(part)),)
    seen = instructions(stem, claim)
    artefacts = record(claim, part=part.number, seen=seen, comparisons=comparisons, outcome=outcome)
    return outcome, details + ignored(seen, place(part)), artefacts


def _several(claim: Claim, where: str) -> Detail:
    meanings, answers = " / ".join(one.meaning for one in claim.readings)[:400], shown_readings(claim)
    return Detail(
        "several-readings",
        f"题目有几种合理的理解：{meanings}；答案依次是 {answers}",
        f"The question has several sensible readings: {meanings}; they come to {answers}",
        where,
    )
