"""Rooms, sign-ins and forms for the tests of the people's side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from grading import transitions
from grading.models import Case
from review.domain.marking_sheet import proposed_sheet
from review.forms import field
from review.views.screen import screen_token
from tests.review import factory


@pytest.fixture
def room(people: Any, data_dir: Any) -> factory.Room:
    """An assessment with one question; tests add the answers they are about."""
    return factory.make_room(people)


@pytest.fixture
def as_person() -> Callable[[Any], Client]:
    """A signed-in client; ``language`` is the language cookie."""

    def sign_in(person: Any, language: str = "zh-hans") -> Client:
        client = Client()
        client.force_login(person)
        client.cookies["django_language"] = language
        return client

    return sign_in


def screen_of(case: Case) -> str:
    """The token that stands beside the image of an answer as it is now."""
    return screen_token(case, list(case.response.pages.order_by("number")))


def sheet_data(case: Case, **changes: Any) -> dict[str, str]:
    """What the marking form sends for the proposal, with ``status_A3="VALID"``, ``score_A3="1"``, ``reason=…`` changed."""
    case.refresh_from_db()
    from itembank.domain.rules import read_rules

    sheet = proposed_sheet(read_rules(case.response.question.rules.document), case.run.document if case.run else None)
    data = {"version": str(case.version), "screen": screen_of(case), "reason": ""}
    for row in sheet.steps:
        status = row.status.value if row.status else ""
        data[field("was", row.key)] = status
        if status:
            data[field("status", row.key)] = status
        data[field("score", row.key)] = "" if row.score is None else str(row.score)
    for name, value in changes.items():
        kind, _, step = name.partition("_")
        key = next((row.key for row in sheet.steps if row.key[1] == step), None)
        data[field(kind, key) if key else name] = value
    return data


@pytest.fixture
def claimed(room: factory.Room, people: Any) -> Case:
    """A case in the teacher's hand."""
    return transitions.claim(room.add(factory.hand_worked_document()), by=people.teacher)
