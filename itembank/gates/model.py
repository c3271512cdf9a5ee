"""The model of gate 3 from the settings."""

from __future__ import annotations

from typing import Any

from config.foundation.errors import ConfigurationError
from config.foundation.model_access import ModelEndpoint


def endpoint_from_settings(settings: Any) -> ModelEndpoint:
    """Raises ConfigurationError where address or name are missing or wrong."""
    if not settings.MODEL_BASE_URL or not settings.MODEL_NAME:
        raise ConfigurationError(
            "model.not_configured",
            "没有设置模型：请设置 WENSHU_MODEL_BASE_URL 和 WENSHU_MODEL_NAME（见 docs/model.md）。",
            "No model is set up: set WENSHU_MODEL_BASE_URL and WENSHU_MODEL_NAME (see docs/model.md).",
        )
    return ModelEndpoint(
        base_url=settings.MODEL_BASE_URL.rstrip("/"),
        api_key=settings.MODEL_API_KEY,
        model=settings.MODEL_NAME,
        timeout=float(settings.MODEL_TIMEOUT_SECONDS),
        max_retries=settings.MODEL_MAX_RETRIES,
        price_in=settings.MODEL_PRICE_INPUT,
        price_out=settings.MODEL_PRICE_OUTPUT,
        structured=settings.MODEL_STRUCTURED,
    )
