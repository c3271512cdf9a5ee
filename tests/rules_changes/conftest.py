"""A question under marking whose rules change."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from config.foundation.models import Job, JobState
from grading import transitions
from review import tasks
from tests.review import factory
from tests.review.conftest import as_person, room  # noqa: F401
from tests.schemes.conftest import arbiter, extra, scheme, second, third  # noqa: F401

RULES: dict[str, Any] = json.loads(factory.RULES.read_text())


def other_points(a4: int = 2, a5: int = 4) -> dict[str, Any]:
    """The example rules with points moved between the last two steps of both paths."""
    document = copy.deepcopy(RULES)
    for path in document["valid_paths"]:
        path["steps"][3]["points"], path["steps"][4]["points"] = a4, a5
    return document


A_PATH: dict[str, Any] = {
    "path_id": "Path_C",
    "name": "倒序相加",
    "steps": [
        {"step_id": "C1", "desc": "倒序相加", "points": 6, "kind": "concept", "expects": []},
        {"step_id": "C2", "desc": "求和", "points": 6, "kind": "conclusion", "expects": ["S_{10}=120"]},
    ],
}


def work() -> int:
    """Do the jobs of changes that wait; how many."""
    waiting = list(Job.objects.filter(task__startswith="review.tasks.", state=JobState.QUEUED).order_by("pk"))
    for job in waiting:
        getattr(tasks, job.task.rpartition(".")[2])(job.pk)
    assert not Job.objects.filter(task__startswith="review.tasks.").exclude(state=JobState.DONE).exists()
    return len(waiting)


@pytest.fixture
def second_leader(room: factory.Room, people: Any) -> Any:  # noqa: F811
    """Another marking leader of the room."""
    other = get_user_model()._default_manager.create_user("leader2", first_name="刘组长")
    transitions.give_role(room.assessment, other, "marking_leader", by=people.staff)
    return other
