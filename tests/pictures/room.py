"""A marking room in the middle of its work: every kind of case of the people's side, brought about by the people themselves.

``furnish`` needs answers that wait for people and gives the ids that addresses of pages take. The same room stands on the
sample (for pictures) and on a few pages worked by hand (for tests).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any, Protocol
from unittest import mock

from django.contrib.auth import get_user_model
from django.utils import timezone

from config.foundation.models import Job, JobState
from grading import rounds, transitions
from grading.domain.problems import Finding, ProblemKind
from grading.domain.rules_changes import Choice
from grading.domain.schemes import Kind, Place, Rounding
from grading.models import (
    Assessment,
    Candidate,
    Case,
    GivenMark,
    Mark,
    Owner,
    PassedOn,
    Problem,
    Question,
    Response,
    SchoolClass,
    UploadedFile,
)
from grading.transitions.setup import start_marking
from itembank.models import ScoringRules
from review import tasks
from review import transitions as review
from review.domain.appeals import Claim, Goal, Outcome, Tone
from review.domain.group_marks import Shown
from review.domain.marking_sheet import proposed_paths
from review.like_answers import groups_of, pages_seen
from review.models import Appeal, AppealClaim, AuditItem, RulesChange

# What each question shows: marked by one person, with the verdict hidden first, by two people, like answers at once, and
# under changing rules.
PLAIN, HIDDEN, DOUBLE, LIKE, CHANGING = "plain", "hidden", "double", "like", "changing"


# Where people's words are kept.
WRITTEN: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (Candidate, ("name", "number")), (SchoolClass, ("name",)), (UploadedFile, ("name",)), (GivenMark, ("reason",)),
    (Mark, ("reason",)), (Problem, ("note", "answer")), (PassedOn, ("note",)), (Appeal, ("words",)),
    (AppealClaim, ("words", "evidence", "reason")), (RulesChange, ("note", "document")), (AuditItem, ("comment",)),
    (ScoringRules, ("document",)), (Response, ("code",)),
)  # fmt: skip


class Supply(Protocol):
    """Where answers that wait for people come from."""

    assessment: Assessment
    questions: dict[str, Question]

    def take(self, question: str, *, proposed: bool = True) -> Case:
        """One more waiting answer, with a proposal of the machine or without; the same is never given twice."""

    def spoil_upload(self, staff: Any) -> str:
        """A delivery with faults; its public id."""


@dataclass
class Cast:
    """王老师, 孙老师 and 严老师 mark; the others lead, arbitrate, administer and audit."""

    teacher: Any
    sun: Any
    yan: Any
    leader: Any
    second_leader: Any
    arbiter: Any
    staff: Any
    auditor: Any
    stranger: Any


@dataclass
class Room:
    """The room with the ids that pages are addressed by."""

    supply: Supply
    cast: Cast
    ids: dict[str, str] = field(default_factory=dict)

    @property
    def assessment(self) -> Assessment:
        return self.supply.assessment


@contextmanager
def unhurried(*, minutes: int, step: float) -> Iterator[None]:
    """The product's clock, begun some minutes ago, goes on by ``step`` seconds whenever it is looked at; never beyond now."""
    begun, looks, newest = timezone.now() - timedelta(minutes=minutes), 0, timezone.now() - timedelta(minutes=2)

    def now() -> Any:
        nonlocal looks
        looks += 1
        return min(begun + timedelta(seconds=step * looks), newest)

    with mock.patch("django.utils.timezone.now", now):
        yield


def fresh(case: Case) -> Case:
    return Case.objects.get(pk=case.pk)


def steps_of(case: Case, lost: int) -> list[dict[str, Any]]:
    """Every step of the machine's paths right but for the last ``lost`` ones."""
    rules = case.rules.read()
    paths = proposed_paths(rules, case.run.document if case.run else None)
    steps = [(name, step) for _part, name in sorted(paths.items()) for step in rules.path(name).steps]
    found = []
    for number, (name, step) in enumerate(steps):
        right = number < len(steps) - lost
        found.append(
            {
                "path_id": name, "step_id": step.step_id, "status": "VALID" if right else "INVALID",
                "score": step.points if right else Decimal(0),
            }
        )  # fmt: skip
    return found


