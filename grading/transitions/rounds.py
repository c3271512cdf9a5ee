"""A person's mark becomes part of the round of its case: the scheme asks for another, or makes the mark of the answer."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import number_text
from config.foundation.errors import SomeoneWasFaster, UnusableInput

from .. import rounds
from ..chains import MACHINE, actor_of, assessment_chain, case_chain
from ..domain.schemes import Agreed, Given, Kind, Need, Place, Rounding
from ..models import Case, GivenMark, Mark, MarkingScheme, MarkSource, Owner, Question
from .cases import move, moved_on, next_edition


def give_mark(
    case: Case,
    *,
    by: Any,
    blind: bool,
    scheme: MarkingScheme | None,
    steps: Sequence[dict[str, Any]],
    total: Decimal,
    max_score: Decimal,
    reason: str,
) -> Mark | None:
    """Add the mark of the person who has the case in hand; part of ``decide``, inside its transaction.

    ``scheme`` is that of the round.

    Returns the edition that the round has come to, or None when the scheme asks for another person.
    """
    marks = rounds.given_marks(case)
    place = Place(case.need)
    if any(place == mark.place or mark.by_id == by.pk for mark in marks):
        # The caller's case is older than these marks; the update below would find out, the rules cannot.
        raise moved_on(case)
    outcome = rounds.need_after(case, scheme, [*rounds.as_given(marks), Given(place, total)])
    mine = Q(owner=Owner.HUMAN, claimed_by=by, closed_at__isnull=True)
    if isinstance(outcome, Agreed):
        move(case, mine, closed_at=timezone.now(), claimed_by=None, claim_until=None)
    else:
        move(
            case, mine, owner=Owner.QUEUED_HUMAN, owner_epoch=case.owner_epoch + 1, need=outcome.place.value,
            claimed_by=None, claim_until=None,
        )  # fmt: skip
    given = GivenMark.objects.create(
        case=case,
        life_cycle=case.life_cycle,
        place=place.value,
        by=by,
        scheme=scheme,
        run=case.run,
        rules=case.rules,
        blind=blind,
        total=total,
        max_score=max_score,
        steps=[{**step, "score": number_text(Decimal(step["score"]))} for step in steps],
        reason=reason.strip(),
        created_at=timezone.now(),
    )
    if isinstance(outcome, Need):
        _tell(case, given, "give_mark", wanted=outcome.place.value, **_difference(outcome))
        return None
    edition = _edition(case, scheme, [*marks, given], outcome)
    if edition.source == MarkSource.PERSON:
        before = number_text(case.run.total) if case.run and not blind else None
        _tell(
            case, given, "decide", before=before, edition=edition.edition, steps=edition.steps,
            has_reason=bool(edition.reason), mark=edition.public_id, rule=edition.rule,
        )  # fmt: skip
    else:
        _tell(case, given, "give_mark")
        trail.append(
            case_chain(case), "agree", actor=MACHINE, total=number_text(edition.total), edition=edition.edition,
            mark=edition.public_id, rule=edition.rule, basis=edition.basis,
        )  # fmt: skip
    return edition


def _difference(need: Need) -> dict[str, str]:
    return {} if need.difference is None else {"difference": number_text(need.difference)}


def _tell(case: Case, given: GivenMark, verb: str, **facts: Any) -> None:
    trail.append(
        case_chain(case), verb, actor=actor_of(given.by), place=given.place, blind=given.blind, given=given.public_id,
        after=number_text(given.total), **facts,
    )  # fmt: skip


def _edition(case: Case, scheme: MarkingScheme | None, marks: Sequence[GivenMark], agreed: Agreed) -> Mark:
    """The edition that a rule makes of the marks in ``agreed.of``: one person's own, or the mean of two."""
    used = [mark for mark in marks if Place(mark.place) in agreed.of]
    alone = used[0] if len(used) == 1 else None
    rule = rounds.as_rule(scheme)
    basis = {
        "scheme": scheme.public_id if scheme else None,
        "kind": rule.kind.value,
        "tolerance": number_text(rule.tolerance),
        "rounding": rule.rounding.value,
        "of": [{"given": mark.public_id, "place": mark.place, "total": number_text(mark.total)} for mark in used],
    }
    same_steps = all(mark.steps == used[0].steps for mark in used)
    return Mark.objects.create(
        case=case,
        edition=next_edition(case),
        source=MarkSource.PERSON if alone else MarkSource.AGREED,
        by=alone.by if alone else None,
        run=case.run,
        rules=case.rules,
        rule=agreed.rule.value,
        basis=basis,
        total=agreed.total,
        max_score=used[0].max_score,
        steps=used[0].steps if same_steps else [],
        reason=alone.reason if alone else "",
        created_at=timezone.now(),
    )


@transaction.atomic
def set_scheme(
    question: Question, *, kind: Kind, tolerance: Decimal, rounding: Rounding, arbiter: Any, blind_share: int,
    version: int, by: Any,
) -> MarkingScheme:  # fmt: skip
    """A new version of how a question is marked. ``version`` is the one the person looked at, 0 where there was none.

    Rounds that have begun keep the scheme they began under. Raises UnusableInput for values that make no sense,
    SomeoneWasFaster when there is a newer version by now.
    """
    present = rounds.newest_scheme(question)
    if (present.version if present else 0) != version:
        raise _changed(question)
    step = question.rules.read().mark_step
    if not tolerance.is_finite() or not 0 <= tolerance <= question.max_score or tolerance % step:
        most, width = number_text(question.max_score), number_text(step)
        raise UnusableInput(
            "scheme.tolerance", f"误差值必须在 0 到 {most} 之间，且是 {width} 的倍数。",
            f"The tolerance must be between 0 and {most} in steps of {width}.",
        )  # fmt: skip
    if not 0 <= blind_share <= 100:
        raise UnusableInput(
            "scheme.share",
            "先盲评的比例在 0 到 100 之间。",
            "The share marked blind first is between 0 and 100 per cent.",
        )
    try:
        with transaction.atomic():
            scheme = MarkingScheme.objects.create(
                question=question,
                version=version + 1,
                kind=kind.value,
                tolerance=tolerance,
                rounding=rounding.value,
                arbiter=arbiter,
                blind_share=blind_share,
                blind_seed=present.blind_seed if present else secrets.token_hex(32),
                by=by,
                created_at=timezone.now(),
            )
    except IntegrityError:
        raise _changed(question) from None
    trail.append(
        assessment_chain(question.assessment), "set_scheme", actor=actor_of(by), question=question.public_id,
        scheme=scheme.public_id, version=scheme.version, kind=scheme.kind, tolerance=number_text(tolerance),
        rounding=scheme.rounding, arbiter=actor_of(arbiter) if arbiter else None, blind_share=blind_share,
    )  # fmt: skip
    return scheme


def _changed(question: Question) -> SomeoneWasFaster:
    return SomeoneWasFaster(
        "scheme.moved", f"{question.label}的评卷方式刚被别人修改，您的修改没有保存。请查看最新设置。",
        f"Someone else just changed how {question.label} is marked; nothing of yours was saved. See the present setting.",
    )  # fmt: skip
