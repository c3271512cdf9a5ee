"""Money for model calls: reserved before a call, settled after it, so that a batch stops before it overspends."""

from __future__ import annotations

from decimal import Decimal

from django.db.models import F
from django.db.models.functions import Greatest

from .models import Budget


class ScopeBudget:
    """The budget of one scope (an assessment). A limit of 0 means that there is none."""

    def __init__(self, scope: str, limit: Decimal) -> None:
        self.scope = scope
        Budget.objects.get_or_create(scope=scope, defaults={"limit": limit})

    def reserve(self, amount: Decimal) -> bool:
        """Set ``amount`` aside; False, and nothing changed, when the limit would be passed."""
        rows = Budget.objects.filter(scope=self.scope)
        within = rows.filter(limit__gte=F("spent") + F("reserved") + amount) | rows.filter(limit=0)
        return within.update(reserved=F("reserved") + amount) == 1

    def settle(self, reserved: Decimal, actual: Decimal) -> None:
        """Replace a reservation by what the call really cost."""
        Budget.objects.filter(scope=self.scope).update(
            reserved=Greatest(F("reserved") - reserved, Decimal(0)), spent=F("spent") + actual
        )
