"""Which answer a person has before their eyes: a token that stands beside the image and is sent with the mark.

It signs the case, its owner epoch and the hashes of the pages shown. A sheet that is sent beside the image of another
answer, or of a page that has been replaced since, is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.crypto import constant_time_compare, salted_hmac

from grading.models import Case, Page

SALT = "review.screen"
LONGEST = 80


def screen_token(case: Case, pages: Sequence[Page], *, epoch: int | None = None) -> str:
    """``epoch.signature``; pages in their order."""
    shown = case.owner_epoch if epoch is None else epoch
    text = "\n".join([case.public_id, str(shown), *(f"{page.number} {page.stored_sha256}" for page in pages)])
    return f"{shown}.{salted_hmac(SALT, text, algorithm='sha256').hexdigest()[:40]}"


def shows_this_answer(token: str, case: Case, pages: Sequence[Page], *, epoch: int) -> bool:
    """Whether the token was made for these pages of this case while its owner epoch was ``epoch``."""
    if len(token) > LONGEST or not token.isascii():
        return False
    return constant_time_compare(token, screen_token(case, pages, epoch=epoch))
