"""Items in the bank: versions that never change, gates, reviews by others, a certificate that falls, uses."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, connection, transaction
from django.http import Http404
from django.utils import timezone

from config.foundation import trail
from config.foundation.errors import NotAllowedNow
from itembank import access, queries
from itembank.access import ItemRight
from itembank.domain.gates import COMPUTATION, OTHER_MIND, GateOutcome, Outcome
from itembank.domain.item_faults import UnusableItem
from itembank.domain.knowledge import shipped_tree
from itembank.domain.release import Standing
from itembank.models import Certificate, GateRun, Item, ItemVersion, KnowledgePoint
from itembank.transitions import (
    certify,
    import_points,
    record_gate,
    record_score_rate,
    record_use,
    review,
    run_gates,
    save_item,
)
from itembank.transitions.items import item_chain
from tests.items.cast import fill_in, single

pytestmark = pytest.mark.django_db


@pytest.fixture
def lin() -> User:
    return User.objects.create_user("lin")


@pytest.fixture
def wu() -> User:
    return User.objects.create_user("wu")


def passed_by_machines(version: ItemVersion) -> None:
    run_gates(version)
    record_gate(version, GateOutcome(COMPUTATION, Outcome.CORRECT))
    record_gate(version, GateOutcome(OTHER_MIND, Outcome.CORRECT))


def test_a_change_makes_a_version_and_no_change_makes_none(lin):
    first = save_item(single(), by=lin)
    assert save_item(single(), by=lin) == first
    second = save_item(single(title="另一个名字"), by=lin)
    assert (first.version, second.version) == (1, 2)
    assert first.item.current == second
    assert first.read().title == "一半"
    assert [event.verb for event in trail.events_of(item_chain(first.item))] == ["save_item", "save_item"]
    assert trail.first_broken_link(item_chain(first.item)) is None


def test_what_has_no_form_is_not_stored():
    with pytest.raises(UnusableItem):
        save_item(single(points="5"), by=None)
    assert not Item.objects.exists()


@pytest.mark.parametrize("table", ["item", "itemversion", "versionpoint", "gaterun", "certificate"])
@pytest.mark.parametrize("verb", ["UPDATE itembank_{} SET id = id", "DELETE FROM itembank_{}"])
def test_nothing_of_it_can_be_changed_or_deleted_even_by_sql(table, verb):
    version = save_item(single(), by=None)
    passed_by_machines(version)
    certify(version, by=None)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(verb.format(table))


def test_the_same_answer_of_a_gate_twice_is_one_row():
    version = save_item(single(), by=None)
    assert run_gates(version) == run_gates(version)
    assert GateRun.objects.count() == 2


def test_gate_2_looks_at_the_bank():
    save_item(fill_in(), by=None)
    twin = save_item(fill_in(item_id="twin"), by=None)
    assert [run.outcome for run in run_gates(twin)] == ["PASSED", "FAILED"]


def test_an_author_cannot_review_and_the_database_says_so_too(lin, wu):
    version = save_item(single(), by=lin)
    newer = save_item(single(title="改名"), by=wu)
    for person in (lin, wu):
        with pytest.raises(NotAllowedNow, match="own-item"):
            review(newer, by=person, passed=True)
        document = GateOutcome(5, Outcome.PASSED).document()
        with pytest.raises(DatabaseError, match="item_reviewer_is_no_author"), transaction.atomic():
            GateRun.objects.create(
                version=version,
                gate=5,
                outcome="PASSED",
                passes=True,
                document=document,
                sha256="",
                by=person,
                at=timezone.now(),
            )


def test_only_the_newest_version_is_reviewed(lin, wu):
    old = save_item(single(), by=lin)
    save_item(single(title="改名"), by=lin)
    with pytest.raises(NotAllowedNow, match="older-version"):
        review(old, by=wu, passed=True)


def test_four_gates_release_an_item_and_one_character_takes_the_release_away(lin):
    version = save_item(single(), by=lin)
    run_gates(version)
    with pytest.raises(NotAllowedNow) as refused:
        certify(version, by=None)
    assert refused.value.params == {"gates": (3, 4)}
    passed_by_machines(version)
    certificate = certify(version, by=None)
    assert certify(version, by=None) == certificate
    assert [row["gate"] for row in certificate.document["gates"]] == [1, 2, 3, 4]
    assert queries.item_standing(version.item) is Standing.CERTIFIED
    save_item(single(stem=single()["stem"] + "。"), by=lin)
    assert queries.item_standing(version.item) is Standing.FALLEN
    assert Certificate.objects.count() == 1


def test_a_person_may_release_what_the_machine_could_not_decide_and_stop_what_it_passed(lin, wu):
    open_one = save_item(single(), by=lin)
    run_gates(open_one)
    record_gate(open_one, GateOutcome(COMPUTATION, Outcome.NOT_COMPUTABLE))
    review(open_one, by=wu, passed=True)
    assert certify(open_one, by=wu).by == wu
    good = save_item(fill_in(), by=lin)
    passed_by_machines(good)
    review(good, by=wu, passed=False)
    with pytest.raises(NotAllowedNow, match="not-released"):
        certify(good, by=wu)


def test_nobody_can_release_what_gate_1_failed(lin, wu):
    version = save_item(single(answer={"choices": ["E"]}), by=lin)
    run_gates(version)
    review(version, by=wu, passed=True)
    with pytest.raises(NotAllowedNow, match="not-released"):
        certify(version, by=wu)


def test_the_database_refuses_a_certificate_without_its_gates():
    version = save_item(single(), by=None)
    run_gates(version)
    with pytest.raises(DatabaseError, match="certificate_needs_its_gates"), transaction.atomic():
        Certificate.objects.create(version=version, document={}, sha256="", at=timezone.now())


def test_a_used_item_shows_certified_then_changed_since():
    version = save_item(single(), by=None)
    early = record_use(version, place="q0", label="小测")
    passed_by_machines(version)
    certify(version, by=None)
    use = record_use(version, place="q1", label="月考第 3 题")
    assert record_use(version, place="q1", label="月考第 3 题") == use
    assert queries.standing_of_use(early) is Standing.NEVER
    assert queries.standing_of_use(use) is Standing.CERTIFIED
    save_item(single(title="改名"), by=None)
    assert queries.standing_of_use(use) is Standing.CHANGED_SINCE
    record_score_rate(use, score_rate=Decimal("0.75"), responses=40)
    use.refresh_from_db()
    assert (use.score_rate, use.responses) == (Decimal("0.75"), 40)
    assert use.at <= timezone.now() + timedelta(seconds=1)


def test_a_score_rate_has_a_base_and_stays_in_its_range():
    use = record_use(save_item(single(), by=None), place="q", label="小测")
    for rate, responses in ((Decimal("1.1"), 3), (Decimal("0.5"), 0)):
        with pytest.raises(DatabaseError), transaction.atomic():
            record_score_rate(use, score_rate=rate, responses=responses)


def test_a_tree_is_imported_once_and_again_without_change():
    assert import_points(shipped_tree()) == import_points(shipped_tree()) == KnowledgePoint.objects.count()
    assert {point.point_id for point in queries.knowledge_tree()} == {point.point_id for point in shipped_tree()}


def test_a_stranger_sees_no_item_and_a_member_only_what_the_right_allows(lin, wu):
    item = save_item(single(), by=None).item
    wu.user_permissions.add(Permission.objects.get(codename=ItemRight.REVIEW))
    wu = User.objects.get(pk=wu.pk)
    for stranger in (lin, AnonymousUser()):
        with pytest.raises(Http404):
            access.item_for(stranger, item.public_id)
        with pytest.raises(Http404):
            access.items_for(stranger)
    assert access.item_for(wu, item.public_id) == access.item_for(wu, item.public_id, ItemRight.REVIEW) == item
    assert list(access.items_for(wu)) == [item]
    with pytest.raises(PermissionDenied):
        access.item_for(wu, item.public_id, ItemRight.AUTHOR)
    with pytest.raises(Http404):
        access.item_for(wu, "nosuchitem")
