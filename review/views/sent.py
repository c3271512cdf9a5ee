"""What a page with a marking sheet sends beside the sheet: the version it was made for and the token of its image."""

from __future__ import annotations

from django.http import HttpRequest

from config.foundation.errors import SomeoneWasFaster
from grading import transitions
from grading.models import Case

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
