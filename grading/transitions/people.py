"""Giving and withdrawing roles, per assessment, through groups and guardian."""

from __future__ import annotations

import secrets
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from guardian.shortcuts import assign_perm

from config.foundation import trail
from config.foundation.errors import UnusableInput

from ..chains import actor_of, assessment_chain
from ..domain.roles import ROLES, role_group_name
from ..models import Assessment


def _known(role: str) -> str:
    if role not in ROLES:
        raise UnusableInput("role.unknown", f"没有“{role}”这个角色。", f"There is no role “{role}”.")
    return role


@transaction.atomic
def give_role(assessment: Assessment, person: Any, role: str, *, by: Any) -> bool:
    """Give a person a role in one assessment; False when they already have it."""
    group, _ = Group.objects.get_or_create(name=role_group_name(assessment.public_id, _known(role)))
    # Every time: a role may carry a right that it did not when its group was made.
    for right in sorted(ROLES[role].rights):
        assign_perm(right.value, group, assessment)
    if person.groups.filter(pk=group.pk).exists():
        return False
    person.groups.add(group)
    trail.append(assessment_chain(assessment), "give_role", actor=actor_of(by), person=actor_of(person), role=role)
    return True


@transaction.atomic
def withdraw_role(assessment: Assessment, person: Any, role: str, *, by: Any) -> bool:
    """Take a role back; False when the person does not have it. Takes effect with the next request."""
    group = person.groups.filter(name=role_group_name(assessment.public_id, _known(role))).first()
    if group is None:
        return False
    person.groups.remove(group)
    trail.append(assessment_chain(assessment), "withdraw_role", actor=actor_of(by), person=actor_of(person), role=role)
    return True


@transaction.atomic
def account_for(username: str, *, full_name: str, by: Any) -> tuple[Any, str | None]:
    """The person with that login; a new account with a random first password when there is none.

    Returns the person and, for a new account only, the password: it is kept as a hash and cannot be shown again.
    """
    model = get_user_model()
    known = model.objects.filter(username=username).first()
    if known is not None:
        return known, None
    password = secrets.token_urlsafe(12)
    person = model(username=username, first_name=full_name.strip())
    person.set_password(password)
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError:
        return model.objects.get(username=username), None
    trail.append("people", "make_account", actor=actor_of(by), person=actor_of(person))
    return person, password
