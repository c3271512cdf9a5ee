"""docs/lifecycle.md: what each verb does to a case in each state, compared with what the code does."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from config.foundation.errors import NotAllowedNow, SomeoneWasFaster
from grading import transitions
from grading.models import Case, JudgeRun, Owner
from tests.grading.marking_room import an_answer, an_assessment, example, verdict_document
from tests.grading.test_cases import proposed_steps

DOCUMENT = settings.BASE_DIR / "docs" / "lifecycle.md"
REFUSED, SAME, LATE = "refused", "–", "late"


def machine(case: Case, people: Any) -> None:
    """As it is from the first page on."""


def accepted(case: Case, people: Any) -> None:
    transitions.record_run(case, verdict_document(decision="ACCEPT", key="first"), epoch=case.owner_epoch)


def latched(case: Case, people: Any) -> None:
    queued(case, people)
    Case.objects.filter(pk=case.pk).update(owner=Owner.HANDOFF_PENDING)


def queued(case: Case, people: Any) -> None:
    transitions.record_run(case, verdict_document(key="first"), epoch=case.owner_epoch)


def mine(case: Case, people: Any) -> None:
    queued(case, people)
    transitions.claim(Case.objects.get(pk=case.pk), by=people.teacher)


def anothers(case: Case, people: Any) -> None:
    queued(case, people)
    transitions.claim(Case.objects.get(pk=case.pk), by=people.leader)


def run_out(case: Case, people: Any) -> None:
    anothers(case, people)
    Case.objects.filter(pk=case.pk).update(claim_until=timezone.now() - timedelta(seconds=1))


def decided(case: Case, people: Any) -> None:
    mine(case, people)
    decide(Case.objects.get(pk=case.pk), people)


def decide(case: Case, people: Any) -> None:
    steps = proposed_steps(case) if case.run else []
    transitions.decide(case, by=people.teacher, version=case.version, steps=steps, total=Decimal(9), reason="")


STATES: dict[str, Callable[[Case, Any], None]] = {
    "AI": machine,
    "AI, closed": accepted,
    "HANDOFF_PENDING": latched,
    "QUEUED_HUMAN": queued,
    "HUMAN, own": mine,
    "HUMAN, another's": anothers,
    "HUMAN, run out": run_out,
    "HUMAN, closed": decided,
}
VERBS: dict[str, Callable[[Case, Any], object]] = {
    "record_run (accepted)": lambda case, people: transitions.record_run(
        case, verdict_document(decision="ACCEPT", key="second"), epoch=1
    ),
    "record_run (to review)": lambda case, people: transitions.record_run(
        case, verdict_document(key="second"), epoch=1
    ),
    "judging_failed": lambda case, people: transitions.judging_failed(case),
    "queue_for_people": lambda case, people: transitions.queue_for_people(case),
    "claim": lambda case, people: transitions.claim(case, by=people.teacher),
    "release": lambda case, people: transitions.release(case, by=people.teacher),
    "skip": lambda case, people: transitions.skip(case, by=people.teacher),
    "end_claim": lambda case, people: transitions.end_claim(case),
    "judge_again": lambda case, people: transitions.judge_again(
        case, by=people.teacher, version=case.version, reading=example("reading")
    ),
    "decide": decide,
    "return_mark": lambda case, people: transitions.return_mark(
        case, by=people.leader, version=case.version, reason="请按细则第 3 步重评"
    ),
    "take_back": lambda case, people: transitions.take_back(
        case, by=people.teacher, version=case.version, why="看错了"
    ),
}


def state_of(case: Case, people: Any) -> str:
    """The name of the row that a case is in, as the teacher sees it."""
    if case.closed_at is not None:
        return f"{case.owner}, closed"
    if case.owner != Owner.HUMAN:
        return case.owner
    if case.claim_until is not None and case.claim_until < timezone.now():
        return "HUMAN, run out"
    return "HUMAN, own" if case.claimed_by == people.teacher else "HUMAN, another's"


def documented() -> dict[str, dict[str, str]]:
    """State → verb → outcome, as the table of the document has it."""
    rows = re.findall(r"^\|(.+)\|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    cells = [[cell.strip().strip("`") for cell in row.split("|")] for row in rows]
    head = cells[0][1:]
    return {row[0]: dict(zip(head, row[1:], strict=True)) for row in cells[2:]}


@pytest.fixture
def case(people: Any, data_dir: Any, monkeypatch: pytest.MonkeyPatch) -> Case:
    # Which verdict a corrected reading gets is not the subject here.
    monkeypatch.setattr("grading.judging_cases.judge_corrected_reading", lambda *_: verdict_document(key="corrected"))
    return an_answer(an_assessment(people.staff), people.staff).case


def outcome(case: Case, people: Any, verb: str) -> str:
    """What the verb does to the case; undone afterwards."""
    found = Case.objects.get(pk=case.pk)
    before = state_of(found, people)
    late = JudgeRun.objects.filter(used=False).count()
    with transaction.atomic():
        try:
            with transaction.atomic():
                VERBS[verb](found, people)
            after = state_of(Case.objects.get(pk=case.pk), people)
            result = SAME if after == before else after
            if JudgeRun.objects.filter(used=False).count() > late:
                result = LATE if result == SAME else f"{LATE}, {result}"
        except (NotAllowedNow, SomeoneWasFaster):
            result = REFUSED
        transaction.set_rollback(True)
    return result


@pytest.mark.parametrize("state", STATES)
def test_the_table_says_what_each_verb_does(state: str, case: Case, people: Any) -> None:
    STATES[state](case, people)
    assert state_of(Case.objects.get(pk=case.pk), people) == state
    found = {verb: outcome(case, people, verb) for verb in VERBS}
    assert documented()[state] == found


def test_the_table_has_every_state_and_every_verb() -> None:
    table = documented()
    assert list(table) == list(STATES)
    assert all(list(row) == list(VERBS) for row in table.values())


@pytest.mark.django_db
def test_from_the_hand_off_on_no_verb_gives_the_case_back_to_the_machine() -> None:
    table = documented()
    given_up = [name for name in STATES if not name.startswith("AI")]
    assert not [verb for name in given_up for verb, result in table[name].items() if result.startswith("AI")]
    assert all(table[name]["record_run (accepted)"].startswith(LATE) for name in given_up)
