"""A room with five like answers, two of another kind and one that is doubtful."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from grading import transitions
from grading.models import Case
from review.domain.group_marks import Shown
from review.domain.marking_sheet import proposed_sheet
from review.like_answers import pages_seen
from review.models import MarkedGroup
from review.transitions import mark_group
from tests.fixtures.people import PASSWORD
from tests.groups.answers import document
from tests.review import factory
from tests.review.conftest import as_person  # noqa: F401 - a fixture


@dataclass(frozen=True)
class Alike:
    """The room and its answers."""

    room: factory.Room
    same: list[Case]
    carried: list[Case]
    doubtful: Case

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The proposal of the same ones."""
        return proposed_sheet(self.room.question.rules.read(), document("right")).as_decision()

    def shown(self, cases: list[Case] | None = None) -> list[Shown]:
        """The answers as a screen would show them now."""
        rows = [Case.objects.get(pk=case.pk) for case in cases or self.same]
        return [
            Shown(case.public_id, case.version, pages_seen(case.response.pages.order_by("number"))) for case in rows
        ]

    def mark(self, by: Any, **changes: Any) -> MarkedGroup:
        """The same ones marked as proposed, unless said otherwise."""
        given: dict[str, Any] = {
            "key": "screen-1", "shown": self.shown(), "without": (), "steps": self.steps, "total": Decimal(12),
            "reason": "",
        }  # fmt: skip
        return mark_group(self.room.question, by=by, **(given | changes))


def furnish(people: Any, *, pages: int = 0) -> Alike:
    """Fill a room; with pages where something is looked at."""
    room = factory.make_room(people)
    doubtful = document("right", key="doubtful")
    doubtful["reading"]["lines"][1]["alternatives"] = [{"latex": "d=3", "confidence": Decimal("0.2")}]
    same = [room.add(document("right", writing, key=f"same-{writing}"), pages=pages) for writing in (0, 0, 0, 1, 2)]
    carried = [room.add(document("carried", writing, key=f"carried-{writing}"), pages=pages) for writing in (0, 1)]
    return Alike(room, same, carried, room.add(doubtful, pages=pages))


@pytest.fixture
def alike(people: Any, data_dir: Any) -> Alike:
    return furnish(people)


@pytest.fixture
def second(alike: Alike, people: Any) -> Any:
    """孙二评 marks as well."""
    person = get_user_model()._default_manager.create_user("second", password=PASSWORD, first_name="孙二评")
    transitions.give_role(alike.room.assessment, person, "marker", by=people.staff)
    return person
