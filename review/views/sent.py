"""What a page with a marking sheet sends beside the sheet: the version it was made for and the token of its image."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from config.foundation.errors import SomeoneWasFaster
from grading import transitions
from grading.models import Case
from itembank.domain.rules import Rules

from .. import queries as review_queries
from ..forms import SheetForm, read_sheet
from .desk import Kept, sent_fields
from .screen import shows_this_answer


def sent_version(request: HttpRequest) -> int:
    """The version of the case on the page that was sent; -1 for none."""
    version = request.POST.get("version", "")
    return int(version) if version.isascii() and version.isdigit() and len(version) < 10 else -1


def version_beside_image(request: HttpRequest, case: Case) -> int:
    """The version a mark was made for, brought up to now where nothing but the clock took the case away.

    Raises SomeoneWasFaster where the sheet was filled in beside the image of another answer, or of a page replaced since.
    """
    version, epoch = sent_version(request), case.owner_epoch
    if transitions.take_up_again(case, by=request.user, version=version):
        # The end of the claim and the new one have moved the epoch on by one each.
        version, epoch = case.version, case.owner_epoch - 2
    pages = list(case.response.pages.order_by("number"))
    if version == case.version and not shows_this_answer(request.POST.get("screen", ""), case, pages, epoch=epoch):
        raise SomeoneWasFaster(
            "case.other_screen",
            "这张评分表不是在这份作答的图像旁填写的，没有保存。请重新打开这份作答。",
            "This sheet was not filled in beside the image of this answer; nothing was saved. Open the answer again.",
        )
    return version


def sent_window(request: HttpRequest) -> str:
    """The name that an open page gives itself; empty without a script."""
    name = request.POST.get("window", "")
    return name if name.isalnum() and name.isascii() and len(name) <= 40 else ""


def sent_draft(request: HttpRequest) -> int:
    """The version of the draft that the page knew; 0 for none."""
    version = request.POST.get("draft", "")
    return int(version) if version.isascii() and version.isdigit() and len(version) < 10 else 0


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
