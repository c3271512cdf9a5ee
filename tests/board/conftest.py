"""A room with three markers: 王老师 and 孙老师 mark alike, 严老师 takes two points off everybody."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from grading import transitions
from tests.fixtures.people import PASSWORD
from tests.review import factory
from tests.schemes.conftest import give

TOTALS = (12, 9, 10, 7, 12, 8, 11, 9, 10, 6, 12, 9)


@pytest.fixture
def room(people: Any, data_dir: Any) -> factory.Room:
    return factory.make_room(people)


def marker(room: factory.Room, people: Any, login: str, name: str) -> Any:
    person = get_user_model()._default_manager.create_user(login, password=PASSWORD, first_name=name)
    transitions.give_role(room.assessment, person, "marker", by=people.staff)
    return person


def marked_by(room: factory.Room, person: Any, totals: tuple[int, ...], *, document: Any = None) -> list[Any]:
    """One answer for each total, marked by the person; the machine had proposed 9 of 12."""
    cases = []
    for total in totals:
        case = room.add(document or factory.hand_worked_document())
        give(case, person, total, blind=False)
        cases.append(case)
    return cases


@pytest.fixture
def busy(room: factory.Room, people: Any) -> factory.Room:
    """36 marks by three people, one answer still waiting and one that the machine accepted."""
    hard = tuple(max(0, total - 4) for total in TOTALS)
    marked_by(room, people.teacher, TOTALS)
    marked_by(room, marker(room, people, "sun", "孙老师"), TOTALS[::-1])
    marked_by(room, marker(room, people, "yan", "严老师"), hard)
    room.add(factory.hand_worked_document())
    room.add(factory.hand_worked_document(failing=()))
    return room


@pytest.fixture
def as_person() -> Any:
    def sign_in(person: Any, language: str = "zh-hans") -> Client:
        client = Client()
        client.force_login(person)
        client.cookies["django_language"] = language
        return client

    return sign_in


def at(name: str, room: factory.Room) -> str:
    return reverse(f"review:{name}", args=[room.assessment.public_id])
