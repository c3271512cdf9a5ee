"""The grading app."""

from django.apps import AppConfig


class GradingConfig(AppConfig):
    name = "grading"
    label = "grading"
