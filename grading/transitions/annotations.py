"""Marks on the image of an answer: drawn and erased by the person who has it in hand, each change once.

What was erased stays where it was: erasing adds a row. Whoever draws works on the answer, so it prolongs their claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.foundation import trail
from config.foundation.canonical import document_hash
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput

from ..chains import actor_of, case_chain
from ..domain.annotations import Change, Draw, Erase, RefusedChange, check_room
from ..models import Annotation, AssessmentState, Case, ErasedAnnotation, Owner, Page
from .cases import ONLY_BY_APPEAL, moved_on
from .marking import CLAIM

SHORTEST_IMAGE = 16


@transaction.atomic
def annotate(case: Case, changes: Sequence[Change], *, by: Any) -> None:
    """Draw and erase, all of it or nothing. What was drawn or erased before under its key is left as it is.

    Raises SomeoneWasFaster when the person does not have the case in hand any more or a page was replaced meanwhile,
    NotAllowedNow after release, RefusedChange for a change that cannot be made.
    """
    if case.response.question.assessment.state == AssessmentState.RELEASED:
        raise NotAllowedNow("annotation.released", *ONLY_BY_APPEAL)
    # Locks the row of the case: a decision or another window of the same person waits until this has ended.
    held = Case.objects.filter(
        pk=case.pk, owner=Owner.HUMAN, claimed_by=by, owner_epoch=case.owner_epoch, closed_at__isnull=True
    )
    until = timezone.now() + CLAIM
    if held.update(claim_until=until) != 1:
        raise moved_on(case)
    case.claim_until = until
    pages = {page.public_id: page for page in Page.objects.filter(response=case.response)}
    own = {each.key: each for each in _own(case, by)}
    for number, change in enumerate(changes):
        try:
            if isinstance(change, Draw):
                _draw(case, change, by=by, page=pages.get(change.page), own=own)
            else:
                _erase(case, change, by=by, own=own)
        except UnusableInput as error:
            raise RefusedChange(error, number) from None


def _own(case: Case, by: Any) -> list[Annotation]:
    found = Annotation.objects.filter(case=case, by=by)
    return list(found.select_related("erased", "page"))


def _draw(case: Case, change: Draw, *, by: Any, page: Page | None, own: dict[str, Annotation]) -> None:
    if change.key in own:
        return
    if page is None:
        raise UnusableInput(
            "annotation.page",
            "这份作答没有这一页，批注没有保存。",
            "This answer has no such page; the mark was not saved.",
        )
    if len(change.image) < SHORTEST_IMAGE or not page.stored_sha256.startswith(change.image):
        raise SomeoneWasFaster(
            "annotation.other_image", "这一页的图像刚被替换，批注没有保存。请重新打开这份作答。",
            "The image of this page has been replaced; the mark was not saved. Open the answer again.",
        )  # fmt: skip
    standing = [
        each
        for each in own.values()
        if each.page_id == page.pk and each.life_cycle == case.life_cycle and not hasattr(each, "erased")
    ]
    check_room(len(standing))
    drawn = change.annotation
    to_x, to_y = drawn.to or (None, None)
    made = Annotation.objects.create(
        case=case, life_cycle=case.life_cycle, by=by, key=change.key, page=page, image_sha256=page.stored_sha256,
        kind=drawn.kind.value, x=drawn.at[0], y=drawn.at[1], to_x=to_x, to_y=to_y, text=drawn.text, at=timezone.now(),
    )  # fmt: skip
    own[change.key] = made
    trail.append(
        case_chain(case), "annotate", actor=actor_of(by), annotation=made.public_id, kind=made.kind, page=page.number,
        image_sha256=made.image_sha256, annotation_sha256=document_hash(drawn.document()),
    )  # fmt: skip


def _erase(case: Case, change: Erase, *, by: Any, own: dict[str, Annotation]) -> None:
    found = own.get(change.key)
    if found is None or found.life_cycle != case.life_cycle:
        raise UnusableInput("annotation.unknown", "找不到要擦去的批注。", "The mark to be erased is not there.")
    if hasattr(found, "erased"):
        return
    ErasedAnnotation.objects.create(annotation=found, at=timezone.now())
    own[change.key] = Annotation.objects.select_related("erased", "page").get(pk=found.pk)
    trail.append(case_chain(case), "erase_annotation", actor=actor_of(by), annotation=found.public_id)
