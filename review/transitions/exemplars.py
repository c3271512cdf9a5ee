"""The only writer of exemplars: named by a marking leader, withdrawn; the row and both events stay."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import number_text
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import queries
from grading.chains import actor_of, case_chain
from grading.models import Case
from grading.transitions.cases import moved_on

from ..models import Exemplar

LONGEST_NOTE = 300


@transaction.atomic
def name_exemplar(case: Case, *, by: Any, edition: int, note: str) -> Exemplar:
    """Publish a decided answer to the markers of its question, with its mark and why it is one.

    Raises UnusableInput without a note, NotAllowedNow for an answer that is not decided or is an exemplar already,
    SomeoneWasFaster when ``edition`` of the mark is not the one that stands.
    """
    said = note.strip()
    if not 0 < len(said) <= LONGEST_NOTE:
        raise UnusableInput(
            "exemplar.note", f"请写明为什么作为样卷（不超过 {LONGEST_NOTE} 字）。",
            f"Say why the answer is an exemplar (at most {LONGEST_NOTE} characters).",
        )  # fmt: skip
    if case.closed_at is None:
        raise NotAllowedNow(
            "exemplar.open", "这份作答还没有定分，不能作为样卷。",
            "This answer has no final mark yet; it cannot be an exemplar.",
        )  # fmt: skip
    mark = queries.standing_mark(case)
    if mark is None or mark.edition != edition:
        raise moved_on(case)
    try:
        with transaction.atomic():
            exemplar = Exemplar.objects.create(case=case, mark=mark, note=said, by=by, named_at=timezone.now())
    except IntegrityError:
        raise NotAllowedNow(
            "exemplar.named", "这份作答已经是样卷，请先撤回再重新指定。",
            "This answer is an exemplar already; withdraw it before naming it anew.",
        ) from None  # fmt: skip
    _tell(exemplar, "name_exemplar", by, edition=mark.edition, total=number_text(mark.total))
    return exemplar


@transaction.atomic
def withdraw_exemplar(exemplar: Exemplar, *, by: Any) -> Exemplar:
    """Markers are no longer shown the answer as an exemplar. Raises SomeoneWasFaster for whoever comes second."""
    standing = Exemplar.objects.filter(pk=exemplar.pk, withdrawn_at__isnull=True)
    if standing.update(withdrawn_at=timezone.now(), withdrawn_by=by) != 1:
        raise SomeoneWasFaster("exemplar.withdrawn", "这份样卷已经撤回。", "This exemplar has been withdrawn already.")
    exemplar.refresh_from_db()
    _tell(exemplar, "withdraw_exemplar", by)
    return exemplar


def _tell(exemplar: Exemplar, verb: str, by: Any, **facts: Any) -> None:
    trail.append(case_chain(exemplar.case), verb, actor=actor_of(by), exemplar=exemplar.public_id, **facts)
