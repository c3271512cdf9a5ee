"""What is kept for a stated time only: the raw replies of models, which quote what pupils wrote."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from .models import ModelCall


def erase_raw_replies(*, now: datetime | None = None) -> int:
    """Empty the replies older than ``WENSHU_RAW_REPLY_DAYS``; their hashes, tokens and costs stay. How many."""
    limit = (now or timezone.now()) - timedelta(days=settings.RAW_REPLY_DAYS)
    return ModelCall.objects.filter(at__lt=limit).exclude(raw_reply="").update(raw_reply="")
