"""回评: a person changes the mark that they themselves gave last, until the results are released."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import number_text
from config.foundation.errors import NotAllowedNow, UnusableInput

from .. import queries
from ..chains import actor_of, case_chain
from ..domain.decisions import check_decision
from ..domain.own_marks import Fixed, why_fixed
from ..domain.schemes import Rule
from ..models import AssessmentState, Case, Mark
from .cases import ONLY_BY_APPEAL, move, moved_on, next_edition

_REFUSALS: dict[Fixed, tuple[str, str]] = {
    Fixed.OPEN: ("这份作答还没有定分，现在不能回评。", "This answer has no final mark yet; there is nothing to change."),
    Fixed.NOT_OWN: (
        "现在的分数不是您给的，不能由您改动。", "The standing mark is not yours, so it is not yours to change."
    ),
    Fixed.SHARED: (
        "这个分数由评卷方式根据几个人或机器的评分得出，不能由一个人改动；请联系组长打回。",
        "This mark was made by the scheme from several marks; no one person changes it. Ask the leader to return it.",
    ),
    Fixed.RELEASED: ONLY_BY_APPEAL,
}  # fmt: skip


def fixed(case: Case, mark: Mark | None, person: Any) -> Fixed | None:
    """Why the standing mark of a case is not for this person to change; None where it is."""
    return why_fixed(
        closed=case.closed_at is not None,
        released=case.response.question.assessment.state == AssessmentState.RELEASED,
        own=mark is not None and mark.by_id == person.pk,
        rule=Rule(mark.rule) if mark and mark.rule else None,
    )


def _refused(why: Fixed) -> NotAllowedNow:
    return NotAllowedNow(f"own_mark.{why.value}", *_REFUSALS[why])


def refuse_fixed(case: Case, *, by: Any) -> None:
    """Raise NotAllowedNow where the standing mark of a case is not for this person to change."""
    refused = fixed(case, queries.standing_mark(case), by)
    if refused is not None:
        raise _refused(refused)


@transaction.atomic
def change_own_mark(
    case: Case, *, by: Any, version: int, steps: Sequence[dict[str, Any]], total: Decimal, reason: str
) -> Mark:
    """A new edition in the place of one's own; the case stays closed, the mark given first stays beside it.

    Raises SomeoneWasFaster when ``version`` is not the case's present one, NotAllowedNow where the standing mark is not
    this person's alone or the results are released, UnusableInput when scores and rules disagree, nothing is changed
    or no reason is given.
    """
    before = queries.standing_mark(case)
    # After the mark was read: what is refused below is refused of the edition that the person looked at.
    if case.version != version or not Case.objects.filter(pk=case.pk, version=version).exists():
        raise moved_on(case)
    refused = fixed(case, before, by)
    if refused is not None or before is None:
        raise _refused(refused or Fixed.OPEN)
    said = reason.strip()
    if not said:
        raise UnusableInput("own_mark.reason", "请写明改分的理由。", "Say why you change your mark.")
    rules = before.rules.read()
    check_decision(rules, steps=steps, total=total, reason=said, proposed=None)
    kept = [{**step, "score": number_text(Decimal(step["score"]))} for step in steps]
    if total == before.total and kept == before.steps:
        raise UnusableInput("own_mark.same", "分数和步骤都没有改动。", "Neither the mark nor a step is changed.")
    move(case, Q(closed_at__isnull=False))
    edition = Mark.objects.create(
        case=case,
        edition=next_edition(case),
        source=before.source,
        by=by,
        run=before.run,
        rules=before.rules,
        rule=before.rule,
        basis={**before.basis, "changed": before.public_id},
        total=total,
        max_score=rules.max_score,
        steps=kept,
        reason=said,
        created_at=timezone.now(),
    )
    trail.append(
        case_chain(case), "change_mark", actor=actor_of(by), mark=edition.public_id, changed=before.public_id,
        edition=edition.edition, was=number_text(before.total), after=number_text(total), steps=edition.steps,
        rule=edition.rule, has_reason=True,
    )  # fmt: skip
    return edition
