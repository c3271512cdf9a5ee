"""The itembank app."""

from django.apps import AppConfig


class ItembankConfig(AppConfig):
    name = "itembank"
    label = "itembank"
