"""The auditor's pages: draw a sample, mark it blind, see the differences."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.foundation.errors import SomeoneWasFaster, UnusableInput
from grading import access
from grading.domain.roles import Right
from grading.models import Touch
from itembank.domain.rules import Rules

from .. import presentation, queries, transitions
from ..access import audit_item_for, sample_for
from ..domain.marking_sheet import blank_sheet
from ..forms import SheetForm, read_sheet, wanted_paths
from ..models import AuditItem
from ..transitions.audits import audited_already
from ..words import STATUSES
from .sent import drafted, gone_to, keep, not_kept, sent_draft, sent_window


@require_http_methods(["GET", "HEAD", "POST"])
def samples(request: HttpRequest, public_id: str) -> HttpResponse:
    """The samples of an assessment and the form that draws another."""
    if request.method == "POST":
        return _draw(request, public_id)
    return _samples_page(request, public_id)


def _samples_page(request: HttpRequest, public_id: str, *, status: int = 200, **extra: Any) -> HttpResponse:
    assessment = access.assessment_for(request.user, public_id, Right.AUDIT, Right.LEAD)
    may_draw = Right.AUDIT in access.rights_in(request.user, assessment)
    context = {
        "assessment": assessment,
        "samples": list(queries.samples_of(assessment)),
        "may_draw": may_draw,
        "population": queries.auditable_marks(assessment, source="ANY", auditor=request.user).count(),
        "machine": queries.auditable_marks(assessment, source="MACHINE", auditor=request.user).count(),
        "typed": {"size": "10", "seed": secrets.token_hex(4), "source": "ANY"},
        **extra,
    }
    return render(request, "review/audits.html", context, status=status)


def _draw(request: HttpRequest, public_id: str) -> HttpResponse:
    assessment = access.assessment_for(request.user, public_id, Right.AUDIT)
    typed = {name: request.POST.get(name, "").strip() for name in ("size", "seed", "source")}
    size = typed["size"]
    try:
        sample = transitions.draw_sample(
            assessment,
            size=int(size) if size.isascii() and size.isdigit() and len(size) < 6 else 0,
            seed=typed["seed"],
            source=typed["source"],
            by=request.user,
        )
    except UnusableInput as error:
        sentence = presentation.sentence_of(error)
        return _samples_page(request, public_id, status=422, typed=typed, error=sentence)
    messages.success(request, _("%(size)s answers drawn.") % {"size": sample.size})
    return redirect("review:sample", sample.public_id)


@require_safe
@never_cache
def sample(request: HttpRequest, public_id: str) -> HttpResponse:
    """Progress of a sample, and the differences found so far."""
    found = sample_for(request.user, public_id)
    held = access.rights_in(request.user, found.assessment)
    waiting = queries.next_item(found, request.user) if Right.AUDIT in held else None
    comparison = queries.comparison_of(found)
    context = {
        "sample": found,
        "assessment": found.assessment,
        "next_item": waiting,
        "comparison": comparison,
        "rows": [
            (row, [(step, STATUSES.get(was), STATUSES.get(now)) for step, was, now in row.steps])
            for row in comparison.rows
        ],
        "may_audit": Right.AUDIT in held,
        "left": found.size - comparison.committed,
    }
    return render(request, "review/sample.html", context)


@require_POST
def take_next(request: HttpRequest, public_id: str) -> HttpResponse:
    """Open the next answer of a sample."""
    found = sample_for(request.user, public_id)
    following = queries.next_item(found, request.user)
    if following is None:
        messages.info(request, _("Nothing is left to audit in this sample."))
        return redirect("review:sample", public_id)
    return redirect("review:audit-item", following.public_id)


def _rules(item: AuditItem) -> Rules:
    return item.mark.rules.read()


def _open_item(request: HttpRequest, public_id: str) -> AuditItem:
    """The item, if the person may still mark it blind; refuses those who have had the answer in hand."""
    person: Any = request.user
    item = audit_item_for(person, public_id)
    if item.committed_at is None and Touch.objects.filter(response=item.mark.case.response, person=person).exists():
        raise PermissionDenied
    return item


def _sheet_context(item: AuditItem, form: SheetForm) -> dict[str, Any]:
    return {
        "form": form,
        "parts": presentation.parts_shown(form.sheet, None, None, ()),
        "statuses": list(STATUSES.values()),
        "recalculate_url": reverse("review:audit-recalculate", args=[item.public_id]),
        "blind": True,
        "editable": True,
    }


def _page(request: HttpRequest, item: AuditItem, form: SheetForm, *, status: int = 200) -> HttpResponse:
    response = item.mark.case.response
    pages = list(response.pages.order_by("number"))
    _form, keeping = drafted(request, item.mark.case, form.sheet.rules)
    context = {
        **keeping,
        "draft_address": reverse("review:audit-draft", args=[item.public_id]),
        "draft_key": f"{item.public_id}.audit",
        **_sheet_context(item, form),
        "item": item,
        "sample": item.sample,
        "assessment": item.sample.assessment,
        "question": response.question,
        "code": response.code,
        "rules": form.sheet.rules,
        "pages": presentation.pages_shown(pages, ()),
    }
    return render(request, "review/audit_item.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def item(request: HttpRequest, public_id: str) -> HttpResponse:
    """Mark one sampled answer blind; after the commit the sample's page shows the difference."""
    found = _open_item(request, public_id)
    if found.committed_at is not None and request.method != "POST":
        return redirect("review:sample", found.sample.public_id)
    rules = _rules(found)
    if request.method != "POST":
        kept, _keeping = drafted(request, found.mark.case, rules)
        blank = SheetForm(blank_sheet(rules, wanted_paths(request.GET, rules)), "", [], set())
        return _page(request, found, kept or blank)
    form = read_sheet(request.POST, rules, None, blind=True)
    if not form.check_complete():
        return _page(request, found, form, status=422)
    try:
        transitions.ending_draft(
            found.mark.case, by=request.user, known=sent_draft(request), window=sent_window(request),
            work=lambda: transitions.commit_audit(
                found, by=request.user, steps=form.steps(), total=form.total, comment=form.reason
            ),
        )  # fmt: skip
    except SomeoneWasFaster as error:
        # What was typed stays on the page, to copy from.
        form.errors.append(presentation.sentence_of(error))
        return _page(request, found, form, status=409)
    except UnusableInput as error:
        form.errors.append(presentation.sentence_of(error))
        return _page(request, found, form, status=422)
    difference = form.total - found.mark.total
    agreed, differs = (
        _("Answer %(code)s: you agree, %(own)s points."),
        _("Answer %(code)s: your %(own)s against %(mark)s points."),
    )
    sentence = differs if difference else agreed
    messages.success(
        request, sentence % {"code": found.mark.case.response.code, "own": form.total, "mark": found.mark.total}
    )
    following = queries.next_item(found.sample, request.user)
    if following is None:
        return gone_to(request, reverse("review:sample", args=[found.sample.public_id]))
    return gone_to(request, reverse("review:audit-item", args=[following.public_id]))


@require_POST
@never_cache
def draft(request: HttpRequest, public_id: str) -> HttpResponse:
    """Keep what an auditor types, as JSON for the page's script. It is no touch: only the commit is."""
    found = _open_item(request, public_id)
    if found.committed_at is not None:
        return not_kept(audited_already())
    return keep(request, found.mark.case, auditing=True)


@require_POST
def recalculate(request: HttpRequest, public_id: str) -> HttpResponse:
    """The blind sheet with scores and total computed anew."""
    found = _open_item(request, public_id)
    form = read_sheet(request.POST, _rules(found), None, blind=True)
    if getattr(request, "htmx", False):
        return render(request, "review/_sheet.html", _sheet_context(found, form))
    return _page(request, found, form)
