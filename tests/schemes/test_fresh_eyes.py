"""Nobody who touched an answer arbitrates it, audits it or decides its appeal, whichever way the row comes in."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, connection, models, transaction
from django.forms import modelform_factory
from django.utils import timezone

from config.foundation.errors import NotAllowedNow
from grading import transitions
from grading.models import Case, GivenMark, Mark, Touch
from review.models import AuditItem
from review.transitions import commit_audit, draw_sample
from tests.review import factory
from tests.schemes.conftest import give, steps_worth

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def disputed(room, people, second, scheme):
    """王老师 gave 9 and 孙二评 gave 4: an arbiter is wanted."""
    scheme("2+1")
    case = room.add(factory.hand_worked_document())
    give(case, people.teacher, 9)
    give(case, second, 4)
    return Case.objects.get(pk=case.pk)


@pytest.fixture
def sampled(room, people):
    """An accepted answer in a sample of 赵质检's, which 王老师 has had in hand."""
    case = room.add(factory.hand_worked_document(failing=()))
    transitions.touch(case.response, person=people.teacher, role="marker")
    return draw_sample(room.assessment, size=1, seed="s", source="ANY", by=people.auditor).items.get()


def arbitration(case: Case, person: Any) -> GivenMark:
    # Of a later round, so that nothing but the guard stands in the way of the two who marked.
    return GivenMark(
        case=case, life_cycle=case.life_cycle + 1, place="ARBITER", by=person, blind=False, total=Decimal(7),
        rules=case.rules, max_score=Decimal(12), created_at=timezone.now(),
    )  # fmt: skip


def edition(case: Case, person: Any) -> Mark:
    return Mark(
        case=case, edition=9, source="PERSON", by=person, total=Decimal(7), max_score=Decimal(12), rule="sole", rules=case.rules,
        created_at=timezone.now(),
    )  # fmt: skip


def by_save(row: models.Model) -> None:
    row.save()


def by_bulk(row: models.Model) -> None:
    type(row)._default_manager.bulk_create([row])


def by_bulk_ignoring_conflicts(row: models.Model) -> None:
    type(row)._default_manager.bulk_create([row], ignore_conflicts=True)


def by_form(row: models.Model) -> None:
    """As an admin site would save it."""
    fields = [each.name for each in row._meta.fields if each.editable and getattr(row, each.name) not in ({}, [], None)]
    values = {name: each.pk if isinstance(each := getattr(row, name), models.Model) else each for name in fields}
    form = modelform_factory(type(row), fields=fields)(values)
    assert form.is_valid(), form.errors
    form.save()


def by_sql(row: models.Model) -> None:
    columns, values = zip(
        *[
            (each.column, each.get_db_prep_save(each.pre_save(row, add=True), connection))
            for each in row._meta.concrete_fields
            if not each.primary_key
        ],
        strict=True,
    )
    places = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {row._meta.db_table} ({', '.join(columns)}) VALUES ({places})", values)


ROUTES: list[Callable[[models.Model], None]] = [by_save, by_bulk, by_bulk_ignoring_conflicts, by_form, by_sql]


@pytest.mark.django_db
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("make", [arbitration, edition])
def test_who_marked_an_answer_cannot_arbitrate_it_by_any_route_and_a_fresh_person_can(
    make, route, disputed, people, second, arbiter
):
    for person in (people.teacher, second, people.stranger):
        with pytest.raises(DatabaseError, match="guard: "), transaction.atomic():
            route(make(disputed, person))
    transitions.touch_with_fresh_eyes(disputed.response, person=arbiter, role="arbiter")
    route(make(disputed, arbiter))
    assert type(make(disputed, arbiter))._default_manager.filter(by=arbiter).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("statement", ["INSERT", "INSERT OR REPLACE", "UPDATE", "DELETE"])
def test_a_touch_can_be_neither_added_twice_nor_changed_nor_removed(statement, disputed, people):
    if statement == "INSERT OR REPLACE" and connection.vendor != "sqlite":
        statement = "INSERT"
    sql = {
        "UPDATE": "UPDATE grading_touch SET role = 'arbiter' WHERE person_id = %s AND response_id = %s",
        "DELETE": "DELETE FROM grading_touch WHERE person_id = %s AND response_id = %s",
    }.get(
        statement, f"{statement} INTO grading_touch (person_id, response_id, role, at) VALUES (%s, %s, 'arbiter', '2026-01-01')"
    )  # fmt: skip
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql, [people.teacher.pk, disputed.response_id])
    assert Touch.objects.get(person=people.teacher).role == "marker"


