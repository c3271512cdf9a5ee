"""A marker takes back their own mark: the answer waits in the queue again, in a new life cycle; the mark stays beside the next."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from config.foundation.errors import NotAllowedNow

from .. import queries
from ..domain.schemes import Place
from ..models import AssessmentState, Case, Packet, Touch
from .cases import ONLY_BY_APPEAL, moved_on, reopen

TAKEN_BACK = "taken_back"


@transaction.atomic
def take_back(case: Case, *, by: Any, version: int, why: str) -> Packet:
    """Reopen a case that ``by`` alone decided, as long as nobody else has had it in hand since.

    ``why`` goes into the packet of the new life cycle. Raises SomeoneWasFaster when ``version`` is not the case's present one,
    NotAllowedNow for a mark that is not (or not only) theirs, one that somebody has looked at since, and released results.
    """
    if case.version != version:
        raise moved_on(case)
    if case.response.question.assessment.state == AssessmentState.RELEASED:
        raise NotAllowedNow("take_back.released", *ONLY_BY_APPEAL)
    mark = queries.standing_mark(case)
    if case.closed_at is None or mark is None or mark.by_id != by.pk:
        raise NotAllowedNow(
            "take_back.not_alone", "这份作答的分数不是您一人定的，或还在等别人评阅。",
            "The mark of this answer is not yours alone, or waits for somebody else.",
        )  # fmt: skip
    if Touch.objects.filter(response=case.response, at__gte=case.closed_at).exclude(person=by).exists():
        raise NotAllowedNow(
            "take_back.touched", "之后已有别人处理过这份作答。", "Somebody else has had this answer in hand since."
        )
    return reopen(
        case, by=by, version=version, disputes=[{"kind": TAKEN_BACK, "reason": why}], need=Place.FIRST, verb="take_back"
    )
