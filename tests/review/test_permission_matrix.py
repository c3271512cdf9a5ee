"""Every address × every role × own and foreign assessment. An address without an entry here fails the test.

An allowed person gets anything but 403, 404 and the sign-in page; a member without the right 403; whoever has no right in
the assessment, a stranger or somebody of another assessment, 404; a visitor the sign-in page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from grading import transitions
from grading.domain.problems import ProblemKind
from grading.domain.roles import ROLES, Right
from grading.models import Case
from review.domain.appeals import Claim, Goal, Tone
from review.models import MarkedGroup
from review.transitions import draw_sample, file_appeal, name_exemplar, propose_path
from tests.review import factory
from tests.rules_changes.conftest import A_PATH
from tests.schemes.conftest import give

A, M, L, R, Q = Right.ADMINISTER, Right.MARK, Right.LEAD, Right.ARBITRATE, Right.AUDIT
MEMBER = frozenset(Right)


@dataclass(frozen=True)
class Entry:
    """``of``: which id the address takes. ``personal``: even the entitled get 404 where they name nobody, or have no work."""

    of: str
    rights: frozenset[Right]
    method: str = "get"
    personal: bool = False


def entry(of: str, *rights: Right, method: str = "get", personal: bool = False) -> Entry:
    return Entry(of, frozenset(rights) or MEMBER, method, personal)


# Addresses without an id of an assessment: open to visitors, or to everybody who is signed in (filtered by their rights).
VISITORS = {"login", "logout", "set_language", "health-live", "health-ready", "health-deep"}
SIGNED_IN = {"home", "grading:assessments", "grading:rules-example", "grading:create", "review:keys"}
MATRIX: dict[str, Entry] = {
    "page-image": entry("page"),
    "grading:delivery": entry("upload", A),
    "grading:rules": entry("question"),
    "grading:assessment": entry("assessment", A),
    "grading:progress": entry("assessment", A),
    "grading:judge": entry("assessment", A, method="post"),
    "grading:questions": entry("assessment", A),
    "grading:classes": entry("assessment", A),
    "grading:people": entry("assessment", A),
    "grading:withdraw": entry("assessment", A, method="post", personal=True),
    "grading:uploads": entry("assessment", A),
    "grading:gate": entry("assessment", A, L, Q),
    "grading:results": entry("assessment", A),
    "grading:export": entry("assessment", A),
    "review:queue": entry("assessment", M),
    "review:next": entry("assessment", M, method="post"),
    "review:case": entry("case", M),
    "review:compare": entry("case", M),
    "review:name-exemplar": entry("case", L, method="post"),
    "review:withdraw-exemplar": entry("exemplar", L, method="post"),
    "review:pass-on": entry("case", M),
    "review:change": entry("case", M),
    "review:change-draft": entry("case", M, method="post"),
    "review:change-total": entry("case", M, method="post"),
    "review:own-marks": entry("assessment", M),
    "review:claim": entry("case", M, method="post"),
    "review:release": entry("case", M, method="post"),
    "review:skip": entry("case", M, method="post"),
    "review:upcoming": entry("case", M),
    "review:hold": entry("case", M, method="post"),
    "review:annotate": entry("case", M, method="post"),
    "review:draft": entry("case", M, method="post"),
    "review:discard": entry("case", M, method="post"),
    "review:recalculate": entry("case", M, method="post"),
    "review:decide": entry("case", M, method="post"),
    "review:judge-again": entry("case", M, method="post"),
    "review:groups": entry("assessment", M),
    "review:alike": entry("case", M),
    "review:alike-total": entry("case", M, method="post"),
    "review:mark-group": entry("question", M, method="post"),
    # A marked group is the marker's own: its answers may still be blind to others.
    "review:marked-group": entry("group", M, personal=True),
    "review:undo-group": entry("group", M, method="post", personal=True),
    # Auditors read a trail once they have committed their own mark.
    "review:trail": entry("case", M, L, A),
    "review:report-problem": entry("case", M, method="post"),
    "review:problems": entry("assessment", A, L),
    "review:settle-problem": entry("problem", A, L, method="post"),
    "review:audits": entry("assessment", Q, L),
    "review:sample": entry("sample", Q, L),
    "review:next-item": entry("sample", Q, L, method="post"),
    "review:audit-item": entry("item", Q),
    "review:audit-draft": entry("item", Q, method="post"),
    "review:audit-recalculate": entry("item", Q, method="post"),
    "review:blind": entry("case", M),
    "review:blind-claim": entry("case", M, method="post"),
    "review:blind-total": entry("case", M, method="post"),
    "review:reveal": entry("case", M, personal=True),
    "review:board": entry("assessment", L),
    "review:board-marks": entry("assessment", L),
    "review:limits": entry("assessment", L),
    "review:return": entry("case", L),
    "review:arbitrations": entry("assessment", R),
    "review:arbitrate": entry("case", R),
    "review:take-arbitration": entry("case", R, method="post"),
    "review:arbitration-total": entry("case", R, method="post"),
    "review:appeals": entry("assessment", A, L, R),
    "review:file-appeal": entry("assessment", A, L),
    "review:appeal": entry("appeal", A, L, R),
    "review:take-appeal": entry("appeal", R, method="post"),
    "review:appeal-total": entry("appeal", R, method="post"),
    "review:scheme": entry("question", L, A),
    "review:schemes": entry("assessment"),
    "review:rules-changes": entry("question", L, A, M),
    "review:propose-path": entry("question", M, L, method="post"),
    "review:rules-change": entry("change", L, A),
    "review:rules-progress": entry("change", L, A),
    "review:choose-rules": entry("change", L, method="post"),
    "review:approve-path": entry("change", L, method="post"),
    "review:refuse-rules": entry("change", L, method="post"),
    "review:anchoring": entry("assessment", L, Q),
}
EXTRA = {"page-image": {"size": "screen"}, "grading:export": {"kind": "csv"}}


def names(patterns: list[URLPattern | URLResolver], before: str = "") -> set[str]:
    """The name of every address of the site, with its namespace."""
    found: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found |= names(pattern.url_patterns, f"{before}{pattern.namespace}:" if pattern.namespace else before)
        else:
            assert pattern.name, f"{pattern} has no name"
            found.add(f"{before}{pattern.name}")
    return found


def test_every_address_of_the_site_has_its_entry_and_every_entry_an_address():
    assert names(get_resolver().url_patterns) == VISITORS | SIGNED_IN | set(MATRIX)


@dataclass(frozen=True)
class World:
    """Two assessments with everything an address can name, and one person for each role in the first."""

    own: dict[str, str]
    foreign: dict[str, str]
    people: dict[str, Any]


def furnished(people: Any, code: str) -> tuple[dict[str, str], Any]:
    """An assessment with an answer to mark, a sample, an appeal, and their ids."""
    number = {"OWN": "1", "OTHER": "2"}[code]
    room = factory.make_room(people, code=code)
    for document in (
        factory.hand_worked_document(),
        factory.hand_worked_document(),
        factory.hand_worked_document(failing=()),
    ):
        _add(room, document, number)
    waiting, decided, accepted = room.cases
    give(decided, people.teacher, 9, blind=False)
    sample = draw_sample(room.assessment, size=1, seed="s", source="MACHINE", by=people.auditor)
    closed = Case.objects.get(pk=decided.pk)
    appeal = file_appeal(
        closed, by=people.staff, version=closed.version, tone=Tone.CALM, words="",
        claims=[Claim(1, Goal.READING, None, "重看")],
    )  # fmt: skip
    _add(room, factory.hand_worked_document(), number)
    held = transitions.claim(room.cases[-1], by=people.teacher)
    problem = transitions.report_problem(
        held, by=people.teacher, version=held.version, kind=ProblemKind.UNREADABLE, note=""
    )
    group = MarkedGroup.objects.create(
        question=room.question, by=people.teacher, key=code, total=9, created_at=timezone.now()
    )
    exemplar = name_exemplar(accepted, by=people.leader, edition=1, note="规范")
    change = propose_path(room.question, A_PATH, by=people.staff, note="", case=None)
    page = waiting.response.pages.get()
    ids = {
        "assessment": room.assessment.public_id, "question": room.question.public_id, "case": waiting.public_id,
        "page": page.public_id, "upload": page.file.upload.public_id, "sample": sample.public_id,
        "item": sample.items.get().public_id, "appeal": appeal.public_id, "problem": problem.public_id,
        "group": group.public_id,
        "change": change.public_id, "exemplar": exemplar.public_id,
    }  # fmt: skip
    return ids, room


def _add(room: factory.Room, document: dict[str, Any], number: str) -> None:
    """As ``Room.add``, with candidates of the assessment's own."""
    from grading.models import Candidate

    before = Candidate.objects.count()
    room.add(document)
    fresh = Candidate.objects.order_by("pk").last()
    assert fresh is not None
    assert Candidate.objects.count() == before + 1
    Candidate.objects.filter(pk=fresh.pk).update(number=f"{number}-{fresh.number}")