def mark(case: Case, person: Any, *, lost: int = 0, blind: bool = False, reason: str = "看图后按细则给分") -> Case:
    """The person takes the answer and gives full marks but for the last steps."""
    case = fresh(case)
    take = transitions.claim if case.need in ("FIRST", "SECOND", "THIRD") else transitions.take_seeing
    case = take(case, by=person)
    steps = steps_of(case, lost)
    total = sum((step["score"] for step in steps), Decimal(0))
    transitions.decide(case, by=person, version=case.version, steps=steps, total=total, reason=reason, blind=blind)
    return fresh(case)


def scheme(room: Room, question: str, kind: str, *, share: int = 0) -> None:
    asked = room.supply.questions[question]
    present = rounds.newest_scheme(asked)
    transitions.set_scheme(
        asked, kind=Kind(kind), tolerance=Decimal(1), rounding=Rounding.HALF_UP,
        arbiter=room.cast.arbiter if kind != "1" else None, blind_share=share,
        version=present.version if present else 0, by=room.cast.leader,
    )  # fmt: skip


def work() -> None:
    """Jobs of changed rules, which workers would do."""
    for job in Job.objects.filter(task__startswith="review.tasks.", state=JobState.QUEUED).order_by("pk"):
        getattr(tasks, job.task.rpartition(".")[2])(job.pk)


def marked_by_three(room: Room) -> None:
    """One takes two steps off everybody, two mark alike; one answer is returned."""
    cast = room.cast
    losses = (0, 1, 0, 2, 1, 0)
    for lost in losses:
        mark(room.supply.take(PLAIN), cast.teacher, lost=lost)
        mark(room.supply.take(PLAIN), cast.sun, lost=lost)
        mark(room.supply.take(PLAIN), cast.yan, lost=min(lost + 2, 3), reason="步骤不完整")
    decided = mark(room.supply.take(PLAIN), cast.teacher, lost=1, reason="最后一步计算错误")
    room.ids |= {"decided": decided.public_id, "own": decided.public_id}
    returned = mark(room.supply.take(PLAIN), cast.yan, lost=3, reason="步骤不完整")
    transitions.return_mark(
        returned, by=cast.leader, version=returned.version, reason="第 2 步已写出公式，请按细则重评"
    )
    room.ids["to-return"] = mark(room.supply.take(PLAIN), cast.yan, lost=2).public_id


def grouped(room: Room) -> None:
    """The largest group of like answers waits; where there are two, one of them is marked as a whole."""
    question = room.supply.questions[LIKE]
    waiting, smaller = sorted(groups_of(question, room.cast.teacher).groups, key=lambda group: -len(group.cases))[:2]
    steps = steps_of(smaller.cases[0], 0)
    marked = review.mark_group(
        question, by=room.cast.teacher, key="picture", without=(), steps=steps, reason="结果与步骤一致",
        shown=[
            Shown(case.public_id, case.version, pages_seen(case.response.pages.order_by("number")))
            for case in map(fresh, smaller.cases)
        ],
        total=sum((step["score"] for step in steps), Decimal(0)),
    )  # fmt: skip
    room.ids["question-like"] = question.public_id
    room.ids |= {"alike": waiting.anchor.public_id, "group": marked.public_id}


def several_marks(room: Room) -> None:
    """Blind rounds: one answer between its two marks, one in arbitration, one taken by the arbiter."""
    cast = room.cast
    scheme(room, DOUBLE, "2+1")
    for number in range(2):
        case = mark(room.supply.take(DOUBLE), cast.sun, blind=True)
        mark(case, cast.yan, lost=2 + number, blind=True, reason="缺少依据")
    disputed = mark(mark(room.supply.take(DOUBLE), cast.sun, blind=True), cast.yan, lost=2, blind=True)
    agreed = mark(mark(room.supply.take(DOUBLE), cast.sun, blind=True), cast.yan, blind=True)
    assert (disputed.need, agreed.closed_at is None) == (Place.ARBITER, False)
    room.ids["disputed"] = disputed.public_id
    room.ids["to-arbitrate"] = room.ids["disputed"]
    scheme(room, HIDDEN, "1", share=100)
    for lost in (0, 1, 0):
        room.ids["revealed"] = mark(room.supply.take(HIDDEN), cast.teacher, lost=lost, blind=True).public_id


