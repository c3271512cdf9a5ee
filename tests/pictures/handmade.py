"""A few pages worked by hand as a supply of answers: what tests furnish the room with, in a second or two."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from config.foundation.models import Job, JobState
from grading import transitions
from grading.models import Assessment, Case, Question
from grading.tasks import decode_file
from itembank.transitions import publish_rules
from tests.groups import answers
from tests.review import factory

from .room import CHANGING, DOUBLE, HIDDEN, LIKE, PLAIN


class Handmade:
    """Five questions with the example's rules; every answer is drawn when it is asked for."""

    def __init__(self, staff: Any) -> None:
        nobody = SimpleNamespace(staff=staff, teacher=staff, leader=staff, auditor=staff)
        self._room = factory.make_room(nobody)
        self.assessment: Assessment = self._room.assessment
        self.questions: dict[str, Question] = {PLAIN: self._room.question}
        rules = publish_rules(json.loads(factory.RULES.read_text()), by=staff)
        for number, name in enumerate((HIDDEN, DOUBLE, LIKE, CHANGING), start=18):
            label = f"第 {number} 题"
            self.questions[name] = transitions.add_question(
                self.assessment, number=number, label=label, rules=rules, by=staff
            )
        self._room.question = self.questions[LIKE]
        for name, writings in (("right", (0, 0, 1, 2)), ("carried", (0, 1))):
            for writing in writings:
                self._room.add(answers.document(name, writing, key=f"{name}-{writing}"))

    def take(self, question: str, *, proposed: bool = True) -> Case:
        self._room.question = self.questions[question]
        return self._room.add(factory.hand_worked_document() if proposed else factory.unread_document())

    def spoil_upload(self, staff: Any) -> str:
        files = [("20260131_1.jpg", b"not an image"), ("期中卷.jpg", b"")]
        upload = transitions.receive_upload(self.assessment, files, by=staff)
        for job in Job.objects.filter(state=JobState.QUEUED, task="grading.tasks.decode_file"):
            decode_file(job.pk)
        return upload.public_id
