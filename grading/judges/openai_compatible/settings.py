"""From the judges' settings to a judge that is ready to ask."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Protocol, cast, get_args

from config.foundation.errors import ConfigurationError
from config.foundation.model_access import Budget, ModelEndpoint
from config.foundation.model_access.endpoint import Structured

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


def _structured(text: str) -> Structured:
    for known in get_args(Structured):
        if text == known:
            return cast(Structured, known)
    raise ConfigurationError(
        "model.structured",
        "结构化输出方式只能是 json_schema、json_object 或 none。",
        "The kind of structured output must be json_schema, json_object or none.",
    )


def judge_from_settings(settings: ModelSettings, *, key: str = "") -> OpenAICompatibleJudge:
    """A judge for one answer. Raises ConfigurationError where address or model are missing or wrong."""
    if not settings.model_base_url or not settings.model_name:
        raise ConfigurationError(
            "model.not_configured",
            "没有设置模型：请设置 WENSHU_MODEL_BASE_URL 和 WENSHU_MODEL_NAME（见 docs/model.md）。",
            "No model is set up: set WENSHU_MODEL_BASE_URL and WENSHU_MODEL_NAME (see docs/model.md).",
        )
    endpoint = ModelEndpoint(
        base_url=settings.model_base_url.rstrip("/"),
        api_key=settings.model_api_key,
        model=settings.model_name,
        timeout=float(settings.model_timeout_seconds),
        max_retries=settings.model_max_retries,
        price_in=settings.model_price_input,
        price_out=settings.model_price_output,
        concurrency=64,
        structured=_structured(settings.model_structured),
    )
    return OpenAICompatibleJudge(endpoint, budget=settings.budget, key=key, keep_reply=settings.keep_reply)