@pytest.fixture
def world(people: Any, data_dir: Any) -> World:
    own, room = furnished(people, "OWN")
    foreign, _other = furnished(people, "OTHER")
    cast = {}
    for role in ROLES:
        cast[role] = get_user_model()._default_manager.create_user(f"only-{role}", first_name=role)
        transitions.give_role(room.assessment, cast[role], role, by=people.staff)
    return World(own, foreign, cast | {"stranger": people.stranger})


def status(client: Client, name: str, ids: dict[str, str]) -> int:
    """What the person gets; whatever they changed is undone."""
    wanted = MATRIX[name]
    address = reverse(name, kwargs={"public_id": ids[wanted.of], **EXTRA.get(name, {})})
    with transaction.atomic():
        answer = getattr(client, wanted.method)(address)
        transaction.set_rollback(True)
    return int(answer.status_code)


@pytest.mark.django_db
@pytest.mark.parametrize("role", [*ROLES, "stranger"])
def test_each_role_reaches_what_is_theirs_in_their_own_assessment_and_nothing_in_another(role, world):
    held = ROLES[role].rights if role in ROLES else frozenset()
    client = Client()
    client.force_login(world.people[role])
    wrong = []
    for name, wanted in MATRIX.items():
        own, foreign = status(client, name, world.own), status(client, name, world.foreign)
        if not held:
            fits = own == 404
        elif held & wanted.rights:
            fits = own == 404 if wanted.personal else own not in (403, 404)
        else:
            fits = own == 403
        if not fits or own >= 500:
            wrong.append(f"{name}: {own}")
        if foreign != 404:
            wrong.append(f"{name} of another assessment: {foreign}")
    assert wrong == []