def appealed(room: Room) -> None:
    """Three appeals: waiting, in the arbiter's hand, and answered."""
    cast = room.cast
    for name in ("appeal-waiting", "appeal-held", "appeal-answered"):
        case = mark(room.supply.take(PLAIN), cast.teacher, lost=1)
        path = next(iter(sorted(proposed_paths(case.rules.read(), case.run.document if case.run else None).items())))[1]
        last, before = [step.step_id for step in case.rules.read().path(path).steps][:-3:-1]
        claims = [
            Claim(1, Goal.STEP, (path, before), "这一步的结果写在第 3 行末尾", evidence="第 3 行"),
            Claim(2, Goal.STEP, (path, last), "若上一步改判，最后一步也应改判", after=1),
            Claim(3, Goal.METHOD, None, "另一种求法也应得分", covered=False),
        ]
        words = "我认为最后一步没有错，请老师重评！"
        appeal = review.file_appeal(
            case, by=cast.staff, version=case.version, tone=Tone.UPSET, words=words, claims=claims
        )
        room.ids[name] = appeal.public_id
    answered = Appeal.objects.get(public_id=room.ids["appeal-answered"])
    held = review.take_appeal(answered, by=cast.arbiter)
    steps = steps_of(held, 1)
    review.decide_appeal(
        answered, by=cast.arbiter, version=held.version, findings={1: Outcome.REJECTED, 3: Outcome.REJECTED},
        reasons={1: "第 3 行末尾的结果与题意不符", 3: "细则只认可所列解法，已请示组长"}, steps=steps,
        total=sum((step["score"] for step in steps), Decimal(0)), reason="维持原判",
    )  # fmt: skip
    room.ids["to-appeal"] = mark(room.supply.take(PLAIN), cast.sun, lost=1).response.code


def problems(room: Room) -> None:
    """Papers of three kinds on the desks, and one that has been settled."""
    reports = (
        (ProblemKind.UNREADABLE, "第二行被水浸，看不清"), (ProblemKind.WRONG_QUESTION, "写的是另一道题"),
        (ProblemKind.OFF_PAGE, "最后一行出了边框"), (ProblemKind.COPYING, "与同班另一份逐字相同"),
    )  # fmt: skip
    for number, (kind, note) in enumerate(reports):
        held = transitions.claim(room.supply.take(HIDDEN if number % 2 else DOUBLE), by=room.cast.sun)
        problem = transitions.report_problem(held, by=room.cast.sun, version=held.version, kind=kind, note=note)
    transitions.settle_problem(problem, by=room.cast.leader, finding=Finding.UNFOUNDED, answer="两份写法不同，未见抄袭")


def rules_changed(room: Room) -> None:
    """A newer version that waits for the leader's choice, a path that a teacher found, and a change carried out before."""
    cast, question = room.cast, room.supply.questions[CHANGING]
    found = copy.deepcopy(question.rules.document["valid_paths"][0]) | {"path_id": "Path_X", "name": "老师发现的解法"}
    for number, step in enumerate(found["steps"], start=1):
        step["step_id"] = f"X{number}"
        step["depends_on"] = []
        step.pop("shared_id", None)
    mark(room.supply.take(CHANGING), cast.teacher, lost=1)
    room.ids["question-changing"] = question.public_id
    room.ids["change-waiting"] = review.propose_rules(question, moved_points(question), by=cast.leader).public_id
    room.ids["path"] = review.propose_path(question, found, by=cast.teacher, note="先化简也对", case=None).public_id
    plain = room.supply.questions[PLAIN]
    carried = review.propose_rules(plain, moved_points(plain), by=cast.leader)
    work()
    review.choose(RulesChange.objects.get(pk=carried.pk), by=cast.leader, choice=Choice.RECOMPUTE)
    work()
    room.ids["change-carried"] = carried.public_id