@pytest.mark.django_db
def test_a_touch_of_another_answer_does_not_help(disputed, room, arbiter):
    other = room.add(factory.hand_worked_document())
    transitions.touch_with_fresh_eyes(other.response, person=arbiter, role="arbiter")
    with pytest.raises(IntegrityError, match="guard: given_mark_needs_touch"), transaction.atomic():
        arbitration(disputed, arbiter).save()


@pytest.mark.django_db
def test_nobody_gives_any_mark_without_having_touched_the_answer(room, people):
    case = room.add(factory.hand_worked_document())
    for row in (edition(case, people.teacher), arbitration(case, people.teacher)):
        with pytest.raises(IntegrityError, match="guard: "), transaction.atomic():
            row.save()


@pytest.mark.django_db
def test_the_verb_refuses_a_person_who_has_had_the_answer_in_hand_and_takes_another(disputed, people, second, arbiter):
    transitions.touch(disputed.response, person=people.leader, role="marker")
    with pytest.raises(NotAllowedNow, match=r"touch\.not_fresh"):
        transitions.take_seeing(disputed, by=people.leader)
    disputed.refresh_from_db()
    assert disputed.claimed_by is None
    with pytest.raises(NotAllowedNow, match=r"case\.marked_by_you"):
        transitions.take_seeing(disputed, by=second)
    transitions.take_seeing(disputed, by=arbiter)


@pytest.mark.django_db
def test_who_audited_an_answer_cannot_arbitrate_it(disputed, people):
    transitions.touch_with_fresh_eyes(disputed.response, person=people.auditor, role="auditor")
    with pytest.raises(NotAllowedNow, match=r"touch\.not_fresh"):
        transitions.take_seeing(disputed, by=people.auditor)


def audited(item: AuditItem, person: Any) -> dict[str, Any]:
    return {"auditor": person, "total": Decimal(9), "committed_at": timezone.now()}


@pytest.mark.django_db
@pytest.mark.parametrize("route", ["update", "save", "sql", "insert"])
def test_who_had_an_answer_in_hand_cannot_audit_it_by_any_route_and_a_fresh_person_can(route, sampled, people):
    def write(person: Any) -> None:
        if route == "update":
            AuditItem.objects.filter(pk=sampled.pk).update(**audited(sampled, person))
        elif route == "save":
            for name, value in audited(sampled, person).items():
                setattr(sampled, name, value)
            sampled.save()
        elif route == "sql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "UPDATE review_audititem SET auditor_id = %s, total = 9, committed_at = created_at "
                    "FROM review_auditsample s WHERE s.id = sample_id",
                    [person.pk],
                )
        else:
            again = draw_sample(sampled.sample.assessment, size=1, seed="t", source="ANY", by=people.stranger)
            again.items.all().delete()
            AuditItem.objects.create(sample=again, position=1, mark=sampled.mark, **audited(sampled, person))

    with pytest.raises(IntegrityError, match="guard: audit_needs_fresh_eyes"), transaction.atomic():
        write(people.teacher)
    transitions.touch_with_fresh_eyes(sampled.mark.case.response, person=people.auditor, role="auditor")
    write(people.auditor)


@pytest.mark.django_db
def test_the_verb_of_an_audit_refuses_them_too(sampled, people):
    audit: dict[str, Any] = {"steps": steps_worth(9), "total": Decimal(9), "comment": ""}
    with pytest.raises(NotAllowedNow, match=r"touch\.not_fresh"):
        commit_audit(sampled, by=people.teacher, **audit)
    commit_audit(sampled, by=people.auditor, **audit)


def test_there_is_no_admin_site_beside_the_verbs():
    assert not apps.is_installed("django.contrib.admin")


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_the_shell_is_refused_like_every_other_route(outside_environment, disputed, people):
    code = (
        "from grading.models import *; from django.utils import timezone; "
        f"case = Case.objects.get(pk={disputed.pk}); "
        "GivenMark.objects.create(case=case, life_cycle=case.life_cycle, place='ARBITER', "
        f"by_id={people.teacher.pk}, blind=False, rules=case.rules, total=7, max_score=12, created_at=timezone.now())"
    )
    run = subprocess.run(
        [sys.executable, "manage.py", "shell", "-c", code],
        cwd=ROOT, env=outside_environment, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode != 0
    assert "guard: given_mark_needs_touch" in run.stderr
    assert GivenMark.objects.count() == 2
