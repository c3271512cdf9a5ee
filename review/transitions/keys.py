"""The keys that a person has chosen for the desk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..domain.keys import own_keys
from ..models import DeskKeys


def set_keys(person: Any, *, single_keys: bool, keys: Mapping[str, str]) -> DeskKeys:
    """Remember a person's keys. Raises UnusableInput as ``own_keys`` does; then nothing is changed."""
    chosen = {"single_keys": single_keys, "keys": own_keys(keys)}
    kept, _ = DeskKeys.objects.update_or_create(person=person, defaults=chosen)
    return kept
