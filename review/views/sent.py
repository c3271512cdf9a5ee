"""What a page with a marking sheet sends beside the sheet: the version it was made for and the token of its image."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, WenshuError
from grading import transitions
from grading.models import Case
from itembank.domain.rules import Rules

from .. import presentation
from .. import queries as review_queries
from .. import transitions as review_transitions
from ..domain.drafts import kept_fields
from ..forms import SheetForm, read_sheet
from ..models import Draft
from .desk import Kept, sent_fields
from .screen import shows_this_answer


def _whole(request: HttpRequest, name: str, otherwise: int) -> int:
    """A small whole number of a form; ``otherwise`` where none was sent."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else otherwise


def sent_version(request: HttpRequest) -> int:
    """The version of the case on the page that was sent; -1 for none."""
    return _whole(request, "version", -1)


def sent_draft(request: HttpRequest) -> int:
    """The version of the draft that the page knew; 0 for none."""
    return _whole(request, "draft", 0)


def sent_window(request: HttpRequest) -> str:
    """The name that an open page gives itself; empty without a script."""
    name = request.POST.get("window", "")
    return name if name.isalnum() and name.isascii() and len(name) <= 40 else ""


def form_in_hand(request: HttpRequest, case: Case) -> tuple[int, int]:
    """Version and owner epoch of the page that was sent, brought up to now where only the clock took the case away."""
    sent = sent_version(request)
    if transitions.take_up_again(case, by=request.user, version=sent):
        # The end of the claim and the new one have moved the epoch on by one each.
        return case.version, case.owner_epoch - 2
    return sent, case.owner_epoch


def beside_its_image(request: HttpRequest, case: Case, epoch: int) -> bool:
    """Whether the form was filled in beside the pages that this case had at that epoch."""
    pages = list(case.response.pages.order_by("number"))
    return shows_this_answer(request.POST.get("screen", ""), case, pages, epoch=epoch)


def version_beside_image(request: HttpRequest, case: Case) -> int:
    """The version a mark was made for, brought up to now where nothing but the clock took the case away.

    Raises SomeoneWasFaster where the sheet was filled in beside the image of another answer, or of a page replaced since.
    """
    version, epoch = form_in_hand(request, case)
    refuse_other_image(request, case, version, epoch)
    return version


def refuse_other_image(request: HttpRequest, case: Case, version: int, epoch: int) -> None:
    """Raise SomeoneWasFaster for a sheet of the present version that was filled in beside other pages."""
    if version == case.version and not beside_its_image(request, case, epoch):
        raise SomeoneWasFaster(
            "case.other_screen",
            "这张评分表不是在这份作答的图像旁填写的，没有保存。请重新打开这份作答。",
            "This sheet was not filled in beside the image of this answer; nothing was saved. Open the answer again.",
        )


def drafted(request: HttpRequest, case: Case, rules: Rules) -> tuple[SheetForm | None, dict[str, Any]]:
    """The sheet a person left unfinished on a page without a proposal, and what that page needs to keep it."""
    draft = review_queries.draft_of(case, request.user)
    form = None
    if draft is not None and request.method != "POST":
        form = read_sheet(sent_fields(draft.fields), rules, None, blind=True)
        form.errors.clear()
        form.wrong_fields.clear()
    known = request.POST.get("draft", "0") if request.method == "POST" else draft.version if draft else 0
    return form, {"known": known, "kept": Kept(draft, form is not None, False) if draft else None}


def gone_to(request: HttpRequest, address: str) -> HttpResponse:
    """Where a page goes after it was handed in: a redirect, or for the desk's own script the address alone, so that the
    sentence for the person is not used up by a page that nobody sees."""
    if request.headers.get("X-Desk"):
        return HttpResponse(status=204, headers={"X-Location": address})
    return redirect(address)


def keep(request: HttpRequest, case: Case, *, auditing: bool = False) -> JsonResponse:
    """Keep what is typed on a page that holds no claim, as JSON for its script: the draft's version and time."""
    try:
        saved = review_transitions.save_draft(
            case, by=request.user, fields=kept_fields(request.POST.lists()), beside=request.POST.get("run", "")[:16],
            known=sent_draft(request), window=sent_window(request), auditing=auditing,
        )  # fmt: skip
    except (SomeoneWasFaster, NotAllowedNow) as error:
        return not_kept(error, review_queries.draft_of(case, request.user))
    return JsonResponse({"version": saved.version, "at": f"{timezone.localtime(saved.saved_at):%H:%M}", "sentence": ""})


def not_kept(error: WenshuError, latest: Draft | None = None) -> JsonResponse:
    """409 for the page's script: why nothing was kept, and the version of the draft that there is."""
    version = latest.version if latest else 0
    return JsonResponse(
        {"code": error.code, "sentence": presentation.sentence_of(error), "version": version}, status=409
    )
