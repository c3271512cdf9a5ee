"""Drawing on the image of an answer in one's hand, as JSON for the desk's script. What others drew is never in the answer."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from config.foundation import strict_json
from config.foundation.errors import NotAllowedNow, SomeoneWasFaster, UnusableInput
from grading import access, transitions
from grading.domain.annotations import RefusedChange, read_changes
from grading.domain.roles import Right
from grading.models import Case

from .. import presentation
from .screen import screen_token
from .sent import beside_its_image, form_in_hand


@require_POST
@never_cache
def annotate(request: HttpRequest, public_id: str) -> JsonResponse:
    """Draw and erase what ``changes`` lists. 422 names the one that cannot be used, 409 says what happened meanwhile.

    Where only the clock had taken the case away it is taken up again, and the page gets the version and the token that its
    sheet is handed in with from then on.
    """
    case = access.unseen_case_for(request.user, public_id, Right.MARK)
    try:
        changes = read_changes(strict_json.loads(request.POST.get("changes", "")))
        renewed = _taken_up(request, case)
        transitions.annotate(case, changes, by=request.user)
    except UnusableInput as error:
        number = error.number if isinstance(error, RefusedChange) else None
        return _refused(error, status=422, number=number)
    except (SomeoneWasFaster, NotAllowedNow) as error:
        return _refused(error, status=409)
    now = f"{timezone.localtime():%H:%M}"
    until = f"{timezone.localtime(case.claim_until):%H:%M}" if case.claim_until else ""
    return JsonResponse({"at": now, "until": until} | renewed)


def _taken_up(request: HttpRequest, case: Case) -> dict[str, str]:
    epoch_before = case.owner_epoch
    version, epoch = form_in_hand(request, case)
    if case.owner_epoch == epoch_before or not beside_its_image(request, case, epoch):
        return {}
    pages = list(case.response.pages.order_by("number"))
    return {"version": str(version), "screen": screen_token(case, pages)}


def _refused(error: Any, *, status: int, **facts: Any) -> JsonResponse:
    answer = {"code": error.code, "sentence": presentation.sentence_of(error)} | facts
    return JsonResponse(answer, status=status)
