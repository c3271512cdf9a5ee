"""The wiring as an app, so that its checks and commands are found and tasks know their Celery application."""

from django.apps import AppConfig


class WiringConfig(AppConfig):
    name = "config"
    label = "config"

    def ready(self) -> None:
        from config import (
            celery,  # noqa: F401
            checks,  # noqa: F401
        )
