"""Raw replies of models are kept for a stated time and then emptied; what was decided from them stays checkable."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from config.foundation.models import ModelCall
from config.foundation.tasks import erase_raw_replies

pytestmark = pytest.mark.django_db


def a_call(days_ago: int) -> ModelCall:
    return ModelCall.objects.create(
        prompt="read_answer", prompt_sha256="0" * 64, model="m", raw_reply='{"lines": []}', raw_sha256="1" * 64,
        tokens_in=3, at=timezone.now() - timedelta(days=days_ago),
    )  # fmt: skip


def test_a_reply_is_emptied_when_its_time_is_over_and_its_hash_and_tokens_stay(settings):
    settings.RAW_REPLY_DAYS = 30
    old, young = a_call(31), a_call(29)
    assert erase_raw_replies() == 1
    old.refresh_from_db()
    young.refresh_from_db()
    assert (old.raw_reply, old.raw_sha256, old.tokens_in) == ("", "1" * 64, 3)
    assert young.raw_reply
    assert erase_raw_replies() == 0
