"""Rooms whose question is marked by several people, and a cast large enough for it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from grading import rounds, transitions
from grading.domain.schemes import Kind, Rounding
from grading.models import Case, Mark, MarkingScheme
from tests.fixtures.people import PASSWORD
from tests.review import factory
from tests.review.conftest import as_person  # noqa: F401 - a fixture


def steps_worth(total: int) -> list[dict[str, Any]]:
    """Five judged steps of 2, 2, 2, 3 and 3 points that add up to ``total``."""
    left, found = total, []
    for step_id, most in (("A1", 2), ("A2", 2), ("A3", 2), ("A4", 3), ("A5", 3)):
        score = min(most, left)
        left -= score
        status = "VALID" if score == most else "INVALID" if score == 0 else "GAP_DEDUCTION"
        found.append({"path_id": "Path_A", "step_id": step_id, "status": status, "score": Decimal(score)})
    assert left == 0
    return found


@pytest.fixture
def room(people: Any, data_dir: Any) -> factory.Room:
    """王老师 and two more mark, 陈组长 leads, 钱仲裁 arbitrates, 李教务 administers, 赵质检 audits."""
    return factory.make_room(people)


@pytest.fixture
def extra(room: factory.Room, people: Any) -> Callable[..., Any]:
    """``extra("marker2")`` makes one more person with a role in the room (marker unless said otherwise)."""

    def make(login: str, role: str = "marker", *, name: str = "") -> Any:
        model = get_user_model()
        person = model._default_manager.create_user(login, password=PASSWORD, first_name=name or login)
        transitions.give_role(room.assessment, person, role, by=people.staff)
        return person

    return make


@pytest.fixture
def second(extra: Any) -> Any:
    return extra("second", name="孙二评")


@pytest.fixture
def third(extra: Any) -> Any:
    return extra("third", name="吴三评")


@pytest.fixture
def arbiter(extra: Any) -> Any:
    return extra("arbiter", "arbiter", name="钱仲裁")


@pytest.fixture
def scheme(room: factory.Room, people: Any) -> Callable[..., MarkingScheme]:
    """``scheme("2+1", tolerance=1)`` sets how the room's question is marked."""

    def use(
        kind: str, *, tolerance: str = "1", rounding: str = "HALF_UP", blind_share: int = 0, arbiter: Any = None
    ) -> MarkingScheme:
        present = rounds.newest_scheme(room.question)
        return transitions.set_scheme(
            room.question, kind=Kind(kind), tolerance=Decimal(tolerance), rounding=Rounding(rounding), arbiter=arbiter,
            blind_share=blind_share, version=present.version if present else 0, by=people.leader,
        )  # fmt: skip

    return use


def give(case: Case, person: Any, total: int, *, blind: bool = True, reason: str = "看图") -> Mark | None:
    """The person takes the case, as markers or as arbiters do, and marks it."""
    case = Case.objects.get(pk=case.pk)
    take = transitions.claim if case.need in ("FIRST", "SECOND", "THIRD") else transitions.take_seeing
    case = take(case, by=person)
    blind = blind and case.need in ("FIRST", "SECOND", "THIRD")
    return transitions.decide(
        case, by=person, version=case.version, steps=steps_worth(total), total=Decimal(total), reason=reason,
        blind=blind,
    )  # fmt: skip
