"""Money for model calls: reserved before a call, settled after it, so that a batch stops before it overspends."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Sum
from django.utils import timezone

from .models import Budget, Reservation

# Longer than any call may last; a reservation older than this belongs to a worker that died.
EXPIRY = timedelta(minutes=30)


class ScopeBudget:
    """The budget of one scope (an assessment). A limit of 0 means that there is none.

    The limit is the one given last: an operator who raises the setting and starts again is not held by the old one.
    """

    def __init__(self, scope: str, limit: Decimal) -> None:
        self.scope = scope
        budget, _ = Budget.objects.get_or_create(scope=scope, defaults={"limit": limit})
        if budget.limit != limit:
            Budget.objects.filter(scope=scope).update(limit=limit)

    def reserve(self, amount: Decimal) -> bool:
        """Set ``amount`` aside; False, and nothing changed, when the limit would be passed."""
        now = timezone.now()
        with transaction.atomic():
            budget = Budget.objects.select_for_update().get(scope=self.scope)
            under_way = budget.reservations.filter(expires_at__gt=now).aggregate(sum=Sum("amount"))["sum"] or Decimal(0)
            if budget.limit and budget.spent + under_way + amount > budget.limit:
                return False
            Reservation.objects.create(budget=budget, amount=amount, expires_at=now + EXPIRY)
        return True

    def settle(self, reserved: Decimal, actual: Decimal) -> None:
        """Replace a reservation by what the call really cost."""
        with transaction.atomic():
            Budget.objects.filter(scope=self.scope).update(spent=F("spent") + actual)
            held = Reservation.objects.filter(budget_id=self.scope, amount=reserved).order_by("pk").first()
            if held is not None:
                held.delete()