def moved_points(question: Question) -> dict[str, Any]:
    """The question's rules with one point moved from the last step of each path to the one before."""
    document: dict[str, Any] = copy.deepcopy(question.rules.document)
    for path in document["valid_paths"]:
        path["steps"][-1]["points"] -= 1
        path["steps"][-2]["points"] += 1
    return document


def audited(room: Room) -> None:
    """A sample with one answer audited and the next one due."""
    sample = review.draw_sample(room.assessment, size=4, seed="2026", source="PERSON", by=room.cast.auditor)
    first, second = sample.items.order_by("position")[:2]
    rules = first.mark.case.rules.read()
    case = first.mark.case
    steps = steps_of(case, 0)
    review.commit_audit(first, by=room.cast.auditor, steps=steps, total=rules.max_score, comment="最后一步可以给分")
    room.ids |= {"sample": sample.public_id, "item": second.public_id}


def in_hand(room: Room) -> None:
    """What is held while the pictures are taken: its clock is the real one."""
    cast, take = room.cast, room.supply.take
    passed = transitions.claim(take(CHANGING), by=cast.sun)
    transitions.pass_on(passed, by=cast.sun, version=passed.version, to=cast.teacher, note="像是另一种解法，请您看看")
    room.ids["passed"] = transitions.claim(fresh(passed), by=cast.teacher).public_id
    room.ids["case"] = transitions.claim(take(CHANGING), by=cast.teacher).public_id
    room.ids["unread"] = transitions.claim(take(CHANGING, proposed=False), by=cast.teacher).public_id
    room.ids["other"] = transitions.claim(take(CHANGING), by=cast.sun).public_id
    room.ids["free"] = take(CHANGING).public_id
    room.ids["blind"] = transitions.claim(take(HIDDEN), by=cast.teacher).public_id
    transitions.take_seeing(Case.objects.get(public_id=room.ids["disputed"]), by=cast.arbiter)
    review.take_appeal(Appeal.objects.get(public_id=room.ids["appeal-held"]), by=cast.arbiter)


def furnish(supply: Supply, people: Callable[[str, str], Any]) -> Room:
    """Bring every kind of case about. ``people(login, name)`` gives an account that can sign in."""
    names = {
        "teacher": "王老师", "sun": "孙老师", "yan": "严老师", "leader": "陈组长", "second_leader": "刘组长",
        "arbiter": "钱仲裁", "staff": "李教务", "auditor": "赵质检", "stranger": "周同事",
    }  # fmt: skip
    cast = Cast(**{login: people(login, name) for login, name in names.items()})
    room = Room(supply, cast)
    roles = {
        "marker": (cast.teacher, cast.sun, cast.yan), "marking_leader": (cast.leader, cast.second_leader),
        "arbiter": (cast.arbiter,), "school_staff": (cast.staff,), "qa_auditor": (cast.auditor,),
    }  # fmt: skip
    for role, holders in roles.items():
        for person in holders:
            transitions.give_role(room.assessment, person, role, by=cast.staff)
    with unhurried(minutes=90, step=5):
        for act in (rules_changed, marked_by_three, several_marks, appealed, problems, grouped, audited):
            act(room)
        room.ids["upload"] = supply.spoil_upload(cast.staff)
    in_hand(room)
    start_marking(room.assessment, by=cast.staff)
    room.ids |= {"assessment": room.assessment.public_id, "question": supply.questions[PLAIN].public_id}
    assert not Case.objects.filter(owner=Owner.HANDOFF_PENDING).exists()
    return room


def words_of(assessment: Assessment) -> set[str]:
    """Every text of the room that people wrote, which stands on pages as it is in both languages."""
    from .faults import data_words

    found = data_words(list(get_user_model()._default_manager.values_list("username", "first_name", "last_name")))
    rows = assessment.questions.values_list("label", "rules__document")
    found |= data_words(assessment.title, assessment.code, [list(row) for row in rows])
    for model, fields in WRITTEN:
        found |= data_words([list(row) for row in model._default_manager.values_list(*fields)])
    return found


def account(login: str, name: str, *, password: str) -> Any:
    """An account with a password, made where it is not there yet."""
    person, made = get_user_model()._default_manager.get_or_create(username=login, defaults={"first_name": name})
    if made:
        person.set_password(password)
        person.save()
    return person
