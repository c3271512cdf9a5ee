"""The one door to items: fetch and authorise in one call. A stranger gets 404, a member without the right 403."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from .models import Item

User = AbstractBaseUser | AnonymousUser


class ItemRight(StrEnum):
    """What a person may do in the item bank; the value is the permission's codename."""

    AUTHOR = "author_items"
    REVIEW = "review_items"


def item_rights(user: Any) -> frozenset[ItemRight]:
    """The rights a person holds in the bank; empty for strangers."""
    if not getattr(user, "is_active", False):
        return frozenset()
    return frozenset(right for right in ItemRight if user.has_perm(f"itembank.{right}"))


def bank_for(user: User, *rights: ItemRight) -> frozenset[ItemRight]:
    """The rights of a member. Raises 404 for a stranger, 403 for a member with none of ``rights``, where any is named."""
    held = item_rights(user)
    if not held:
        raise Http404
    if rights and not held.intersection(rights):
        raise PermissionDenied
    return held


def items_for(user: User) -> QuerySet[Item]:
    """All items, for whoever has any right in the bank."""
    bank_for(user)
    return Item.objects.all()


def item_for(user: User, public_id: str, *rights: ItemRight) -> Item:
    """One item, for whoever has any one of ``rights`` (any right at all when none is named)."""
    bank_for(user, *rights)
    item = Item.objects.filter(public_id=public_id).first()
    if item is None:
        raise Http404
    return item