@pytest.mark.django_db
def test_a_visitor_is_asked_to_sign_in_everywhere(world):
    wrong = []
    for name, wanted in MATRIX.items():
        address = reverse(name, kwargs={"public_id": world.own[wanted.of], **EXTRA.get(name, {})})
        answer = getattr(Client(), wanted.method)(address)
        if answer.status_code != 302 or not answer["Location"].startswith(reverse("login")):
            wrong.append(f"{name}: {answer.status_code}")
    assert wrong == []


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(SIGNED_IN))
def test_pages_without_an_assessment_show_strangers_nothing_of_any(name, world):
    client = Client()
    client.force_login(world.people["stranger"])
    answer = client.get(reverse(name))
    assert answer.status_code in (200, 403)
    if not answer.streaming:
        assert "2026 高三一模" not in answer.content.decode()


@pytest.mark.django_db
def test_the_superuser_of_the_site_reaches_everything_but_has_no_fresher_eyes_for_it(world):
    everything = get_user_model()._default_manager.create_superuser("root")
    client = Client()
    client.force_login(everything)
    assert {name for name, wanted in MATRIX.items() if status(client, name, world.own) in (403, 404)} == {
        name for name, wanted in MATRIX.items() if wanted.personal
    }
    disputed = Case.objects.get(need="APPEAL", response__question__public_id=world.own["question"])
    transitions.touch(disputed.response, person=everything, role="marker")
    taken = client.post(reverse("review:take-appeal", args=[world.own["appeal"]]))
    assert taken.status_code == 409
