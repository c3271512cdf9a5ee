"""What all apps stand on: the trail, jobs with leases, model access."""

from django.apps import AppConfig


class FoundationConfig(AppConfig):
    name = "config.foundation"
    label = "foundation"
