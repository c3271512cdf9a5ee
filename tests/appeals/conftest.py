"""An answer that was decided, and the people of its appeal."""

from __future__ import annotations

from typing import Any

import pytest

from grading.models import Case
from review.domain.appeals import Claim, Goal, Tone
from review.models import Appeal
from review.transitions import file_appeal
from tests.review import factory
from tests.review.conftest import as_person  # noqa: F401 - a fixture
from tests.schemes.conftest import (  # noqa: F401 - fixtures
    arbiter,
    extra,
    give,
    room,
    scheme,
    second,
)

CLAIMS = [
    Claim(1, Goal.STEP, ("Path_A", "A3"), "第 3 步写的是 3", evidence="第 3 行"),
    Claim(2, Goal.STEP, ("Path_A", "A5"), "若第 3 步改判，第 5 步也应改", after=1),
]


@pytest.fixture
def case(room, people) -> Case:  # noqa: F811
    """王老师 gave 9: steps of 2, 2, 2, 3 and 0 points."""
    made = room.add(factory.hand_worked_document())
    give(made, people.teacher, 9, blind=False)
    return Case.objects.get(pk=made.pk)


@pytest.fixture
def appeal(case: Case, people: Any) -> Appeal:
    """Filed by 李教务."""
    return file_appeal(case, by=people.staff, version=case.version, tone=Tone.UPSET, words="请重评", claims=CLAIMS)
