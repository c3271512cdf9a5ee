"""The only writer of appeals: filing one, which opens the case again, and deciding it, which closes both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import number_text
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import queries as grading_queries
from grading import transitions
from grading.chains import actor_of, case_chain
from grading.models import Case, Mark

from ..domain import appeals
from ..domain.appeals import Claim, Outcome, Tone
from ..models import Appeal, AppealClaim
from ..queries import as_claims, steps_by_key


@transaction.atomic
def file_appeal(case: Case, *, by: Any, version: int, tone: Tone, words: str, claims: Sequence[Claim]) -> Appeal:
    """Take in an appeal against the standing mark; the case is open again, for somebody who never had it in hand.

    Raises UnusableInput for claims that cannot stand, NotAllowedNow where there is no final mark, SomeoneWasFaster when
    the case has moved on from ``version``, by another appeal for example.
    """
    appeals.check_claims(claims)
    if len(words) > 2000:
        raise UnusableInput("appeal.length", "申诉原文不能超过 2000 字。", "The appeal has at most 2000 characters.")
    standing = grading_queries.standing_mark(case)
    if standing is None or case.closed_at is None:
        raise NotAllowedNow(
            "appeal.no_mark", "这份作答还没有定分，不能申诉。", "This answer has no final mark to appeal against."
        )
    placed = appeals.placed(claims)
    disputes = [
        {"claim": claim.number, "goal": claim.goal.value, "step_id": claim.step[1] if claim.step else None,
         "route": placed[claim.number].route.value}
        for claim in claims
    ]  # fmt: skip
    transitions.reopen(case, by=by, version=version, disputes=disputes)
    now = timezone.now()
    appeal = Appeal.objects.create(
        case=case,
        life_cycle=case.life_cycle,
        old_mark=standing,
        tone=tone.value,
        words=words.strip(),
        filed_by=by,
        filed_at=now,
        reply_by=timezone.localdate(now) + timedelta(days=appeals.days_to_reply(tone)),
    )
    AppealClaim.objects.bulk_create(
        AppealClaim(
            appeal=appeal,
            number=claim.number,
            goal=claim.goal.value,
            path_id=claim.step[0] if claim.step else "",
            step_id=claim.step[1] if claim.step else "",
            words=claim.words.strip(),
            after=claim.after,
            evidence=claim.evidence.strip(),
            covered=claim.covered,
        )
        for claim in claims
    )
    trail.append(
        case_chain(case), "file_appeal", actor=actor_of(by), appeal=appeal.public_id, life_cycle=case.life_cycle,
        claims=len(claims), mark=standing.public_id, stands=number_text(standing.total),
    )  # fmt: skip
    return appeal


@transaction.atomic
def take_appeal(appeal: Appeal, *, by: Any) -> Case:
    """Take an appeal in hand. Raises NotAllowedNow for whoever filed it or has had the answer in hand."""
    if appeal.filed_by_id == by.pk:
        raise NotAllowedNow(
            "appeal.filed_by_you", "这份申诉由您登记，须由别人处理。",
            "You filed this appeal; somebody else must decide it.",
        )  # fmt: skip
    return transitions.take_seeing(appeal.case, by=by)


@transaction.atomic
def decide_appeal(
    appeal: Appeal, *, by: Any, version: int, findings: Mapping[int, Outcome], reasons: Mapping[int, str],
    steps: Sequence[dict[str, Any]], total: Decimal, reason: str,
) -> Mark:  # fmt: skip
    """Settle every claim and give the mark that follows: a new edition beside the old one, and the end of both.

    Raises UnusableInput while a claim is open, where the mark moves without a claim that was upheld or stays where one
    was, and for what ``decide`` refuses; SomeoneWasFaster for a stale page.
    """
    claims = as_claims(appeal)
    outcomes = appeals.outcomes_of(claims, findings)
    appeals.check_decision(
        claims, outcomes, before=appeal.old_mark.total, after=total,
        old_steps=steps_by_key(appeal.old_mark.steps), new_steps=steps_by_key(steps),
    )  # fmt: skip
    for claim in claims:
        told = reasons.get(claim.number, "").strip()[:500]
        if outcomes[claim.number] is Outcome.REJECTED and not told:
            raise UnusableInput(
                "appeal.reason", f"请写明第 {claim.number} 项诉求不成立的理由。",
                f"Say why claim {claim.number} is not upheld.",
            )  # fmt: skip
        settled = AppealClaim.objects.filter(appeal=appeal, number=claim.number, outcome="")
        if settled.update(outcome=outcomes[claim.number], reason=told) != 1:
            raise _settled_already(appeal)
    mark = transitions.decide(
        appeal.case, by=by, version=version, steps=steps, total=total, reason=reason, of_appeal=True
    )
    if mark is None:
        raise RuntimeError("the decision of an appeal makes a mark")
    try:
        with transaction.atomic():
            closed = Appeal.objects.filter(pk=appeal.pk, closed_at__isnull=True).update(
                closed_at=timezone.now(), decided_by=by, new_mark=mark
            )
    except IntegrityError:
        raise NotAllowedNow(
            "appeal.not_fresh", "这份申诉须由另一位没有接触过作答的人处理。",
            "Another person who has not had this answer in hand must decide this appeal.",
        ) from None  # fmt: skip
    if closed != 1:
        raise _settled_already(appeal)
    appeal.refresh_from_db()
    trail.append(
        case_chain(appeal.case), "close_appeal", actor=actor_of(by), appeal=appeal.public_id,
        outcomes={str(number): str(outcome) for number, outcome in sorted(outcomes.items())},
        old=number_text(appeal.old_mark.total), new=number_text(mark.total), mark=mark.public_id,
    )  # fmt: skip
    return mark


def _settled_already(appeal: Appeal) -> SomeoneWasFaster:
    return SomeoneWasFaster(
        "appeal.settled",
        "这份申诉刚被别人处理完。",
        "Somebody else has just decided this appeal.",
        appeal=appeal.public_id,
    )
