"""Reads of the marks on images: what a person may see of them, and which of them stand on the marked paper.

Whoever may not see another's mark in points may not see what they drew: the same rule, asked at the same place.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, F, Max, OuterRef, QuerySet

from . import rounds
from .domain.annotation_shapes import Shape, shape_of
from .domain.annotations import Annotation as Drawn
from .domain.annotations import AnnotationKind
from .domain.schemes import SEEING_PLACES, Place
from .models import Annotation, Case, GivenMark, Owner, Page


def standing() -> QuerySet[Annotation]:
    """The marks nobody has erased, on the images that their pages have now; with page and maker."""
    found = Annotation.objects.filter(erased__isnull=True, image_sha256=F("page__stored_sha256"))
    return found.select_related("page", "by").order_by("pk")


def annotations_seen(case: Case, person: Any) -> list[Annotation]:
    """A person's own marks of this life cycle, and those of others that they may see.

    Others' marks show once these have given their mark in points, to those who may see that one; of an answer that waits
    for an arbiter or a leader, only to the one who has it in hand, as their marks do. Under appeal it is those of the
    round that is appealed against.
    """
    shown = list(standing().filter(case=case, life_cycle=case.life_cycle))
    own = [each for each in shown if each.by_id == person.pk]
    appealed = case.need == Place.APPEAL and case.closed_at is None
    if (len(own) == len(shown) and not appealed) or not _others_may_be_seen(case, person):
        return own
    life = last_marked_life(case) if appealed else case.life_cycle
    others = standing().filter(case=case, life_cycle=life, by__in=_markers(case, life)).exclude(by=person)
    return sorted([*own, *others], key=lambda each: each.pk)


def _others_may_be_seen(case: Case, person: Any) -> bool:
    if case.closed_at is not None:
        return True
    in_hand = case.owner == Owner.HUMAN and case.claimed_by_id == person.pk
    return in_hand if Place(case.need) in SEEING_PLACES else not rounds.blind_to(case, person)


def pages_told(case: Case) -> tuple[list[Page], bool]:
    """The pages of an answer in their order, and whether anything was ever drawn on one; one query."""
    drawn = Exists(Annotation.objects.filter(page=OuterRef("pk")))
    pages = list(case.response.pages.annotate(drawn=drawn).order_by("number"))
    return list(pages), any(page.drawn for page in pages)


def _markers(case: Case, life: int) -> QuerySet[GivenMark, dict[str, Any]]:
    return GivenMark.objects.filter(case=case, life_cycle=life).values("by")  # type: ignore[return-value]


def last_marked_life(case: Case) -> int:
    """The last life cycle in which people gave marks; 0 where none did."""
    found: int | None = case.given_marks.aggregate(last=Max("life_cycle"))["last"]
    return found or 0


def annotations_on_paper(case: Case) -> list[Annotation]:
    """What the marked paper of a decided answer shows: the marks by those who gave the points, of their last round."""
    life = case.life_cycle if case.closed_at is not None else last_marked_life(case)
    return list(standing().filter(case=case, life_cycle=life, by__in=_markers(case, life)))


def as_drawn(annotation: Annotation) -> Drawn:
    """A stored mark as the rules read it."""
    stretched = annotation.to_x is not None and annotation.to_y is not None
    to = (annotation.to_x, annotation.to_y) if stretched else None
    return Drawn(AnnotationKind(annotation.kind), (annotation.x, annotation.y), to, annotation.text)  # type: ignore[arg-type]


def shape_on(annotation: Annotation) -> Shape:
    """Its strokes and lines in pixels of its page."""
    return shape_of(as_drawn(annotation), annotation.page.width, annotation.page.height)
