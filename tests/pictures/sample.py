"""The sample as a supply of answers: its pictures as students wrote them, judged by the embedded judge."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

from django.core.management import call_command

from config.foundation import strict_json
from config.foundation.models import Job, JobState
from grading import transitions
from grading.domain.verification import replay
from grading.models import Assessment, Case, Question, Response
from grading.queries import free_cases, responses_to_judge
from grading.tasks import decode_file
from itembank.domain.mathematics import algebra_for

from .room import CHANGING, DOUBLE, HIDDEN, LIKE, PLAIN, unhurried

NUMBERS = {PLAIN: 1, LIKE: 2, CHANGING: 4, DOUBLE: 5, HIDDEN: 6}
# Few of the sample's answers wait for people; those of these questions are decided by a policy that asks for certificates.
WITHOUT_CERTIFICATE = (NUMBERS[PLAIN], NUMBERS[LIKE])


class Sample:
    """``documents`` is the folder that ``sample_decisions --documents`` wrote."""

    def __init__(self, documents: Path) -> None:
        logging.disable(logging.WARNING)
        with unhurried(minutes=300, step=1):
            self._load(documents)

    def _load(self, documents: Path) -> None:
        call_command("load_sample", no_judging=True, verbosity=0)
        self.assessment = Assessment.objects.get()
        self.questions: dict[str, Question] = {
            name: self.assessment.questions.get(number=number) for name, number in NUMBERS.items()
        }
        self._given: set[int] = set()
        _decode()
        for response in responses_to_judge(self.assessment).select_related("candidate", "question__rules", "case"):
            _judged(response, documents)

    def take(self, question: str, *, proposed: bool = True) -> Case:
        for case in free_cases(self.assessment, question=self.questions[question]).select_related("run"):
            found = case.run is not None and case.run.document["verdict"]["matched_path_id"] != "UNKNOWN"
            if case.pk not in self._given and found == proposed:
                self._given.add(case.pk)
                return Case.objects.get(pk=case.pk)
        raise LookupError(f"no answer to the {question} question is left")

    def spoil_upload(self, staff: Any) -> str:
        files = [("20260131_1.jpg", b"not an image"), ("期中卷.jpg", b""), ("20260101_1_1.jpg", b"\xff\xd8\xff broken")]
        upload = transitions.receive_upload(self.assessment, files, by=staff)
        _decode()
        return upload.public_id


def _decode() -> None:
    for job in Job.objects.filter(state=JobState.QUEUED, task="grading.tasks.decode_file"):
        decode_file(job.pk)


def _judged(response: Response, documents: Path) -> None:
    content = (documents / f"{response.candidate.number}_{response.question.number}.json").read_bytes()
    document = strict_json.loads(content, max_bytes=2**24, allow_controls="\n")
    if response.question.number in WITHOUT_CERTIFICATE:
        rules = response.question.rules.read()
        document["policy"]["allow_uncertified"] = False
        document |= replay(document, rules, algebra_for(rules))
    transitions.record_run(response.case, document, epoch=response.case.owner_epoch)
