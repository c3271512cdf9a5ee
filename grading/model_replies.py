"""Keeping the raw reply of a model before anything is made of it, with what it cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from config.foundation.canonical import sha256_hex
from config.foundation.jobs import Lease
from config.foundation.models import ModelCall

LONGEST_KEPT = 200_000


def keep_reply_of(lease: Lease) -> Callable[..., None]:
    """A function a judge calls with each reply of one attempt of one job."""

    def keep(*, prompt: str, prompt_sha256: str, model: str, parameters: dict[str, Any], reply: Any) -> None:
        failure = reply.failure["code"] if reply.failure else ""
        ModelCall.objects.create(
            job=lease.job, attempt=lease.attempt, prompt=prompt, prompt_sha256=prompt_sha256, model=model,
            parameters={key: str(value) for key, value in parameters.items()},
            raw_reply=reply.raw_text.replace("\x00", "\ufffd")[:LONGEST_KEPT],
            raw_sha256=sha256_hex(reply.raw_text.encode("utf-8", "replace")), failure=failure,
            tokens_in=reply.tokens_in, tokens_out=reply.tokens_out, cost=reply.cost, latency_ms=reply.latency_ms,
            at=timezone.now(),
        )  # fmt: skip

    return keep
