"""From the judges' settings to a judge that is ready to ask."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Protocol

from config.foundation.model_access import Budget, configured_endpoint

from .judge import OpenAICompatibleJudge


class ModelSettings(Protocol):
    """What the environment says about the model (docs/model.md) and what the caller lends for one answer."""

    @property
    def model_base_url(self) -> str: ...
    @property
    def model_api_key(self) -> str: ...
    @property
    def model_name(self) -> str: ...
    @property
    def model_timeout_seconds(self) -> int: ...
    @property
    def model_max_retries(self) -> int: ...
    @property
    def model_price_input(self) -> Decimal: ...
    @property
    def model_price_output(self) -> Decimal: ...
    @property
    def model_structured(self) -> str: ...
    @property
    def budget(self) -> Budget | None: ...
    @property
    def keep_reply(self) -> Callable[..., None] | None: ...


def judge_from_settings(settings: ModelSettings, *, key: str = "") -> OpenAICompatibleJudge:
    """A judge for one answer. Raises ConfigurationError where address or model are missing or wrong."""
    endpoint = configured_endpoint(
        base_url=settings.model_base_url,
        api_key=settings.model_api_key,
        model=settings.model_name,
        timeout=settings.model_timeout_seconds,
        max_retries=settings.model_max_retries,
        price_in=settings.model_price_input,
        price_out=settings.model_price_output,
        structured=settings.model_structured,
        concurrency=64,
    )
    return OpenAICompatibleJudge(endpoint, budget=settings.budget, key=key, keep_reply=settings.keep_reply)
