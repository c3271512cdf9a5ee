"""The model of gate 3 from the settings."""

from __future__ import annotations

from typing import Any

from config.foundation.model_access import ModelEndpoint, configured_endpoint


def endpoint_from_settings(settings: Any) -> ModelEndpoint:
    """Raises ConfigurationError where address or name are missing or wrong."""
    return configured_endpoint(
        base_url=settings.MODEL_BASE_URL,
        api_key=settings.MODEL_API_KEY,
        model=settings.MODEL_NAME,
        timeout=settings.MODEL_TIMEOUT_SECONDS,
        max_retries=settings.MODEL_MAX_RETRIES,
        price_in=settings.MODEL_PRICE_INPUT,
        price_out=settings.MODEL_PRICE_OUTPUT,
        structured=settings.MODEL_STRUCTURED,
    )
