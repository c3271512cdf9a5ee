"""A column for documents whose bytes matter: verdicts, packets, rules, events."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from django.db import models

from .canonical import canonical_text


class DocumentField(models.TextField):  # type: ignore[type-arg]
    """Stores a JSON document as its canonical text, so that both databases give back the same bytes.

    A JSON column would do neither: jsonb reorders keys, and Django reads ``0.5`` as a binary float. Numbers come back
    as ``int`` and ``Decimal``. Writing a float raises TypeError.
    """

    _pyi_private_set_type: Any
    _pyi_private_get_type: Any
    _pyi_lookup_exact_type: Any

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        return None if value is None else json.loads(value, parse_float=Decimal)

    def to_python(self, value: Any) -> Any:
        return value

    def get_prep_value(self, value: Any) -> Any:
        return None if value is None else canonical_text(value)

    def value_to_string(self, obj: models.Model) -> str:
        return canonical_text(self.value_from_object(obj))
