"""Reads of exemplars (样卷): decided answers that a marking leader shows to the markers of a question."""

from __future__ import annotations

from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from config.foundation.canonical import number_text
from grading import queries, rounds
from grading.models import Case, Question

from .models import Exemplar


def standing_exemplars(question: Question) -> QuerySet[Exemplar]:
    """The exemplars of a question that are not withdrawn, in the order of their marks."""
    return (
        Exemplar.objects.filter(case__response__question=question, withdrawn_at__isnull=True)
        .select_related("case__response__question", "mark", "by")
        .order_by(F("mark__total").desc(), "case__response__code")
    )


def exemplars_shown_to(person: Any, question: Question, *, but: Case | None = None) -> list[Exemplar]:
    """Those a person may see: not of ``but``, nor of answers that they may yet be asked to mark blind."""
    found = [each for each in standing_exemplars(question) if but is None or each.case_id != but.pk]
    hidden = rounds.blind_to_each([each.case for each in found], person)
    return [each for each in found if each.case_id not in hidden]


def exemplar_of(case: Case) -> Exemplar | None:
    """The exemplar that an answer is at present."""
    return Exemplar.objects.select_related("mark", "by").filter(case=case, withdrawn_at__isnull=True).first()


def change_since(case: Case, exemplar: Exemplar) -> str:
    """A sentence where the mark that was published is no longer the one that stands; else empty."""
    if case.closed_at is None:
        return _("This answer has been opened again since it was named; its mark may change.")
    standing = queries.standing_mark(case)
    if standing is None or standing.pk == exemplar.mark_id:
        return ""
    return _("The mark has been changed since it was named: now %(total)s of %(most)s.") % {
        "total": number_text(standing.total), "most": number_text(standing.max_score),
    }  # fmt: skip
