"""Configuration mistakes found at start, each with an id and a hint."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register


@register()
def model_service(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """wenshu.E001, wenshu.E002: the openai judge needs an address and a model."""
    found: list[CheckMessage] = []
    if settings.DEFAULT_JUDGE == "openai" and not settings.MODEL_BASE_URL:
        found.append(
            Error(
                "The openai judge has no address.",
                hint="Set WENSHU_MODEL_BASE_URL, for example http://host:8000/v1.",
                id="wenshu.E001",
            )
        )
    if settings.MODEL_BASE_URL and not settings.MODEL_NAME:
        found.append(Error("No model is named.", hint="Set WENSHU_MODEL_NAME.", id="wenshu.E002"))
    return found


@register()
def database(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """wenshu.E003: SQLite must take its write lock at the start of a transaction, or one in two is refused."""
    options = settings.DATABASES["default"]
    if options["ENGINE"].endswith("sqlite3") and options.get("OPTIONS", {}).get("transaction_mode") != "IMMEDIATE":
        return [
            Error(
                "SQLite runs without IMMEDIATE transactions.",
                hint="Keep OPTIONS of config/settings.py.",
                id="wenshu.E003",
            )
        ]
    return []


@register(deploy=True)
def production(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """wenshu.E004, wenshu.W001: production needs a secret of its own and a real database."""
    found: list[CheckMessage] = []
    if settings.PRODUCTION and not settings.SECRET_KEY:
        found.append(
            Error(
                "No secret key.",
                hint="Set WENSHU_SECRET_KEY_FILE to a file with 50 random characters.",
                id="wenshu.E004",
            )
        )
    if settings.PRODUCTION and not settings.DATABASE_URL:
        found.append(
            Warning(
                "Production runs on the embedded SQLite.",
                hint="Set DATABASE_URL to a PostgreSQL server.",
                id="wenshu.W001",
            )
        )
    return found
