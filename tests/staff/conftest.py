"""Sign-ins and a small assessment for the tests of the school staff's pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from grading import transitions
from grading.models import Assessment
from tests.grading.marking_room import POLICY, an_assessment


@pytest.fixture
def as_person() -> Callable[..., Client]:
    """A signed-in client; ``language`` is the language cookie."""

    def sign_in(person: Any, language: str = "zh-hans", **options: Any) -> Client:
        client = Client(**options)
        client.force_login(person)
        client.cookies["django_language"] = language
        return client

    return sign_in


@pytest.fixture
def assessment(people: Any, data_dir: Any) -> Assessment:
    """One question, a class of three, the teacher as marker."""
    made = an_assessment(people.staff)
    transitions.give_role(made, people.teacher, "marker", by=people.staff)
    return made


@pytest.fixture
def empty(people: Any, data_dir: Any) -> Assessment:
    """An assessment with nothing in it yet."""
    return transitions.create_assessment(code="T-0", title="空考试", judge="embedded", policy=POLICY, by=people.staff)


@pytest.fixture
def founder(people: Any) -> Any:
    """The staff member with the right to set up assessments."""
    people.staff.user_permissions.add(Permission.objects.get(codename="create_assessment"))
    return people.staff


def at(name: str, assessment: Assessment, *more: str) -> str:
    """The address of a page of an assessment."""
    return reverse(f"grading:{name}", args=[assessment.public_id, *more])
