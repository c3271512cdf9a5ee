"""打回: a decided answer goes back to be marked again, with a reason; its earlier marks stay beside the new one."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from config.foundation.errors import NotAllowedNow, UnusableInput

from ..domain.schemes import Place
from ..models import AssessmentState, Case, Packet
from .cases import ONLY_BY_APPEAL, moved_on, reopen

LONGEST_REASON = 500


@transaction.atomic
def return_mark(case: Case, *, by: Any, version: int, reason: str) -> Packet:
    """Reopen a closed case as a new life cycle in the people's queue; the reason stands in its packet.

    Raises UnusableInput without a reason, NotAllowedNow for a case that is not decided or whose results are released
    (then an appeal is the way), SomeoneWasFaster when ``version`` is not the case's present one.
    """
    if case.version != version:
        raise moved_on(case)
    said = reason.strip()
    if not 0 < len(said) <= LONGEST_REASON:
        raise UnusableInput(
            "return.reason", f"请写明打回的理由（不超过 {LONGEST_REASON} 字）。",
            f"Say why the answer is returned (at most {LONGEST_REASON} characters).",
        )  # fmt: skip
    if case.closed_at is None:
        raise NotAllowedNow(
            "return.open",
            "这份作答还没有定分，不能打回。",
            "This answer has no final mark yet; it cannot be returned.",
        )
    if case.response.question.assessment.state == AssessmentState.RELEASED:
        raise NotAllowedNow("return.released", *ONLY_BY_APPEAL)
    disputes = [{"kind": "returned", "reason": said}]
    return reopen(case, by=by, version=version, disputes=disputes, need=Place.FIRST, verb="return_mark")
